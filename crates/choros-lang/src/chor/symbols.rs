//! The names of a file, for editors.
//!
//! Roles and messages belong to the file, variables and loops to their choreography or role.
//! A role that is described (`role buyer { … }`) and the role of that name in a choreography are one.

use choros_base::{Name, Span};
use choros_data::Terms;
use choros_data::syntax::{EXPRESSIONS, Expression, SortExpr, SortExprId};
use choros_model::symbols::{Hint, Section, Shorthand, Symbol, SymbolKind, Symbols};
use choros_syntax::Lexicon;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{BoundVariable, Field, FieldValue, Item, MessageStatement, StatementId};
use super::ast::{Statement, StatementKind};
use super::conditions::conditions;
use super::labels::variable_of;
use super::model::Model;
use super::resolve::ends;
use super::sorts::values;
use crate::ast::Reference;

/// The words of `.chor` files.
pub static LEXICON: Lexicon = Lexicon {
    keywords: &[
        "type",
        "const",
        "choreography",
        "role",
        "system",
        "sessions",
        "of",
        "by",
        "distinct",
        "sharing",
        "with",
        "own",
        "queues",
        "plays",
        "service",
        "hiding",
        "choice",
        "at",
        "par",
        "try",
        "interrupt",
        "when",
        "while",
        "repeat",
        "loop",
        "again",
        "do",
        "wait",
        "timeout",
        "within",
        "late",
        "retry",
        "times",
        "every",
        "once",
        "by",
        "saga",
        "step",
        "undo",
        "abort",
        "until",
        "done",
        "on",
        "crash",
        "of",
        "skip",
        "new",
    ],
    ..EXPRESSIONS
};

/// The names of a file.
pub fn symbols(model: &Model, terms: &Terms) -> Symbols {
    let mut gathering = Gathering {
        model,
        terms,
        values: values(&model.program),
        found: Symbols::default(),
        learnt: learnt(model),
    };
    for (position, item) in model.program.items.iter().enumerate() {
        gathering.item(position, item);
    }
    for known in &model.knowledge.known {
        let names: Vec<&str> = known
            .variables
            .iter()
            .map(|it| gathering.text(*it))
            .collect();
        let text = match &names[..] {
            [] => "knows no data here".to_owned(),
            names => format!("knows {} from here on", names.join(", ")),
        };
        let span = known.role;
        gathering.found.notes.push(Hint { span, text });
    }
    gathering.found.in_order()
}

/// Who gets to know what a variable is bound to, by the place of the binding; those who take part in it first.
fn learnt(model: &Model) -> FxHashMap<Span, Vec<(Name, Span)>> {
    let mut learnt: FxHashMap<Span, Vec<(Name, Span)>> = FxHashMap::default();
    for it in &model.knowledge.learnt {
        let roles = learnt.entry(it.bound).or_default();
        if roles.iter().all(|(role, _)| *role != it.role) {
            roles.push((it.role, it.at));
        }
    }
    learnt
}

struct Gathering<'a> {
    model: &'a Model,
    terms: &'a Terms,
    /// Constants and values of types.
    values: FxHashSet<Name>,
    found: Symbols,
    learnt: FxHashMap<Span, Vec<(Name, Span)>>,
}

/// An item and the names of its variables.
struct Inside<'a> {
    position: usize,
    item: &'a Item,
    variables: FxHashSet<Name>,
}

