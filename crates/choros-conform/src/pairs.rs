//! The pairs that matter, found on the fly, with their invariants.

use std::collections::VecDeque;

use choros_base::{Budget, StopReason};
use choros_data::{Term, Terms, Var};
use rustc_hash::FxHashMap;

use crate::clauses::{Clause, Pair, System, Then};
use crate::equalities::{Equalities, from_conjuncts};
use crate::formula::{Substitution, conjuncts, plainly_false};

/// The pairs, in the order of discovery; the initial one is the first.
pub(crate) struct Pairs {
    pub(crate) all: Vec<Pair>,
    /// What is equal at each.
    pub(crate) equal: Vec<Equalities>,
    /// The pairs whose equations speak of each.
    pub(crate) users: Vec<Vec<u32>>,
    ids: FxHashMap<Pair, u32>,
}

impl Pairs {
    /// Finds them all; `shared` are pairs of variables that are equal at the start.
    pub(crate) fn explore(
        system: &mut System<'_>,
        shared: &[(Var, Var)],
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Pairs, StopReason> {
        let mut pairs = Pairs {
            all: Vec::new(),
            equal: Vec::new(),
            users: Vec::new(),
            ids: FxHashMap::default(),
        };
        let initial = system.initial();
        let live = system.live(initial);
        let start = Equalities::meet(
            None,
            &live,
            |variable, terms| {
                let same = shared.iter().find(|(_, right)| *right == variable);
                terms.var(same.map_or(variable, |(left, _)| *left))
            },
            terms,
        );
        pairs.add(initial, start);
        budget.begin("pairs of states", 0);
        budget.spend()?;
        let mut work: VecDeque<u32> = VecDeque::from([0]);
        let mut waiting = vec![true];
        while let Some(id) = work.pop_front() {
            budget.spend()?;
            waiting[id as usize] = false;
            let clauses = system.clauses(pairs.all[id as usize], terms);
            for clause in &clauses {
                for (then, known) in calls(clause, &pairs.equal[id as usize], terms) {
                    let value = |variable: Var, terms: &mut Terms| {
                        let value = match then.values.get(&variable) {
                            Some(&value) => value,
                            None => terms.var(variable),
                        };
                        let value = terms.substitute(value, &known);
                        terms.simplify(value)
                    };
                    let Some(target) = pairs.id(then.pair) else {
                        budget.spend()?;
                        let live = system.live(then.pair);
                        let equal = Equalities::meet(None, &live, value, terms);
                        let target = pairs.add(then.pair, equal);
                        pairs.users[target as usize].push(id);
                        waiting.push(true);
                        work.push_back(target);
                        continue;
                    };
                    let users = &mut pairs.users[target as usize];
                    // One that is examined again may be there twice, which does no harm.
                    if users.last() != Some(&id) {
                        users.push(id);
                    }
                    let old = &pairs.equal[target as usize];
                    if old.holds(value, terms) {
                        continue;
                    }
                    let live = system.live(then.pair);
                    let met = Equalities::meet(Some(old), &live, value, terms);
                    if met != *old {
                        pairs.equal[target as usize] = met;
                        if !waiting[target as usize] {
                            waiting[target as usize] = true;
                            work.push_back(target);
                        }
                    }
                }
            }
        }
        Ok(pairs)
    }

    /// The number of a pair that was found.
    pub(crate) fn id(&self, pair: Pair) -> Option<u32> {
        self.ids.get(&pair).copied()
    }

    fn add(&mut self, pair: Pair, equal: Equalities) -> u32 {
        let id = self.all.len() as u32;
        self.ids.insert(pair, id);
        self.all.push(pair);
        self.equal.push(equal);
        self.users.push(Vec::new());
        id
    }
}

/// What may follow a clause, and the equalities that hold on the way there.
///
/// Answers that plainly contradict the challenge are left out.
pub(crate) fn calls<'c>(
    clause: &'c Clause,
    equal: &Equalities,
    terms: &mut Terms,
) -> Vec<(&'c Then, Substitution)> {
    let here = equal.substitution();
    let premise = terms.substitute(clause.premise, &here);
    let premise = terms.simplify(premise);
    let mut calls = Vec::new();
    if premise == Term::FALSE {
        return calls;
    }
    for reply in &clause.answers {
        let Some(then) = &reply.then else { continue };
        let condition = terms.substitute(reply.condition, &here);
        if plainly_false(terms, &[premise, condition]) {
            continue;
        }
        let condition = terms.simplify(condition);
        let mut on_the_way = conjuncts(terms, premise);
        on_the_way.extend(conjuncts(terms, condition));
        let learnt = from_conjuncts(terms, &on_the_way);
        let mut known: Substitution = here.clone();
        if !learnt.is_empty() {
            let variables: Vec<Var> = known.keys().copied().collect();
            for variable in variables {
                if let Some(&value) = known.get(&variable) {
                    let value = terms.substitute(value, &learnt);
                    known.insert(variable, value);
                }
            }
            #[expect(clippy::iter_over_hash_type, reason = "a substitution has no order")]
            for (&variable, &value) in &learnt {
                known.entry(variable).or_insert(value);
            }
        }
        calls.push((then, known));
    }
    calls
}
