//! Terms as SMT-LIB 2.6 text.
//!
//! The order of everything follows the formula from left to right, never the ids of terms, so that the same question
//! is the same text in every run; recordings rely on it.
//! A subterm that is used more than once is written once, as a definition, or as a `let` where it stands under a
//! quantifier: a small graph must not become a large tree.

use std::fmt::Write as _;

use choros_data::{Op, Quantifier, Sort, SortKind, Term, TermKind, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Reason;
use crate::depth::within_depth;
use crate::literal;
use crate::regular;
use crate::symbols::{Datatype, Symbols, quoted};

/// Turns terms into text and remembers what has been declared and defined.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    /// What things are called.
    pub(crate) symbols: Symbols,
    /// Declarations and definitions that must be read before what is returned; take it away and send it.
    pub(crate) commands: String,
    defined: FxHashMap<Term, String>,
    next_definition: u32,
}

/// What remains to be written.
enum Piece {
    Static(&'static str),
    Text(String),
    Term(Term),
    /// The term itself, although it has a name or is about to get one.
    Expanded(Term),
    Named(Term, String),
    /// The term where names from outside do not count, its shared subterms in `let`s.
    Scope(Term),
    EndOfScope,
}

impl Writer {
    /// The formula as an expression; declarations go to [`Writer::commands`].
    pub(crate) fn formula(&mut self, terms: &Terms, formula: Term) -> Result<String, Reason> {
        within_depth(terms, formula)?;
        self.declare(terms, formula)?;
        for shared in shared_subterms(terms, formula) {
            if self.defined.contains_key(&shared) {
                continue;
            }
            let expression = self.expression(terms, Piece::Expanded(shared))?;
            let sort = self.sort(terms, terms.sort_of(shared))?;
            let name = self.fresh_name();
            let _ = writeln!(self.commands, "(define-fun {name} () {sort} {expression})");
            self.defined.insert(shared, name);
        }
        if let Some(name) = self.defined.get(&formula) {
            return Ok(name.clone());
        }
        self.expression(terms, Piece::Expanded(formula))
    }

    /// The formula as an expression that needs no definitions, only declarations.
    pub(crate) fn standalone(&mut self, terms: &Terms, formula: Term) -> Result<String, Reason> {
        within_depth(terms, formula)?;
        self.declare(terms, formula)?;
        self.expression(terms, Piece::Scope(formula))
    }

    /// A value as an expression.
    pub(crate) fn value(&mut self, terms: &Terms, value: &Value) -> Result<String, Reason> {
        // Values nest as deep as their sorts, which readers limit.
        Ok(match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => integer(value),
            Value::Real(value) => rational(value),
            Value::String(text) => literal::quote(text).map_err(inexpressible)?,
            Value::Atom { name, .. } => integer(&self.symbols.number(*name)),
            Value::Constructor { sort, index } => {
                let datatype = self.datatype(terms, *sort)?;
                quoted(&datatype.constructors[*index as usize])
            }
            Value::Record { sort, fields } => {
                let datatype = self.datatype(terms, *sort)?;
                let mut text = quoted(&datatype.constructors[0]);
                for field in fields {
                    text.push(' ');
                    text.push_str(&self.value(terms, field)?);
                }
                if fields.is_empty() {
                    text
                } else {
                    format!("({text})")
                }
            }
            Value::List { sort, items } => {
                let items = items
                    .iter()
                    .map(|item| Ok(format!("(seq.unit {})", self.value(terms, item)?)))
                    .collect::<Result<Vec<String>, Reason>>()?;
                match &items[..] {
                    [] => format!("(as seq.empty {})", self.sort(terms, *sort)?),
                    [only] => only.clone(),
                    _ => format!("(seq.++ {})", items.join(" ")),
                }
            }
        })
    }

    /// A sort; declarations go to [`Writer::commands`].
    pub(crate) fn sort(&mut self, terms: &Terms, sort: Sort) -> Result<String, Reason> {
        Ok(match terms.sort_kind(sort) {
            SortKind::Bool => "Bool".to_owned(),
            SortKind::Int | SortKind::Uninterpreted(_) => "Int".to_owned(),
            SortKind::Real => "Real".to_owned(),
            SortKind::String => "String".to_owned(),
            SortKind::List(element) => format!("(Seq {})", self.sort(terms, *element)?),
            SortKind::Enumeration { .. } | SortKind::Record(_) => {
                quoted(&self.datatype(terms, sort)?.sort)
            }
        })
    }

