//! What a message of a belief may carry, as the waist can write it.
//!
//! The steps of a group are one message from different places.
//! With variables `d` for what it carries, the message is possible where `G(d) = ∃ unknowns. conditions and values`.
//!
//! | what the steps carry | steps of the belief |
//! |---|---|
//! | the same known term `t` | `[∃d. G] o!t` |
//! | any value: `G` does not depend on `d` | `[G] o!<d>` |
//! | known terms `t`, `u` that may differ | `[G(t)] o!t`, `[G(u) ∧ ¬(G(t) ∧ t = u)] o!u`, to the same belief |
//! | a value that depends on what the role does not see, received | `[G(p)] o?p` with a parameter `p` |
//!
//! In the last row the role has to take every value that partners may send, so the comparison is for all `p`.
//! It is one value for a whole run, so the step must not be done twice (the caller looks for cycles).
//! A sending of that kind has no form here.

use choros_base::Span;
use choros_data::{Sort, Term, Terms, Var};
use choros_model::stg::{Direction, Edge, Event, FieldValue, Message, NodeId, Update};
use choros_smt::Truth;
use rustc_hash::{FxHashMap, FxHashSet};

use super::place::Place;
use super::{Beliefs, Halt, Member, Told, unclear};

/// Steps with one message.
pub(super) struct Group {
    pub(super) members: Vec<Member>,
}

/// What one member does to a field: any value, or this known term.
type Pattern = Vec<Option<Term>>;

/// A group with variables for what the message carries.
struct Heard {
    source: NodeId,
    message: Message,
    origin: Option<Span>,
    /// For each field, its variable, or the known term that all members have.
    fields: Vec<Carried>,
    /// Assignments that all members have in common.
    updates: Vec<Update>,
    /// What each member carries, in fields with a variable.
    patterns: Vec<Pattern>,
    /// Where each member leads, with its condition.
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
enum Carried {
    Fixed(Term),
    Heard(Var),
}

impl Heard {
    /// Whether one member takes any value where another has a known term.
    fn is_open_and_known(&self) -> bool {
        let fields = self.patterns.first().map_or(0, Vec::len);
        (0..fields).any(|at| {
            let known = |it: &Pattern| it[at].is_some();
            self.patterns.iter().any(known) && !self.patterns.iter().all(known)
        })
    }

    fn variables(&self) -> Vec<Var> {
        let heard = self.fields.iter().filter_map(|it| match it {
            Carried::Heard(variable) => Some(*variable),
            Carried::Fixed(_) => None,
        });
        heard.collect()
    }
}

impl Beliefs<'_> {
    /// Adds the steps of a group.
    pub(super) fn follow(
        &mut self,
        source: NodeId,
        places: &[Place],
        group: Group,
    ) -> Result<(), Halt> {
        let heard = self.heard(source, places, &group)?;
        let variables = heard.variables();
        let mut possible = Vec::with_capacity(heard.places.len());
        for place in &heard.places {
            possible.push(self.for_some(place.condition, &[])?);
        }
        let whole = self.either(&possible)?;
        if whole == Term::FALSE {
            return Ok(());
        }
        if variables.is_empty() {
            return self.step(&heard, whole, &FxHashMap::default());
        }
        // Any value, whichever member it is.
        let some = self.for_some(whole, &variables)?;
        if self.solver.implies(self.terms, some, whole)? == Truth::True {
            if heard.is_open_and_known() {
                self.absorb(&heard.message);
            }
            return self.step(&heard, some, &FxHashMap::default());
        }
        if let Some(ways) = self.ways(&heard, &possible)? {
            for (guard, values) in ways {
                self.step(&heard, guard, &values)?;
            }
            return Ok(());
        }
        let name = self.terms.names.text(heard.message.operation.0).to_owned();
        match heard.message.direction {
            Direction::Receive => self.told(heard, whole),
            _ => unclear(format!(
                "which values the role may send in `{name}` depends on what it does not see"
            )),
        }
    }

