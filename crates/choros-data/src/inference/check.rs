//! The sorts that operators need and give.

use choros_base::Span;

use super::{Checked, Inference, Meaning, Scope, Shape, Slot};
use crate::diagnostics::{argument_count, unknown_function};
use crate::syntax::{Binary, ExprId, ExprKind, Expression, Exprs, Unary};
use crate::{Sort, Terms};

impl Inference {
    /// Infers what can be known of an expression's sort; reports what does not fit.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        exprs: &Exprs,
        expression: Expression,
        scope: Scope,
    ) -> Slot {
        for id in exprs.parts(expression) {
            let findings = self.diagnostics.len();
            let (slot, meaning) = self.check_part(terms, exprs, id, scope);
            let sound = self.diagnostics.len() == findings
                && !matches!(exprs.kind(id), ExprKind::Error)
                && operands(exprs.kind(id)).iter().all(|operand| {
                    self.checked
                        .get(operand)
                        .is_some_and(|checked| checked.sound)
                });
            self.checked.insert(
                id,
                Checked {
                    slot,
                    meaning,
                    sound,
                },
            );
        }
        self.slot_of(expression.root)
    }

    /// Checks an expression that must be true or false, for a reason in words that read after "because".
    pub fn check_guard(
        &mut self,
        terms: &mut Terms,
        exprs: &Exprs,
        expression: Expression,
        scope: Scope,
        why: &str,
    ) {
        let slot = self.check(terms, exprs, expression, scope);
        let needed = self.known(Sort::BOOL, expression.span, why);
        if !self.unify(terms, slot, expression.span, needed)
            && let Some(checked) = self.checked.get_mut(&expression.root)
        {
            checked.sound = false;
        }
    }

    pub(super) fn slot_of(&self, id: ExprId) -> Slot {
        self.checked[&id].slot
    }

    fn check_part(
        &mut self,
        terms: &mut Terms,
        exprs: &Exprs,
        id: ExprId,
        scope: Scope,
    ) -> (Slot, Meaning) {
        let span = exprs.span(id);
        let slot = match exprs.kind(id) {
            ExprKind::Error => self.slot(span),
            ExprKind::Bool(_) => self.known(Sort::BOOL, span, "it is a truth value"),
            ExprKind::Integer(_) => self.entry(Shape::Number, span, "it is a number".to_owned()),
            ExprKind::Decimal(_) => self.known(Sort::REAL, span, "it has a decimal point"),
            ExprKind::Text(_) => self.known(Sort::STRING, span, "it is written in quotes"),
            ExprKind::Name(name) => return self.check_name(terms, *name, span, scope),
            ExprKind::Bound(name, sort) => {
                let slot = match self.written_sort(terms, exprs, *sort) {
                    Some(sort) => self.known(sort, span, "it is quantified so"),
                    None => self.slot(span),
                };
                return (slot, Meaning::Variable(*name));
            }
            ExprKind::Quantified(_, _, body) => self.all_of(
                terms,
                exprs,
                &[*body],
                Sort::BOOL,
                span,
                "quantifiers bind formulas",
            ),
            ExprKind::Unary(Unary::Not, operand) => self.all_of(
                terms,
                exprs,
                &[*operand],
                Sort::BOOL,
                span,
                "`not` negates truth values",
            ),
            ExprKind::Unary(Unary::Negate, operand) => {
                let number = self.entry(Shape::Number, span, "`-` negates numbers".to_owned());
                self.operand(terms, exprs, *operand, number);
                number
            }
            ExprKind::Binary(op, left, right) => {
                self.check_operator(terms, exprs, *op, &[*left, *right], span)
            }
            ExprKind::Chain(op, operands) => self.check_operator(terms, exprs, *op, operands, span),
            ExprKind::If(condition, yes, no) => {
                self.all_of(
                    terms,
                    exprs,
                    &[*condition],
                    Sort::BOOL,
                    exprs.span(*condition),
                    "`if` asks for a truth value",
                );
                let slot = self.slot_of(*yes);
                self.operand(terms, exprs, *no, slot);
                slot
            }
            ExprKind::Call(name, arguments) => {
                let name = terms.names.text(*name).to_owned();
                self.check_call(terms, exprs, &name, arguments, span)
            }
            ExprKind::Field(record, label) => {
                let slot = self.slot(span);
                let why = format!("its field `{}` is asked for", terms.names.text(*label));
                let needed = self.entry(Shape::Fields(vec![(*label, slot)]), span, why);
                self.operand(terms, exprs, *record, needed);
                slot
            }
            ExprKind::Index(list, position) => {
                let element = self.slot(span);
                let needed = self.entry(
                    Shape::List(element),
                    span,
                    "`[…]` picks an element of a list".to_owned(),
                );
                self.operand(terms, exprs, *list, needed);
                let int = self.known(Sort::INT, span, "lists are indexed by integers");
                self.operand(terms, exprs, *position, int);
                element
            }
            ExprKind::List(items) => {
                let element = match items.first() {
                    Some(&first) => self.slot_of(first),
                    None => self.slot(span),
                };
                for &item in items.iter().skip(1) {
                    self.operand(terms, exprs, item, element);
                }
                self.entry(
                    Shape::List(element),
                    span,
                    "it is written as a list".to_owned(),
                )
            }
            ExprKind::Record(fields) => {
                let fields = fields
                    .iter()
                    .map(|&(label, value)| (label, self.slot_of(value)))
                    .collect();
                self.entry(
                    Shape::Record(fields),
                    span,
                    "it is written as a record".to_owned(),
                )
            }
        };
        (slot, Meaning::Operator)
    }

    fn check_name(
        &mut self,
        terms: &mut Terms,
        name: choros_base::Name,
        span: Span,
        scope: Scope,
    ) -> (Slot, Meaning) {
        if self.is_variable(scope, name) {
            return (self.variable(scope, name, span), Meaning::Variable(name));
        }
        if let Some(&term) = self.constants.get(&name) {
            let slot = self.known(
                terms.sort_of(term),
                span,
                "the constant is declared with this sort",
            );
            return (slot, Meaning::Constant(term));
        }
        if let Some((sort, index)) = terms.constructor(name) {
            let term = terms.constant(crate::Value::Constructor { sort, index });
            let slot = self.known(sort, span, "it is one of its values");
            return (slot, Meaning::Constant(term));
        }
        if terms.names.text(name).starts_with(char::is_uppercase) {
            let why = "capitalised names that are not declared are symbols".to_owned();
            let slot = self.entry(Shape::Uninterpreted, span, why);
            return (slot, Meaning::Atom(name));
        }
        (self.variable(scope, name, span), Meaning::Variable(name))
    }

    fn check_operator(
        &mut self,
        terms: &mut Terms,
        exprs: &Exprs,
        op: Binary,
        operands: &[ExprId],
        span: Span,
    ) -> Slot {
        let text = op.text();
        match op {
            Binary::And | Binary::Or | Binary::Implies => {
                let why = format!("`{text}` joins truth values");
                self.all_of(terms, exprs, operands, Sort::BOOL, span, &why)
            }
            Binary::Equal | Binary::NotEqual => {
                let left = self.slot_of(operands[0]);
                self.operand(terms, exprs, operands[1], left);
                self.known(Sort::BOOL, span, "comparisons are true or false")
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let number = self.entry(Shape::Number, span, format!("`{text}` compares numbers"));
                for &operand in operands {
                    self.operand(terms, exprs, operand, number);
                }
                self.known(Sort::BOOL, span, "comparisons are true or false")
            }
            Binary::Member => {
                let element = self.slot_of(operands[0]);
                let list = self.entry(
                    Shape::List(element),
                    span,
                    "`in` looks into a list".to_owned(),
                );
                self.operand(terms, exprs, operands[1], list);
                self.known(Sort::BOOL, span, "`in` is true or false")
            }
            Binary::Add | Binary::Subtract | Binary::Multiply => {
                let number = self.entry(Shape::Number, span, format!("`{text}` works on numbers"));
                for &operand in operands {
                    self.operand(terms, exprs, operand, number);
                }
                number
            }
            Binary::Divide => {
                let why = "`/` divides Reals (`div` divides Ints)";
                self.all_of(terms, exprs, operands, Sort::REAL, span, why)
            }
            Binary::IntegerDivide | Binary::Modulo => {
                let why = format!("`{text}` works on Ints (`/` divides Reals)");
                self.all_of(terms, exprs, operands, Sort::INT, span, &why)
            }
            Binary::Concat => {
                let sequence = self.entry(
                    Shape::Sequence,
                    span,
                    "`++` joins strings or lists".to_owned(),
                );
                for &operand in operands {
                    self.operand(terms, exprs, operand, sequence);
                }
                sequence
            }
        }
    }

    fn check_call(
        &mut self,
        terms: &mut Terms,
        exprs: &Exprs,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Slot {
        let (fits, expected) = match name {
            "length" => (arguments.len() == 1, "one argument"),
            "prefix" | "contains" => (arguments.len() == 2, "two arguments"),
            "concat" => (!arguments.is_empty(), "one argument or more"),
            _ => {
                let start = span.range().start as u32;
                let name_span = Span::new(span.file(), start, start + name.len() as u32);
                self.diagnostics
                    .push(unknown_function::diagnostic(span, name, name_span));
                return self.slot(span);
            }
        };
        if !fits {
            self.diagnostics.push(argument_count::diagnostic(
                span,
                name,
                expected,
                arguments.len(),
            ));
            return self.slot(span);
        }
        match name {
            "prefix" | "contains" => {
                let why = format!("`{name}` compares strings");
                self.all_of(terms, exprs, arguments, Sort::STRING, span, &why);
                self.known(Sort::BOOL, span, format!("`{name}` is true or false"))
            }
            _ => {
                let sequence = self.entry(
                    Shape::Sequence,
                    span,
                    format!("`{name}` works on strings and lists"),
                );
                for &argument in arguments {
                    self.operand(terms, exprs, argument, sequence);
                }
                match name {
                    "length" => self.known(Sort::INT, span, "a length is an integer"),
                    _ => sequence,
                }
            }
        }
    }

    /// All operands are of a known sort, and so is the result.
    fn all_of(
        &mut self,
        terms: &mut Terms,
        exprs: &Exprs,
        operands: &[ExprId],
        sort: Sort,
        span: Span,
        why: &str,
    ) -> Slot {
        let needed = self.known(sort, span, why);
        for &operand in operands {
            self.operand(terms, exprs, operand, needed);
        }
        needed
    }

    fn operand(&mut self, terms: &mut Terms, exprs: &Exprs, operand: ExprId, needed: Slot) {
        let found = self.slot_of(operand);
        self.unify(terms, found, exprs.span(operand), needed);
    }
}

/// The direct operands of an expression.
pub(super) fn operands(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Unary(_, operand) | ExprKind::Field(operand, _) => vec![*operand],
        ExprKind::Quantified(_, _, body) => vec![*body],
        ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => vec![*left, *right],
        ExprKind::If(condition, yes, no) => vec![*condition, *yes, *no],
        ExprKind::Chain(_, operands) | ExprKind::Call(_, operands) | ExprKind::List(operands) => {
            operands.clone()
        }
        ExprKind::Record(fields) => fields.iter().map(|&(_, value)| value).collect(),
        _ => Vec::new(),
    }
}
