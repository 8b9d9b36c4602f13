//! What abstraction rules make of a step with open data: section 5.2 of Fantechi et al., with conditions.

use choros_base::{Name, Names};
use choros_data::{Term, Terms};
use choros_model::stg::Direction;
use choros_query::abstraction::{Abstraction, Part, Rule, RuleArgument, Subject};

use super::reading::{Datum, same};
use crate::flaw::Flaw;

/// What rules look at.
pub(super) struct Observed {
    pub(super) partner: Option<Name>,
    pub(super) ends: Option<(Name, Name)>,
    pub(super) operation: Name,
    pub(super) direction: Direction,
    pub(super) data: Vec<Datum>,
}

impl Observed {
    /// Something without partner and data.
    pub(super) fn plain(operation: Name) -> Observed {
        Observed {
            partner: None,
            ends: None,
            operation,
            direction: Direction::Interaction,
            data: Vec::new(),
        }
    }
}

/// An action or a proposition, and for which data rules make it.
pub(super) struct Label {
    pub(super) condition: Term,
    pub(super) kind: Name,
    pub(super) arguments: Vec<Datum>,
}

/// The actions of a step.
pub(super) fn actions_of(
    observed: &Observed,
    abstraction: &Abstraction,
    names: &Names,
    terms: &mut Terms,
) -> Result<Vec<Label>, Flaw> {
    match abstraction {
        Abstraction::Rules(rules) => by_rules(rules, Subject::Action, observed, names, terms),
        Abstraction::Identity => Ok(vec![Label {
            condition: Term::TRUE,
            kind: observed.operation,
            arguments: observed.data.clone(),
        }]),
    }
}

/// What holds in a state because the step is possible there.
pub(super) fn propositions_of(
    observed: &Observed,
    abstraction: &Abstraction,
    names: &mut Names,
    terms: &mut Terms,
) -> Result<Vec<Label>, Flaw> {
    if let Abstraction::Rules(rules) = abstraction {
        return by_rules(rules, Subject::State, observed, names, terms);
    }
    let kind = match observed.direction {
        Direction::Interaction => "enabled",
        Direction::Receive => "receiving",
        Direction::Send => "invoking",
    };
    let operation = std::iter::once(Datum::Text(observed.operation));
    Ok(vec![Label {
        condition: Term::TRUE,
        kind: names.intern(kind),
        arguments: operation.chain(observed.data.iter().copied()).collect(),
    }])
}

fn by_rules(
    rules: &[Rule],
    subject: Subject,
    observed: &Observed,
    names: &Names,
    terms: &mut Terms,
) -> Result<Vec<Label>, Flaw> {
    let mut made = Vec::new();
    for rule in rules.iter().filter(|it| it.subject == subject) {
        made.extend(by_rule(rule, observed, names, terms)?);
    }
    Ok(made)
}

/// What one rule makes of it; nothing where it fits for no data.
fn by_rule(
    rule: &Rule,
    observed: &Observed,
    names: &Names,
    terms: &mut Terms,
) -> Result<Option<Label>, Flaw> {
    let direction_fits = match rule.direction {
        Some(direction) => direction == observed.direction,
        // A state rule without a direction is about what is offered.
        None => rule.subject == Subject::Action || observed.direction != Direction::Send,
    };
    if !direction_fits {
        return Ok(None);
    }
    let mut pairs = vec![
        (rule.partner, observed.partner.map(Datum::Text)),
        (rule.operation, Some(Datum::Text(observed.operation))),
    ];
    match (rule.ends, observed.ends) {
        (Some((from, to)), Some((sender, receiver))) => {
            pairs.push((from, Some(Datum::Text(sender))));
            pairs.push((to, Some(Datum::Text(receiver))));
        }
        (Some(_), None) => return Ok(None),
        (None, _) => {}
    }
    if let Some(tuple) = &rule.tuple {
        if tuple.len() != observed.data.len() {
            return Ok(None);
        }
        for (part, datum) in tuple.iter().zip(&observed.data) {
            pairs.push((*part, Some(*datum)));
        }
    }
    let mut condition = Term::TRUE;
    let mut found: Vec<(Name, Datum)> = Vec::new();
    for (part, datum) in pairs {
        match part {
            Part::Any => {}
            Part::Value(wanted) => {
                let Some(datum) = datum else { return Ok(None) };
                let equal = same(Datum::Text(wanted), datum, names, terms)?;
                condition = terms.and([condition, equal]);
            }
            Part::Meta(meta) => {
                let Some(datum) = datum else { return Ok(None) };
                // Substitutions are joined only if they are disjoint.
                if found.iter().any(|it| it.0 == meta) {
                    return Ok(None);
                }
                found.push((meta, datum));
            }
        }
    }
    let mut arguments = Vec::new();
    for argument in &rule.template.arguments {
        arguments.push(match *argument {
            RuleArgument::Value(text) => Datum::Text(text),
            RuleArgument::Meta(meta) => match found.iter().find(|it| it.0 == meta) {
                Some(&(_, datum)) => datum,
                None => return Ok(None),
            },
        });
    }
    Ok((condition != Term::FALSE).then_some(Label {
        condition,
        kind: rule.template.kind,
        arguments,
    }))
}
