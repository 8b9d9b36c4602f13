//! Terms as expressions of a programming language.
//!
//! Operations that a model leaves undefined give some value here: guards are closed, so they are false then whatever
//! that value is.
//! Numbers of a model have no bounds and no rounding.
//! Python has such numbers; in Rust a program ends with a failure where a number does not fit, and never continues with
//! a wrong one.

use std::collections::BTreeSet;

use choros_data::{Op, Sort, SortKind, Term, TermKind, Terms, Value, Var};
use rustc_hash::FxHashMap;

use super::NotExecutable;
use super::snippet::Snippet;
use super::vocabulary::{Shape, Vocabulary};
use crate::TargetLanguage;

/// Writes the terms of one role.
pub(super) struct Writer<'v> {
    vocabulary: &'v Vocabulary,
    variables: &'v FxHashMap<Var, String>,
    helpers: Vec<&'static str>,
    /// The types that the expression at hand mentions.
    names: BTreeSet<String>,
}

/// An expression and how tightly its outermost operator binds.
#[derive(Clone)]
struct Expression {
    text: String,
    strength: u8,
}

const CONDITIONAL: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const UNARY: u8 = 7;
const ATOM: u8 = 8;

impl Expression {
    fn new(text: impl Into<String>, strength: u8) -> Self {
        let text = text.into();
        Expression { text, strength }
    }