    fn datatype(&mut self, terms: &Terms, sort: Sort) -> Result<Datatype, Reason> {
        inhabited(terms, sort)?;
        let Some((datatype, new)) = self.symbols.datatype(terms, sort) else {
            unreachable!("only enumerations and records are datatypes");
        };
        if !new {
            return Ok(datatype);
        }
        let mut constructors = String::new();
        match terms.sort_kind(sort) {
            SortKind::Record(fields) => {
                constructors.push_str(&format!("({}", quoted(&datatype.constructors[0])));
                for (&(_, field), selector) in fields.iter().zip(&datatype.selectors) {
                    let field = self.sort(terms, field)?;
                    let _ = write!(constructors, " ({} {field})", quoted(selector));
                }
                constructors.push(')');
            }
            _ => {
                for constructor in &datatype.constructors {
                    let _ = write!(constructors, "({})", quoted(constructor));
                }
            }
        }
        let name = quoted(&datatype.sort);
        let _ = writeln!(
            self.commands,
            "(declare-datatypes (({name} 0)) (({constructors})))"
        );
        Ok(datatype)
    }

    /// Declares the variables of a formula, also the bound ones: it does no harm, and their sorts are needed.
    fn declare(&mut self, terms: &Terms, formula: Term) -> Result<(), Reason> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(variable) = terms.as_variable(term) {
                self.variable(terms, variable)?;
            }
            stack.extend(terms.arguments(term).iter().rev());
        }
        Ok(())
    }

    /// The symbol of a variable, declared if it was not.
    pub(crate) fn variable(
        &mut self,
        terms: &Terms,
        variable: choros_data::Var,
    ) -> Result<String, Reason> {
        let sort = terms.variable_sort(variable);
        inhabited(terms, sort)?;
        let (symbol, new) = self.symbols.variable(terms, variable);
        let symbol = quoted(&symbol);
        if new {
            let sort = self.sort(terms, sort)?;
            let _ = writeln!(self.commands, "(declare-fun {symbol} () {sort})");
        }
        Ok(symbol)
    }

    fn fresh_name(&mut self) -> String {
        self.next_definition += 1;
        format!("?{}", self.next_definition)
    }

    fn expression(&mut self, terms: &Terms, root: Piece) -> Result<String, Reason> {
        let mut out = String::new();
        // Under a quantifier the names from outside are not used: a definition could speak of what is bound here.
        let mut scopes: Vec<FxHashMap<Term, String>> = Vec::new();
        let mut pending = vec![root];
        while let Some(piece) = pending.pop() {
            let term = match piece {
                Piece::Static(text) => {
                    out.push_str(text);
                    continue;
                }
                Piece::Text(text) => {
                    out.push_str(&text);
                    continue;
                }
                Piece::Named(term, name) => {
                    if let Some(scope) = scopes.last_mut() {
                        scope.insert(term, name);
                    }
                    continue;
                }
                Piece::EndOfScope => {
                    scopes.pop();
                    continue;
                }
                Piece::Scope(body) => {
                    scopes.push(FxHashMap::default());
                    let start = pending.len();
                    let shared = shared_subterms(terms, body);
                    for &subterm in &shared {
                        let name = self.fresh_name();
                        pending.push(Piece::Text(format!("(let (({name} ")));
                        pending.push(Piece::Expanded(subterm));
                        pending.push(Piece::Static(")) "));
                        pending.push(Piece::Named(subterm, name));
                    }
                    pending.push(Piece::Term(body));
                    pending.push(Piece::Text(")".repeat(shared.len())));
                    pending.push(Piece::EndOfScope);
                    pending[start..].reverse();
                    continue;
                }
                Piece::Term(term) => match scopes.last().unwrap_or(&self.defined).get(&term) {
                    Some(name) => {
                        out.push_str(name);
                        continue;
                    }
                    None => term,
                },
                Piece::Expanded(term) => term,
            };
            let start = pending.len();
            match terms.kind(term) {
                TermKind::Constant(value) => {
                    let text = self.value(terms, value)?;
                    out.push_str(&text);
                }
                TermKind::Variable(variable) => {
                    let text = self.variable(terms, variable)?;
                    out.push_str(&text);
                }
                TermKind::Quantified(quantifier, bound, body) => {
                    out.push_str(match quantifier {
                        Quantifier::Forall => "(forall (",
                        Quantifier::Exists => "(exists (",
                    });
                    for &variable in bound {
                        if let Some(variable) = terms.as_variable(variable) {
                            let symbol = self.variable(terms, variable)?;
                            let sort = self.sort(terms, terms.variable_sort(variable))?;
                            let _ = write!(out, "({symbol} {sort})");
                        }
                    }
                    out.push_str(") ");
                    pending.push(Piece::Scope(body));
                    pending.push(Piece::Static(")"));
                }
                TermKind::Apply(op, arguments) => {
                    self.application(terms, term, op, arguments, &mut pending)?;
                }
            }
            pending[start..].reverse();
        }
        Ok(out)
    }

    /// The pieces of an application, in reading order.
    fn application(
        &mut self,
        terms: &Terms,
        term: Term,
        op: Op,
        arguments: &[Term],
        pieces: &mut Vec<Piece>,
    ) -> Result<(), Reason> {
        let on_text = arguments
            .first()
            .is_some_and(|&first| terms.sort_of(first) == Sort::STRING);
        let head = match op {
            Op::Not => "(not",
            Op::And => "(and",
            Op::Or => "(or",
            Op::Implies => "(=>",
            Op::If => "(ite",
            Op::Equal => "(=",
            Op::NotEqual => "(distinct",
            Op::Less => "(<",
            Op::LessEqual => "(<=",
            Op::Greater => "(>",
            Op::GreaterEqual => "(>=",
            Op::Add => "(+",
            Op::Subtract | Op::Negate => "(-",
            Op::Multiply => "(*",
            Op::Divide => "(/",
            Op::IntegerDivide => "(div",
            Op::Modulo => "(mod",
            Op::Length if on_text => "(str.len",
            Op::Length => "(seq.len",
            Op::Concat if on_text => "(str.++",
            Op::Concat => "(seq.++",
            Op::Prefix => "(str.prefixof",
            Op::Contains => "(str.contains",
            Op::Index => "(seq.nth",
            Op::Matches => {
                let expression = regular::translated(terms, arguments[1])?;
                pieces.push(Piece::Static("(str.in_re "));
                pieces.push(Piece::Term(arguments[0]));
                pieces.push(Piece::Text(format!(" {})", regular::text(&expression))));
                return Ok(());
            }
            Op::Member => {
                pieces.push(Piece::Static("(seq.contains "));
                pieces.push(Piece::Term(arguments[1]));
                pieces.push(Piece::Static(" (seq.unit "));
                pieces.push(Piece::Term(arguments[0]));
                pieces.push(Piece::Static("))"));
                return Ok(());
            }
            Op::Field(position) => {
                let datatype = self.datatype(terms, terms.sort_of(arguments[0]))?;
                let selector = quoted(&datatype.selectors[position as usize]);
                pieces.push(Piece::Text(format!("({selector} ")));
                pieces.push(Piece::Term(arguments[0]));
                pieces.push(Piece::Static(")"));
                return Ok(());
            }
            Op::MakeRecord => {
                let datatype = self.datatype(terms, terms.sort_of(term))?;
                pieces.push(Piece::Text(format!(
                    "({}",
                    quoted(&datatype.constructors[0])
                )));
                for &argument in arguments {
                    pieces.push(Piece::Static(" "));
                    pieces.push(Piece::Term(argument));
                }
                pieces.push(Piece::Static(")"));
                return Ok(());
            }
            Op::MakeList => {
                let several = arguments.len() > 1;
                pieces.push(Piece::Static(if several { "(seq.++" } else { "" }));
                for &argument in arguments {
                    pieces.push(Piece::Static(" (seq.unit "));
                    pieces.push(Piece::Term(argument));
                    pieces.push(Piece::Static(")"));
                }
                pieces.push(Piece::Static(if several { ")" } else { "" }));
                return Ok(());
            }
        };
        pieces.push(Piece::Static(head));
        for &argument in arguments {
            pieces.push(Piece::Static(" "));
            pieces.push(Piece::Term(argument));
        }
        pieces.push(Piece::Static(")"));
        Ok(())
    }
}