    /// Variables for what a group carries, and where its members lead.
    fn heard(&mut self, source: NodeId, places: &[Place], group: &Group) -> Result<Heard, Halt> {
        let first = &group.members[0].edge;
        let Event::Message(message) = &first.event else {
            return unclear("a step is not a message");
        };
        let mut used: FxHashSet<Var> = FxHashSet::default();
        for place in places {
            used.extend(place.speaks_of(self.terms));
        }
        let mut carried: Vec<Vec<Option<Term>>> = Vec::new();
        for member in &group.members {
            let read = self.carried_by(member);
            carried.push(read);
        }
        let mut fields = Vec::new();
        for position in 0..message.fields.len() {
            let own = carried[0][position];
            let same = carried.iter().all(|it| it[position] == own);
            fields.push(match own.filter(|&it| same && self.is_known(it)) {
                Some(term) => Carried::Fixed(term),
                None => {
                    let like = variable_for(message, position, self.terms);
                    let variable = self.fresh(like, &used);
                    used.insert(variable);
                    Carried::Heard(variable)
                }
            });
        }
        let mut patterns = Vec::new();
        let mut targets = Vec::new();
        for (member, carried) in group.members.iter().zip(&carried) {
            let mut place = Place {
                node: member.edge.target,
                ..member.place.clone()
            };
            let bound: Vec<Option<Var>> = bound(&member.edge);
            let mut pattern = Vec::new();
            let mut equal = Vec::new();
            let mut learnt: Vec<(Var, Var)> = Vec::new();
            for (position, field) in fields.iter().enumerate() {
                let &Carried::Heard(variable) = field else {
                    continue;
                };
                let Some(term) = carried[position] else {
                    pattern.push(None);
                    continue;
                };
                let unknown = self.terms.as_variable(term);
                match unknown.filter(|&it| self.unknowns.contains(it)) {
                    Some(unknown) if learnt.iter().all(|it| it.0 != unknown) => {
                        learnt.push((unknown, variable));
                        pattern.push(None);
                    }
                    _ => {
                        pattern.push(self.is_known(term).then_some(term));
                        equal.push((term, variable));
                    }
                }
            }
            for (term, variable) in equal {
                let value = self.terms.var(variable);
                let same = self.terms.equal(value, term);
                let same = self.terms.close(same);
                place.condition = self.terms.and([place.condition, same]);
            }
            for (unknown, variable) in learnt {
                place.rename(unknown, variable, self.terms);
            }
            for (field, bound) in fields.iter().zip(bound) {
                if let (Carried::Heard(variable), Some(bound)) = (field, bound) {
                    place.set(bound, *variable);
                }
            }
            patterns.push(pattern);
            targets.push(place);
        }
        let updates = self.updates(group, &mut targets, &used);
        Ok(Heard {
            source,
            message: message.clone(),
            origin: first.origin,
            fields,
            updates,
            patterns,
            places: targets,
        })
    }

    /// The terms that a member sends, in terms of the belief; nothing where it binds.
    fn carried_by(&mut self, member: &Member) -> Vec<Option<Term>> {
        let message = member.edge.event.message();
        let fields = message.into_iter().flat_map(|it| &it.fields);
        let mut found = Vec::new();
        for field in fields {
            found.push(match field.value {
                FieldValue::Free(term) => Some(member.place.read(term, self.terms)),
                FieldValue::Bind(_) => None,
            });
        }
        found
    }

    fn is_known(&self, term: Term) -> bool {
        let free = self.terms.free_variables(term);
        !free.iter().any(|&it| self.unknowns.contains(it))
    }

