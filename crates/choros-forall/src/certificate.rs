//! What an answer rests on, as `choros-certify` checks it.
//!
//! The search has a set below and one above for each sub-formula and node: the one below is where it is claimed to be
//! true, the complement of the other where it is claimed to be false.
//! Only what the claim about the first node needs is written.

use std::collections::BTreeSet;

use choros_certify::{ClaimedSet, ForAllPart, Given, RankPart, SetClaim, Stage};
use choros_data::syntax::is_identifier;
use choros_data::{Term, Var};
use choros_query::socl::{NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::asked_of::AskedOf;
use crate::environment::Environment;
use crate::evaluate::{Evaluator, Instance, Solved};
use crate::least::Layer;
use crate::stop::Stop;
use crate::symbolic::{Datum, Substitution};
use crate::witness::choose_steps;

/// Writes the claims behind what was found of the first node: that the formula is true there, or false, or each where
/// it is.
pub(crate) fn certified_part(
    evaluator: &mut Evaluator<'_, '_>,
    truths: &[bool],
    asked: AskedOf<'_>,
) -> Result<ForAllPart, Stop> {
    let root = evaluator.formula.root();
    let (outer, _) = evaluator.for_all()?;
    let place = evaluator.graph.initial();
    let mut writer = Writer {
        evaluator,
        order: Vec::new(),
        wanted: FxHashMap::default(),
        pending: Vec::new(),
    };
    for &truth in truths {
        writer.want(root, &outer, truth, place)?;
    }
    writer.follow()?;
    let mut part = ForAllPart::default();
    for (place, &known) in writer.evaluator.known.iter().enumerate() {
        if known != Term::TRUE {
            let known = writer.evaluator.prover.terms.total(known);
            part.known.push((place as u32, known));
        }
    }
    for key in std::mem::take(&mut writer.order) {
        let claim = writer.claim(&key)?;
        part.claims.push(claim);
    }
    choose_steps(&mut part, writer.evaluator, asked)?;
    Ok(part)
}

/// A sub-formula, and whether it is true or false.
type Wanted = (Instance, bool);

struct Writer<'e, 'a, 'p> {
    evaluator: &'e mut Evaluator<'a, 'p>,
    order: Vec<Wanted>,
    /// The places at which each is needed.
    wanted: FxHashMap<Wanted, BTreeSet<usize>>,
    pending: Vec<(Wanted, usize)>,
}