/// Refuses enumerations without constructors: SMT-LIB has no empty sorts.
///
/// Asked before anything is declared, so that a refusal leaves nothing half declared.
pub(crate) fn inhabited(terms: &Terms, sort: Sort) -> Result<(), Reason> {
    match terms.sort_kind(sort) {
        SortKind::Enumeration { constructors, .. } if constructors.is_empty() => Err(
            Reason::Inexpressible(format!("{} has no values", terms.sort_text(sort))),
        ),
        SortKind::List(element) => inhabited(terms, *element),
        SortKind::Record(fields) => fields
            .iter()
            .try_for_each(|&(_, field)| inhabited(terms, field)),
        _ => Ok(()),
    }
}

/// Why a character cannot be written.
pub(crate) fn inexpressible(character: char) -> Reason {
    Reason::Inexpressible(format!(
        "the character U+{:X} is not in SMT-LIB's alphabet",
        u32::from(character)
    ))
}

/// The subterms, other than variables and constants, that are used more than once; each after those it uses.
///
/// Quantified formulas are not looked into: their bodies are scopes of their own.
fn shared_subterms(terms: &Terms, root: Term) -> Vec<Term> {
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    let mut finished = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((term, done)) = stack.pop() {
        if done {
            finished.push(term);
            continue;
        }
        let count = uses.entry(term).or_insert(0);
        *count += 1;
        if *count > 1 {
            continue;
        }
        if let TermKind::Apply(_, arguments) = terms.kind(term) {
            stack.push((term, true));
            stack.extend(arguments.iter().rev().map(|&argument| (argument, false)));
        } else if matches!(terms.kind(term), TermKind::Quantified(..)) {
            stack.push((term, true));
        }
    }
    finished.retain(|term| uses[term] > 1);
    finished
}

