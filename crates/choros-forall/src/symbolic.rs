//! The steps of a graph for all data, and the actions that abstraction rules make of them.
//!
//! The meaning is that of the graph with values (`ValuedGraph` of `choros-model`): an edge fires if its guard holds
//! and its updates are defined, and where a run may end a step `end` leads to a state that has ended.

use choros_base::{Name, Names};
use choros_data::{Quantifier, Term, Terms, Var};
use choros_model::lts::Action;
use choros_model::stg::{Direction, Edge, EdgeId, Event, FieldValue, NodeId, Stg};
use choros_query::abstraction::{Abstraction, Part, Rule, RuleArgument, Subject, activity};
use choros_query::questions::Alphabet;
use rustc_hash::FxHashMap;

use crate::bounds::{Bounds, Side};
use crate::literal::literal;
use crate::prover::Prover;
use crate::stop::Stop;

/// Values of variables in terms of others.
pub(crate) type Substitution = FxHashMap<Var, Term>;

/// A datum of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Datum {
    /// A text of a rule or a formula.
    Text(Name),
    /// A value of the model.
    Term(Term),
}

/// An action, and when rules make it of a step.
#[derive(Debug, Clone)]
pub(crate) struct Label {
    pub(crate) condition: Term,
    pub(crate) kind: Name,
    pub(crate) arguments: Vec<Datum>,
}

/// An edge, or the end of a run.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) edge: Option<EdgeId>,
    /// New values that it brings.
    pub(crate) fresh: Vec<Var>,
    /// When it can be taken with them.
    pub(crate) condition: Term,
    /// The position of the state after it.
    pub(crate) target: usize,
    /// What changes, in terms of values before and new ones.
    pub(crate) after: Substitution,
    pub(crate) actions: Vec<Label>,
    /// The propositions that its being possible makes true.
    pub(crate) propositions: Vec<Label>,
}

/// A graph with the steps of each node; after the nodes comes the state that has ended.
pub(crate) struct Symbolic<'g> {
    pub(crate) stg: &'g Stg,
    pub(crate) steps: Vec<Vec<Step>>,
    /// When a node has a step.
    pub(crate) enabled: Vec<Bounds>,
    /// Components of the graph, such that steps lead to the same or to one that comes earlier here.
    pub(crate) components: Vec<Vec<usize>>,
    /// The variables of the model.
    pub(crate) variables: Vec<Var>,
    /// Variables that certainly have a value at a node, and after the end.
    pub(crate) assigned: Vec<Vec<Var>>,
}

impl<'g> Symbolic<'g> {
    pub(crate) fn new(
        stg: &'g Stg,
        abstraction: &Abstraction,
        names: &mut Names,
        prover: &mut Prover<'_>,
    ) -> Result<Symbolic<'g>, Stop> {
        let ended = stg.nodes().len();
        let mut steps: Vec<Vec<Step>> = Vec::new();
        for node in stg.node_ids() {
            let mut leaving = Vec::new();
            for (id, edge) in stg.outgoing(node) {
                leaving.push(of_edge(id, edge, abstraction, names, prover.terms)?);
            }
            let end = stg.termination(node, prover.terms);
            if end != Term::FALSE {
                leaving.push(of_end(end, ended, abstraction, names, prover.terms)?);
            }
            steps.push(leaving);
        }
        steps.push(Vec::new());
        let mut enabled = Vec::new();
        for leaving in &steps {
            let mut parts = Vec::new();
            for step in leaving {
                let [low, high] = [Side::Low, Side::High].map(|side| {
                    prover.eliminate(Quantifier::Exists, &step.fresh, step.condition, side)
                });
                parts.push(Bounds {
                    low: low?,
                    high: high?,
                });
            }
            enabled.push(Bounds::or(&parts, prover.terms));
        }
        let mut components: Vec<Vec<usize>> = Vec::new();
        let numbers = choros_conform::components(stg, &|_| true);
        for (node, &number) in numbers.iter().enumerate() {
            let number = number as usize;
            if components.len() <= number {
                components.resize(number + 1, Vec::new());
            }
            components[number].push(node);
        }
        components.push(vec![ended]);
        components.reverse();
        Ok(Symbolic {
            stg,
            steps,
            enabled,
            components,
            variables: stg.variables(prover.terms),
            assigned: assigned(stg, prover.terms),
        })
    }

    /// What its steps and states can be called.
    pub(crate) fn alphabet(&self) -> Alphabet {
        let mut found = Alphabet::default();
        for step in self.steps.iter().flatten() {
            found.actions.extend(step.actions.iter().map(|it| it.kind));
            found
                .propositions
                .extend(step.propositions.iter().map(|it| it.kind));
        }
        found
    }

    /// The position of the first node.
    pub(crate) fn initial(&self) -> usize {
        self.stg.initial().index()
    }

    /// The position of the state that has ended.
    pub(crate) fn ended(&self) -> usize {
        self.stg.nodes().len()
    }

    /// Whether a component has a cycle.
    pub(crate) fn is_cyclic(&self, component: &[usize]) -> bool {
        component.len() > 1
            || self.steps[component[0]]
                .iter()
                .any(|step| step.target == component[0])
    }
}

