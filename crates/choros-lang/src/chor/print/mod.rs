//! A program as text, in the one form that everyone reads: four spaces, one statement per line.
//!
//! Comments and single blank lines are kept.
//! A comment stays in front of what it stood before, or at the end of its line; one in the middle of a statement moves
//! in front of it.

mod lines;
mod phrases;
mod saga;
mod time;

use choros_base::Names;
use choros_data::syntax::Expression;

use super::ast::{
    Block, Call, Choreography, Interruption, Item, MessageStatement, Parameter, Program, RoleItem,
    SessionsItem, Statement, StatementKind, System,
};
use crate::ast::Reference;
use lines::Lines;
pub(in crate::chor) use phrases::Phrases;

/// The program as text that parses to the same program; what did not parse is shown as `…`.
///
/// `text` is what it was read from; without it, blank lines and comments are left out.
pub fn print(program: &Program, names: &Names, text: Option<&str>) -> String {
    let mut printer = Printer {
        phrases: Phrases { program, names },
        lines: Lines::new(text, &program.comments),
    };
    let mut before: Option<&Item> = None;
    for (position, item) in program.items.iter().enumerate() {
        let next = program.items.get(position + 1);
        let limit = next.map_or(usize::MAX, |next| next.span().range().start);
        let apart = before.is_some_and(|before| before.body().is_some() || item.body().is_some());
        printer.item(item, apart, limit);
        before = Some(item);
    }
    printer.lines.finish()
}

struct Printer<'a> {
    phrases: Phrases<'a>,
    lines: Lines<'a>,
}

