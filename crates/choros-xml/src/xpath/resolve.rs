//! From names to positions in records.

use std::sync::Arc;

use choros_base::{Diagnostic, Severity, Span};
use num_traits::ToPrimitive;

use super::ast::{Expr, ExprKind, Path, Start, StepExpr, Test};
use super::code::{Atom, Code, CodeKind, Function, NodeType, Nodes, Predicate, Root, XpathStep};
use super::{Scope, WrittenExpression};
use crate::diagnostics::{
    boolean_node, other_namespace, unknown_prefix, unsupported_construct, xpath_function,
    xpath_step, xpath_syntax,
};
use crate::document::{DefaultNamespace, QName};
use crate::schema::{ComplexType, Content, Shape, TypeId};
use crate::wsdl::MessageShape;

/// Resolves the names of one written expression.
pub(super) struct Resolver<'r> {
    pub(super) scope: Scope<'r>,
    pub(super) written: &'r WrittenExpression,
    pub(super) diagnostics: &'r mut Vec<Diagnostic>,
}

/// What paths without a variable start from.
type Context<'c> = Option<&'c NodeType>;

impl Resolver<'_> {
    pub(super) fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push(diagnostic);
        None
    }

    /// What cannot be gone on with, though the code is that of a warning elsewhere.
    fn unsupported<T>(&mut self, what: &str, span: Span) -> Option<T> {
        let mut diagnostic = unsupported_construct::diagnostic(what, "cannot be read", span);
        diagnostic.severity = Severity::Error;
        self.report(diagnostic)
    }

    pub(super) fn expression(&mut self, expr: &Expr, context: Context<'_>) -> Option<Code> {
        let kind = match &expr.kind {
            ExprKind::Number(number) => CodeKind::Number(number.clone()),
            ExprKind::Literal(text) => CodeKind::Text(text.as_str().into()),
            ExprKind::Or(parts) => CodeKind::Or(self.truths(parts, context)?),
            ExprKind::And(parts) => CodeKind::And(self.truths(parts, context)?),
            ExprKind::Compare(op, left, right) => {
                let left = self.expression(left, context)?;
                let right = self.expression(right, context)?;
                if right.is_boolean() {
                    self.doubt(&left);
                }
                if left.is_boolean() {
                    self.doubt(&right);
                }
                CodeKind::Compare(*op, Box::new(left), Box::new(right))
            }
            ExprKind::Arithmetic(op, left, right) => CodeKind::Arithmetic(
                *op,
                Box::new(self.expression(left, context)?),
                Box::new(self.expression(right, context)?),
            ),
            ExprKind::Negate(inner) => CodeKind::Negate(Box::new(self.expression(inner, context)?)),
            ExprKind::Call(name, arguments) => {
                return self.call(name, arguments, expr.span, context);
            }
            ExprKind::Path(path) => CodeKind::Nodes(self.path(path, expr.span, context)?),
        };
        Some(Code {
            kind,
            span: expr.span,
        })
    }

    fn truths(&mut self, parts: &[Expr], context: Context<'_>) -> Option<Vec<Code>> {
        let mut codes = Vec::new();
        let mut is_whole = true;
        // All parts are examined, so that all that is wrong is said.
        for part in parts {
            match self.expression(part, context) {
                Some(code) => {
                    self.doubt(&code);
                    codes.push(code);
                }
                None => is_whole = false,
            }
        }
        is_whole.then_some(codes)
    }

    /// Warns of a node of sort Bool where XPath 1.0 would ask whether it is there.
    pub(super) fn doubt(&mut self, code: &Code) {
        if code.is_boolean_node() {
            self.diagnostics.push(boolean_node::diagnostic(code.span));
        }
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
        context: Context<'_>,
    ) -> Option<Code> {
        let local = name.rsplit(':').next().unwrap_or(name);
        if matches!(local, "getVariableProperty" | "getVariableData") {
            let nodes = self.variable_function(local, arguments, span)?;
            return Some(Code {
                kind: CodeKind::Nodes(nodes),
                span,
            });
        }
        let found = Function::ALL.into_iter().find(|(known, ..)| *known == name);
        let Some((_, function, least, most)) = found else {
            let names = Function::ALL.into_iter().map(|(known, ..)| known);
            let near = choros_base::nearest(local, names.chain(["getVariableProperty"]));
            let place = match arguments.first() {
                Some(_) => self.name_place(span, name),
                None => span,
            };
            return self.report(xpath_function::unknown(name, near, place));
        };
        if arguments.len() < least || arguments.len() > most {
            let takes = match (least, most) {
                (0, 0) => "no argument".to_owned(),
                (1, 1) => "one argument".to_owned(),
                (least, most) if least == most => format!("{least} arguments"),
                (least, usize::MAX) => format!("{least} or more arguments"),
                (least, most) => format!("{least} to {most} arguments"),
            };
            let given = arguments.len();
            return self.report(xpath_function::arguments(name, &takes, given, span));
        }
        let mut codes = Vec::new();
        for argument in arguments {
            codes.push(self.expression(argument, context)?);
        }
        if arguments.is_empty() && least == 0 && most == 1 {
            // Without an argument it is the node that is examined.
            codes.push(self.itself(span, context)?);
        }
        match function {
            Function::Not | Function::Boolean => codes.iter().for_each(|code| self.doubt(code)),
            Function::Count | Function::Sum => {
                let is_path = matches!(&codes[0].kind, CodeKind::Nodes(nodes) if !nodes.is_scalar);
                if !is_path {
                    let message = format!("`{name}` takes a path");
                    return self.report(xpath_syntax::because(message, codes[0].span));
                }
            }
            Function::Position | Function::Last if context.is_none() => {
                let message = format!("`{name}()` has a meaning in predicates only");
                return self.report(xpath_syntax::because(message, span));
            }
            _ => {}
        }
        Some(Code {
            kind: CodeKind::Call(function, codes),
            span,
        })
    }

    fn name_place(&self, span: Span, name: &str) -> Span {
        let range = span.range();
        if range.len() >= name.len() {
            Span::new(
                span.file(),
                range.start as u32,
                (range.start + name.len()) as u32,
            )
        } else {
            span
        }
    }

    fn itself(&mut self, span: Span, context: Context<'_>) -> Option<Code> {
        let path = Path {
            start: Start::Context,
            steps: Vec::new(),
        };
        let nodes = self.path(&path, span, context)?;
        Some(Code {
            kind: CodeKind::Nodes(nodes),
            span,
        })
    }

    pub(super) fn path(&mut self, path: &Path, span: Span, context: Context<'_>) -> Option<Nodes> {
        let mut steps = &path.steps[..];
        let mut nodes = match &path.start {
            Start::Variable(name) => self.variable(name, None, span)?,
            Start::Call(call) => match self.expression(call, context)?.kind {
                CodeKind::Nodes(nodes) => nodes,
                _ => {
                    let message = "steps may follow a path only";
                    return self.report(xpath_syntax::because(message, call.span));
                }
            },
            Start::Context | Start::Root => {
                let Some(context) = context else {
                    let message = "a path starts with a variable here";
                    return self.report(xpath_syntax::because(message, span).note(
                        "`true` and `false` are functions: `true()`; texts are written in quotes",
                    ));
                };
                if matches!(path.start, Start::Root) {
                    steps = self.without_root(steps, context);
                }
                Nodes {
                    root: Root::Context,
                    steps: Vec::new(),
                    atom: self.atom(context),
                    holds: context.clone(),
                    is_scalar: false,
                }
            }
        };
        for step in steps {
            self.step(&mut nodes, step)?;
        }
        Some(nodes)
    }

    /// In `/order/id` the first step may name the element that is examined.
    fn without_root<'s>(&self, steps: &'s [StepExpr], context: &NodeType) -> &'s [StepExpr] {
        let NodeType::Type(id) = context else {
            return steps;
        };
        match steps.split_first() {
            Some((first, rest)) => match &first.test {
                Test::Child(name) if self.child(*id, name).is_none() => rest,
                _ => steps,
            },
            None => steps,
        }
    }

    fn child(&self, id: TypeId, name: &str) -> Option<usize> {
        let local = name.rsplit(':').next().unwrap_or(name);
        match &self.scope.definitions.schema.get(id).shape {
            Shape::Complex(complex) => complex
                .elements()
                .iter()
                .position(|field| &*field.name.local == local),
            Shape::Simple(_) => None,
        }
    }

    pub(super) fn atom(&self, holds: &NodeType) -> Atom {
        let NodeType::Type(id) = single_part(holds.clone()) else {
            return Atom::Nothing;
        };
        match &self.scope.definitions.schema.get(id).shape {
            Shape::Simple(simple) => Atom::Itself(simple.sort()),
            Shape::Complex(complex) => match complex.text() {
                Some((simple, position)) => Atom::Field(position, simple.sort()),
                None => Atom::Nothing,
            },
        }
    }

    fn step(&mut self, nodes: &mut Nodes, step: &StepExpr) -> Option<()> {
        nodes.is_scalar = false;
        let definitions = self.scope.definitions;
        let holds = single_part(nodes.holds.clone());
        let id = match holds {
            NodeType::Type(id) => id,
            NodeType::Text => return self.unsupported("a step after `text()`", step.span),
            NodeType::Message(_) => {
                return self.unsupported("a step into a message of several parts", step.span);
            }
        };
        let held = definitions.schema.get(id);
        let mut resolved = match (&step.test, &held.shape) {
            (Test::Itself, _) => plain_step(None, step.span),
            (Test::Text, Shape::Simple(_)) => plain_step(None, step.span),
            (Test::Text, Shape::Complex(complex)) => {
                let Content::Text(simple) = &complex.content else {
                    let of = held.describe();
                    return self.report(xpath_step::diagnostic("text()", &of, [], step.span));
                };
                // The node is the text now, which is what its atom says.
                nodes.atom = Atom::Itself(simple.sort());
                nodes.holds = NodeType::Text;
                nodes
                    .steps
                    .push(plain_step(Some(complex.attributes.len()), step.span));
                return if step.predicates.is_empty() {
                    Some(())
                } else {
                    self.unsupported("a predicate of a text", step.span)
                };
            }
            (Test::Child(name), Shape::Complex(complex)) => {
                let index = self.element(complex, id, name, step.span)?;
                let field = &complex.elements()[index];
                nodes.holds = NodeType::Type(field.holds);
                XpathStep {
                    position: Some(field.position),
                    list: field.is_list.then_some(field.occurs.max),
                    predicates: Vec::new(),
                    span: step.span,
                }
            }
            (Test::Attribute(name), Shape::Complex(complex)) => {
                let wanted = self.name(name, step.span)?;
                let found = complex.attributes.iter().find(|one| one.name == wanted);
                let Some(attribute) = found else {
                    let of = held.describe();
                    let known: Vec<String> = complex
                        .attributes
                        .iter()
                        .map(|one| format!("@{}", one.name.local))
                        .collect();
                    return self.report(xpath_step::diagnostic(
                        &format!("@{name}"),
                        &of,
                        known.iter().map(String::as_str),
                        step.span,
                    ));
                };
                nodes.holds = NodeType::Type(attribute.holds);
                XpathStep {
                    position: Some(attribute.position),
                    list: (!attribute.is_required).then_some(Some(1)),
                    predicates: Vec::new(),
                    span: step.span,
                }
            }
            (Test::Child(name) | Test::Attribute(name), Shape::Simple(_)) => {
                let of = held.describe();
                return self.report(xpath_step::diagnostic(name, &of, [], step.span));
            }
            (Test::Unsupported(what), _) => return self.unsupported(what, step.span),
        };
        nodes.atom = self.atom(&nodes.holds);
        for predicate in &step.predicates {
            resolved
                .predicates
                .push(self.predicate(predicate, &nodes.holds)?);
        }
        nodes.steps.push(resolved);
        Some(())
    }

    fn predicate(&mut self, expr: &Expr, holds: &NodeType) -> Option<Predicate> {
        let code = self.expression(expr, Some(holds))?;
        let is = |code: &Code, function: Function| matches!(&code.kind, CodeKind::Call(called, _) if *called == function);
        // `[position() = 2]` says the same as `[2]`.
        if let CodeKind::Compare(choros_data::Op::Equal, left, right) = &code.kind {
            for (one, other) in [(left, right), (right, left)] {
                if is(one, Function::Position) {
                    if is(other, Function::Last) {
                        return Some(Predicate::Last);
                    }
                    if let Some(position) = position(other) {
                        return Some(Predicate::Position(position));
                    }
                }
            }
        }
        if is(&code, Function::Last) {
            return Some(Predicate::Last);
        }
        match &code.kind {
            CodeKind::Number(_) => Some(Predicate::Position(position(&code).unwrap_or(0))),
            CodeKind::Arithmetic(..) | CodeKind::Negate(_) => {
                self.unsupported("a position that is computed", code.span)
            }
            CodeKind::Call(
                Function::Count
                | Function::Sum
                | Function::Number
                | Function::Position
                | Function::Floor
                | Function::Ceiling
                | Function::Round
                | Function::StringLength,
                _,
            ) => self.unsupported("a position that is computed", code.span),
            CodeKind::Nodes(nodes)
                if nodes.is_scalar && nodes.atom.sort().is_some_and(|sort| sort.is_number()) =>
            {
                self.unsupported("a position that is computed", code.span)
            }
            _ => {
                self.doubt(&code);
                Some(Predicate::Holds(code))
            }
        }
    }

    /// The name that a step stands for; the default namespace does not apply.
    fn name(&mut self, text: &str, span: Span) -> Option<QName> {
        let scope = &self.written.namespaces;
        match scope.resolve(text, DefaultNamespace::Ignored) {
            Ok(name) => Some(name),
            Err(prefix) => {
                let diagnostic = unknown_prefix::diagnostic(&prefix, scope, span);
                self.report(diagnostic)
            }
        }
    }

    fn element(
        &mut self,
        complex: &ComplexType,
        id: TypeId,
        name: &str,
        span: Span,
    ) -> Option<usize> {
        let wanted = self.name(name, span)?;
        let fields = complex.elements();
        if let Some(index) = fields.iter().position(|field| field.name == wanted) {
            return Some(index);
        }
        let near = fields
            .iter()
            .position(|field| field.name.local == wanted.local);
        if let Some(index) = near {
            let meant = &fields[index].name;
            self.diagnostics
                .push(other_namespace::diagnostic(name, meant, span));
            return Some(index);
        }
        let of = self.scope.definitions.schema.get(id).describe();
        let known: Vec<&str> = fields.iter().map(|field| &*field.name.local).collect();
        self.report(xpath_step::diagnostic(&wanted.local, &of, known, span))
    }
}

fn position(code: &Code) -> Option<u64> {
    match &code.kind {
        CodeKind::Number(number) if number.is_integer() => number.to_integer().to_u64(),
        _ => None,
    }
}

/// A step without predicates to one node.
pub(super) fn plain_step(position: Option<usize>, span: Span) -> XpathStep {
    XpathStep {
        position,
        list: None,
        predicates: Vec::new(),
        span,
    }
}

/// A message of one part is that part.
pub(super) fn single_part(holds: NodeType) -> NodeType {
    match &holds {
        NodeType::Message(shape) => match one_part(shape) {
            Some(id) => NodeType::Type(id),
            None => holds,
        },
        NodeType::Type(_) | NodeType::Text => holds,
    }
}

fn one_part(shape: &Arc<MessageShape>) -> Option<TypeId> {
    match &shape.parts[..] {
        [only] => Some(only.holds),
        _ => None,
    }
}
