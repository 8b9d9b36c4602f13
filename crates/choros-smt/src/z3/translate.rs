//! Terms to Z3's expressions, each made once.

use std::rc::Rc;

use choros_data::{
    Op, Quantifier, RegularExpression, Sort, SortKind, Term, TermKind, Terms, Value, Var,
};
use rustc_hash::FxHashMap;

use super::context::Context;
use super::expressions::{BasicSort, Binary, Many, Unary};
use super::object::Object;
use crate::depth::{MAX_NESTING, too_deep};
use crate::literal;
use crate::regular;
use crate::symbols::Symbols;
use crate::write::{inexpressible, inhabited};
use crate::{Reason, SolverError};

/// Translations are dropped, and made again when needed, beyond so many: about a gigabyte.
const MAX_TERMS: usize = 4_000_000;

/// Why there is no translation.
pub(super) enum Failure {
    /// Z3 has no such formula.
    Refused(Reason),
    /// Z3 broke.
    Broken(SolverError),
}

impl From<SolverError> for Failure {
    fn from(error: SolverError) -> Failure {
        Failure::Broken(error)
    }
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Failure {
        Failure::Refused(reason)
    }
}

/// The translations of one solver.
pub(super) struct Translation {
    context: Rc<Context>,
    /// What things are called.
    pub(super) symbols: Symbols,
    sorts: FxHashMap<Sort, Rc<SortObjects>>,
    variables: FxHashMap<Var, Rc<Constant>>,
    terms: FxHashMap<Term, Translated>,
}

/// What stands for a variable.
pub(super) struct Constant {
    pub(super) expression: Rc<Object>,
    /// As a function without arguments, by which models are asked.
    pub(super) function: Object,
}

struct Translated {
    object: Rc<Object>,
    depth: u32,
}

struct SortObjects {
    sort: Object,
    /// Of an enumeration.
    values: Vec<Rc<Object>>,
    /// Of a record.
    constructor: Option<Object>,
    /// Of a record.
    selectors: Vec<Object>,
}

impl Translation {
    /// Nothing translated yet.
    pub(super) fn new(context: &Rc<Context>) -> Translation {
        Translation {
            context: context.clone(),
            symbols: Symbols::default(),
            sorts: FxHashMap::default(),
            variables: FxHashMap::default(),
            terms: FxHashMap::default(),
        }
    }