impl Printer<'_> {
    fn item(&mut self, item: &Item, apart: bool, limit: usize) {
        let range = item.span().range();
        let header_end = item
            .body()
            .map_or(range.end, |body| body.span.range().start);
        self.lines.lead(range.start, header_end, apart);
        match item {
            Item::Type(item) => {
                let mut text = format!("type {}", self.phrases.name(item.name));
                if !item.constructors.is_empty() {
                    text.push_str(" = ");
                    text.push_str(&self.phrases.names_of(&item.constructors).join(" | "));
                }
                self.lines.text(&text);
            }
            Item::Constant(item) => {
                let text = format!(
                    "const {}: {} = {}",
                    self.phrases.name(item.name),
                    self.phrases.sort(item.sort),
                    self.phrases.expression(item.value)
                );
                self.lines.text(&text);
            }
            Item::Choreography(item) => self.choreography(item),
            Item::Role(item) => self.role(item),
            Item::System(item) => self.system(item),
            Item::Sessions(item) => self.sessions(item),
        }
        self.lines.end(range.end, limit);
    }

    fn choreography(&mut self, item: &Choreography) {
        let start = format!("choreography {}[", self.phrases.name(item.name));
        let mut roles = self.phrases.names_of(&item.roles);
        for (name, role) in roles.iter_mut().zip(&item.roles) {
            if item.services.iter().any(|it| it.span == role.span) {
                *name = format!("service {name}");
            }
        }
        self.lines.list(&start, &roles, "]");
        self.parameters(&item.parameters);
        self.lines.text(" ");
        self.block(&item.body);
    }

    fn role(&mut self, item: &RoleItem) {
        let mut start = format!("role {}", self.phrases.name(item.name));
        if let Some(plays) = item.plays {
            start.push_str(" plays ");
            start.push_str(self.phrases.name(plays));
        }
        match &item.partners {
            Some(partners) => {
                let partners = self.phrases.names_of(partners);
                self.lines.list(&format!("{start}["), &partners, "]");
            }
            None => self.lines.text(&start),
        }
        self.parameters(&item.parameters);
        self.lines.text(" ");
        self.block(&item.body);
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        if !parameters.is_empty() {
            let texts: Vec<String> = parameters
                .iter()
                .map(|parameter| {
                    format!(
                        "{}: {}",
                        self.phrases.name(parameter.name),
                        self.phrases.sort(parameter.sort)
                    )
                })
                .collect();
            self.lines.list("(", &texts, ")");
        }
    }

    fn system(&mut self, item: &System) {
        let parts = self.phrases.names_of(&item.parts);
        let start = format!("system {} = ", self.phrases.name(item.name));
        self.lines.chain(&start, &parts, "|| ");
        if !item.hiding.is_empty() {
            let hiding = self.phrases.names_of(&item.hiding).join(", ");
            self.lines.text(&format!(" hiding {hiding}"));
        }
    }

    fn sessions(&mut self, item: &SessionsItem) {
        let mut text = format!("sessions {} of {}", item.count, self.phrases.name(item.of));
        if let Some(by) = item.by {
            let distinct = if item.distinct { "distinct " } else { "" };
            text.push_str(&format!(" by {distinct}{}", self.phrases.name(by)));
        }
        if !item.sharing.is_empty() {
            let sharing = self.phrases.names_of(&item.sharing).join(", ");
            text.push_str(&format!(" sharing {sharing}"));
        }
        if item.own_queues {
            text.push_str(" with own queues");
        }
        self.lines.text(&text);
    }

    fn block(&mut self, block: &Block) {
        self.block_before(block, None);
    }

    // Blocks nest only as deep as the parser allows.
    fn block_before(&mut self, block: &Block, next: Option<&Block>) {
        let range = block.span.range();
        let close = range.end.saturating_sub(1);
        let starts: Vec<usize> = block
            .statements
            .iter()
            .map(|&id| self.phrases.program.statements.get(id).span.range().start)
            .collect();
        self.lines.text("{");
        let limit = next.map_or(close, |next| next.span.range().start);
        if block.statements.is_empty() && !self.lines.has_comment_before(limit) {
            self.lines.text("}");
            return;
        }
        let first = starts.first().copied().unwrap_or(close);
        self.lines.end(range.start + 1, first);
        self.lines.deeper();
        for (position, &id) in block.statements.iter().enumerate() {
            let limit = starts.get(position + 1).copied().unwrap_or(close);
            self.statement(self.phrases.program.statements.get(id), limit);
        }
        self.lines.comments_before(close);
        // A comment after the brace belongs to this block, not to the one that follows on the same line.
        if let Some(next) = next {
            let limit = next.span.range().start;
            self.lines.comments_on_line(range.end, limit);
        }
        self.lines.back();
        self.lines.begin();
        self.lines.text("}");
    }

    fn statement(&mut self, statement: &Statement, limit: usize) {
        let range = statement.span.range();
        let header = match &statement.kind {
            StatementKind::Timeout(timeout) => Some(timeout.header_block().span),
            StatementKind::Saga(saga) => Some(saga.span),
            kind => kind.blocks().first().map(|it| it.span),
        };
        let header_end = header.map_or(range.end, |it| it.range().start);
        self.lines.lead(range.start, header_end, false);
        match &statement.kind {
            StatementKind::Message(message) => self.message(message),
            StatementKind::Choice(at, blocks) => {
                let start = format!("choice{}", self.claim(*at));
                self.blocks(&start, blocks, "or");
            }
            StatementKind::Parallel(blocks) => self.blocks("par", blocks, "and"),
            StatementKind::Try(interruption, blocks) => {
                let word = match interruption {
                    Interruption::UntilEnd => "interrupt",
                    Interruption::UntilDone => "interrupt until done",
                };
                self.blocks("try", blocks, word);
            }
            StatementKind::OnCrash(it) => {
                self.lines.text("try ");
                self.block_before(&it.body, Some(&it.handler));
                let crashed = self.phrases.name(it.crashed);
                let head = format!(" on crash of {crashed}{} ", self.claim(it.at));
                self.lines.text(&head);
                self.block(&it.handler);
            }
            StatementKind::Saga(saga) => self.saga(saga),
            StatementKind::Abort => self.lines.text("abort"),
            StatementKind::When(guard, block) => self.guarded("when", *guard, block, None),
            StatementKind::While(guard, block) => self.guarded("while", *guard, block, None),
            StatementKind::If(arms, otherwise) => {
                for (position, (guard, block)) in arms.iter().enumerate() {
                    let word = if position == 0 { "if" } else { " else if" };
                    let next = arms.get(position + 1).map(|(_, block)| block);
                    self.guarded(word, *guard, block, next.or(otherwise.as_ref()));
                }
                if let Some(block) = otherwise {
                    self.lines.text(" else ");
                    self.block(block);
                }
            }
            StatementKind::Repeat(at, block) => {
                let start = format!("repeat{} ", self.claim(*at));
                self.lines.text(&start);
                self.block(block);
            }
            StatementKind::Loop(name, block) => {
                let start = format!("loop {} ", self.phrases.name(*name));
                self.lines.text(&start);
                self.block(block);
            }
            StatementKind::Again(name) => {
                let text = format!("again {}", self.phrases.name(*name));
                self.lines.text(&text);
            }
            StatementKind::Assign(binding, value) => {
                let text = format!(
                    "{} := {}",
                    self.phrases.binding(binding),
                    self.phrases.expression(*value)
                );
                self.lines.text(&text);
            }
            StatementKind::Do(call) => self.call(call),
            StatementKind::Wait(wait) => {
                let name = |role| self.phrases.name(role).to_owned();
                self.lines.text(&wait.text(name));
            }
            StatementKind::Timeout(timeout) => self.timeout(timeout),
            StatementKind::Skip => self.lines.text("skip"),
            StatementKind::Error => self.lines.text("…"),
        }
        self.lines.end(range.end, limit);
    }

    fn message(&mut self, message: &MessageStatement) {
        let once = self.phrases.identity(message);
        let operation = self.phrases.name(message.operation);
        let start = match (message.from, message.to) {
            (Some(from), Some(to)) => {
                format!(
                    "{} -> {}: {operation}",
                    self.phrases.name(from),
                    self.phrases.name(to)
                )
            }
            (Some(from), None) => format!("<- {}: {operation}", self.phrases.name(from)),
            (None, Some(to)) => format!("-> {}: {operation}", self.phrases.name(to)),
            (None, None) => format!("…: {operation}"),
        };
        if message.fields.is_empty() {
            return self.lines.text(&format!("{start}{once}"));
        }
        let fields = self.phrases.fields(message);
        self.lines
            .list(&format!("{start}("), &fields, &format!("){once}"));
    }

    fn call(&mut self, call: &Call) {
        let (start, arguments) = self.phrases.call_parts(call);
        if arguments.is_empty() {
            return self.lines.text(&start);
        }
        self.lines.list(&format!("{start}("), &arguments, ")");
    }

    fn blocks(&mut self, start: &str, blocks: &[Block], word: &str) {
        self.lines.text(start);
        for (position, block) in blocks.iter().enumerate() {
            let between = match position {
                0 => " ".to_owned(),
                _ => format!(" {word} "),
            };
            self.lines.text(&between);
            self.block_before(block, blocks.get(position + 1));
        }
    }

    fn guarded(&mut self, word: &str, guard: Expression, block: &Block, next: Option<&Block>) {
        let guard = self.phrases.expression(guard);
        self.lines.text(&format!("{word} {guard} "));
        self.block_before(block, next);
    }

    fn claim(&self, at: Option<Reference>) -> String {
        match at {
            Some(role) => format!(" at {}", self.phrases.name(role)),
            None => String::new(),
        }
    }
}
