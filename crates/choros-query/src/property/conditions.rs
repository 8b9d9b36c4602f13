//! Conditions: sorts of variables, and terms.

use choros_base::{Diagnostic, Span, nearest};
use choros_data::syntax::{Expression, Exprs, Parser, Token, TokenKind};
use choros_data::{Inference, Op, Scope, Sort, Term, TermKind, Terms};

use super::ast::{BoundField, CandidateEvent, Condition, Part, Property};
use super::diagnostics::{bound_twice, unbound_variable, unsupported_condition};
use super::read::MessageSchema;

/// The conditions of a file as they are written.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// For each local property, in order: the number of a candidate event and its condition.
    pub(super) conditions: Vec<Vec<(usize, WrittenCondition)>>,
}

/// One condition: its tokens were lexed from `text`, which starts at byte `offset` of the file.
#[derive(Debug)]
pub(super) struct WrittenCondition {
    pub(super) text: String,
    pub(super) offset: u32,
    pub(super) tokens: Vec<Token>,
    pub(super) span: Span,
}

/// Reads the conditions of a property.
pub(super) fn resolve(
    property: &mut Property,
    written: &[(usize, WrittenCondition)],
    reading: &MessageSchema,
    terms: &mut Terms,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut resolver = Resolver {
        exprs: Exprs::default(),
        inference: Inference::new(reading.number),
        scope: None,
        checked: Vec::new(),
        diagnostics: Vec::new(),
    };
    let mut known: Vec<String> = Vec::new();
    for (position, event) in property.context.iter_mut().enumerate() {
        resolver.event(event, position, &mut known, written, reading, terms);
    }
    let from_context = known.len();
    for (position, event) in property.consequence.iter_mut().enumerate() {
        // Alternatives do not see each other's variables.
        known.truncate(from_context);
        let position = property.context.len() + position;
        resolver.event(event, position, &mut known, written, reading, terms);
    }
    let mut findings = std::mem::take(&mut resolver.diagnostics);
    findings.append(&mut resolver.inference.diagnostics);
    let events = property.context.iter_mut().chain(&mut property.consequence);
    for (position, event) in events.enumerate() {
        resolver.finish(event, position, terms, &mut findings);
    }
    diagnostics.append(&mut findings);
}

struct Resolver {
    exprs: Exprs,
    inference: Inference,
    scope: Option<Scope>,
    /// The event and its expression.
    checked: Vec<(usize, Expression)>,
    diagnostics: Vec<Diagnostic>,
}

impl Resolver {
    fn scope(&mut self) -> Scope {
        *self.scope.get_or_insert_with(|| self.inference.scope())
    }

    fn event(
        &mut self,
        event: &mut CandidateEvent,
        position: usize,
        known: &mut Vec<String>,
        written: &[(usize, WrittenCondition)],
        reading: &MessageSchema,
        terms: &mut Terms,
    ) {
        let scope = self.scope();
        for binding in &event.bindings {
            if known.contains(&binding.variable) {
                self.diagnostics
                    .push(bound_twice::diagnostic(binding.span, &binding.variable));
            }
            known.push(binding.variable.clone());
            self.declare(scope, binding, event, reading, terms);
        }
        let Some((_, source)) = written.iter().find(|(of, _)| *of == position) else {
            return;
        };
        let expression = self.expression(source, terms);
        event.condition = Some(Condition {
            text: self.exprs.print(&terms.names, expression),
            term: None,
            span: source.span,
        });
        let mut sound = true;
        let mut uses_time = false;
        for (name, span) in self.exprs.names(expression) {
            let text = terms.names.text(name);
            let is_symbol = text.chars().next().is_some_and(char::is_uppercase);
            if known.iter().any(|variable| variable == text) {
                continue;
            }
            if text == "at" {
                uses_time = true;
            } else if !is_symbol {
                sound = false;
                let similar = nearest(text, known.iter().map(String::as_str));
                self.diagnostics
                    .push(unbound_variable::diagnostic(span, text, similar));
            }
        }
        if uses_time {
            let binding = BoundField {
                part: Part::At,
                variable: "at".to_owned(),
                var: None,
                span: source.span,
            };
            self.declare(scope, &binding, event, reading, terms);
            event.bindings.push(binding);
        }
        if sound {
            self.inference.check_guard(
                terms,
                &self.exprs,
                expression,
                scope,
                "a condition is true or false",
            );
            self.checked.push((position, expression));
        }
    }

    /// Ties a variable to what is known of the value it holds.
    fn declare(
        &mut self,
        scope: Scope,
        binding: &BoundField,
        event: &CandidateEvent,
        reading: &MessageSchema,
        terms: &mut Terms,
    ) {
        let name = terms.names.intern(&binding.variable);
        let slot = self.inference.variable(scope, name, binding.span);
        let sort = match &binding.part {
            Part::At => Some((reading.number, "times are numbers")),
            Part::Data(path) => reading
                .sort(event.operation.as_deref(), path)
                .map(|sort| (sort, "the model sends it so")),
            _ => Some((Sort::STRING, "it is a name")),
        };
        if let Some((sort, why)) = sort {
            let known = self.inference.known(sort, binding.span, why);
            self.inference.unify(terms, slot, binding.span, known);
        }
    }

    fn expression(&mut self, source: &WrittenCondition, terms: &mut Terms) -> Expression {
        let mut parser = Parser::new(
            &source.text,
            source.offset,
            &source.tokens,
            &mut terms.names,
            &mut self.exprs,
            &mut self.diagnostics,
        );
        let expression = parser.expression();
        if parser.peek() != TokenKind::End {
            parser.unexpected("the end of the condition");
        }
        expression
    }

    fn finish(
        &mut self,
        event: &mut CandidateEvent,
        position: usize,
        terms: &mut Terms,
        findings: &mut Vec<Diagnostic>,
    ) {
        let scope = self.scope();
        for binding in &mut event.bindings {
            let name = terms.names.intern(&binding.variable);
            let slot = self.inference.variable(scope, name, binding.span);
            let sort = self.inference.sort(terms, slot);
            binding.var = Some(terms.variable(name, sort));
        }
        let checked = self.checked.iter().find(|(of, _)| *of == position);
        let (Some(&(_, expression)), Some(condition)) = (checked, &mut event.condition) else {
            return;
        };
        condition.term = self.inference.build(terms, &self.exprs, expression);
        if let Some(term) = condition.term
            && let Some(what) = unsupported(term, terms)
        {
            condition.term = None;
            findings.push(unsupported_condition::diagnostic(condition.span, what));
        }
    }
}

/// What a monitor cannot evaluate value by value, if there is any.
fn unsupported(term: Term, terms: &Terms) -> Option<&'static str> {
    for part in terms.postorder([term]) {
        match terms.kind(part) {
            TermKind::Quantified(..) => return Some("quantifiers"),
            TermKind::Apply(op, _) => match op {
                Op::Field(_) | Op::MakeRecord => {
                    return Some(
                        "records (name the value by its path instead: `country.code = c`)",
                    );
                }
                Op::MakeList | Op::Index | Op::Member => {
                    return Some("lists (name the element by its path instead: `items.0 = i`)");
                }
                _ => {}
            },
            _ => {}
        }
    }
    None
}
