//! Sorts, and with them the terms of all expressions.
//!
//! One inference runs over the whole file: a variable belongs to its item, a field of a message has one sort wherever
//! the message occurs.

use choros_base::{Diagnostic, Name, Span};
use choros_data::syntax::{ExprId, Expression};
use choros_data::{Inference, Scope, Slot, Sort, SortKind, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{
    BoundVariable, ConstantItem, Field, FieldValue, Item, Program, StatementId, StatementKind,
};
use super::labels::Labels;
use super::resolve::{Resolution, ends};
use crate::diagnostics::{MAX_FINDINGS, unbound_variable};

/// The terms of a file.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    terms: FxHashMap<ExprId, Term>,
    /// The variables of each item, in the order of the text.
    variables: Vec<Vec<Var>>,
    by_name: FxHashMap<(usize, Name), Var>,
}

impl Meanings {
    /// The term of an expression; `None` where something was reported.
    pub(super) fn term(&self, expression: Expression) -> Option<Term> {
        self.terms.get(&expression.root).copied()
    }

    /// The variables of an item, parameters first.
    pub(super) fn variables(&self, item: usize) -> &[Var] {
        self.variables.get(item).map_or(&[], Vec::as_slice)
    }

    /// The variable of a name in an item.
    pub(super) fn variable(&self, item: usize, name: Name) -> Option<Var> {
        self.by_name.get(&(item, name)).copied()
    }
}

/// The constants and the values of types: names that are not variables.
pub(super) fn values(program: &Program) -> FxHashSet<Name> {
    let items = program.items.iter();
    items
        .flat_map(|item| match item {
            Item::Type(item) => item.constructors.iter().map(|it| it.name).collect(),
            Item::Constant(item) => vec![item.name.name],
            _ => Vec::new(),
        })
        .collect()
}

/// Infers all sorts and builds all terms.
pub(super) fn infer(
    program: &Program,
    resolution: &Resolution,
    labels: &Labels,
    terms: &mut Terms,
) -> (Meanings, Vec<Diagnostic>) {
    declare_types(program, terms);
    let mut inference = Inference::new(Sort::INT);
    let mut findings = constants(program, terms, &mut inference);
    let scopes: Vec<Scope> = program.items.iter().map(|_| inference.scope()).collect();
    let mut checker = Checker {
        program,
        resolution,
        labels,
        scopes,
        inference,
        fields: FxHashMap::default(),
    };
    for position in 0..program.items.len() {
        checker.declare(position, terms);
    }
    for position in 0..program.items.len() {
        checker.check(position, terms);
    }
    let meanings = checker.build(terms);
    findings.append(&mut checker.inference.diagnostics);
    findings.truncate(MAX_FINDINGS);
    (meanings, findings)
}

fn declare_types(program: &Program, terms: &mut Terms) {
    for item in &program.items {
        if let Item::Type(item) = item {
            let name = item.name.name;
            terms.sort(if item.constructors.is_empty() {
                SortKind::Uninterpreted(name)
            } else {
                SortKind::Enumeration {
                    name,
                    constructors: item.constructors.iter().map(|it| it.name).collect(),
                }
            });
        }
    }
}

/// Makes the constants known, each in terms of those before it.
fn constants(program: &Program, terms: &mut Terms, inference: &mut Inference) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut known: Vec<(Name, Term)> = Vec::new();
    for item in &program.items {
        let Item::Constant(item) = item else { continue };
        if let Some(value) = constant(program, item, &known, terms, &mut findings) {
            inference.constant(item.name.name, value);
            known.push((item.name.name, value));
        }
    }
    findings
}

fn constant(
    program: &Program,
    item: &ConstantItem,
    known: &[(Name, Term)],
    terms: &mut Terms,
    findings: &mut Vec<Diagnostic>,
) -> Option<Term> {
    let exprs = &program.exprs;
    let mut own = Inference::new(Sort::INT);
    for &(name, value) in known {
        own.constant(name, value);
    }
    for (name, span) in exprs.names(item.value) {
        let text = terms.names.text(name);
        let is_value = known.iter().any(|&(constant, _)| constant == name)
            || terms.constructor(name).is_some()
            || text.starts_with(char::is_uppercase);
        if !is_value {
            let candidates = known.iter().map(|&(name, _)| terms.names.text(name));
            findings.push(unbound_variable::diagnostic(span, text, None, candidates));
            return None;
        }
    }
    let scope = own.scope();
    let slot = own.check(terms, exprs, item.value, scope);
    let sort = own.written_sort(terms, exprs, item.sort);
    if let Some(sort) = sort {
        let needed = own.known(
            sort,
            item.name.span,
            "the constant is declared with this sort",
        );
        own.unify(terms, slot, item.value.span, needed);
    }
    let sound = own.diagnostics.is_empty();
    findings.append(&mut own.diagnostics);
    if sound && sort.is_some() {
        own.build(terms, exprs, item.value)
    } else {
        None
    }
}

type MessageKey = (Name, Name, Name);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum FieldKey {
    Label(Name),
    Position(usize),
}

struct Checker<'a> {
    program: &'a Program,
    resolution: &'a Resolution,
    labels: &'a Labels,
    scopes: Vec<Scope>,
    inference: Inference,
    /// The sort of each field of each message.
    fields: FxHashMap<(MessageKey, FieldKey), Slot>,
}

