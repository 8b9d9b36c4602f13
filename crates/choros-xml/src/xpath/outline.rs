//! What an expression is made of, before any name in it is resolved.
//!
//! Rules about the form of expressions need no types: which paths have a variable to start from, how functions are
//! called, whether a condition is about links only.

use choros_base::Span;
use choros_data::Op;
use num_rational::BigRational;

use super::WrittenExpression;
use super::ast::{Expr, ExprKind, Start, Test};
use super::parse::parse;

/// The form of an expression.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// The variables in it, as they are written after the `$`.
    pub variables: Vec<(String, Span)>,
    /// The paths that start neither from a variable nor from a call, and are in no predicate.
    pub bare_paths: Vec<Span>,
    pub calls: Vec<CalledFunction>,
    /// What is in it that is neither a variable alone nor connected by Boolean operators.
    pub not_boolean: Option<Span>,
    pub form: OutlineForm,
}

/// What an expression is as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum OutlineForm {
    /// `$v` or `$v.part`.
    Variable(String),
    /// A path that starts from a variable.
    PathOfVariable,
    /// A path from a variable to an attribute or a text.
    TextOfVariable,
    Number(BigRational),
    Text(String),
    #[default]
    Other,
}

#[derive(Debug, Clone)]
pub struct CalledFunction {
    /// Its name, perhaps with a prefix.
    pub name: String,
    /// The arguments: the text of those that are texts in quotes.
    pub arguments: Vec<(Option<String>, Span)>,
    pub span: Span,
}

impl CalledFunction {
    /// Its name without the prefix.
    pub fn local(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or(&self.name)
    }
}

impl Outline {
    /// The form of an expression; `None` if it is not XPath 1.0, which reading it reports.
    pub fn of(written: &WrittenExpression) -> Option<Outline> {
        let expression = parse(written, &mut Vec::new())?;
        let mut outline = Outline {
            form: form(&expression),
            ..Outline::default()
        };
        outline.expression(&expression, false);
        outline.not_boolean = outside_boolean(&expression);
        Some(outline)
    }

    // The parser bounds how deep expressions are nested.
    fn expression(&mut self, expression: &Expr, in_predicate: bool) {
        match &expression.kind {
            ExprKind::Or(all) | ExprKind::And(all) => {
                for one in all {
                    self.expression(one, in_predicate);
                }
            }
            ExprKind::Compare(_, left, right) | ExprKind::Arithmetic(_, left, right) => {
                self.expression(left, in_predicate);
                self.expression(right, in_predicate);
            }
            ExprKind::Negate(inner) => self.expression(inner, in_predicate),
            ExprKind::Number(_) | ExprKind::Literal(_) => {}
            ExprKind::Call(name, arguments) => {
                self.calls.push(CalledFunction {
                    name: name.clone(),
                    arguments: arguments.iter().map(argument).collect(),
                    span: expression.span,
                });
                for argument in arguments {
                    self.expression(argument, in_predicate);
                }
            }
            ExprKind::Path(path) => {
                match &path.start {
                    Start::Variable(name) => self.variables.push((name.clone(), expression.span)),
                    Start::Root | Start::Context if !in_predicate => {
                        self.bare_paths.push(expression.span);
                    }
                    Start::Root | Start::Context => {}
                    Start::Call(call) => self.expression(call, in_predicate),
                }
                for predicate in path.steps.iter().flat_map(|step| &step.predicates) {
                    self.expression(predicate, true);
                }
            }
        }
    }
}

fn argument(argument: &Expr) -> (Option<String>, Span) {
    match &argument.kind {
        ExprKind::Literal(text) => (Some(text.clone()), argument.span),
        _ => (None, argument.span),
    }
}

fn form(expression: &Expr) -> OutlineForm {
    match &expression.kind {
        ExprKind::Number(number) => OutlineForm::Number(number.clone()),
        ExprKind::Negate(inner) => match &inner.kind {
            ExprKind::Number(number) => OutlineForm::Number(-number.clone()),
            _ => OutlineForm::Other,
        },
        ExprKind::Literal(text) => OutlineForm::Text(text.clone()),
        ExprKind::Path(path) => match (&path.start, path.steps.last()) {
            (Start::Variable(name), None) => OutlineForm::Variable(name.clone()),
            (Start::Variable(_), Some(last)) => match last.test {
                Test::Text | Test::Attribute(_) => OutlineForm::TextOfVariable,
                _ => OutlineForm::PathOfVariable,
            },
            _ => OutlineForm::Other,
        },
        _ => OutlineForm::Other,
    }
}

/// The first part that is neither a variable alone nor a Boolean operator: `and`, `or`, `not`, equality of such.
fn outside_boolean(expression: &Expr) -> Option<Span> {
    match &expression.kind {
        ExprKind::Or(all) | ExprKind::And(all) => all.iter().find_map(outside_boolean),
        ExprKind::Compare(Op::Equal | Op::NotEqual, left, right) => {
            outside_boolean(left).or_else(|| outside_boolean(right))
        }
        ExprKind::Call(name, arguments) if name == "not" || name == "boolean" => {
            arguments.iter().find_map(outside_boolean)
        }
        ExprKind::Call(name, arguments) if matches!(&**name, "true" | "false") => {
            arguments.iter().find_map(outside_boolean)
        }
        ExprKind::Path(path)
            if path.steps.is_empty() && matches!(path.start, Start::Variable(_)) =>
        {
            None
        }
        _ => Some(expression.span),
    }
}

#[cfg(test)]
mod tests {
    use choros_base::{SourceMap, Span};

    use super::*;

    fn outline(text: &str) -> Outline {
        let mut sources = SourceMap::default();
        let file = sources.add("e", text);
        let written = WrittenExpression {
            text: text.into(),
            span: Span::new(file, 0, text.len() as u32),
            namespaces: Default::default(),
        };
        Outline::of(&written).unwrap()
    }

    #[test]
    fn paths_in_predicates_have_a_node_to_start_from() {
        assert!(outline("$v/a[b = 1]").bare_paths.is_empty());
        assert_eq!(outline("$v/a = /b").bare_paths.len(), 1);
        assert_eq!(outline("a[$i]").bare_paths.len(), 1);
    }

    #[test]
    fn join_conditions_are_about_links_alone() {
        assert!(outline("$a and not($b or $c)").not_boolean.is_none());
        assert!(outline("$a and 1 = 1").not_boolean.is_some());
        assert!(outline("$v/a").not_boolean.is_some());
    }

    #[test]
    fn forms() {
        assert_eq!(outline("$v.p").form, OutlineForm::Variable("v.p".into()));
        assert_eq!(outline("$v/a/@b").form, OutlineForm::TextOfVariable);
        assert_eq!(outline("'x'").form, OutlineForm::Text("x".into()));
        assert_eq!(outline("-(1)").form, outline("-1").form);
    }
}
