//! Terms and values as text that parses back.
//!
//! Parentheses are written only where they are needed.
//! Printing works with an explicit stack of pending pieces, so that depth costs memory, not call stack.

use choros_syntax::quote::json;
use num_traits::{One, Signed};

use crate::strength::{
    COMPARISON, CONJUNCTION, DISJUNCTION, IMPLICATION, LOOSEST, NEGATION, POSTFIX, PRODUCT, SUM,
    TIGHTEST, UNARY,
};
use crate::{Op, Quantifier, SortKind, Term, TermKind, Terms, Value};

impl Terms {
    /// The term as text.
    pub fn print(&self, term: Term) -> String {
        let mut out = String::new();
        let mut pending = vec![Piece::Term(term, LOOSEST)];
        while let Some(piece) = pending.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Owned(text) => out.push_str(&text),
                Piece::Term(term, allowed) => {
                    let own = self.binding_strength(term);
                    let start = pending.len();
                    if own < allowed {
                        pending.push(Piece::Text("("));
                    }
                    self.pieces(term, own, &mut pending);
                    if own < allowed {
                        pending.push(Piece::Text(")"));
                    }
                    // Pieces were pushed in reading order; the stack pops from the end.
                    pending[start..].reverse();
                }
            }
        }
        out
    }

    /// The value as text.
    pub fn print_value(&self, value: &Value) -> String {
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Real(value) => {
                // `2.0`, `0.25`, and `1.0 / 3.0` where no finite decimal exists.
                match decimal(value) {
                    Some(text) => text,
                    None => format!("{}.0 / {}.0", value.numer(), value.denom()),
                }
            }
            Value::String(text) => json(text),
            Value::Atom { name, .. } => self.names.text(*name).to_owned(),
            Value::Constructor { sort, index } => match self.sort_kind(*sort) {
                SortKind::Enumeration { constructors, .. } => {
                    self.names.text(constructors[*index as usize]).to_owned()
                }
                other => unreachable!("a constructor of {other:?}"),
            },
            Value::Record { sort, fields } => {
                let SortKind::Record(labels) = self.sort_kind(*sort) else {
                    unreachable!("a record value has a record sort");
                };
                let fields: Vec<String> = labels
                    .iter()
                    .zip(fields)
                    .map(|((label, _), value)| {
                        format!("{}: {}", self.names.text(*label), self.print_value(value))
                    })
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
            Value::List { items, .. } => {
                let items: Vec<String> = items.iter().map(|item| self.print_value(item)).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }

    fn binding_strength(&self, term: Term) -> u8 {
        match self.kind(term) {
            TermKind::Variable(_) => TIGHTEST,
            TermKind::Constant(value) => match value {
                Value::Int(value) if value.is_negative() => UNARY,
                Value::Real(value) if decimal(value).is_none() => PRODUCT,
                Value::Real(value) if value.is_negative() => UNARY,
                _ => TIGHTEST,
            },
            TermKind::Quantified(..) => LOOSEST,
            TermKind::Apply(op, _) => match op {
                Op::If => LOOSEST,
                Op::Implies => IMPLICATION,
                Op::Or => DISJUNCTION,
                Op::And => CONJUNCTION,
                Op::Not => NEGATION,
                Op::Equal
                | Op::NotEqual
                | Op::Less
                | Op::LessEqual
                | Op::Greater
                | Op::GreaterEqual
                | Op::Member => COMPARISON,
                Op::Add | Op::Subtract | Op::Concat => SUM,
                Op::Multiply | Op::Divide | Op::IntegerDivide | Op::Modulo => PRODUCT,
                Op::Negate => UNARY,
                Op::Index | Op::Field(_) => POSTFIX,
                Op::Length
                | Op::Prefix
                | Op::Contains
                | Op::Matches
                | Op::MakeRecord
                | Op::MakeList => TIGHTEST,
            },
        }
    }

    fn pieces<'a>(&'a self, term: Term, own: u8, out: &mut Vec<Piece<'a>>) {
        match self.kind(term) {
            TermKind::Constant(value) => out.push(Piece::Owned(self.print_value(value))),
            TermKind::Variable(variable) => out.push(Piece::Text(self.variable_text(variable))),
            TermKind::Quantified(quantifier, bound, body) => {
                out.push(Piece::Text(match quantifier {
                    Quantifier::Forall => "forall ",
                    Quantifier::Exists => "exists ",
                }));
                for (position, &variable) in bound.iter().enumerate() {
                    if position > 0 {
                        out.push(Piece::Text(", "));
                    }
                    let sort = self.sort_text(self.sort_of(variable));
                    out.push(Piece::Term(variable, LOOSEST));
                    out.push(Piece::Owned(format!(": {sort}")));
                }
                out.push(Piece::Text(". "));
                out.push(Piece::Term(body, LOOSEST));
            }
            TermKind::Apply(op, arguments) => self.application(term, op, arguments, own, out),
        }
    }

    fn application<'a>(
        &'a self,
        term: Term,
        op: Op,
        arguments: &[Term],
        own: u8,
        out: &mut Vec<Piece<'a>>,
    ) {
        let infix = match op {
            Op::And => " and ",
            Op::Or => " or ",
            Op::Implies => " => ",
            Op::Equal => " == ",
            Op::NotEqual => " != ",
            Op::Less => " < ",
            Op::LessEqual => " <= ",
            Op::Greater => " > ",
            Op::GreaterEqual => " >= ",
            Op::Member => " in ",
            Op::Add => " + ",
            Op::Subtract => " - ",
            Op::Concat => " ++ ",
            Op::Multiply => " * ",
            Op::Divide => " / ",
            Op::IntegerDivide => " div ",
            Op::Modulo => " mod ",
            Op::Not => {
                out.push(Piece::Text("not "));
                out.push(Piece::Term(arguments[0], own));
                return;
            }
            Op::Negate => {
                out.push(Piece::Text("-"));
                out.push(Piece::Term(arguments[0], own + 1));
                return;
            }
            Op::If => {
                out.push(Piece::Text("if "));
                out.push(Piece::Term(arguments[0], IMPLICATION));
                out.push(Piece::Text(" then "));
                out.push(Piece::Term(arguments[1], IMPLICATION));
                out.push(Piece::Text(" else "));
                out.push(Piece::Term(arguments[2], LOOSEST));
                return;
            }
            Op::Index => {
                out.push(Piece::Term(arguments[0], POSTFIX));
                out.push(Piece::Text("["));
                out.push(Piece::Term(arguments[1], LOOSEST));
                out.push(Piece::Text("]"));
                return;
            }
            Op::Field(position) => {
                out.push(Piece::Term(arguments[0], POSTFIX));
                out.push(Piece::Text("."));
                if let SortKind::Record(fields) = self.sort_kind(self.sort_of(arguments[0])) {
                    out.push(Piece::Text(self.names.text(fields[position as usize].0)));
                }
                return;
            }
            Op::Length => return self.call("length(", arguments, out),
            Op::Prefix => return self.call("prefix(", arguments, out),
            Op::Contains => return self.call("contains(", arguments, out),
            Op::Matches => return self.call("matches(", arguments, out),
            Op::MakeList => {
                self.call("[", arguments, out);
                out.pop();
                out.push(Piece::Text("]"));
                return;
            }
            Op::MakeRecord => {
                let SortKind::Record(fields) = self.sort_kind(self.sort_of(term)) else {
                    unreachable!("a record term has a record sort");
                };
                out.push(Piece::Text("{"));
                for (position, (&(label, _), &value)) in fields.iter().zip(arguments).enumerate() {
                    if position > 0 {
                        out.push(Piece::Text(", "));
                    }
                    out.push(Piece::Text(self.names.text(label)));
                    out.push(Piece::Text(": "));
                    out.push(Piece::Term(value, LOOSEST));
                }
                out.push(Piece::Text("}"));
                return;
            }
        };
        for (position, &argument) in arguments.iter().enumerate() {
            if position > 0 {
                out.push(Piece::Text(infix));
            }
            // Sums and products associate to the left, implication to the right, comparisons not at all; nested
            // conjunctions and disjunctions have been merged, so they never meet themselves.
            let tighter = match op {
                Op::Implies => position == 0,
                Op::And | Op::Or => true,
                Op::Equal
                | Op::NotEqual
                | Op::Less
                | Op::LessEqual
                | Op::Greater
                | Op::GreaterEqual
                | Op::Member => true,
                _ => position > 0,
            };
            out.push(Piece::Term(argument, own + u8::from(tighter)));
        }
    }

    fn call<'a>(&'a self, opening: &'static str, arguments: &[Term], out: &mut Vec<Piece<'a>>) {
        out.push(Piece::Text(opening));
        for (position, &argument) in arguments.iter().enumerate() {
            if position > 0 {
                out.push(Piece::Text(", "));
            }
            out.push(Piece::Term(argument, LOOSEST));
        }
        out.push(Piece::Text(")"));
    }
}