fn of_edge(
    id: EdgeId,
    edge: &Edge,
    abstraction: &Abstraction,
    names: &mut Names,
    terms: &mut Terms,
) -> Result<Step, Stop> {
    let mut after = Substitution::default();
    let mut fresh = Vec::new();
    let mut data = Vec::new();
    let bring = |variable: Var, after: &mut Substitution, terms: &mut Terms| {
        let new = terms.fresh_variable(variable);
        let value = terms.var(new);
        after.insert(variable, value);
        (new, value)
    };
    match &edge.event {
        Event::Message(message) => {
            for field in &message.fields {
                match field.value {
                    FieldValue::Free(term) => data.push(term),
                    FieldValue::Bind(variable) => {
                        let (new, value) = bring(variable, &mut after, terms);
                        fresh.push(new);
                        data.push(value);
                    }
                }
            }
        }
        Event::Choose(chosen) => {
            for &variable in chosen {
                fresh.push(bring(variable, &mut after, terms).0);
            }
        }
        Event::Silent
        | Event::Tick
        | Event::TickOf(_)
        | Event::Raise(_)
        | Event::Disturbance(_) => {}
    }
    let accepts = edge.accepts(terms);
    let accepts = terms.substitute(accepts, &after);
    let condition = terms.and([edge.guard, accepts]);
    let condition = terms.simplify(condition);
    for update in &edge.updates {
        let value = terms.substitute(update.value, &after);
        after.insert(update.variable, value);
    }
    let seen = seen(&edge.event, data, names, terms);
    let (actions, propositions) = match seen {
        Some(seen) => labels(&seen, abstraction, names, terms)?,
        None => (Vec::new(), Vec::new()),
    };
    Ok(Step {
        edge: Some(id),
        fresh,
        condition,
        target: edge.target.index(),
        after,
        actions,
        propositions,
    })
}

fn of_end(
    condition: Term,
    ended: usize,
    abstraction: &Abstraction,
    names: &mut Names,
    terms: &mut Terms,
) -> Result<Step, Stop> {
    let seen = Seen::plain(names.intern("end"));
    let (actions, propositions) = labels(&seen, abstraction, names, terms)?;
    Ok(Step {
        edge: None,
        fresh: Vec::new(),
        condition: terms.simplify(condition),
        target: ended,
        after: Substitution::default(),
        actions,
        propositions,
    })
}

/// What rules look at.
struct Seen {
    partner: Option<Name>,
    ends: Option<(Name, Name)>,
    operation: Name,
    direction: Direction,
    data: Vec<Datum>,
}

