//! In which ways a step with open data satisfies an action formula: definitions 2.7, 2.8 and 2.10, with conditions.

use choros_base::Names;
use choros_data::{Term, Terms, Var};
use choros_query::socl::{Actions, Argument, Arity, Atom};

use super::labels::Label;
use super::reading::{Datum, Environment, Reading, datum_of, part_of, same};
use crate::flaw::Flaw;

/// One way: when, and what it binds.
pub(super) struct Match {
    pub(super) condition: Term,
    pub(super) bound: Environment,
}

/// Matches action formulas under an environment.
pub(super) struct Matcher<'a> {
    pub(super) names: &'a Names,
    pub(super) arity: Arity,
    pub(super) variables: &'a [Var],
    pub(super) environment: &'a Environment,
}

impl Matcher<'_> {
    /// All ways; only a single action binds.
    pub(super) fn ways(
        &self,
        actions: &Actions,
        labels: &[Label],
        terms: &mut Terms,
    ) -> Result<Vec<Match>, Flaw> {
        if let Actions::Atom(atom) = actions {
            let mut ways = Vec::new();
            for label in labels {
                ways.extend(self.action(atom, label, terms)?);
            }
            return Ok(ways);
        }
        let condition = self.satisfied(actions, labels, terms)?;
        Ok(vec![Match {
            condition,
            bound: Environment::new(),
        }])
    }

    /// When a step satisfies an action formula, whatever it binds.
    pub(super) fn satisfied(
        &self,
        actions: &Actions,
        labels: &[Label],
        terms: &mut Terms,
    ) -> Result<Term, Flaw> {
        Ok(match actions {
            Actions::Constant(value) => terms.bool(*value),
            Actions::Silent => {
                let some = terms.or(labels.iter().map(|it| it.condition));
                terms.not(some)
            }
            Actions::Atom(atom) => {
                let mut some = Term::FALSE;
                for label in labels {
                    if let Some(way) = self.action(atom, label, terms)? {
                        some = terms.or([some, way.condition]);
                    }
                }
                some
            }
            Actions::Not(part) => {
                let part = self.satisfied(part, labels, terms)?;
                terms.not(part)
            }
            Actions::And(parts) => {
                let mut all = Term::TRUE;
                for part in parts {
                    let part = self.satisfied(part, labels, terms)?;
                    all = terms.and([all, part]);
                }
                all
            }
            Actions::Or(parts) => {
                let mut some = Term::FALSE;
                for part in parts {
                    let part = self.satisfied(part, labels, terms)?;
                    some = terms.or([some, part]);
                }
                some
            }
        })
    }

    /// How an action or a proposition of the formula is one that rules make.
    pub(super) fn action(
        &self,
        atom: &Atom,
        label: &Label,
        terms: &mut Terms,
    ) -> Result<Option<Match>, Flaw> {
        let (named, present) = (atom.arguments.len(), label.arguments.len());
        let enough = match self.arity {
            Arity::Exact => named == present,
            Arity::Prefix => named <= present,
        };
        if label.kind != atom.kind || !enough {
            return Ok(None);
        }
        let mut condition = label.condition;
        let mut bound = Environment::new();
        for (argument, &datum) in atom.arguments.iter().zip(&label.arguments) {
            let wanted = match *argument {
                Argument::Binder(variable) => {
                    bound.push((variable, datum));
                    continue;
                }
                Argument::Any => continue,
                Argument::Value(text) => Datum::Text(text),
                Argument::Part(variable, path) => {
                    let path = self.names.text(path);
                    Datum::Term(part_of(self.environment, variable, path, terms)?)
                }
                Argument::Use(variable) => match datum_of(self.environment, variable) {
                    Some(datum) => datum,
                    // A variable without a value matches nothing.
                    None => return Ok(None),
                },
            };
            let equal = same(wanted, datum, self.names, terms)?;
            condition = terms.and([condition, equal]);
        }
        if !atom.conditions.is_empty() {
            let mut environment = self.environment.clone();
            environment.extend(&bound);
            let reading = Reading {
                names: self.names,
                environment: &environment,
                variables: self.variables,
            };
            for comparison in &atom.conditions {
                let holds = reading.comparison(comparison, terms)?;
                condition = terms.and([condition, holds]);
            }
        }
        let condition = terms.simplify(condition);
        Ok((condition != Term::FALSE).then_some(Match { condition, bound }))
    }
}