    /// Assignments that all members do in the same way stay assignments; others are unknowns with an equation.
    fn updates(
        &mut self,
        group: &Group,
        places: &mut [Place],
        used: &FxHashSet<Var>,
    ) -> Vec<Update> {
        let of = |member: &Member| member.edge.updates.clone();
        let own = of(&group.members[0]);
        let alike = group.members.iter().all(|it| of(it) == own);
        let mut done: Vec<Update> = Vec::new();
        let mut used = used.clone();
        for (position, place) in places.iter_mut().enumerate() {
            if !alike {
                for update in of(&group.members[position]) {
                    self.assign_unseen(place, &update);
                }
            }
        }
        if !alike {
            return done;
        }
        for update in own {
            let values: Vec<Term> = places
                .iter()
                .map(|place| place.read(update.value, self.terms))
                .collect();
            let value = values[0];
            let same = values.iter().all(|&it| it == value);
            if !same || !self.is_known(value) || self.terms.as_variable(value).is_some() {
                for place in places.iter_mut() {
                    self.assign_unseen(place, &update);
                }
                continue;
            }
            let defined = self.terms.defined(value);
            for place in places.iter_mut() {
                place.condition = self.terms.and([place.condition, defined]);
            }
            let old = places[0].get(update.variable);
            let free = |variable: Var, terms: &Terms| {
                places.iter().all(|place| {
                    let spoken = terms.free_variables(place.condition);
                    !spoken.contains(&variable) && !place.lends(variable, update.variable)
                })
            };
            let is_own = |it: &Var| !self.unknowns.contains(*it) && !self.reserved.contains(it);
            let target = match old.filter(is_own) {
                Some(old) if free(old, self.terms) => old,
                _ => self.fresh(update.variable, &used),
            };
            used.insert(target);
            for place in places.iter_mut() {
                place.set(update.variable, target);
            }
            done.push(Update {
                variable: target,
                value,
            });
        }
        done
    }

    /// The role may send a message with any value as well as with one that it knows, and the step has only the first.
    fn absorb(&mut self, message: &Message) {
        if message.direction == Direction::Send {
            let message = (message.operation, message.from, message.to);
            self.absorbed.insert(message);
        }
    }

    /// One way for each pattern of known terms, each without what those before have; none where that cannot be said.
    #[expect(clippy::type_complexity, reason = "a guard and values for variables")]
    fn ways(
        &mut self,
        heard: &Heard,
        possible: &[Term],
    ) -> Result<Option<Vec<(Term, FxHashMap<Var, Term>)>>, Halt> {
        let variables = heard.variables();
        let mut kinds: Vec<(Pattern, Vec<Term>)> = Vec::new();
        for (pattern, &guard) in heard.patterns.iter().zip(possible) {
            let values = assignment(&variables, pattern);
            let guard = self.terms.substitute(guard, &values);
            let guard = self.terms.simplify(guard);
            let free = self.terms.free_variables(guard);
            if free.iter().any(|it| variables.contains(it)) {
                return Ok(None);
            }
            match kinds.iter_mut().find(|it| it.0 == *pattern) {
                Some((_, guards)) => guards.push(guard),
                None => kinds.push((pattern.clone(), vec![guard])),
            }
        }
        // Those that take any value come first, and have the rest of the terms in them.
        kinds.sort_by_key(|(pattern, _)| pattern.iter().flatten().count());
        let mut before: Vec<(Pattern, Term)> = Vec::new();
        let mut ways = Vec::new();
        for (pattern, guards) in kinds {
            let guard = self.either(&guards)?;
            let mut rest = vec![guard];
            for (other, open) in &before {
                let mut same = vec![*open];
                let mut fields = pattern.iter().zip(other);
                let is_absorbed = fields.any(|it| matches!(it, (Some(_), None)));
                for (own, its) in pattern.iter().zip(other) {
                    match (own, its) {
                        (_, None) => {}
                        (Some(own), Some(its)) => {
                            let equal = self.terms.equal(*own, *its);
                            same.push(self.terms.close(equal));
                        }
                        (None, Some(_)) => return Ok(None),
                    }
                }
                let same = self.terms.and(same);
                let both = self.terms.and([guard, same]);
                if is_absorbed && self.is_possible(both)? {
                    self.absorb(&heard.message);
                }
                rest.push(self.terms.not(same));
            }
            before.push((pattern.clone(), guard));
            let guard = self.terms.and(rest);
            if self.is_possible(guard)? {
                ways.push((guard, assignment(&variables, &pattern)));
            }
        }
        Ok(Some(ways))
    }

