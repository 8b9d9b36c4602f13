//! Names: declarations, roles, who says what to whom.

use choros_base::{Diagnostic, Name, Names, Span};
use choros_model::stg::Direction;
use choros_model::stg::label::self_message;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{
    Block, Call, Item, MessageStatement, Program, RoleItem, SessionsItem, StatementKind, System,
};
use super::labels::variable_of;
use crate::ast::Reference;
use crate::diagnostics::{
    MAX_FINDINGS, declared_again, undeclared_name, undeclared_role, wrong_arguments, wrong_view,
};

/// What names mean.
#[derive(Debug, Default)]
pub(super) struct Resolution {
    /// The positions of choreographies, roles and systems.
    components: FxHashMap<Name, usize>,
}

/// The two ends of a message and whose view of it is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) from: Name,
    pub(super) to: Name,
    pub(super) direction: Direction,
}

impl Resolution {
    /// The position of a component among the items.
    pub(super) fn component(&self, name: Name) -> Option<usize> {
        self.components.get(&name).copied()
    }
}

/// Sender, receiver and direction of a message of an item; `None` where that was reported.
pub(super) fn ends(item: &Item, message: &MessageStatement) -> Option<Ends> {
    let (from, to, direction) = match (item, message.from, message.to) {
        (Item::Choreography(_), Some(from), Some(to)) => {
            (from.name, to.name, Direction::Interaction)
        }
        (Item::Role(role), None, Some(to)) => (role.role().name, to.name, Direction::Send),
        (Item::Role(role), Some(from), None) => (from.name, role.role().name, Direction::Receive),
        _ => return None,
    };
    Some(Ends {
        from,
        to,
        direction,
    })
}

/// Looks up all names that are not variables.
pub(super) fn resolve(program: &Program, names: &Names) -> (Resolution, Vec<Diagnostic>) {
    let mut resolver = Resolver {
        program,
        names,
        operations: operations(program),
        resolution: Resolution::default(),
        diagnostics: Vec::new(),
    };
    resolver.declarations();
    let roles = resolver.roles_of_file();
    for item in &program.items {
        match item {
            Item::Choreography(choreography) => {
                let declared = distinct(&choreography.roles);
                let last = choreography.roles.last().map(|role| role.span);
                let declared = choreography.lists_roles.then_some(&declared[..]);
                resolver.body(item, &choreography.body, declared, last);
            }
            Item::Role(role) => {
                let (declared, last) = match &role.partners {
                    Some(partners) => (
                        distinct(partners),
                        Some(partners.last().map_or(role.name.span, |last| last.span)),
                    ),
                    None => (roles.clone(), None),
                };
                resolver.body(item, &role.body, Some(&declared), last);
            }
            Item::System(system) => resolver.system(system),
            Item::Sessions(sessions) => resolver.sessions(sessions),
            Item::Type(_) | Item::Constant(_) => {}
        }
    }
    let mut diagnostics = resolver.diagnostics;
    diagnostics.truncate(MAX_FINDINGS);
    (resolver.resolution, diagnostics)
}

/// The names of the data language that no type may have.
const SORTS: [&str; 6] = ["Bool", "Int", "Real", "String", "Symbol", "List"];