    /// The expression of a term.
    pub(super) fn term(&mut self, terms: &Terms, root: Term) -> Result<Rc<Object>, Failure> {
        if self.terms.len() > MAX_TERMS {
            self.terms.clear();
        }
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.terms.contains_key(&term) {
                continue;
            }
            let arguments = terms.arguments(term);
            if !ready && !arguments.is_empty() {
                stack.push((term, true));
                stack.extend(arguments.iter().map(|&argument| (argument, false)));
                continue;
            }
            let depth = arguments
                .iter()
                .map(|argument| self.terms[argument].depth + 1)
                .max()
                .unwrap_or(0);
            if depth > MAX_NESTING {
                return Err(too_deep().into());
            }
            let object = self.translate(terms, term)?;
            self.terms.insert(term, Translated { object, depth });
        }
        Ok(self.terms[&root].object.clone())
    }

    /// The constant of a variable.
    pub(super) fn variable(
        &mut self,
        terms: &Terms,
        variable: Var,
    ) -> Result<Rc<Constant>, Failure> {
        if let Some(constant) = self.variables.get(&variable) {
            return Ok(constant.clone());
        }
        let sort = self.sort(terms, terms.variable_sort(variable))?;
        let (symbol, _) = self.symbols.variable(terms, variable);
        let expression = self.context.constant(&symbol, &sort.sort)?;
        let constant = Rc::new(Constant {
            function: expression.function()?,
            expression: Rc::new(expression),
        });
        self.variables.insert(variable, constant.clone());
        Ok(constant)
    }

    /// One term whose arguments are translated.
    fn translate(&mut self, terms: &Terms, term: Term) -> Result<Rc<Object>, Failure> {
        let object = match terms.kind(term) {
            TermKind::Constant(value) => return self.value(terms, value),
            TermKind::Variable(variable) => {
                return Ok(self.variable(terms, variable)?.expression.clone());
            }
            TermKind::Quantified(quantifier, bound, body) => {
                let bound = self.objects(bound);
                let bound: Vec<&Object> = bound.iter().map(|object| &**object).collect();
                let universal = quantifier == Quantifier::Forall;
                self.context
                    .quantified(universal, &bound, &self.terms[&body].object)?
            }
            TermKind::Apply(op, arguments) => self.application(terms, term, op, arguments)?,
        };
        Ok(Rc::new(object))
    }

    fn objects(&self, terms: &[Term]) -> Vec<Rc<Object>> {
        terms
            .iter()
            .map(|term| self.terms[term].object.clone())
            .collect()
    }

    fn application(
        &mut self,
        terms: &Terms,
        term: Term,
        op: Op,
        arguments: &[Term],
    ) -> Result<Object, Failure> {
        let objects = self.objects(arguments);
        let objects: Vec<&Object> = objects.iter().map(|object| &**object).collect();
        let context = self.context.clone();
        let binary = |op: Binary| context.binary(op, objects[0], objects[1]);
        Ok(match op {
            Op::Not => context.unary(Unary::Not, objects[0])?,
            Op::And => context.many(Many::And, &objects)?,
            Op::Or => context.many(Many::Or, &objects)?,
            Op::Implies => binary(Binary::Implies)?,
            Op::If => context.if_then_else(objects[0], objects[1], objects[2])?,
            Op::Equal => binary(Binary::Equal)?,
            Op::NotEqual => context.unary(Unary::Not, &binary(Binary::Equal)?)?,
            Op::Less => binary(Binary::Less)?,
            Op::LessEqual => binary(Binary::LessEqual)?,
            Op::Greater => binary(Binary::Greater)?,
            Op::GreaterEqual => binary(Binary::GreaterEqual)?,
            Op::Add => context.many(Many::Add, &objects)?,
            Op::Subtract => context.many(Many::Subtract, &objects)?,
            Op::Multiply => context.many(Many::Multiply, &objects)?,
            Op::Divide | Op::IntegerDivide => binary(Binary::Divide)?,
            Op::Modulo => binary(Binary::Modulo)?,
            Op::Negate => context.unary(Unary::Minus, objects[0])?,
            Op::Length => context.unary(Unary::Length, objects[0])?,
            Op::Concat => context.many(Many::Concat, &objects)?,
            Op::Prefix => binary(Binary::Prefix)?,
            Op::Contains => binary(Binary::Contains)?,
            Op::Matches => {
                let expression = regular::translated(terms, arguments[1])?;
                let expression = self.regular(&expression)?;
                context.binary(Binary::InExpression, objects[0], &expression)?
            }
            Op::Member => {
                let unit = context.unary(Unary::Unit, objects[0])?;
                context.binary(Binary::Contains, objects[1], &unit)?
            }
            Op::Index => binary(Binary::Nth)?,
            Op::Field(position) => {
                let sort = self.sort(terms, terms.sort_of(arguments[0]))?;
                context.apply(&sort.selectors[position as usize], &objects)?
            }
            Op::MakeRecord => {
                let sort = self.sort(terms, terms.sort_of(term))?;
                self.record(&sort, &objects)?
            }
            Op::MakeList => {
                let sort = self.sort(terms, terms.sort_of(term))?;
                self.list(&sort, &objects)?
            }
        })
    }

    /// A regular expression; they are not nested deeply.
    fn regular(&self, expression: &RegularExpression) -> Result<Object, Failure> {
        let context = &self.context;
        // Z3 joins two and more.
        let join = |op: Many, mut parts: Vec<Object>| match parts.len() {
            1 => Ok(parts.remove(0)),
            _ => context.many(op, &parts.iter().collect::<Vec<_>>()),
        };
        let several = |op: Many, parts: &[RegularExpression]| {
            let parts = parts
                .iter()
                .map(|part| self.regular(part))
                .collect::<Result<Vec<Object>, Failure>>()?;
            Ok::<Object, Failure>(join(op, parts)?)
        };
        let sign = |it: char| {
            let escaped = literal::escape(&it.to_string());
            context.string(&escaped.unwrap_or_else(literal::number))
        };
        Ok(match expression {
            RegularExpression::Class(ranges) => {
                let mut parts = Vec::new();
                for &(low, high) in ranges {
                    let (low, high) = (sign(low)?, sign(high)?);
                    parts.push(context.binary(Binary::CharacterRange, &low, &high)?);
                }
                if parts.is_empty() {
                    let expressions = context.unary(
                        Unary::ExpressionsOf,
                        &context.basic_sort(BasicSort::String)?,
                    )?;
                    context.unary(Unary::NoText, &expressions)?
                } else {
                    join(Many::Either, parts)?
                }
            }
            RegularExpression::Sequence(parts) if parts.is_empty() => {
                context.unary(Unary::JustText, &context.string("")?)?
            }
            RegularExpression::Sequence(parts) => several(Many::Sequence, parts)?,
            RegularExpression::Choice(parts) if parts.is_empty() => {
                self.regular(&RegularExpression::Class(Vec::new()))?
            }
            RegularExpression::Choice(parts) => several(Many::Either, parts)?,
            RegularExpression::Repeat(part, least, most) => {
                let part = self.regular(part)?;
                match (least, most) {
                    (0, None) => context.unary(Unary::Star, &part)?,
                    (least, None) => {
                        let first = context.repeated(&part, *least, *least)?;
                        let more = context.unary(Unary::Star, &part)?;
                        context.many(Many::Sequence, &[&first, &more])?
                    }
                    (_, Some(0)) => context.unary(Unary::JustText, &context.string("")?)?,
                    (least, Some(most)) => context.repeated(&part, *least, *most)?,
                }
            }
        })
    }

    fn record(&self, sort: &SortObjects, fields: &[&Object]) -> Result<Object, Failure> {
        let Some(constructor) = &sort.constructor else {
            unreachable!("a record sort has a constructor");
        };
        Ok(self.context.apply(constructor, fields)?)
    }

    fn list(&self, sort: &SortObjects, items: &[&Object]) -> Result<Object, Failure> {
        let units = items
            .iter()
            .map(|item| self.context.unary(Unary::Unit, item))
            .collect::<Result<Vec<Object>, SolverError>>()?;
        let units: Vec<&Object> = units.iter().collect();
        Ok(match units[..] {
            [] => self.context.unary(Unary::EmptyOf, &sort.sort)?,
            _ => self.context.many(Many::Concat, &units)?,
        })
    }

    fn value(&mut self, terms: &Terms, value: &Value) -> Result<Rc<Object>, Failure> {
        // Values nest as deep as their sorts, which readers limit.
        let sort = self.sort(terms, value.sort())?;
        let object = match value {
            Value::Bool(value) => self.context.truth(*value)?,
            Value::Int(value) => self.context.numeral(&value.to_string(), &sort.sort)?,
            Value::Real(value) => self.context.numeral(&value.to_string(), &sort.sort)?,
            Value::String(text) => {
                let escaped = literal::escape(text).map_err(inexpressible)?;
                self.context.string(&escaped)?
            }
            Value::Atom { name, .. } => {
                let number = self.symbols.number(*name);
                self.context.numeral(&number.to_string(), &sort.sort)?
            }
            Value::Constructor { index, .. } => return Ok(sort.values[*index as usize].clone()),
            Value::Record { fields: parts, .. } | Value::List { items: parts, .. } => {
                let parts = parts
                    .iter()
                    .map(|part| self.value(terms, part))
                    .collect::<Result<Vec<_>, Failure>>()?;
                let parts: Vec<&Object> = parts.iter().map(|part| &**part).collect();
                match value {
                    Value::Record { .. } => self.record(&sort, &parts)?,
                    _ => self.list(&sort, &parts)?,
                }
            }
        };
        Ok(Rc::new(object))
    }

    fn sort(&mut self, terms: &Terms, sort: Sort) -> Result<Rc<SortObjects>, Failure> {
        if let Some(objects) = self.sorts.get(&sort) {
            return Ok(objects.clone());
        }
        inhabited(terms, sort)?;
        let context = self.context.clone();
        let mut objects = SortObjects {
            sort: match terms.sort_kind(sort) {
                SortKind::Bool => context.basic_sort(BasicSort::Bool)?,
                SortKind::Real => context.basic_sort(BasicSort::Real)?,
                SortKind::String => context.basic_sort(BasicSort::String)?,
                SortKind::List(element) => {
                    let element = self.sort(terms, *element)?;
                    context.sequence_sort(&element.sort)?
                }
                // Enumerations and records get theirs below.
                _ => context.basic_sort(BasicSort::Int)?,
            },
            values: Vec::new(),
            constructor: None,
            selectors: Vec::new(),
        };
        if let Some((symbols, _)) = self.symbols.datatype(terms, sort) {
            match terms.sort_kind(sort) {
                SortKind::Record(fields) => {
                    let sorts = fields
                        .iter()
                        .map(|&(_, field)| self.sort(terms, field))
                        .collect::<Result<Vec<_>, Failure>>()?;
                    let fields: Vec<(&str, &Object)> = symbols
                        .selectors
                        .iter()
                        .zip(&sorts)
                        .map(|(label, objects)| (&**label, &objects.sort))
                        .collect();
                    let (sort, constructor, selectors) =
                        context.tuple_sort(&symbols.constructors[0], &fields)?;
                    objects.sort = sort;
                    objects.constructor = Some(constructor);
                    objects.selectors = selectors;
                }
                _ => {
                    let names: Vec<&str> =
                        symbols.constructors.iter().map(|name| &**name).collect();
                    let (sort, values) = context.enumeration_sort(&symbols.sort, &names)?;
                    objects.sort = sort;
                    objects.values = values.into_iter().map(Rc::new).collect();
                }
            }
        }
        let objects = Rc::new(objects);
        self.sorts.insert(sort, objects.clone());
        Ok(objects)
    }
}