impl Writer<'_, '_, '_> {
    /// Needs a sub-formula to be true, or false, at a place.
    fn want(
        &mut self,
        node: NodeId,
        environment: &Environment,
        truth: bool,
        place: usize,
    ) -> Result<(), Stop> {
        let formula = self.evaluator.formula;
        match &formula.node(node).kind {
            NodeKind::Constant(_) | NodeKind::State(_) => Ok(()),
            NodeKind::Not(part) => self.want(*part, environment, !truth, place),
            NodeKind::And(parts) | NodeKind::Or(parts) => parts
                .iter()
                .try_for_each(|&part| self.want(part, environment, truth, place)),
            NodeKind::Implies(left, right) => {
                self.want(*left, environment, !truth, place)?;
                self.want(*right, environment, truth, place)
            }
            _ => {
                let instance = self.evaluator.instance(node, environment);
                let solved = self.evaluator.sets(node, &instance.1)?;
                if self.set(&solved, truth, place) == Term::FALSE {
                    return Ok(());
                }
                let key = (instance, truth);
                if !self.wanted.contains_key(&key) {
                    self.order.push(key.clone());
                    // A fair run goes round: what it needs is not what is nearer.
                    for place in turned(&solved, truth) {
                        if self.wanted.entry(key.clone()).or_default().insert(place) {
                            self.pending.push((key.clone(), place));
                        }
                    }
                }
                if self.wanted.entry(key.clone()).or_default().insert(place) {
                    self.pending.push((key, place));
                }
                Ok(())
            }
        }
    }

    /// Where it is known to be true, or known to be false.
    fn set(&mut self, solved: &Solved, truth: bool, place: usize) -> Term {
        let found = solved.sets[place];
        if truth {
            found.low
        } else {
            found.not(self.evaluator.prover.terms).low
        }
    }

    /// Needs whatever the claims rest on.
    fn follow(&mut self) -> Result<(), Stop> {
        while let Some((((node, environment), truth), place)) = self.pending.pop() {
            let (formula, graph) = (self.evaluator.formula, self.evaluator.graph);
            let (last, right, is_path) = match &formula.node(node).kind {
                NodeKind::Next(_, actions, part)
                | NodeKind::Diamond(actions, part)
                | NodeKind::Box(actions, part) => (Some(actions), Some(*part), false),
                NodeKind::Always(_, part) => {
                    self.want(*part, &environment, truth, place)?;
                    (None, None, true)
                }
                NodeKind::Eventually(_, last, part) => (last.as_ref(), Some(*part), true),
                NodeKind::Until(until) => {
                    self.want(until.left, &environment, truth, place)?;
                    (until.last.as_ref(), Some(until.right), true)
                }
                _ => continue,
            };
            if let (None, Some(right)) = (last, right) {
                self.want(right, &environment, truth, place)?;
            }
            for step in &graph.steps[place] {
                if let (Some(actions), Some(part)) = (last, right) {
                    for way in self.evaluator.onward(actions, part, step, &environment)? {
                        let (node, inner) = way.instance;
                        self.want(node, &inner, truth, step.target)?;
                    }
                }
                if is_path {
                    self.want(node, &environment, truth, step.target)?;
                }
            }
        }
        Ok(())
    }

    fn claim(&mut self, key: &Wanted) -> Result<SetClaim, Stop> {
        let ((node, environment), truth) = key;
        let solved = self.evaluator.sets(*node, environment)?;
        let places = self.wanted.get(key).cloned().unwrap_or_default();
        let mut stages = match &solved.path {
            Some(path) if path.dual != *truth => staged(&path.layers, &places),
            Some(path) if !path.turns.is_empty() => {
                let mut stages = Vec::new();
                for (turn, layers) in path.turns.iter().enumerate() {
                    let mut own = staged(layers, &places);
                    own.iter_mut().for_each(|it| it.turn = turn as u32);
                    stages.extend(own);
                }
                stages
            }
            _ => {
                let sets = places.iter().map(|&place| {
                    let condition = self.set(&solved, *truth, place);
                    claimed(place, condition)
                });
                vec![Stage {
                    sets: sets.collect(),
                    ..Stage::default()
                }]
            }
        };
        let (values, renamed) = self.given(environment);
        let terms = &mut *self.evaluator.prover.terms;
        for stage in &mut stages {
            for part in &mut stage.rank {
                if let RankPart::Number(number) | RankPart::Falling(number, _) = part {
                    *number = terms.substitute(*number, &renamed);
                }
            }
            for set in &mut stage.sets {
                let condition = terms.substitute(set.condition, &renamed);
                set.condition = terms.total(condition);
            }
            for helpful in &mut stage.helpful {
                let condition = terms.substitute(helpful.condition, &renamed);
                helpful.condition = terms.total(condition);
            }
        }
        Ok(SetClaim {
            node: *node,
            values,
            truth: *truth,
            stages,
        })
    }

    /// What correlation variables are, with names that can be written, and how they are called in the search.
    fn given(&mut self, environment: &Environment) -> (Vec<Given>, Substitution) {
        let evaluator = &mut *self.evaluator;
        let terms = &mut *evaluator.prover.terms;
        let mut taken: FxHashSet<String> = FxHashSet::default();
        let of_model = evaluator.graph.variables.iter();
        taken.extend(of_model.map(|&it| terms.variable_text(it).to_owned()));
        let mut renamed = Substitution::default();
        let mut values = Vec::new();
        for &(variable, datum) in environment {
            let term = match datum {
                Datum::Text(text) => {
                    values.push(Given::Text(text));
                    continue;
                }
                Datum::Term(term) => term,
            };
            let text = evaluator.formula.variable(variable, evaluator.names);
            let is_plain = is_identifier(text) && text.starts_with(|it: char| it.is_lowercase());
            let stem = if is_plain { text } else { "any" };
            let mut name = format!("{stem}_{}", variable.0);
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            let name = terms.names.intern(&name);
            let own: Var = terms.variable(name, terms.sort_of(term));
            if let Some(rigid) = terms.as_variable(term) {
                renamed.insert(rigid, terms.var(own));
            }
            values.push(Given::Any(own));
        }
        (values, renamed)
    }
}

fn claimed(place: usize, condition: Term) -> ClaimedSet {
    ClaimedSet {
        place: place as u32,
        condition,
        witnesses: Vec::new(),
    }
}

/// The places of a claim that fair runs avoid something, if it is one.
fn turned(solved: &Solved, truth: bool) -> BTreeSet<usize> {
    let path = solved.path.iter().filter(|it| it.dual == truth);
    let sets = path.flat_map(|it| &it.turns).flatten();
    let sets = sets.flat_map(|it| &it.sets);
    let sets = sets.filter(|it| it.1 != Term::FALSE);
    sets.map(|it| it.0).collect()
}

/// The layers of a solution, at some places; layers without a rank are one stage as long as places are new.
fn staged(layers: &[Layer], places: &BTreeSet<usize>) -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    // The places of the last stage, if it takes more layers.
    let mut open: Option<FxHashSet<usize>> = None;
    for Layer { rank, sets } in layers {
        let here: Vec<(usize, Term)> = sets
            .iter()
            .copied()
            .filter(|(place, set)| places.contains(place) && *set != Term::FALSE)
            .collect();
        if here.is_empty() {
            continue;
        }
        if let Some(rank) = rank {
            open = None;
            let helpful = match &rank.helping {
                Some(helping) => helping.written(here.iter().map(|it| it.0)),
                None => Vec::new(),
            };
            let sets = here.into_iter().map(|(place, set)| claimed(place, set));
            stages.push(Stage {
                rank: rank.parts(),
                helpful,
                sets: sets.collect(),
                ..Stage::default()
            });
            continue;
        }
        // Sets of one layer do not lead to each other: each has its own number.
        let is_new = |known: &FxHashSet<usize>| here.iter().all(|it| !known.contains(&it.0));
        if !open.as_ref().is_some_and(is_new) {
            stages.push(Stage {
                rank: vec![RankPart::Places(Default::default())],
                ..Stage::default()
            });
            open = None;
        }
        let known = open.get_or_insert_default();
        let Some(stage) = stages.last_mut() else {
            continue;
        };
        let number = known.len() as u32;
        for (place, set) in here {
            known.insert(place);
            if let [RankPart::Places(numbers)] = &mut stage.rank[..] {
                numbers.insert(place as u32, number);
            }
            stage.sets.push(claimed(place, set));
        }
    }
    stages
}
