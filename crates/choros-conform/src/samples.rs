//! Values for which a condition holds, and values for which it does not: most guesses about a condition are wrong, and
//! a value that shows it costs far less than asking the solver.
//!
//! A sample only ever *refutes*: it is evaluated, and what it shows is so.
//! What is believed is proved by the solver as before.

use choros_data::{Assignment, Term, Terms, Value, Var};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

/// Samples of one condition.
pub(crate) struct Samples {
    condition: Term,
    variables: Vec<Var>,
    /// For which it holds.
    yes: Vec<Assignment>,
    /// For which it does not.
    no: Vec<Assignment>,
}

/// More samples of a kind than this are not kept.
const MAX_SAMPLES: usize = 16;

/// Conditions over more variables than this are not varied.
const MAX_VARIABLES: usize = 40;

impl Samples {
    /// None yet.
    pub(crate) fn of(condition: Term, terms: &Terms) -> Samples {
        Samples {
            condition,
            variables: terms.free_variables(condition),
            yes: Vec::new(),
            no: Vec::new(),
        }
    }

    /// The variables of which samples speak.
    pub(crate) fn variables(&self) -> &[Var] {
        &self.variables
    }

    /// Keeps a sample, with values that differ as far as they can: those that are equal by chance say little.
    pub(crate) fn learn(&mut self, mut sample: Assignment, terms: &mut Terms) {
        let Ok(holds) = terms.evaluate_guard(self.condition, &sample) else {
            return;
        };
        let known = if holds { self.yes.len() } else { self.no.len() };
        if known >= MAX_SAMPLES {
            return;
        }
        if known == 0 && self.variables.len() <= MAX_VARIABLES {
            self.spread(&mut sample, holds, terms);
        }
        if holds {
            self.yes.push(sample)
        } else {
            self.no.push(sample)
        }
    }

    /// Gives each variable, or each two that have to be equal, a value of their own, where the condition allows it.
    fn spread(&self, sample: &mut Assignment, holds: bool, terms: &mut Terms) {
        for (number, &variable) in self.variables.iter().enumerate() {
            let Some(old) = sample.get(&variable).cloned() else {
                continue;
            };
            let Some(new) = another(&old, number, terms) else {
                continue;
            };
            let alone = [variable];
            let twins: Vec<[Var; 2]> = self
                .variables
                .iter()
                .filter(|&&other| other != variable && sample.get(&other) == Some(&old))
                .map(|&other| [variable, other])
                .collect();
            let moves = std::iter::once(&alone[..]).chain(twins.iter().map(|it| &it[..]));
            for together in moves {
                let mut moved = sample.clone();
                for &one in together {
                    moved.insert(one, new.clone());
                }
                if terms.evaluate_guard(self.condition, &moved) == Ok(holds) {
                    *sample = moved;
                    break;
                }
            }
        }
    }

    /// Whether some values make the condition true and a formula false.
    pub(crate) fn refute_implied(&self, formula: Term, terms: &mut Terms) -> bool {
        self.shows(&self.yes, true, formula, false, terms)
    }

    /// Whether some values make a formula true and the condition false.
    pub(crate) fn refute_enough(&self, formula: Term, terms: &mut Terms) -> bool {
        self.shows(&self.no, false, formula, true, terms)
    }

    /// Whether some values make one formula true and another false.
    pub(crate) fn refute(&self, premise: Term, conclusion: Term, terms: &Terms) -> bool {
        self.yes.iter().chain(&self.no).any(|sample| {
            terms.evaluate_guard(conclusion, sample) == Ok(false)
                && terms.evaluate_guard(premise, sample) == Ok(true)
        })
    }

    fn shows(
        &self,
        samples: &[Assignment],
        holds: bool,
        formula: Term,
        wanted: bool,
        terms: &mut Terms,
    ) -> bool {
        let is_wanted = |sample: &Assignment, terms: &Terms| {
            terms.evaluate_guard(formula, sample) == Ok(wanted)
        };
        if samples.iter().any(|sample| is_wanted(sample, terms)) {
            return true;
        }
        // The first sample with the formula's own variables moved next to each other, or next to its constants.
        let Some(first) = samples.first() else {
            return false;
        };
        let own = terms.free_variables(formula);
        if own.len() > 2 {
            return false;
        }
        let mut values: Vec<Value> = own.iter().filter_map(|it| first.get(it).cloned()).collect();
        for part in terms.postorder([formula]) {
            values.extend(terms.value(part).cloned());
        }
        let near: Vec<Value> = values.iter().flat_map(neighbours).collect();
        values.extend(near);
        for &variable in &own {
            let sort = terms.variable_sort(variable);
            for value in values.iter().filter(|value| value.sort() == sort) {
                let mut moved = first.clone();
                moved.insert(variable, value.clone());
                if is_wanted(&moved, terms)
                    && terms.evaluate_guard(self.condition, &moved) == Ok(holds)
                {
                    return true;
                }
            }
        }
        false
    }
}

/// A value that hardly anything else has, different for different numbers.
fn another(value: &Value, number: usize, terms: &mut Terms) -> Option<Value> {
    let far = 1_000_003 + 10 * number as i64;
    Some(match value {
        Value::Int(_) => Value::Int(BigInt::from(far)),
        Value::Real(_) => Value::Real(BigRational::from(BigInt::from(far))),
        Value::Atom { sort, .. } => Value::Atom {
            sort: *sort,
            name: terms.names.intern(&format!("sample'{number}")),
        },
        _ => return None,
    })
}

fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(it) => vec![
            Value::Int(it + BigInt::one()),
            Value::Int(it - BigInt::one()),
        ],
        Value::Real(it) => vec![
            Value::Real(it + BigRational::one()),
            Value::Real(it - BigRational::one()),
        ],
        _ => Vec::new(),
    }
}