    /// The text, in parentheses where it binds less tightly than is needed.
    fn at(&self, strength: u8) -> String {
        if self.strength < strength {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

impl<'v> Writer<'v> {
    pub(super) fn new(vocabulary: &'v Vocabulary, variables: &'v FxHashMap<Var, String>) -> Self {
        Writer {
            vocabulary,
            variables,
            helpers: Vec::new(),
            names: BTreeSet::new(),
        }
    }

    /// The name of a variable in the program.
    pub(super) fn variable(&self, variable: Var) -> &str {
        match self.variables.get(&variable) {
            Some(name) => name,
            None => unreachable!("the variables of the graph were listed"),
        }
    }

    /// The functions that the expressions written so far call.
    pub(super) fn helpers(&self) -> Vec<&'static str> {
        let mut helpers = self.helpers.clone();
        helpers.sort_unstable();
        helpers
    }

    pub(super) fn condition(
        &mut self,
        term: Term,
        terms: &Terms,
    ) -> Result<Snippet, NotExecutable> {
        let text = self.expression(term, terms)?.text;
        Ok(self.snippet(text))
    }

    /// What can stand beside a comparison.
    pub(super) fn operand(&mut self, term: Term, terms: &Terms) -> Result<Snippet, NotExecutable> {
        let text = self.expression(term, terms)?.at(SUM);
        Ok(self.snippet(text))
    }

    /// A value that can be stored.
    pub(super) fn owned(&mut self, term: Term, terms: &Terms) -> Result<Snippet, NotExecutable> {
        let expression = self.expression(term, terms)?;
        let text = self.own(term, &expression, terms).text;
        Ok(self.snippet(text))
    }

    /// What was just written, with the names that it mentions.
    fn snippet(&mut self, text: String) -> Snippet {
        let names = std::mem::take(&mut self.names);
        Snippet { text, names }
    }

    fn expression(&mut self, term: Term, terms: &Terms) -> Result<Expression, NotExecutable> {
        let mut done: FxHashMap<Term, Expression> = FxHashMap::default();
        for subterm in terms.postorder([term]) {
            let expression = match terms.kind(subterm) {
                TermKind::Variable(variable) => {
                    Expression::new(format!("known.{}", self.variable(variable)), ATOM)
                }
                TermKind::Constant(value) => self.value(value, terms)?,
                TermKind::Apply(Op::Matches, _) => {
                    let reason = format!(
                        "the condition `{}` has a pattern of a schema, which programs do not know",
                        terms.print(term)
                    );
                    return Err(NotExecutable { reason });
                }
                TermKind::Apply(op, arguments) => {
                    let parts: Vec<Expression> =
                        arguments.iter().map(|part| done[part].clone()).collect();
                    self.application(op, subterm, arguments, &parts, terms)
                }
                TermKind::Quantified(..) => {
                    let reason = format!(
                        "the condition `{}` ranges over infinitely many values",
                        terms.print(term)
                    );
                    return Err(NotExecutable { reason });
                }
            };
            done.insert(subterm, expression);
        }
        Ok(done[&term].clone())
    }

    /// In Rust, what stays where it is has to be copied when it is stored.
    fn own(&self, term: Term, expression: &Expression, terms: &Terms) -> Expression {
        let stays = matches!(
            terms.kind(term),
            TermKind::Variable(_) | TermKind::Apply(Op::Field(_), _)
        );
        let copied = match terms.sort_kind(terms.sort_of(term)) {
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::Enumeration { .. } => true,
            SortKind::String
            | SortKind::Uninterpreted(_)
            | SortKind::Record(_)
            | SortKind::List(_) => false,
        };
        if self.vocabulary.language == TargetLanguage::Rust && stays && !copied {
            Expression::new(format!("{}.clone()", expression.at(ATOM)), ATOM)
        } else {
            expression.clone()
        }
    }

    /// A constant; values are built bottom-up by readers that limit their depth.
    fn value(&mut self, value: &Value, terms: &Terms) -> Result<Expression, NotExecutable> {
        let rust = self.vocabulary.language == TargetLanguage::Rust;
        let language = self.vocabulary.language;
        let literal = |text: &str| language.text_literal(text);
        Ok(match value {
            Value::Bool(value) => match (rust, value) {
                (true, true) => Expression::new("true", ATOM),
                (true, false) => Expression::new("false", ATOM),
                (false, true) => Expression::new("True", ATOM),
                (false, false) => Expression::new("False", ATOM),
            },
            Value::Int(value) => {
                let text = value.to_string();
                if rust && text.parse::<i64>().is_err() {
                    let reason = format!("the number {value} does not fit into 64 bits");
                    return Err(NotExecutable { reason });
                }
                // Where nothing else says so, a literal would be one of 32 bits.
                let text = if rust && text.parse::<i32>().is_err() {
                    format!("{text}_i64")
                } else {
                    text
                };
                let strength = if text.starts_with('-') { UNARY } else { ATOM };
                Expression::new(text, strength)
            }
            Value::Real(value) => {
                if rust {
                    let (above, below) = (value.numer().to_string(), value.denom().to_string());
                    if above.parse::<i128>().is_err() || below.parse::<i128>().is_err() {
                        let reason = format!("the number {value} does not fit into 128 bits");
                        return Err(NotExecutable { reason });
                    }
                    self.names.insert("Real".to_owned());
                    Expression::new(format!("Real::new({above}, {below})?"), ATOM)
                } else {
                    self.names.insert("Fraction".to_owned());
                    Expression::new(
                        format!("Fraction({}, {})", value.numer(), value.denom()),
                        ATOM,
                    )
                }
            }
            Value::String(text) => {
                if rust {
                    Expression::new(format!("{}.to_owned()", literal(text)), ATOM)
                } else {
                    Expression::new(literal(text), ATOM)
                }
            }
            Value::Atom { sort, name } => {
                let name = literal(terms.names.text(*name));
                let kind = self.mentioned_type(*sort, terms);
                Expression::new(
                    if rust {
                        format!("{kind}({name}.to_owned())")
                    } else {
                        format!("{kind}({name})")
                    },
                    ATOM,
                )
            }
            Value::Constructor { sort, index } => {
                let value = match self.vocabulary.declared(*sort).map(|it| &it.shape) {
                    Some(Shape::Enumeration(values)) => values[*index as usize].0.as_str(),
                    _ => unreachable!("an enumeration was declared as one"),
                };
                let kind = self.mentioned_type(*sort, terms);
                Expression::new(
                    if rust {
                        format!("{kind}::{value}")
                    } else {
                        format!("{kind}.{value}")
                    },
                    ATOM,
                )
            }
            Value::Record { sort, fields } => {
                let mut parts = Vec::new();
                for field in fields {
                    parts.push(self.value(field, terms)?.text);
                }
                self.record(*sort, &parts, terms)
            }
            Value::List { items, .. } => {
                let mut parts = Vec::new();
                for item in items {
                    parts.push(self.value(item, terms)?.text);
                }
                self.list(&parts)
            }
        })
    }

    fn application(
        &mut self,
        op: Op,
        term: Term,
        arguments: &[Term],
        parts: &[Expression],
        terms: &Terms,
    ) -> Expression {
        let rust = self.vocabulary.language == TargetLanguage::Rust;
        let sort = arguments.first().map(|&it| terms.sort_of(it));
        let at = |position: usize, strength: u8| parts[position].at(strength);
        let joined = |sign: &str, strength: u8| {
            let texts: Vec<String> = parts
                .iter()
                .enumerate()
                // The first operand may be of the same strength: operators group from the left.
                .map(|(position, part)| part.at(strength + u8::from(position > 0)))
                .collect();
            Expression::new(texts.join(sign), strength)
        };
        let owned = |position: usize| self.own(arguments[position], &parts[position], terms).text;
        match op {
            Op::Not => {
                if rust {
                    Expression::new(format!("!{}", at(0, ATOM)), UNARY)
                } else {
                    Expression::new(format!("not {}", at(0, COMPARISON)), NOT)
                }
            }
            Op::And => joined(if rust { " && " } else { " and " }, AND),
            Op::Or => joined(if rust { " || " } else { " or " }, OR),
            Op::Implies => Expression::new(
                if rust {
                    format!("!{} || {}", at(0, ATOM), at(1, AND))
                } else {
                    format!("not {} or {}", at(0, COMPARISON), at(1, AND))
                },
                OR,
            ),
            Op::If => Expression::new(
                if rust {
                    format!(
                        "if {} {{ {} }} else {{ {} }}",
                        at(0, CONDITIONAL),
                        owned(1),
                        owned(2)
                    )
                } else {
                    format!("{} if {} else {}", at(1, OR), at(0, OR), at(2, OR))
                },
                CONDITIONAL,
            ),
            Op::Equal
            | Op::NotEqual
            | Op::Less
            | Op::LessEqual
            | Op::Greater
            | Op::GreaterEqual => {
                let sign = match op {
                    Op::Equal => "==",
                    Op::NotEqual => "!=",
                    Op::Less => "<",
                    Op::LessEqual => "<=",
                    Op::Greater => ">",
                    _ => ">=",
                };
                let text = format!("{} {sign} {}", at(0, SUM), at(1, SUM));
                Expression::new(text, COMPARISON)
            }
            Op::Add | Op::Multiply | Op::Subtract | Op::Divide | Op::Negate if rust => {
                self.exact_arithmetic(op, sort == Some(Sort::REAL), parts)
            }
            Op::Add => joined(" + ", SUM),
            Op::Subtract => joined(" - ", SUM),
            Op::Multiply => joined(" * ", PRODUCT),
            Op::Divide => self.call("divide", &[at(0, CONDITIONAL), at(1, CONDITIONAL)]),
            Op::IntegerDivide => {
                let quotient = self.call("div", &[at(0, CONDITIONAL), at(1, CONDITIONAL)]);
                if rust {
                    self.or_fail(&quotient)
                } else {
                    quotient
                }
            }
            Op::Modulo => self.call("modulo", &[at(0, CONDITIONAL), at(1, CONDITIONAL)]),
            Op::Negate => Expression::new(format!("-{}", at(0, ATOM)), UNARY),
            Op::Length if !rust => Expression::new(format!("len({})", at(0, CONDITIONAL)), ATOM),
            Op::Length => {
                let count = match sort {
                    Some(Sort::STRING) => "chars().count()",
                    _ => "len()",
                };
                // A cast before `<` would be read as the start of type arguments.
                Expression::new(format!("({}.{count} as i64)", at(0, ATOM)), ATOM)
            }
            Op::Concat if !rust => joined(" + ", SUM),
            Op::Concat => {
                let slices: Vec<String> = parts
                    .iter()
                    .map(|part| format!("&{}[..]", part.at(ATOM)))
                    .collect();
                Expression::new(format!("[{}].concat()", slices.join(", ")), ATOM)
            }
            Op::Prefix if !rust => {
                let text = format!("{}.startswith({})", at(1, ATOM), at(0, CONDITIONAL));
                Expression::new(text, ATOM)
            }
            Op::Prefix => Expression::new(
                format!("{}.starts_with(&{}[..])", at(1, ATOM), at(0, ATOM)),
                ATOM,
            ),
            Op::Contains if !rust => {
                Expression::new(format!("{} in {}", at(1, SUM), at(0, SUM)), COMPARISON)
            }
            Op::Contains => Expression::new(
                format!("{}.contains(&{}[..])", at(0, ATOM), at(1, ATOM)),
                ATOM,
            ),
            Op::Matches => unreachable!("patterns were refused"),
            Op::Member if !rust => {
                Expression::new(format!("{} in {}", at(0, SUM), at(1, SUM)), COMPARISON)
            }
            Op::Member => {
                Expression::new(format!("{}.contains(&{})", at(1, ATOM), at(0, UNARY)), ATOM)
            }
            Op::Index => {
                let list = if rust {
                    format!("&{}", at(0, ATOM))
                } else {
                    at(0, CONDITIONAL)
                };
                if rust {
                    self.call("element", &[list, at(1, CONDITIONAL)])
                } else {
                    let sort = terms.sort_of(term);
                    let element = default(self.vocabulary, sort, terms);
                    let names = default_names(self.vocabulary, sort, terms);
                    self.names.extend(names);
                    self.call("element", &[list, at(1, CONDITIONAL), element])
                }
            }
            Op::Field(position) => {
                let label = match sort.and_then(|it| self.vocabulary.declared(it)) {
                    Some(known) => match &known.shape {
                        Shape::Record(fields) => fields[position as usize].0.as_str(),
                        _ => unreachable!("only records have fields"),
                    },
                    None => unreachable!("every record was declared"),
                };
                Expression::new(format!("{}.{label}", at(0, ATOM)), ATOM)
            }
            Op::MakeRecord => {
                let values: Vec<String> = (0..parts.len()).map(owned).collect();
                self.record(terms.sort_of(term), &values, terms)
            }
            Op::MakeList => {
                let values: Vec<String> = (0..parts.len()).map(owned).collect();
                self.list(&values)
            }
        }
    }

    /// Arithmetic in Rust, which fails where a number does not fit: the model knows numbers of any size.
    fn exact_arithmetic(&mut self, op: Op, is_real: bool, parts: &[Expression]) -> Expression {
        if is_real {
            let method = match op {
                Op::Add => "plus",
                Op::Multiply => "times",
                Op::Subtract => "minus",
                Op::Divide => "divided_by",
                _ => "negative",
            };
            let first = parts[0].at(ATOM);
            let text = match &parts[1..] {
                [] => format!("{first}.{method}()?"),
                others => others.iter().fold(first, |whole, part| {
                    format!("{whole}.{method}({})?", part.at(CONDITIONAL))
                }),
            };
            return Expression::new(text, ATOM);
        }
        let texts: Vec<String> = parts.iter().map(|part| part.at(CONDITIONAL)).collect();
        let number = match op {
            Op::Add => self.call("sum", &[format!("&[{}]", texts.join(", "))]),
            Op::Multiply => self.call("product", &[format!("&[{}]", texts.join(", "))]),
            Op::Subtract => self.call("difference", &texts),
            _ => self.call("negative", &texts),
        };
        self.or_fail(&number)
    }

    /// A number of Rust that may not fit.
    fn or_fail(&mut self, number: &Expression) -> Expression {
        if !self.helpers.contains(&"exact") {
            self.helpers.push("exact");
        }
        Expression::new(format!("{}?", number.text), ATOM)
    }

    fn call(&mut self, helper: &'static str, arguments: &[String]) -> Expression {
        if !self.helpers.contains(&helper) {
            self.helpers.push(helper);
        }
        // Written so that no field of a message can have the name.
        let name = match self.vocabulary.language {
            TargetLanguage::Rust => format!("self::{helper}"),
            TargetLanguage::Python => format!("_{helper}"),
        };
        Expression::new(format!("{name}({})", arguments.join(", ")), ATOM)
    }

    fn record(&mut self, sort: Sort, values: &[String], terms: &Terms) -> Expression {
        let kind = self.mentioned_type(sort, terms);
        if self.vocabulary.language == TargetLanguage::Python {
            return Expression::new(format!("{kind}({})", values.join(", ")), ATOM);
        }
        let labels = match self.vocabulary.declared(sort).map(|known| &known.shape) {
            Some(Shape::Record(fields)) => fields,
            _ => unreachable!("every record was declared"),
        };
        let fields: Vec<String> = labels
            .iter()
            .zip(values)
            .map(|((label, _), value)| format!("{label}: {value}"))
            .collect();
        // In parentheses, because a condition may not hold a bare record.
        Expression::new(format!("{kind} {{ {} }}", fields.join(", ")), CONDITIONAL)
    }

    fn list(&self, values: &[String]) -> Expression {
        let text = match (self.vocabulary.language, values) {
            (TargetLanguage::Rust, _) => format!("vec![{}]", values.join(", ")),
            (TargetLanguage::Python, [only]) => format!("({only},)"),
            (TargetLanguage::Python, _) => format!("({})", values.join(", ")),
        };
        Expression::new(text, ATOM)
    }

    /// The type of a sort, which the expression mentions.
    fn mentioned_type(&mut self, sort: Sort, terms: &Terms) -> String {
        self.names.extend(type_names(self.vocabulary, sort, terms));
        type_name(self.vocabulary, sort, terms)
    }
}

/// The names to import for the type of a sort.
pub(super) fn type_names(vocabulary: &Vocabulary, sort: Sort, terms: &Terms) -> BTreeSet<String> {
    let inner = vocabulary.innermost(sort);
    if let Some(known) = vocabulary.declared(inner) {
        return BTreeSet::from([known.name.clone()]);
    }
    match (terms.sort_kind(inner), vocabulary.language) {
        (SortKind::Real, TargetLanguage::Rust) => BTreeSet::from(["Real".to_owned()]),
        (SortKind::Real, TargetLanguage::Python) => BTreeSet::from(["Fraction".to_owned()]),
        _ => BTreeSet::new(),
    }
}

/// The names to import for [`default`].
pub(super) fn default_names(
    vocabulary: &Vocabulary,
    sort: Sort,
    terms: &Terms,
) -> BTreeSet<String> {
    let Some(known) = vocabulary.declared(sort) else {
        // An empty list mentions no type.
        return if sort == Sort::REAL {
            type_names(vocabulary, sort, terms)
        } else {
            BTreeSet::new()
        };
    };
    let mut names = BTreeSet::from([known.name.clone()]);
    if let Shape::Record(fields) = &known.shape {
        let within = fields.iter();
        names.extend(within.flat_map(|&(_, sort)| default_names(vocabulary, sort, terms)));
    }
    names
}

/// The type of a sort; sorts are as deep as their readers allow.
pub(super) fn type_name(vocabulary: &Vocabulary, sort: Sort, terms: &Terms) -> String {
    if let Some(known) = vocabulary.declared(sort) {
        return known.name.clone();
    }
    let rust = vocabulary.language == TargetLanguage::Rust;
    match (terms.sort_kind(sort), rust) {
        (SortKind::Bool, _) => "bool".to_owned(),
        (SortKind::Int, true) => "i64".to_owned(),
        (SortKind::Int, false) => "int".to_owned(),
        (SortKind::Real, true) => "Real".to_owned(),
        (SortKind::Real, false) => "Fraction".to_owned(),
        (SortKind::String, true) => "String".to_owned(),
        (SortKind::String, false) => "str".to_owned(),
        (SortKind::List(element), true) => {
            format!("Vec<{}>", type_name(vocabulary, *element, terms))
        }
        (SortKind::List(element), false) => {
            format!("tuple[{}, ...]", type_name(vocabulary, *element, terms))
        }
        (SortKind::Uninterpreted(_) | SortKind::Enumeration { .. } | SortKind::Record(_), _) => {
            unreachable!("these sorts were declared")
        }
    }
}

/// Some value of a sort, in Python.
pub(super) fn default(vocabulary: &Vocabulary, sort: Sort, terms: &Terms) -> String {
    if let Some(known) = vocabulary.declared(sort) {
        return match &known.shape {
            Shape::Opaque => format!("{}(\"\")", known.name),
            Shape::Enumeration(values) => match values.first() {
                Some((value, _)) => format!("{}.{value}", known.name),
                None => "None".to_owned(),
            },
            Shape::Record(fields) => {
                let values: Vec<String> = fields
                    .iter()
                    .map(|&(_, sort)| default(vocabulary, sort, terms))
                    .collect();
                format!("{}({})", known.name, values.join(", "))
            }
        };
    }
    match terms.sort_kind(sort) {
        SortKind::Bool => "False",
        SortKind::Int => "0",
        SortKind::Real => "Fraction(0)",
        SortKind::String => "\"\"",
        _ => "()",
    }
    .to_owned()
}