impl Seen {
    fn plain(operation: Name) -> Seen {
        Seen {
            partner: None,
            ends: None,
            operation,
            direction: Direction::Interaction,
            data: Vec::new(),
        }
    }
}

fn seen(event: &Event, data: Vec<Term>, names: &mut Names, terms: &mut Terms) -> Option<Seen> {
    match event {
        Event::Silent | Event::Choose(_) => None,
        Event::Message(message) => {
            let mut own = |name: Name| names.intern(terms.names.text(name));
            let (from, to) = (own(message.from.0), own(message.to.0));
            Some(Seen {
                partner: Some(to),
                ends: Some((from, to)),
                operation: own(message.operation.0),
                direction: message.direction,
                data: data.into_iter().map(Datum::Term).collect(),
            })
        }
        Event::Tick | Event::TickOf(_) | Event::Raise(_) | Event::Disturbance(_) => {
            let text = event.text(terms);
            let action = Action::Named {
                name: terms.names.intern(&text),
                ends: None,
                direction: Direction::Interaction,
                arguments: Vec::new(),
            };
            let activity = activity(&action, terms, names)?;
            Some(Seen {
                partner: activity.partner,
                ends: activity.ends,
                operation: activity.operation,
                direction: activity.direction,
                data: activity
                    .arguments
                    .into_iter()
                    .flatten()
                    .map(Datum::Text)
                    .collect(),
            })
        }
    }
}

/// The actions and the propositions that rules make.
fn labels(
    seen: &Seen,
    abstraction: &Abstraction,
    names: &mut Names,
    terms: &mut Terms,
) -> Result<(Vec<Label>, Vec<Label>), Stop> {
    match abstraction {
        Abstraction::Identity => {
            let kind = names.intern(match seen.direction {
                Direction::Receive => "receiving",
                Direction::Send => "invoking",
                Direction::Interaction => "enabled",
            });
            let mut arguments = vec![Datum::Text(seen.operation)];
            arguments.extend(&seen.data);
            let label = |kind, arguments| Label {
                condition: Term::TRUE,
                kind,
                arguments,
            };
            let action = label(seen.operation, seen.data.clone());
            Ok((vec![action], vec![label(kind, arguments)]))
        }
        Abstraction::Rules(rules) => {
            let (mut actions, mut propositions) = (Vec::new(), Vec::new());
            for rule in rules {
                if let Some(label) = applied(rule, seen, names, terms)? {
                    match rule.subject {
                        Subject::Action => actions.push(label),
                        Subject::State => propositions.push(label),
                    }
                }
            }
            Ok((actions, propositions))
        }
    }
}

/// What a rule makes of a step, and when.
fn applied(
    rule: &Rule,
    seen: &Seen,
    names: &Names,
    terms: &mut Terms,
) -> Result<Option<Label>, Stop> {
    let direction = match (rule.subject, rule.direction) {
        (_, Some(direction)) => seen.direction == direction,
        (Subject::Action, None) => true,
        (Subject::State, None) => seen.direction != Direction::Send,
    };
    if !direction {
        return Ok(None);
    }
    let mut parts = vec![
        (rule.partner, seen.partner.map(Datum::Text)),
        (rule.operation, Some(Datum::Text(seen.operation))),
    ];
    if let Some((from, to)) = rule.ends {
        let Some((sender, receiver)) = seen.ends else {
            return Ok(None);
        };
        parts.push((from, Some(Datum::Text(sender))));
        parts.push((to, Some(Datum::Text(receiver))));
    }
    if let Some(tuple) = &rule.tuple {
        if tuple.len() != seen.data.len() {
            return Ok(None);
        }
        let data = seen.data.iter().copied().map(Some);
        parts.extend(tuple.iter().copied().zip(data));
    }
    let mut conditions = Vec::new();
    let mut values: Vec<(Name, Datum)> = Vec::new();
    for (part, datum) in parts {
        match (part, datum) {
            (Part::Any, _) => {}
            (Part::Value(wanted), Some(datum)) => {
                conditions.push(same(Datum::Text(wanted), datum, names, terms)?);
            }
            (Part::Meta(meta), Some(datum)) => {
                // Substitutions are joined only if they are disjoint.
                if values.iter().any(|(name, _)| *name == meta) {
                    return Ok(None);
                }
                values.push((meta, datum));
            }
            (Part::Value(_) | Part::Meta(_), None) => return Ok(None),
        }
    }
    let condition = terms.and(conditions);
    if condition == Term::FALSE {
        return Ok(None);
    }
    let value = |meta: Name| values.iter().find(|(name, _)| *name == meta).map(|it| it.1);
    let arguments = rule
        .template
        .arguments
        .iter()
        .map(|argument| match argument {
            RuleArgument::Value(value) => Some(Datum::Text(*value)),
            RuleArgument::Meta(meta) => value(*meta),
        });
    Ok(arguments
        .collect::<Option<Vec<Datum>>>()
        .map(|arguments| Label {
            condition,
            kind: rule.template.kind,
            arguments,
        }))
}