impl Checker<'_> {
    /// Makes the variables of an item known.
    fn declare(&mut self, position: usize, terms: &mut Terms) {
        let item = &self.program.items[position];
        for parameter in item.parameters() {
            let binding = BoundVariable {
                again: false,
                variable: parameter.name,
                sort: Some(parameter.sort),
            };
            self.bind(position, binding, terms);
        }
        let Some(body) = item.body() else { return };
        for (_, statement) in self.program.statements.walk(body) {
            for binding in statement.kind.bindings() {
                self.bind(position, binding, terms);
            }
        }
    }

    fn bind(&mut self, position: usize, binding: BoundVariable, terms: &mut Terms) {
        let scope = self.scopes[position];
        let span = binding.variable.span;
        let slot = self.inference.variable(scope, binding.variable.name, span);
        if let Some(sort) = binding.sort
            && let Some(sort) = self
                .inference
                .written_sort(terms, &self.program.exprs, sort)
        {
            let known = self
                .inference
                .known(sort, span, "it is declared with this sort");
            self.inference.unify(terms, known, span, slot);
        }
    }

    fn check(&mut self, position: usize, terms: &mut Terms) {
        let program = self.program;
        let item = &program.items[position];
        let scope = self.scopes[position];
        let exprs = &program.exprs;
        let Some(body) = item.body() else { return };
        for (id, statement) in program.statements.walk(body) {
            match &statement.kind {
                StatementKind::Message(message) => {
                    let ends = ends(item, message);
                    let key = ends.map(|ends| (message.operation.name, ends.from, ends.to));
                    self.message(key, id, &message.fields, scope, terms);
                }
                StatementKind::Assign(binding, value) => {
                    let found = self.inference.check(terms, exprs, *value, scope);
                    let variable = binding.variable;
                    let needed = self.inference.variable(scope, variable.name, variable.span);
                    self.inference.unify(terms, found, value.span, needed);
                }
                StatementKind::Do(call) => {
                    let target = self.resolution.component(call.target.name);
                    for (index, &argument) in call.arguments.iter().enumerate() {
                        let found = self.inference.check(terms, exprs, argument, scope);
                        let formal = target.and_then(|target| {
                            let formal = program.items[target].parameters().get(index)?;
                            Some((self.scopes[target], formal.name))
                        });
                        if let Some((scope, name)) = formal {
                            let needed = self.inference.variable(scope, name.name, name.span);
                            self.inference.unify(terms, found, argument.span, needed);
                        }
                    }
                }
                kind => {
                    for guard in kind.expressions() {
                        let why = "a condition is true or false";
                        self.inference.check_guard(terms, exprs, guard, scope, why);
                    }
                }
            }
        }
    }

    fn message(
        &mut self,
        key: Option<MessageKey>,
        id: StatementId,
        fields: &[Field],
        scope: Scope,
        terms: &mut Terms,
    ) {
        let labels = self.labels.of(id);
        for (position, field) in fields.iter().enumerate() {
            let (slot, span) = match &field.value {
                FieldValue::Bind(binding) => {
                    let BoundVariable { variable, .. } = binding;
                    let slot = self.inference.variable(scope, variable.name, variable.span);
                    (slot, variable.span)
                }
                FieldValue::Free(value) => {
                    let exprs = &self.program.exprs;
                    (
                        self.inference.check(terms, exprs, *value, scope),
                        value.span,
                    )
                }
            };
            let Some(key) = key else { continue };
            let field = match labels.get(position).copied().flatten() {
                Some(label) => FieldKey::Label(label),
                None => FieldKey::Position(position),
            };
            self.tie(key, field, slot, span, terms);
        }
    }

    fn tie(&mut self, key: MessageKey, field: FieldKey, slot: Slot, span: Span, terms: &mut Terms) {
        match self.fields.get(&(key, field)) {
            Some(&known) => {
                self.inference.unify(terms, slot, span, known);
            }
            None => {
                self.fields.insert((key, field), slot);
            }
        }
    }

    fn build(&mut self, terms: &mut Terms) -> Meanings {
        let mut meanings = Meanings::default();
        for (position, item) in self.program.items.iter().enumerate() {
            let mut variables = Vec::new();
            let mut seen = FxHashSet::default();
            let mut add = |inference: &mut Inference, terms: &mut Terms, name: Name, span: Span| {
                if seen.insert(name) {
                    let slot = inference.variable(self.scopes[position], name, span);
                    let sort = inference.sort(terms, slot);
                    variables.push(terms.variable(name, sort));
                }
            };
            for parameter in item.parameters() {
                let name = parameter.name;
                add(&mut self.inference, terms, name.name, name.span);
            }
            for (_, statement) in item
                .body()
                .into_iter()
                .flat_map(|body| self.program.statements.walk(body))
            {
                for binding in statement.kind.bindings() {
                    let variable = binding.variable;
                    add(&mut self.inference, terms, variable.name, variable.span);
                }
                for expression in statement.kind.expressions() {
                    let term = self.inference.build(terms, &self.program.exprs, expression);
                    if let Some(term) = term {
                        meanings.terms.insert(expression.root, term);
                    }
                }
            }
            for &variable in &variables {
                let name = terms.variable_name(variable);
                meanings.by_name.insert((position, name), variable);
            }
            meanings.variables.push(variables);
        }
        meanings
    }
}
