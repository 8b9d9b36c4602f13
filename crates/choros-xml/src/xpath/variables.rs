//! Variables, their parts and their properties.

use choros_base::Span;

use super::VariableType;
use super::WrittenExpression;
use super::ast::{Expr, ExprKind};
use super::code::{NodeType, Nodes, Root};
use super::parse::parse;
use super::resolve::{Resolver, plain_step, single_part};
use crate::diagnostics::{unknown_prefix, xpath_function, xpath_syntax, xpath_variable};
use crate::document::DefaultNamespace;
use crate::schema::Shape;
use crate::wsdl::AliasOf;

impl Resolver<'_> {
    /// `getVariableProperty('v', 'p')` of WS-BPEL 2.0 and `getVariableData('v', 'part', 'query')` of BPEL 1.1.
    pub(super) fn variable_function(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Option<Nodes> {
        let mut texts: Vec<(&str, Span)> = Vec::new();
        for argument in arguments {
            match &argument.kind {
                ExprKind::Literal(text) => texts.push((text, argument.span)),
                _ => {
                    let message = format!("`{name}` takes texts in quotes");
                    return self.report(xpath_syntax::because(message, argument.span));
                }
            }
        }
        match (name, &texts[..]) {
            ("getVariableProperty", &[(variable, at), (property, property_at)]) => {
                self.property(variable, at, property, property_at)
            }
            ("getVariableData", &[(variable, at)]) => self.variable(variable, None, at),
            ("getVariableData", &[(variable, at), (part, _)]) => {
                self.variable(variable, Some(part), at)
            }
            ("getVariableData", &[(variable, at), (part, _), (query, query_at)]) => {
                let written = WrittenExpression {
                    text: query.into(),
                    span: query_at,
                    namespaces: self.written.namespaces.clone(),
                };
                let whole = self.variable(variable, Some(part), at)?;
                self.query(whole, &written)
            }
            _ => {
                let takes = match name {
                    "getVariableProperty" => "2 arguments",
                    _ => "1 to 3 arguments",
                };
                self.report(xpath_function::arguments(name, takes, texts.len(), span))
            }
        }
    }

    fn property(
        &mut self,
        variable: &str,
        at: Span,
        property: &str,
        property_at: Span,
    ) -> Option<Nodes> {
        let scope = self.written.namespaces.clone();
        let property = match scope.resolve(property, DefaultNamespace::Applies) {
            Ok(property) => property,
            Err(prefix) => {
                return self.report(unknown_prefix::diagnostic(&prefix, &scope, property_at));
            }
        };
        let whole = self.variable(variable, None, at)?;
        let definitions = self.scope.definitions;
        let alias = definitions
            .aliases
            .iter()
            .filter(|alias| alias.property == property)
            .find(|alias| match (&alias.of, &whole.holds) {
                (AliasOf::Part { message, .. }, NodeType::Message(shape)) => *message == shape.name,
                (AliasOf::Type(name), NodeType::Type(id)) => {
                    definitions.schema.get(*id).name.as_ref() == Some(name)
                }
                (AliasOf::Element(_), NodeType::Type(_)) => true,
                _ => false,
            });
        let Some(alias) = alias else {
            let known: Vec<&str> = definitions
                .aliases
                .iter()
                .map(|alias| &*alias.property.local)
                .collect();
            let what = format!("alias for `${variable}` of the property");
            return self.report(xpath_variable::diagnostic(
                &what,
                &property.local,
                known,
                property_at,
            ));
        };
        let whole = match &alias.of {
            AliasOf::Part {
                part: Some(part), ..
            } => self.variable(variable, Some(part), at)?,
            _ => whole,
        };
        match &alias.query {
            Some(query) => self.query(whole, query),
            None => Some(whole),
        }
    }

    /// The nodes that a query, written elsewhere, selects from others.
    fn query(&mut self, whole: Nodes, query: &WrittenExpression) -> Option<Nodes> {
        let expr = parse(query, self.diagnostics)?;
        let ExprKind::Path(path) = &expr.kind else {
            return self.report(xpath_syntax::because("a query is a path", expr.span));
        };
        let holds = single_part(whole.holds.clone());
        let mut inner = Resolver {
            scope: self.scope,
            written: query,
            diagnostics: self.diagnostics,
        };
        let selected = inner.path(path, expr.span, Some(&holds))?;
        let mut steps = whole.steps;
        steps.extend(selected.steps);
        Some(Nodes {
            root: whole.root,
            steps,
            holds: selected.holds,
            atom: selected.atom,
            is_scalar: false,
        })
    }

    /// A whole variable, or a part of it.
    pub(super) fn variable(&mut self, name: &str, part: Option<&str>, span: Span) -> Option<Nodes> {
        let (variable, part) = match (name.split_once('.'), part) {
            (Some((variable, part)), None) => (variable, Some(part)),
            (_, part) => (name, part),
        };
        let variables = self.scope.variables;
        let Some((known, held)) = variables.get_key_value(variable) else {
            let known: Vec<&str> = variables.keys().map(|name| &**name).collect();
            return self.report(xpath_variable::diagnostic(
                "variable", variable, known, span,
            ));
        };
        let root = Root::Variable(known.clone());
        let (holds, steps) = match (held, part) {
            (VariableType::Message(shape), Some(part)) => {
                let Some(position) = shape.position(part) else {
                    let known = shape.parts.iter().map(|part| &*part.name);
                    return self.report(xpath_variable::diagnostic("part", part, known, span));
                };
                let index = position.unwrap_or(0);
                let step = position.map(|position| plain_step(Some(position), span));
                (
                    NodeType::Type(shape.parts[index].holds),
                    step.into_iter().collect(),
                )
            }
            (VariableType::Message(shape), None) => (NodeType::Message(shape.clone()), Vec::new()),
            (VariableType::Holds(id), None) => (NodeType::Type(*id), Vec::new()),
            (VariableType::Holds(_), Some(part)) => {
                return self.report(xpath_variable::diagnostic("part", part, [], span));
            }
        };
        // A part with a simple type is a number, a text or a truth value, and one with an element is that element.
        let is_element = match (held, part) {
            (VariableType::Message(shape), Some(part)) => {
                let mut parts = shape.parts.iter().filter(|it| &*it.name == part);
                parts.any(|it| it.element.is_some())
            }
            _ => false,
        };
        let is_scalar = !is_element
            && matches!(&holds, NodeType::Type(id)
                if matches!(self.scope.definitions.schema.get(*id).shape, Shape::Simple(_)));
        Some(Nodes {
            root,
            steps,
            atom: self.atom(&holds),
            holds,
            is_scalar,
        })
    }
}
