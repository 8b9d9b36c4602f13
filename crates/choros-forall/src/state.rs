//! Comparisons of formulas as terms.

use choros_base::{Name, Names};
use choros_data::{Op, Sort, Term, Terms, Value, Var};
use choros_query::socl::{Comparison, ComparisonOp, Expression, Operand, Variable};

use crate::environment::{Environment, value};
use crate::literal::{literal, number};
use crate::stop::Stop;
use crate::symbolic::Datum;

/// What a comparison is read with.
pub(crate) struct Reading<'a> {
    pub(crate) names: &'a Names,
    pub(crate) environment: &'a Environment,
    /// The variables of the model.
    pub(crate) variables: &'a [Var],
}

/// An operand: a term, or a literal whose sort the other side decides.
#[derive(Clone, Copy)]
enum Read<'n> {
    Term(Term),
    Literal(&'n str),
}

impl Reading<'_> {
    /// The comparison as a term over variables of the model and correlation variables.
    pub(crate) fn comparison(
        &self,
        comparison: &Comparison,
        terms: &mut Terms,
    ) -> Result<Term, Stop> {
        let sort = self.sort(comparison, terms)?;
        let left = self.expression(&comparison.left, sort, terms)?;
        let right = self.expression(&comparison.right, sort, terms)?;
        let (Some(left), Some(right)) = (left, right) else {
            // A literal that is not a value of the sort equals nothing.
            return match comparison.op {
                ComparisonOp::Equal => Ok(Term::FALSE),
                ComparisonOp::NotEqual => Ok(Term::TRUE),
                _ => Err(self.refused("compares a text with a number")),
            };
        };
        let op = match comparison.op {
            ComparisonOp::Equal => return Ok(terms.equal(left, right)),
            ComparisonOp::NotEqual => return Ok(terms.not_equal(left, right)),
            ComparisonOp::Less => Op::Less,
            ComparisonOp::LessEqual => Op::LessEqual,
            ComparisonOp::Greater => Op::Greater,
            ComparisonOp::GreaterEqual => Op::GreaterEqual,
        };
        if !sort.is_number() {
            let sort = terms.sort_text(sort);
            return Err(self.refused(&format!("orders data of sort {sort}")));
        }
        Ok(terms.compare(op, left, right))
    }

    fn refused(&self, what: &str) -> Stop {
        Stop::Unsupported(format!("the formula {what}"))
    }

    /// The value of a correlation variable or of a field of it, if it has a sort.
    pub(crate) fn wanted(&self, what: Operand, terms: &mut Terms) -> Result<Option<Term>, Stop> {
        match what {
            Operand::Part(variable, path) => self.part(variable, path, terms).map(Some),
            Operand::Variable(variable) => Ok(match value(self.environment, variable) {
                Some(Datum::Term(term)) => Some(term),
                _ => None,
            }),
            Operand::Word(_) | Operand::Quoted(_) => Ok(None),
        }
    }

    /// A field of the value of a correlation variable.
    pub(crate) fn part(
        &self,
        variable: Variable,
        path: Name,
        terms: &mut Terms,
    ) -> Result<Term, Stop> {
        let Some(Datum::Term(mut term)) = value(self.environment, variable) else {
            return Err(self.refused("reads a field of what is no record"));
        };
        for field in self.names.text(path).split('.') {
            let label = terms.names.intern(field);
            let Some(value) = terms.field(term, label) else {
                let what = format!("reads the field `{field}` of what has no such field");
                return Err(self.refused(&what));
            };
            term = value;
        }
        Ok(term)
    }

    fn operand(&self, operand: &Operand, terms: &mut Terms) -> Result<Read<'_>, Stop> {
        Ok(match *operand {
            Operand::Quoted(text) => Read::Literal(self.names.text(text)),
            Operand::Variable(variable) => match value(self.environment, variable) {
                Some(Datum::Term(term)) => Read::Term(term),
                Some(Datum::Text(text)) => Read::Literal(self.names.text(text)),
                None => return Err(self.refused("reads a variable without a value")),
            },
            Operand::Part(variable, path) => Read::Term(self.part(variable, path, terms)?),
            Operand::Word(word) => {
                let text = self.names.text(word);
                let (name, fields) = text.split_once('.').unwrap_or((text, ""));
                let named = |it: &&Var| terms.variable_text(**it) == name;
                let found: Vec<Var> = self.variables.iter().filter(named).copied().collect();
                match found[..] {
                    [variable] => {
                        let mut term = terms.var(variable);
                        for field in fields.split('.').filter(|it| !it.is_empty()) {
                            let label = terms.names.intern(field);
                            let Some(value) = terms.field(term, label) else {
                                let what = format!("reads `{text}`, but there is no `{field}`");
                                return Err(self.refused(&what));
                            };
                            term = value;
                        }
                        Read::Term(term)
                    }
                    [] => Read::Literal(text),
                    _ => {
                        let what = format!("names `{text}`, which has several sorts");
                        return Err(self.refused(&what));
                    }
                }
            }
        })
    }

    /// The sort of all operands; that of numbers where all are literals.
    fn sort(&self, comparison: &Comparison, terms: &mut Terms) -> Result<Sort, Stop> {
        let mut found: Option<Sort> = None;
        for side in [&comparison.left, &comparison.right] {
            for factor in side.summands.iter().flat_map(|it| &it.factors) {
                let Read::Term(term) = self.operand(factor, terms)? else {
                    continue;
                };
                let sort = terms.sort_of(term);
                if found.is_some_and(|it| it != sort) {
                    return Err(self.refused("mixes data of several sorts"));
                }
                found = Some(sort);
            }
        }
        found.ok_or_else(|| {
            let sides = [&comparison.left, &comparison.right];
            let factors = sides.iter().flat_map(|it| &it.summands);
            let mut words = factors
                .flat_map(|it| &it.factors)
                .filter_map(|it| match it {
                    Operand::Word(word) => Some(self.names.text(*word)),
                    _ => None,
                });
            match words.find(|it| number(it).is_none()) {
                Some(word) => {
                    Stop::Unsupported(format!("no variable of the model is called `{word}`"))
                }
                None => self.refused("compares literals with each other"),
            }
        })
    }

    /// `None` is a literal that is not a value of the sort.
    fn expression(
        &self,
        expression: &Expression,
        sort: Sort,
        terms: &mut Terms,
    ) -> Result<Option<Term>, Stop> {
        if let [summand] = &expression.summands[..]
            && let ([only], false) = (&summand.factors[..], summand.negative)
        {
            return self.value(only, sort, terms);
        }
        if !sort.is_number() {
            let sort = terms.sort_text(sort);
            return Err(self.refused(&format!("computes with data of sort {sort}")));
        }
        let mut sum: Option<Term> = None;
        for summand in &expression.summands {
            let mut factors = Vec::new();
            for factor in &summand.factors {
                let Some(factor) = self.value(factor, sort, terms)? else {
                    return Err(self.refused("computes with a text"));
                };
                factors.push(factor);
            }
            let product = match factors[..] {
                [only] => only,
                _ => terms.arithmetic_of_many(Op::Multiply, &factors),
            };
            sum = Some(match (sum, summand.negative) {
                (None, false) => product,
                (None, true) => terms.negate(product),
                (Some(sum), false) => terms.arithmetic(Op::Add, sum, product),
                (Some(sum), true) => terms.arithmetic(Op::Subtract, sum, product),
            });
        }
        Ok(sum)
    }

    fn value(
        &self,
        operand: &Operand,
        sort: Sort,
        terms: &mut Terms,
    ) -> Result<Option<Term>, Stop> {
        match self.operand(operand, terms)? {
            Read::Term(term) => Ok(Some(term)),
            Read::Literal(text) if sort == Sort::REAL => {
                let value = number(text).map(Value::Real);
                self.known(text, value.map(|it| terms.constant(it)))
            }
            Read::Literal(text) => {
                let value = literal(text, sort, terms)?;
                let quoted = matches!(operand, Operand::Quoted(_));
                if sort == Sort::STRING && !quoted {
                    // A bare word might be a misspelt variable.
                    return self.known(text, None);
                }
                self.known(text, value)
            }
        }
    }

    /// A misspelt variable must not become a literal that equals nothing.
    fn known(&self, text: &str, value: Option<Term>) -> Result<Option<Term>, Stop> {
        match value {
            Some(value) => Ok(Some(value)),
            None => Err(self.refused(&format!(
                "names `{text}`, which is neither a variable of the model nor a value of the other side"
            ))),
        }
    }
}
