//! Which steps an action formula is about, for all data.

use choros_base::Names;
use choros_data::{Term, Terms, Var};
use choros_query::socl::{Actions, Argument, Arity, Atom};

use crate::environment::{Environment, value};
use crate::state::Reading;
use crate::stop::Stop;
use crate::symbolic::{Datum, Label, same};

/// One way in which a step satisfies an action formula.
pub(crate) struct Way {
    pub(crate) condition: Term,
    /// What it binds.
    pub(crate) bindings: Environment,
}

/// Reads formulas: names, arity, values of variables.
pub(crate) struct Matching<'a> {
    pub(crate) names: &'a Names,
    pub(crate) arity: Arity,
    pub(crate) environment: &'a Environment,
    /// The variables of the model.
    pub(crate) variables: &'a [Var],
}

impl Matching<'_> {
    /// All ways in which a step with these labels satisfies an action formula.
    pub(crate) fn ways(
        &self,
        actions: &Actions,
        labels: &[Label],
        terms: &mut Terms,
    ) -> Result<Vec<Way>, Stop> {
        let mut ways = Vec::new();
        if let Actions::Atom(atom) = actions {
            for label in labels {
                ways.extend(self.atom(atom, label, terms)?);
            }
            return Ok(ways);
        }
        let condition = self.condition(actions, labels, terms)?;
        if condition != Term::FALSE {
            ways.push(Way {
                condition,
                bindings: Environment::new(),
            });
        }
        Ok(ways)
    }

    /// When a step with these labels satisfies an action formula.
    pub(crate) fn condition(
        &self,
        actions: &Actions,
        labels: &[Label],
        terms: &mut Terms,
    ) -> Result<Term, Stop> {
        let parts = |parts: &[Actions], terms: &mut Terms| {
            let parts = parts.iter().map(|it| self.condition(it, labels, terms));
            parts.collect::<Result<Vec<Term>, Stop>>()
        };
        let condition = match actions {
            Actions::Constant(value) => terms.bool(*value),
            Actions::Silent => {
                let none: Vec<Term> = labels.iter().map(|it| terms.not(it.condition)).collect();
                terms.and(none)
            }
            Actions::Atom(atom) => {
                let mut some = Vec::new();
                for label in labels {
                    some.extend(self.atom(atom, label, terms)?.map(|way| way.condition));
                }
                terms.or(some)
            }
            Actions::Not(part) => {
                let part = self.condition(part, labels, terms)?;
                terms.not(part)
            }
            Actions::And(all) => {
                let all = parts(all, terms)?;
                terms.and(all)
            }
            Actions::Or(some) => {
                let some = parts(some, terms)?;
                terms.or(some)
            }
        };
        Ok(terms.simplify(condition))
    }

    /// How an action or a proposition matches a label.
    pub(crate) fn atom(
        &self,
        atom: &Atom,
        label: &Label,
        terms: &mut Terms,
    ) -> Result<Option<Way>, Stop> {
        let fits = match self.arity {
            Arity::Prefix => atom.arguments.len() <= label.arguments.len(),
            Arity::Exact => atom.arguments.len() == label.arguments.len(),
        };
        if atom.kind != label.kind || !fits {
            return Ok(None);
        }
        let mut conditions = vec![label.condition];
        let mut bindings = Environment::new();
        for (argument, &datum) in atom.arguments.iter().zip(&label.arguments) {
            let wanted = match *argument {
                Argument::Binder(variable) => {
                    bindings.push((variable, datum));
                    continue;
                }
                Argument::Any => continue,
                Argument::Value(text) => Datum::Text(text),
                Argument::Part(variable, path) => {
                    let reading = Reading {
                        names: self.names,
                        environment: self.environment,
                        variables: self.variables,
                    };
                    Datum::Term(reading.part(variable, path, terms)?)
                }
                Argument::Use(variable) => match value(self.environment, variable) {
                    Some(datum) => datum,
                    None => return Ok(None),
                },
            };
            conditions.push(same(wanted, datum, self.names, terms)?);
        }
        if !atom.conditions.is_empty() {
            let mut environment = self.environment.clone();
            environment.extend(&bindings);
            let reading = Reading {
                names: self.names,
                environment: &environment,
                variables: self.variables,
            };
            for comparison in &atom.conditions {
                conditions.push(reading.comparison(comparison, terms)?);
            }
        }
        let condition = terms.and(conditions);
        let condition = terms.simplify(condition);
        Ok((condition != Term::FALSE).then_some(Way {
            condition,
            bindings,
        }))
    }
}
