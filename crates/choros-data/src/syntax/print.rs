//! Written expressions as text that parses back to the same expressions.
//!
//! Where [`Terms::print`](crate::Terms::print) shows typed terms, this shows what someone wrote.
//! Parentheses are written where they are needed; chains, however long, get none.

use choros_base::Names;
use choros_syntax::quote::json;

use super::expression::{Binary, ExprId, ExprKind, Expression, Exprs, SortExpr, SortExprId, Unary};
use crate::Quantifier;
use crate::print::decimal;
use crate::strength::{
    COMPARISON, CONJUNCTION, DISJUNCTION, IMPLICATION, LOOSEST, NEGATION, POSTFIX, PRODUCT, SUM,
    UNARY,
};

impl Exprs {
    /// An expression as text.
    ///
    /// Something that did not parse is shown as `…`, which does not parse either.
    pub fn print(&self, names: &Names, expression: Expression) -> String {
        let mut out = String::new();
        let mut pending = vec![Piece::Part(expression.root, LOOSEST)];
        while let Some(piece) = pending.pop() {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Owned(text) => out.push_str(&text),
                Piece::Part(id, allowed) => {
                    let needed = strength(self.kind(id)) < allowed;
                    let start = pending.len();
                    if needed {
                        pending.push(Piece::Text("("));
                    }
                    self.pieces(names, id, &mut pending);
                    if needed {
                        pending.push(Piece::Text(")"));
                    }
                    // Pieces were pushed in reading order; the stack pops from the end.
                    pending[start..].reverse();
                }
            }
        }
        out
    }

    fn pieces<'a>(&'a self, names: &'a Names, id: ExprId, out: &mut Vec<Piece<'a>>) {
        let kind = self.kind(id);
        let own = strength(kind);
        match kind {
            ExprKind::Bool(value) => out.push(Piece::Text(if *value { "true" } else { "false" })),
            ExprKind::Integer(value) => out.push(Piece::Owned(value.to_string())),
            ExprKind::Decimal(value) => {
                out.push(Piece::Owned(
                    decimal(value).unwrap_or_else(|| "…".to_owned()),
                ));
            }
            ExprKind::Text(text) => out.push(Piece::Owned(json(text))),
            ExprKind::Name(name) | ExprKind::Bound(name, _) => {
                out.push(Piece::Text(names.text(*name)));
            }
            ExprKind::Quantified(quantifier, variables, body) => {
                out.push(Piece::Text(match quantifier {
                    Quantifier::Forall => "forall ",
                    Quantifier::Exists => "exists ",
                }));
                for (position, (name, sort)) in variables.iter().enumerate() {
                    let comma = if position > 0 { ", " } else { "" };
                    let (name, sort) = (names.text(*name), self.print_sort(names, *sort));
                    out.push(Piece::Owned(format!("{comma}{name}: {sort}")));
                }
                out.extend([Piece::Text(". "), Piece::Part(*body, LOOSEST)]);
            }
            ExprKind::Unary(Unary::Not, operand) => {
                out.extend([Piece::Text("not "), Piece::Part(*operand, own)]);
            }
            ExprKind::Unary(Unary::Negate, operand) => {
                out.extend([Piece::Text("-"), Piece::Part(*operand, own)]);
            }
            ExprKind::Binary(op, left, right) => {
                // `=>` nests to the right, `- / div mod` to the left, comparisons not at all.
                let (left_allowed, right_allowed) = match own {
                    IMPLICATION => (own + 1, own),
                    COMPARISON => (own + 1, own + 1),
                    _ => (own, own + 1),
                };
                out.extend([
                    Piece::Part(*left, left_allowed),
                    Piece::Owned(format!(" {} ", op.text())),
                    Piece::Part(*right, right_allowed),
                ]);
            }
            ExprKind::Chain(op, operands) => self.chain(*op, operands, own, out),
            ExprKind::If(condition, yes, no) => out.extend([
                Piece::Text("if "),
                Piece::Part(*condition, LOOSEST),
                Piece::Text(" then "),
                Piece::Part(*yes, LOOSEST),
                Piece::Text(" else "),
                Piece::Part(*no, LOOSEST),
            ]),
            ExprKind::Call(name, arguments) => {
                out.extend([Piece::Text(names.text(*name)), Piece::Text("(")]);
                separated(arguments, out);
                out.push(Piece::Text(")"));
            }
            ExprKind::Field(record, label) => out.extend([
                Piece::Part(*record, own),
                Piece::Text("."),
                Piece::Text(names.text(*label)),
            ]),
            ExprKind::Index(list, index) => out.extend([
                Piece::Part(*list, own),
                Piece::Text("["),
                Piece::Part(*index, LOOSEST),
                Piece::Text("]"),
            ]),
            ExprKind::List(items) => {
                out.push(Piece::Text("["));
                separated(items, out);
                out.push(Piece::Text("]"));
            }
            ExprKind::Record(fields) => {
                out.push(Piece::Text("{"));
                for (position, (label, value)) in fields.iter().enumerate() {
                    let comma = if position > 0 { ", " } else { "" };
                    out.push(Piece::Owned(format!("{comma}{}: ", names.text(*label))));
                    out.push(Piece::Part(*value, LOOSEST));
                }
                out.push(Piece::Text("}"));
            }
            ExprKind::Error => out.push(Piece::Text("…")),
        }
    }

    fn chain<'a>(&self, op: Binary, operands: &[ExprId], own: u8, out: &mut Vec<Piece<'a>>) {
        for (position, &operand) in operands.iter().enumerate() {
            if position > 0 {
                out.push(Piece::Owned(format!(" {} ", op.text())));
            }
            // `a - b + c` is a sum whose first operand is a difference; `a + b + c` would be one sum.
            let first_of_others = position == 0
                && matches!(own, SUM | PRODUCT)
                && !matches!(self.kind(operand), ExprKind::Chain(inner, _) if *inner == op);
            let allowed = if first_of_others { own } else { own + 1 };
            out.push(Piece::Part(operand, allowed));
        }
    }

    /// A written sort as text.
    pub fn print_sort(&self, names: &Names, sort: SortExprId) -> String {
        // Depth is limited by the parser.
        match self.sort(sort) {
            SortExpr::Named(name, _) => names.text(*name).to_owned(),
            SortExpr::List(element) => format!("List({})", self.print_sort(names, *element)),
            SortExpr::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|&(label, sort)| {
                        format!("{}: {}", names.text(label), self.print_sort(names, sort))
                    })
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
            SortExpr::Error => "…".to_owned(),
        }
    }
}

enum Piece<'a> {
    Text(&'a str),
    Owned(String),
    /// A part, in parentheses if it binds less tightly than this.
    Part(ExprId, u8),
}

/// How tightly an expression binds, by the grammar of the parser.
fn strength(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::If(..) | ExprKind::Quantified(..) => LOOSEST,
        ExprKind::Unary(Unary::Not, _) => NEGATION,
        ExprKind::Unary(Unary::Negate, _) => UNARY,
        ExprKind::Binary(op, ..) | ExprKind::Chain(op, _) => match op {
            Binary::Implies => IMPLICATION,
            Binary::Or => DISJUNCTION,
            Binary::And => CONJUNCTION,
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::Member => COMPARISON,
            Binary::Add | Binary::Subtract | Binary::Concat => SUM,
            Binary::Multiply | Binary::Divide | Binary::IntegerDivide | Binary::Modulo => PRODUCT,
        },
        _ => POSTFIX,
    }
}

fn separated(items: &[ExprId], out: &mut Vec<Piece<'_>>) {
    for (position, &item) in items.iter().enumerate() {
        if position > 0 {
            out.push(Piece::Text(", "));
        }
        out.push(Piece::Part(item, LOOSEST));
    }
}