/// When two data are the same.
pub(crate) fn same(
    left: Datum,
    right: Datum,
    names: &Names,
    terms: &mut Terms,
) -> Result<Term, Stop> {
    Ok(match (left, right) {
        (Datum::Text(left), Datum::Text(right)) => terms.bool(left == right),
        (Datum::Text(text), Datum::Term(term)) | (Datum::Term(term), Datum::Text(text)) => {
            match literal(names.text(text), terms.sort_of(term), terms)? {
                Some(value) => terms.equal(term, value),
                None => Term::FALSE,
            }
        }
        (Datum::Term(left), Datum::Term(right)) => {
            let sorts = [left, right].map(|it| terms.sort_of(it));
            if sorts[0] != sorts[1] {
                let [left, right] = sorts.map(|it| terms.sort_text(it));
                return Err(Stop::Unsupported(format!(
                    "the formula compares data of the sorts {left} and {right}"
                )));
            }
            if left == right {
                Term::TRUE
            } else {
                terms.equal(left, right)
            }
        }
    })
}

/// The variables that have a value wherever a run comes to a node: parameters, and what all ways to it have written.
fn assigned(stg: &Stg, terms: &Terms) -> Vec<Vec<Var>> {
    let mut known: Vec<Option<Vec<Var>>> = vec![None; stg.nodes().len()];
    known[stg.initial().index()] = Some(stg.parameters(terms));
    let mut pending: Vec<NodeId> = vec![stg.initial()];
    while let Some(node) = pending.pop() {
        let Some(here) = known[node.index()].clone() else {
            continue;
        };
        for (_, edge) in stg.outgoing(node) {
            let mut then = here.clone();
            let updated = edge.updates.iter().map(|it| it.variable);
            for variable in edge.event.bound_variables().chain(updated) {
                if !then.contains(&variable) {
                    then.push(variable);
                }
            }
            let target = &mut known[edge.target.index()];
            let fewer = match target {
                None => then,
                Some(old) => old.iter().copied().filter(|it| then.contains(it)).collect(),
            };
            if target.as_ref().is_none_or(|old| old.len() != fewer.len()) {
                *target = Some(fewer);
                pending.push(edge.target);
            }
        }
    }
    // What has ended has the values that it ended with; from where a run does not come it does not end.
    let mut ended: Option<Vec<Var>> = None;
    for (node, here) in stg.nodes().iter().zip(&known) {
        if let (false, Some(here)) = (node.terminations.is_empty(), here) {
            ended = Some(match ended {
                None => here.clone(),
                Some(old) => old.into_iter().filter(|it| here.contains(it)).collect(),
            });
        }
    }
    known.push(ended);
    known.into_iter().map(Option::unwrap_or_default).collect()
}