    /// A step with some values known, to the belief of all members.
    fn step(
        &mut self,
        heard: &Heard,
        guard: Term,
        values: &FxHashMap<Var, Term>,
    ) -> Result<(), Halt> {
        let target = self.state(heard.places.clone())?;
        let mut message = heard.message.clone();
        let mut updates = Vec::new();
        for (field, carried) in message.fields.iter_mut().zip(&heard.fields) {
            field.value = match carried {
                Carried::Fixed(term) => FieldValue::Free(*term),
                Carried::Heard(variable) => match values.get(variable) {
                    None => FieldValue::Bind(*variable),
                    Some(&value) => {
                        let variable = *variable;
                        updates.push(Update { variable, value });
                        FieldValue::Free(value)
                    }
                },
            };
        }
        updates.extend(&heard.updates);
        self.builder.edge(
            self.terms,
            Edge {
                source: heard.source,
                target,
                guard,
                event: Event::Message(message),
                updates,
                origin: heard.origin,
            },
        );
        Ok(())
    }

    /// A reception of values that are given from outside.
    fn told(&mut self, mut heard: Heard, guard: Term) -> Result<(), Halt> {
        let mut guard = guard;
        let mut values = Vec::new();
        for field in &mut heard.fields {
            let &mut Carried::Heard(variable) = field else {
                continue;
            };
            let given = self.given(variable);
            let replacement = FxHashMap::from_iter([(variable, self.terms.var(given))]);
            guard = self.terms.substitute(guard, &replacement);
            for place in &mut heard.places {
                place.rename(variable, given, self.terms);
            }
            for update in &mut heard.updates {
                update.value = self.terms.substitute(update.value, &replacement);
            }
            *field = Carried::Fixed(self.terms.var(given));
            values.push(given);
        }
        self.step(&heard, guard, &FxHashMap::default())?;
        let target = self.state(heard.places)?;
        self.told.push(Told {
            message: heard.message.operation,
            values,
            source: heard.source,
            target,
        });
        Ok(())
    }

    /// The first variable called like another that is not in use.
    fn fresh(&mut self, like: Var, used: &FxHashSet<Var>) -> Var {
        let text = self.terms.variable_text(like).to_owned();
        let sort = self.terms.variable_sort(like);
        let mut number = 1;
        loop {
            let found = self.called(&text, number, sort);
            let is_free = |it: &Var| !used.contains(it) && !self.reserved.contains(it);
            if let Some(found) = found.filter(is_free) {
                return found;
            }
            number += 1;
        }
    }

    /// A variable of its own for a value that is given from outside.
    fn given(&mut self, like: Var) -> Var {
        let used: FxHashSet<Var> = self.names.values().copied().collect();
        let given = self.fresh(like, &used);
        self.reserved.insert(given);
        given
    }

    /// The variable with a text and a number; none where another sort has it.
    fn called(&mut self, text: &str, number: usize, sort: Sort) -> Option<Var> {
        let text = match number {
            1 => text.to_owned(),
            number => format!("{text}_{number}"),
        };
        let name = self.terms.names.intern(&text);
        let variable = self.terms.variable(name, sort);
        let known = *self.names.entry(text).or_insert(variable);
        (known == variable).then_some(variable)
    }
}

/// A variable that says what a field is.
fn variable_for(message: &Message, position: usize, terms: &mut Terms) -> Var {
    let field = &message.fields[position];
    let sort = match field.value {
        FieldValue::Bind(variable) => return variable,
        FieldValue::Free(term) => match terms.as_variable(term) {
            Some(variable) => return variable,
            None => terms.sort_of(term),
        },
    };
    let what = match field.label {
        Some(label) => terms.names.text(label).to_owned(),
        None => (position + 1).to_string(),
    };
    let name = format!("{}_{what}", terms.names.text(message.operation.0));
    let name = terms.names.intern(&name);
    terms.variable(name, sort)
}

fn bound(edge: &Edge) -> Vec<Option<Var>> {
    let message = edge.event.message();
    let fields = message.into_iter().flat_map(|it| &it.fields);
    let fields = fields.map(|field| match field.value {
        FieldValue::Bind(variable) => Some(variable),
        FieldValue::Free(_) => None,
    });
    fields.collect()
}

fn assignment(variables: &[Var], pattern: &Pattern) -> FxHashMap<Var, Term> {
    let pairs = variables.iter().zip(pattern);
    pairs
        .filter_map(|(&variable, &value)| Some((variable, value?)))
        .collect()
}
