//! Terms from checked expressions.

use rustc_hash::FxHashMap;

use super::{Inference, Meaning};
use crate::syntax::{Binary, ExprId, ExprKind, Expression, Exprs, Unary};
use crate::{Op, Sort, SortKind, Term, Terms, Value, Var};

impl Inference {
    /// The term of an expression that has been checked; `None` where something was reported.
    ///
    /// Build when everything that can constrain a sort has been checked: open sorts get their defaults here.
    pub fn build(&self, terms: &mut Terms, exprs: &Exprs, expression: Expression) -> Option<Term> {
        if !self.checked.get(&expression.root)?.sound {
            return None;
        }
        let mut built: FxHashMap<ExprId, Term> = FxHashMap::default();
        for id in exprs.parts(expression) {
            // Parts that recovery left behind belong to nothing.
            if !self.checked.get(&id).is_some_and(|checked| checked.sound) {
                continue;
            }
            let term = self.build_part(terms, exprs, id, &built)?;
            built.insert(id, term);
        }
        built.get(&expression.root).copied()
    }

    fn build_part(
        &self,
        terms: &mut Terms,
        exprs: &Exprs,
        id: ExprId,
        built: &FxHashMap<ExprId, Term>,
    ) -> Option<Term> {
        let checked = self.checked.get(&id)?;
        let sort = self.sort(terms, checked.slot);
        match checked.meaning {
            Meaning::Variable(name) => {
                let variable = terms.variable(name, sort);
                return Some(terms.var(variable));
            }
            Meaning::Atom(name) => return Some(terms.atom(sort, name)),
            Meaning::Constant(term) => return Some(term),
            Meaning::Operator => {}
        }
        let of = |id: &ExprId| built.get(id).copied();
        let all = |ids: &[ExprId]| -> Option<Vec<Term>> { ids.iter().map(of).collect() };
        Some(match exprs.kind(id) {
            ExprKind::Bool(value) => terms.bool(*value),
            ExprKind::Integer(value) if sort == Sort::REAL => {
                terms.constant(Value::Real(value.clone().into()))
            }
            ExprKind::Integer(value) => terms.constant(Value::Int(value.clone())),
            ExprKind::Decimal(value) => terms.constant(Value::Real(value.clone())),
            ExprKind::Text(text) => terms.text(text),
            ExprKind::Unary(Unary::Not, operand) => {
                let operand = of(operand)?;
                terms.not(operand)
            }
            ExprKind::Unary(Unary::Negate, operand) => {
                let operand = of(operand)?;
                terms.negate(operand)
            }
            ExprKind::Binary(op, left, right) => {
                build_operator(terms, *op, &[of(left)?, of(right)?])
            }
            ExprKind::Chain(op, operands) => build_operator(terms, *op, &all(operands)?),
            ExprKind::If(condition, yes, no) => {
                terms.if_then_else(of(condition)?, of(yes)?, of(no)?)
            }
            ExprKind::Call(name, arguments) => {
                let arguments = all(arguments)?;
                build_call(terms, *name, &arguments)?
            }
            ExprKind::Field(record, label) => terms.field(of(record)?, *label)?,
            ExprKind::Index(list, position) => terms.index(of(list)?, of(position)?),
            ExprKind::List(items) => terms.list(sort, &all(items)?),
            ExprKind::Record(fields) => {
                let SortKind::Record(order) = terms.sort_kind(sort).clone() else {
                    return None;
                };
                let values: Option<Vec<Term>> = order
                    .iter()
                    .map(|&(label, _)| {
                        let (_, value) = fields.iter().find(|(name, _)| *name == label)?;
                        of(value)
                    })
                    .collect();
                terms.record(sort, &values?)
            }
            ExprKind::Quantified(quantifier, variables, body) => {
                let body = of(body)?;
                let free = terms.free_variables(body);
                // The body's variable of this name has the sort that was written.
                let bound: Vec<Var> = variables
                    .iter()
                    .filter_map(|&(name, _)| {
                        free.iter()
                            .copied()
                            .find(|&variable| terms.variable_name(variable) == name)
                    })
                    .collect();
                terms.quantify(*quantifier, &bound, body)
            }
            ExprKind::Name(_) | ExprKind::Bound(..) | ExprKind::Error => return None,
        })
    }
}

fn build_operator(terms: &mut Terms, op: Binary, operands: &[Term]) -> Term {
    let compare = match op {
        Binary::And => return terms.and(operands.iter().copied()),
        Binary::Or => return terms.or(operands.iter().copied()),
        Binary::Implies => return terms.implies(operands[0], operands[1]),
        Binary::Member => return terms.member(operands[0], operands[1]),
        Binary::Add => return terms.arithmetic_of_many(Op::Add, operands),
        Binary::Multiply => return terms.arithmetic_of_many(Op::Multiply, operands),
        Binary::Subtract => return terms.arithmetic(Op::Subtract, operands[0], operands[1]),
        Binary::Divide => return terms.arithmetic(Op::Divide, operands[0], operands[1]),
        Binary::IntegerDivide => {
            return terms.arithmetic(Op::IntegerDivide, operands[0], operands[1]);
        }
        Binary::Modulo => return terms.arithmetic(Op::Modulo, operands[0], operands[1]),
        Binary::Concat => return terms.concat(operands),
        Binary::Equal => Op::Equal,
        Binary::NotEqual => Op::NotEqual,
        Binary::Less => Op::Less,
        Binary::LessEqual => Op::LessEqual,
        Binary::Greater => Op::Greater,
        Binary::GreaterEqual => Op::GreaterEqual,
    };
    terms.compare(compare, operands[0], operands[1])
}

fn build_call(terms: &mut Terms, name: choros_base::Name, arguments: &[Term]) -> Option<Term> {
    Some(match (terms.names.text(name), arguments) {
        ("length", &[argument]) => terms.length(argument),
        ("prefix", &[prefix, whole]) => terms.prefix(prefix, whole),
        ("contains", &[whole, part]) => terms.contains(whole, part),
        ("concat", arguments) => terms.concat(arguments),
        _ => return None,
    })
}