fn integer(value: &BigInt) -> String {
    if value.is_negative() {
        format!("(- {})", value.magnitude())
    } else {
        value.to_string()
    }
}

fn rational(value: &BigRational) -> String {
    let magnitude = if value.denom().is_one() {
        format!("{}.0", value.numer().magnitude())
    } else {
        format!("(/ {}.0 {}.0)", value.numer().magnitude(), value.denom())
    };
    if value.is_negative() {
        format!("(- {magnitude})")
    } else {
        magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Naming;

    #[test]
    fn shared_subterms_are_written_once() {
        let mut terms = Terms::new();
        let mut sum = terms.named("x", Sort::INT);
        for _ in 0..40 {
            let doubled = terms.arithmetic(Op::Multiply, sum, sum);
            sum = terms.arithmetic(Op::Subtract, doubled, sum);
        }
        let zero = terms.int(0);
        let formula = terms.equal(sum, zero);
        let mut writer = Writer::default();
        let text = writer.formula(&terms, formula).expect("expressible");
        assert!(writer.commands.len() + text.len() < 10_000);
    }

    #[test]
    fn every_sort_has_its_literals() {
        let mut terms = Terms::new();
        let mut writer = Writer::default();
        writer.symbols.naming = Naming::Names;
        let name = terms.names.intern("Status");
        let constructors = vec![terms.names.intern("Open"), terms.names.intern("Shut")];
        let status = terms.sort(SortKind::Enumeration { name, constructors });
        let weight = terms.names.intern("weight");
        let record = terms.sort(SortKind::Record(vec![(weight, Sort::INT)]));
        let list = terms.list_sort(status);
        let shut = Value::Constructor {
            sort: status,
            index: 1,
        };
        let mut text = |value: &Value| writer.value(&terms, value).expect("expressible");
        assert_eq!(text(&Value::int(-3)), "(- 3)");
        assert_eq!(
            text(&Value::Real(BigRational::new((-1).into(), 3.into()))),
            "(- (/ 1.0 3.0))"
        );
        assert_eq!(text(&Value::text("a\"\n")), "\"a\"\"\\u{a}\"");
        let weighed = Value::Record {
            sort: record,
            fields: vec![Value::int(1)],
        };
        assert_eq!(text(&weighed), "($record 1)");
        let listed = Value::List {
            sort: list,
            items: vec![shut.clone(), shut],
        };
        assert_eq!(
            text(&listed),
            "(seq.++ (seq.unit $Status!Shut) (seq.unit $Status!Shut))"
        );
        let none = Value::List {
            sort: list,
            items: Vec::new(),
        };
        assert_eq!(text(&none), "(as seq.empty (Seq $Status))");
        assert_eq!(
            writer.commands,
            "(declare-datatypes (($Record 0)) ((($record ($record.weight Int)))))\n\
             (declare-datatypes (($Status 0)) ((($Status!Open)($Status!Shut))))\n"
        );
    }
}