enum Piece<'a> {
    Text(&'a str),
    Owned(String),
    /// A term and the least binding strength that needs no parentheses there.
    Term(Term, u8),
}

/// The finite decimal of a rational, if there is one.
pub(crate) fn decimal(value: &num_rational::BigRational) -> Option<String> {
    let mut denominator = value.denom().clone();
    let (mut twos, mut fives) = (0u32, 0u32);
    let (two, five) = (2.into(), 5.into());
    while (&denominator % &two) == num_bigint::BigInt::ZERO {
        denominator /= &two;
        twos += 1;
    }
    while (&denominator % &five) == num_bigint::BigInt::ZERO {
        denominator /= &five;
        fives += 1;
    }
    if !denominator.is_one() {
        return None;
    }
    let digits = twos.max(fives);
    let scaled =
        value * num_rational::BigRational::from_integer(num_bigint::BigInt::from(10).pow(digits));
    let sign = if value.is_negative() { "-" } else { "" };
    let text = scaled.to_integer().abs().to_string();
    let digits = digits as usize;
    if digits == 0 {
        return Some(format!("{sign}{text}.0"));
    }
    let text = format!("{text:0>width$}", width = digits + 1);
    let (whole, fraction) = text.split_at(text.len() - digits);
    Some(format!("{sign}{whole}.{fraction}"))
}