impl<'a> Gathering<'a> {
    fn text(&self, name: Name) -> &'a str {
        self.terms.names.text(name)
    }

    fn symbol(&mut self, kind: SymbolKind, name: Name, scope: Option<Span>) -> &mut Symbol {
        let text = self.terms.names.text(name);
        self.found.symbol(kind, text, scope)
    }

    fn role(&mut self, role: Reference) {
        self.symbol(SymbolKind::Role, role.name, None)
            .used(role.span);
    }

    fn item(&mut self, position: usize, item: &'a Item) {
        let name = item.name();
        let kind = match item {
            Item::Type(_) => SymbolKind::Sort,
            Item::Constant(_) => SymbolKind::Value,
            Item::Role(role) if role.plays.is_none() => SymbolKind::Role,
            _ => SymbolKind::Component,
        };
        if !matches!(item, Item::Sessions(_)) {
            self.symbol(kind, name.name, None).declared(name.span);
        }
        let section = Section {
            kind,
            name: self.text(name.name).to_owned(),
            word: word(item),
            span: item.span(),
            name_span: name.span,
            is_model: item.is_component(),
        };
        self.found.sections.push(section);
        self.heading(item);
        let mut variables: FxHashSet<Name> = FxHashSet::default();
        for parameter in item.parameters() {
            variables.insert(parameter.name.name);
        }
        let program = &self.model.program;
        let body = item.body().into_iter();
        let statements: Vec<(StatementId, &Statement)> =
            body.flat_map(|it| program.statements.walk(it)).collect();
        for (_, statement) in &statements {
            let bindings = statement.kind.bindings().into_iter();
            variables.extend(bindings.map(|it| it.variable.name));
        }
        let inside = Inside {
            position,
            item,
            variables,
        };
        for parameter in item.parameters() {
            self.sort(parameter.sort);
            self.variable(&inside, parameter.name, true, Shorthand::None);
        }
        for &(id, statement) in &statements {
            self.statement(&inside, id, statement);
        }
        if let Some(body) = item.body() {
            let around = conditions(program, body, &self.terms.names);
            for (id, statement) in statements {
                if let (StatementKind::Message(message), Some(condition)) =
                    (&statement.kind, around.get(&id))
                {
                    self.found.notes.push(Hint {
                        span: message.operation.span,
                        text: format!("happens here if {condition}"),
                    });
                }
            }
        }
    }

    /// What stands before the body, or is all there is.
    fn heading(&mut self, item: &'a Item) {
        match item {
            Item::Type(item) => {
                for value in &item.constructors {
                    let sort = self.text(item.name.name);
                    let symbol = self.symbol(SymbolKind::Value, value.name, None);
                    symbol.declared(value.span);
                    symbol.fact(format!("a value of {sort}"));
                }
            }
            Item::Constant(item) => {
                self.sort(item.sort);
                let sort = self
                    .model
                    .program
                    .exprs
                    .print_sort(&self.terms.names, item.sort);
                let fact = format!("{}: {sort}", self.text(item.name.name));
                self.symbol(SymbolKind::Value, item.name.name, None)
                    .fact(fact);
                for (name, span) in self.model.program.exprs.names(item.value) {
                    self.symbol(SymbolKind::Value, name, None).used(span);
                }
            }
            Item::Choreography(item) => {
                for role in &item.roles {
                    self.symbol(SymbolKind::Role, role.name, None)
                        .declared(role.span);
                }
                let roles: Vec<&str> = item.roles.iter().map(|it| self.text(it.name)).collect();
                let fact = format!("choreography of {}", roles.join(", "));
                self.symbol(SymbolKind::Component, item.name.name, None)
                    .fact(fact);
            }
            Item::Role(item) => {
                if let Some(role) = item.plays {
                    self.role(role);
                    let fact = format!("plays the role {}", self.text(role.name));
                    self.symbol(SymbolKind::Component, item.name.name, None)
                        .fact(fact);
                }
                for &partner in item.partners.iter().flatten() {
                    self.role(partner);
                }
            }
            Item::Sessions(item) => self.part(item.of),
            Item::System(item) => {
                for &part in &item.parts {
                    self.part(part);
                }
                for hidden in &item.hiding {
                    self.symbol(SymbolKind::Message, hidden.name, None)
                        .used(hidden.span);
                }
            }
        }
    }

    /// A component of which another one is made.
    fn part(&mut self, part: Reference) {
        let position = self.model.resolution.component(part.name);
        let items = &self.model.program.items;
        let kind = match position.map(|it| &items[it]) {
            Some(Item::Role(role)) if role.plays.is_none() => SymbolKind::Role,
            _ => SymbolKind::Component,
        };
        self.symbol(kind, part.name, None).used(part.span);
    }

    fn statement(&mut self, inside: &Inside<'a>, id: StatementId, statement: &'a Statement) {
        let scope = Some(inside.item.span());
        match &statement.kind {
            StatementKind::Message(message) => self.message(inside, id, message),
            StatementKind::Assign(binding, value) => {
                self.binding(inside, *binding, Shorthand::None);
                self.expression(inside, *value);
            }
            StatementKind::Choice(Some(role), _) | StatementKind::Repeat(Some(role), _) => {
                self.role(*role);
            }
            StatementKind::Wait(wait) => {
                if let Some(role) = wait.at {
                    self.role(role);
                }
            }
            StatementKind::Timeout(timeout) => {
                if let Some(role) = timeout.at {
                    self.role(role);
                }
                for late in &timeout.late {
                    self.symbol(SymbolKind::Message, late.operation.name, None)
                        .used(late.operation.span);
                }
            }
            StatementKind::OnCrash(it) => {
                self.role(it.crashed);
                if let Some(role) = it.at {
                    self.role(role);
                }
            }
            StatementKind::Loop(name, block) => {
                self.symbol(SymbolKind::Label, name.name, scope)
                    .declared(name.span);
                let section = Section {
                    kind: SymbolKind::Label,
                    name: self.text(name.name).to_owned(),
                    word: "loop",
                    span: name.span.to(block.span),
                    name_span: name.span,
                    is_model: false,
                };
                self.found.sections.push(section);
            }
            StatementKind::Again(name) => {
                self.symbol(SymbolKind::Label, name.name, scope)
                    .used(name.span);
            }
            StatementKind::Do(call) => {
                self.symbol(SymbolKind::Component, call.target.name, None)
                    .used(call.target.span);
                for &role in &call.roles {
                    self.role(role);
                }
                for &argument in &call.arguments {
                    self.expression(inside, argument);
                }
            }
            kind => {
                for guard in kind.expressions() {
                    self.expression(inside, guard);
                }
            }
        }
    }

    fn message(&mut self, inside: &Inside<'a>, id: StatementId, message: &'a MessageStatement) {
        for role in [message.from, message.to].into_iter().flatten() {
            self.role(role);
        }
        let operation = self.text(message.operation.name);
        let several = message.fields.len() > 1;
        for field in &message.fields {
            let begins = Span::new(
                field.span.file(),
                field.span.start().offset,
                field.span.start().offset,
            );
            let names_itself = several && field.label.is_none();
            if let Some(label) = field.label
                && self.text(label.name) != "_"
            {
                let text = self.text(label.name);
                self.found.field(operation, text).declared(label.span);
            }
            let shorthand = match variable_of(field, &self.model.program.exprs) {
                Some(name) if names_itself => {
                    let text = self.text(name);
                    let place = Shorthand::NamedByVariable(begins);
                    let symbol = self.found.field(operation, text);
                    symbol.place(variable_span(field), true, place);
                    Shorthand::NamesField(begins)
                }
                _ => Shorthand::None,
            };
            match &field.value {
                FieldValue::Bind(binding) => self.binding(inside, *binding, shorthand),
                FieldValue::Free(value) => {
                    for (name, span) in self.model.program.exprs.names(*value) {
                        let name = Reference { name, span };
                        self.named(inside, name, shorthand);
                    }
                }
            }
        }
        let signature = self.signature(inside, id, message);
        let symbol = self.symbol(SymbolKind::Message, message.operation.name, None);
        symbol.used(message.operation.span);
        if let Some(signature) = signature {
            symbol.fact(signature);
        }
    }

    /// `buyer -> vendor: Request(order: Int)`
    fn signature(
        &self,
        inside: &Inside<'_>,
        id: StatementId,
        message: &MessageStatement,
    ) -> Option<String> {
        let ends = ends(inside.item, message)?;
        let labels = self.model.labels.of(id);
        let fields: Vec<String> = message
            .fields
            .iter()
            .enumerate()
            .map(|(at, field)| {
                let sort = match &field.value {
                    FieldValue::Bind(binding) => self.sort_of(inside, binding.variable.name),
                    FieldValue::Free(value) => {
                        let term = self.model.meanings.term(*value);
                        term.map(|it| self.terms.sort_text(self.terms.sort_of(it)))
                    }
                };
                let sort = sort.unwrap_or_else(|| "?".to_owned());
                match labels.get(at).copied().flatten() {
                    Some(label) => format!("{}: {sort}", self.text(label)),
                    None => sort,
                }
            })
            .collect();
        let data = match &fields[..] {
            [] => String::new(),
            fields => format!("({})", fields.join(", ")),
        };
        Some(format!(
            "{} -> {}: {}{data}",
            self.text(ends.from),
            self.text(ends.to),
            self.text(message.operation.name),
        ))
    }

    fn sort_of(&self, inside: &Inside<'_>, name: Name) -> Option<String> {
        let variable = self.model.meanings.variable(inside.position, name)?;
        Some(self.terms.sort_text(self.terms.variable_sort(variable)))
    }

    fn binding(&mut self, inside: &Inside<'a>, binding: BoundVariable, shorthand: Shorthand) {
        let variable = binding.variable;
        match binding.sort {
            Some(sort) => self.sort(sort),
            None => {
                let sort = self.sort_of(inside, variable.name);
                let hint = sort.map(|sort| Hint {
                    span: variable.span,
                    text: format!(": {sort}"),
                });
                self.found.hints.extend(hint);
            }
        }
        self.variable(inside, variable, true, shorthand);
        self.known_to(inside, variable);
    }

    /// Who gets to know what is bound here; said after it where someone learns it later.
    fn known_to(&mut self, inside: &Inside<'a>, variable: Reference) {
        let Some(roles) = self.learnt.get(&variable.span) else {
            return;
        };
        let names: Vec<&str> = roles.iter().map(|(role, _)| self.text(*role)).collect();
        let fact = format!("known to {}", names.join(", "));
        if roles.iter().any(|(_, at)| *at != variable.span) {
            self.found.hints.push(Hint {
                span: variable.span,
                text: format!(" {fact}"),
            });
        }
        let scope = Some(inside.item.span());
        self.symbol(SymbolKind::Variable, variable.name, scope)
            .fact(fact);
    }

    fn variable(
        &mut self,
        inside: &Inside<'a>,
        variable: Reference,
        declares: bool,
        shorthand: Shorthand,
    ) {
        let sort = self.sort_of(inside, variable.name);
        let text = self.text(variable.name);
        let scope = Some(inside.item.span());
        let symbol = self.symbol(SymbolKind::Variable, variable.name, scope);
        symbol.place(variable.span, declares, shorthand);
        if let Some(sort) = sort {
            symbol.fact(format!("{text}: {sort}"));
        }
    }

    fn expression(&mut self, inside: &Inside<'a>, expression: Expression) {
        for (name, span) in self.model.program.exprs.names(expression) {
            self.named(inside, Reference { name, span }, Shorthand::None);
        }
    }

    /// A name in an expression: a variable, a constant or a value.
    ///
    /// Capitalised names that nothing declares are values.
    fn named(&mut self, inside: &Inside<'a>, name: Reference, shorthand: Shorthand) {
        let is_value = !inside.variables.contains(&name.name)
            && (self.values.contains(&name.name)
                || self.text(name.name).starts_with(char::is_uppercase));
        if is_value {
            let symbol = self.symbol(SymbolKind::Value, name.name, None);
            symbol.place(name.span, false, shorthand);
        } else {
            self.variable(inside, name, false, shorthand);
        }
    }

    fn sort(&mut self, sort: SortExprId) {
        let mut pending = vec![sort];
        while let Some(sort) = pending.pop() {
            match self.model.program.exprs.sort(sort) {
                SortExpr::Named(name, span) => {
                    let (name, span) = (*name, *span);
                    if !LEXICON.sorts.contains(&self.text(name)) {
                        self.symbol(SymbolKind::Sort, name, None).used(span);
                    }
                }
                SortExpr::List(of) => pending.push(*of),
                SortExpr::Record(fields) => pending.extend(fields.iter().map(|it| it.1)),
                SortExpr::Error => {}
            }
        }
    }
}

fn word(item: &Item) -> &'static str {
    match item {
        Item::Type(_) => "type",
        Item::Constant(_) => "const",
        Item::Choreography(_) => "choreography",
        Item::Role(_) => "role",
        Item::System(_) => "system",
        Item::Sessions(_) => "sessions",
    }
}

/// Where the variable stands that a field is.
fn variable_span(field: &Field) -> Span {
    match &field.value {
        FieldValue::Bind(binding) => binding.variable.span,
        FieldValue::Free(value) => value.span,
    }
}