struct Resolver<'a> {
    program: &'a Program,
    names: &'a Names,
    /// The operations of all messages.
    operations: FxHashSet<Name>,
    resolution: Resolution,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    fn text(&self, name: Name) -> &'a str {
        self.names.text(name)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_FINDINGS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Types, values and constants share one space of names, components another.
    fn declarations(&mut self) {
        let mut sorts: FxHashMap<Name, Span> = FxHashMap::default();
        let mut values: FxHashMap<Name, Span> = FxHashMap::default();
        let mut components: FxHashMap<Name, Span> = FxHashMap::default();
        for (position, item) in self.program.items.iter().enumerate() {
            match item {
                Item::Type(item) => {
                    self.declare_sort(&mut sorts, item.name);
                    for &constructor in &item.constructors {
                        self.declare(&mut values, constructor);
                        let value = self.text(constructor.name);
                        if SORTS.contains(&value) {
                            let alias = self.text(item.name.name);
                            let diagnostic =
                                declared_again::diagnostic(constructor.span, value, None);
                            self.report(diagnostic.note(format!(
                                "a type lists its values, as in `type Status = OK | KO`; where you need `{alias}`, write `{value}`"
                            )));
                        }
                    }
                }
                Item::Constant(item) => self.declare(&mut values, item.name),
                _ => {
                    let name = item.name();
                    self.declare(&mut components, name);
                    self.resolution
                        .components
                        .entry(name.name)
                        .or_insert(position);
                }
            }
            if let Item::Choreography(item) = item {
                self.declare_all(item.roles.iter().copied());
            }
            if let Item::Role(item) = item {
                self.declare_all(item.partners.iter().flatten().copied());
            }
            self.declare_all(item.parameters().iter().map(|parameter| parameter.name));
        }
    }

    fn declare_sort(&mut self, known: &mut FxHashMap<Name, Span>, reference: Reference) {
        let text = self.text(reference.name);
        if SORTS.contains(&text) {
            self.report(declared_again::diagnostic(reference.span, text, None));
        } else {
            self.declare(known, reference);
        }
    }

    fn declare_all(&mut self, references: impl Iterator<Item = Reference>) {
        let mut known = FxHashMap::default();
        for reference in references {
            self.declare(&mut known, reference);
        }
    }

    fn declare(&mut self, known: &mut FxHashMap<Name, Span>, reference: Reference) {
        let first = *known.entry(reference.name).or_insert(reference.span);
        if first != reference.span {
            let name = self.text(reference.name);
            self.report(declared_again::diagnostic(
                reference.span,
                name,
                Some(first),
            ));
        }
    }

    /// All roles that choreographies list and that role declarations play, in order.
    fn roles_of_file(&self) -> Vec<Name> {
        let mut seen = FxHashSet::default();
        let items = self.program.items.iter();
        items
            .flat_map(|item| match item {
                Item::Choreography(item) => item.roles.iter().map(|role| role.name).collect(),
                Item::Role(item) => vec![item.role().name],
                _ => Vec::new(),
            })
            .filter(|&role| seen.insert(role))
            .collect()
    }

    /// Looks up the names of a body; `roles` are those that are declared, unless their list is missing.
    fn body(&mut self, item: &Item, body: &Block, roles: Option<&[Name]>, last: Option<Span>) {
        let known: FxHashSet<Name> = roles.unwrap_or_default().iter().copied().collect();
        let mut said = 0;
        let mut check = |resolver: &mut Self, role: Reference| {
            let Some(roles) = roles else { return };
            if !known.contains(&role.name) {
                said += 1;
                // Without any roles, all would be reported: one is enough.
                if roles.is_empty() && said > 1 {
                    return;
                }
                let declared: Vec<&str> = roles.iter().map(|&role| resolver.text(role)).collect();
                let name = resolver.text(role.name);
                resolver.report(undeclared_role::diagnostic(
                    role.span, name, &declared, last,
                ));
            }
        };
        // In a role, `at` may name the role itself.
        let own = match item {
            Item::Role(role) => Some(role.role().name),
            _ => None,
        };
        let program = self.program;
        for (_, statement) in program.statements.walk(body) {
            if self.diagnostics.len() >= MAX_FINDINGS {
                return;
            }
            match &statement.kind {
                StatementKind::Message(message) => {
                    for role in [message.from, message.to].into_iter().flatten() {
                        if own != Some(role.name) {
                            check(self, role);
                        }
                    }
                    self.view(item, message, statement.span);
                }
                StatementKind::Choice(Some(role), _) | StatementKind::Repeat(Some(role), _)
                    if own != Some(role.name) =>
                {
                    check(self, *role);
                }
                StatementKind::Wait(wait) => {
                    if let Some(role) = wait.at.filter(|role| own != Some(role.name)) {
                        check(self, role);
                    }
                }
                StatementKind::OnCrash(it) => {
                    for role in [Some(it.crashed), it.at].into_iter().flatten() {
                        if own != Some(role.name) {
                            check(self, role);
                        }
                    }
                }
                StatementKind::Timeout(timeout) => {
                    if let Some(role) = timeout.at.filter(|role| own != Some(role.name)) {
                        check(self, role);
                    }
                }
                StatementKind::Do(call) => {
                    for &role in &call.roles {
                        check(self, role);
                    }
                    self.call(item, call, statement.span);
                }
                _ => {}
            }
        }
    }

    /// A choreography sees both ends of a message, a role one.
    fn view(&mut self, item: &Item, message: &MessageStatement, span: Span) {
        let own = match item {
            Item::Role(role) => Some(role),
            _ => None,
        };
        match (own, message.from, message.to) {
            (None, Some(from), Some(to)) => self.not_the_same(from, to),
            (None, ..) => self.report(wrong_view::one_sided(span)),
            (Some(role), Some(from), Some(to)) => {
                let written = (self.text(from.name), self.text(to.name));
                let ends = from.span.to(to.span);
                let name = self.text(role.role().name);
                self.report(wrong_view::two_sided(span, name, written, ends));
            }
            (Some(role), from, to) => self.not_alone(role, from.or(to)),
        }
    }

    fn not_the_same(&mut self, from: Reference, to: Reference) {
        if from.name == to.name {
            let span = from.span.to(to.span);
            let role = self.text(from.name);
            self.report(self_message(span, role));
        }
    }

    fn not_alone(&mut self, role: &RoleItem, partner: Option<Reference>) {
        if let Some(partner) = partner
            && partner.name == role.role().name
        {
            let name = self.text(partner.name);
            self.report(self_message(partner.span, name));
        }
    }

    fn call(&mut self, item: &Item, call: &Call, span: Span) {
        if matches!(item, Item::Role(_)) {
            self.report(wrong_view::call(span));
            return;
        }
        let program = self.program;
        let position = self.resolution.component(call.target.name);
        let Some(Item::Choreography(target)) = position.map(|at| &program.items[at]) else {
            let choreographies = program.items.iter().filter_map(|item| match item {
                Item::Choreography(item) => Some(self.names.text(item.name.name)),
                _ => None,
            });
            let name = self.text(call.target.name);
            self.report(undeclared_name::diagnostic(
                call.target.span,
                "choreography",
                name,
                choreographies,
            ));
            return;
        };
        let name = self.text(target.name.name);
        let declared = target.name.span;
        let counts = [
            ("role", call.roles.len(), target.roles.len()),
            ("parameter", call.arguments.len(), target.parameters.len()),
        ];
        for (what, given, wanted) in counts {
            if given != wanted {
                self.report(wrong_arguments::count(
                    span,
                    name,
                    what,
                    (given, wanted),
                    declared,
                ));
            }
        }
        let mut seen = FxHashSet::default();
        for role in &call.roles {
            if !seen.insert(role.name) {
                let name = self.text(role.name);
                self.report(wrong_arguments::twice(role.span, name));
            }
        }
    }

    /// What the sessions do, by which field they differ, and what they share.
    fn sessions(&mut self, sessions: &SessionsItem) {
        let program = self.program;
        let of = self.resolution.component(sessions.of.name);
        let is_session = |it: &Item| matches!(it, Item::Sessions(_));
        if of.is_none_or(|it| is_session(&program.items[it])) {
            let items = program.items.iter();
            let known = items.filter(|it| it.is_component() && !is_session(it));
            let known = known.map(|it| self.names.text(it.name().name));
            let name = self.text(sessions.of.name);
            let what = "choreography, role or system";
            self.report(undeclared_name::diagnostic(
                sessions.of.span,
                what,
                name,
                known,
            ));
        }
        // Those of the whole file: a choreography may include others.
        let (mut fields, mut variables) = (Vec::new(), Vec::new());
        for item in &program.items {
            variables.extend(item.parameters().iter().map(|it| it.name.name));
            let statements = item.body().map(|body| program.statements.walk(body));
            for (_, statement) in statements.into_iter().flatten() {
                variables.extend(statement.kind.bindings().iter().map(|it| it.variable.name));
                if let StatementKind::Message(message) = &statement.kind {
                    let named = message.fields.iter();
                    fields.extend(named.filter_map(|field| match field.label {
                        Some(label) => Some(label.name),
                        None => variable_of(field, &program.exprs),
                    }));
                }
            }
        }
        self.known_among(sessions.by, "field", &fields);
        for &shared in &sessions.sharing {
            self.known_among(Some(shared), "variable", &variables);
        }
    }

    /// Reports a name that is not among those there are.
    fn known_among(&mut self, wanted: Option<Reference>, what: &str, there: &[Name]) {
        let Some(wanted) = wanted.filter(|it| !there.contains(&it.name)) else {
            return;
        };
        let mut known: Vec<&str> = there.iter().map(|&it| self.text(it)).collect();
        known.sort_unstable();
        let name = self.text(wanted.name);
        self.report(undeclared_name::diagnostic(wanted.span, what, name, known));
    }

    fn system(&mut self, system: &System) {
        let program = self.program;
        let mut whole = true;
        for part in &system.parts {
            let is_session = |it: &Item| matches!(it, Item::Sessions(_));
            let place = self.resolution.component(part.name);
            if place.is_none_or(|it| is_session(&program.items[it])) {
                whole = false;
                let items = program.items.iter();
                let items = items.filter(|it| it.is_component() && !is_session(it));
                let known = items.map(|item| self.names.text(item.name().name));
                let name = self.text(part.name);
                self.report(undeclared_name::diagnostic(
                    part.span,
                    "role, choreography or system",
                    name,
                    known,
                ));
            }
        }
        if !whole {
            return;
        }
        for hidden in &system.hiding {
            // Messages of the whole file: parts may be systems, and their messages come from further down.
            if !self.operations.contains(&hidden.name) {
                let known = self.operations.iter().map(|&name| self.names.text(name));
                let mut known: Vec<&str> = known.collect();
                known.sort_unstable();
                let name = self.text(hidden.name);
                self.report(undeclared_name::diagnostic(
                    hidden.span,
                    "message",
                    name,
                    known,
                ));
            }
        }
    }
}

fn operations(program: &Program) -> FxHashSet<Name> {
    program
        .items
        .iter()
        .filter_map(Item::body)
        .flat_map(|body| program.statements.walk(body))
        .filter_map(|(_, statement)| match &statement.kind {
            StatementKind::Message(message) => Some(message.operation.name),
            _ => None,
        })
        .collect()
}

fn distinct(references: &[Reference]) -> Vec<Name> {
    let mut seen = FxHashSet::default();
    references
        .iter()
        .map(|reference| reference.name)
        .filter(|&name| seen.insert(name))
        .collect()
}
