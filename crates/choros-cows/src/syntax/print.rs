//! A specification as text, in its standard layout.
//!
//! One parallel component per line where a composition does not fit into the width, two spaces of indentation,
//! parentheses where they are needed, every comment at the component it stood at.
//! Reading what was printed gives the same tree, and printing that gives the same text.

use super::ast::{
    Binder, Comment, Definition, Endpoint, Identifier, Specification, Term, TermKind,
};

/// The text of a specification that was read without mistakes.
pub fn print(specification: &Specification) -> String {
    let mut printer = Printer {
        out: String::new(),
        comments: &specification.comments,
    };
    if !specification.definitions.is_empty() {
        if let Some(first) = specification.definitions.first() {
            printer.comments_before(first.name.span.range().start, 0);
        }
        printer.out.push_str("let\n");
        for definition in &specification.definitions {
            printer.definition(definition);
        }
        if let Some(main) = &specification.main {
            printer.comments_before(main.span.range().start, 0);
        }
        printer.out.push_str("in\n");
    }
    let indent = usize::from(!specification.definitions.is_empty());
    if let Some(main) = &specification.main {
        printer.line_of(main, indent);
    }
    let rest = specification
        .abstractions
        .as_ref()
        .map_or(usize::MAX, |rules| rules.span.range().start);
    if !specification.definitions.is_empty() {
        printer.trailing(rest);
        printer.newline();
        printer.out.push_str("end");
    }
    printer.trailing(rest);
    printer.newline();
    printer.comments_before(rest, 0);
    if let Some(rules) = &specification.abstractions {
        printer.out.push('\n');
        printer.out.push_str("Abstractions {\n");
        for line in rules.text.lines().map(str::trim) {
            if !line.is_empty() {
                printer.out.push_str("  ");
                printer.out.push_str(line);
            }
            if !line.is_empty() || !printer.out.ends_with("\n\n") {
                printer.newline();
            }
        }
        while printer.out.ends_with("\n\n") {
            printer.out.pop();
        }
        printer.out.push_str("}\n");
        printer.comments_before(usize::MAX, 0);
    }
    let blank = printer.out.trim_start_matches('\n').len();
    printer.out.split_off(printer.out.len() - blank)
}

/// Lines are about so long at most.
const WIDTH: usize = 100;

struct Printer<'s> {
    out: String,
    /// Comments that have not been printed.
    comments: &'s [Comment],
}

impl Printer<'_> {
    fn definition(&mut self, definition: &Definition) {
        self.comments_before(definition.name.span.range().start, 1);
        self.out.push_str("  ");
        self.out.push_str(&definition.name.text);
        if !definition.parameters.is_empty() {
            self.out
                .push_str(&format!("({})", list(&definition.parameters)));
        }
        self.out.push_str(" =");
        self.trailing(definition.body.span.range().start);
        self.newline();
        self.line_of(&definition.body, 2);
        self.trailing(usize::MAX);
        self.newline();
    }

    /// A term that begins a line of its own.
    fn line_of(&mut self, term: &Term, indent: usize) {
        self.comments_before(term.span.range().start, indent);
        self.indent(indent);
        self.term(term, Place::Whole, indent);
    }

    /// A term after what stands on the line.
    fn term(&mut self, term: &Term, place: Place, indent: usize) {
        let inline = inline(term, place);
        if !self.has_comments_in(term) && self.column() + inline.chars().count() <= WIDTH {
            self.out.push_str(&inline);
            return;
        }
        let needs_parentheses = needs_parentheses(term, place);
        if needs_parentheses {
            self.out.push_str("( ");
        }
        match &term.kind {
            TermKind::Nil | TermKind::Error | TermKind::Kill(_) | TermKind::Call(..) => {
                self.out.push_str(&inline);
            }
            TermKind::Invoke(_) | TermKind::Receive(_, None) => self.out.push_str(&inline),
            TermKind::Receive(endpoint, Some(next)) => {
                self.out.push_str(&activity(endpoint, '?'));
                self.out.push('.');
                self.next_line_unless_bracketed(next, indent + 1);
            }
            TermKind::Parallel(operands) => {
                self.operands(operands, "| ", Place::InParallel, indent);
            }
            TermKind::Choice(operands) => {
                self.operands(operands, "+ ", Place::InChoice, indent);
            }
            TermKind::Protection(body) => {
                self.out.push_str("{ ");
                self.term(body, Place::Whole, indent);
                self.trailing(term.span.range().end);
                self.out.push_str(" }");
            }
            TermKind::Delimitation(binders, body) => {
                self.out.push_str(&delimiters(binders));
                self.next_line_unless_bracketed(body, indent + 1);
            }
            TermKind::Replication(body) => {
                self.out.push_str("* ");
                self.term(body, Place::Tight, indent);
            }
        }
        if needs_parentheses {
            self.trailing(term.span.range().end);
            self.out.push_str(" )");
        }
    }

    fn operands(&mut self, operands: &[Term], sign: &str, place: Place, indent: usize) {
        for (position, operand) in operands.iter().enumerate() {
            if position > 0 {
                self.trailing(operand.span.range().start);
                self.newline();
                self.comments_before(operand.span.range().start, indent);
                self.indent(indent);
                self.out.push_str(sign);
            }
            self.term(operand, place, indent + 1);
        }
    }

    /// What follows a prefix: a further delimitation on the same line, anything else on the next.
    fn next_line_unless_bracketed(&mut self, term: &Term, indent: usize) {
        let start = term.span.range().start;
        let is_next = matches!(self.comments, [next, ..] if next.span.range().start < start);
        if let (TermKind::Delimitation(..), false) = (&term.kind, is_next) {
            self.out.push(' ');
            self.term(term, Place::Tight, indent - 1);
            return;
        }
        self.trailing(start);
        self.newline();
        self.comments_before(start, indent);
        self.indent(indent);
        self.term(term, Place::Tight, indent);
    }

    fn indent(&mut self, indent: usize) {
        self.out.push_str(&"  ".repeat(indent));
    }

    fn newline(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn column(&self) -> usize {
        let line = self.out.rsplit('\n').next().unwrap_or("");
        line.chars().count()
    }

    fn has_comments_in(&self, term: &Term) -> bool {
        let end = term.span.range().end;
        self.comments
            .first()
            .is_some_and(|comment| comment.span.range().start < end)
    }

    /// Comments that stand before a position and after something on their line, at the end of this line.
    fn trailing(&mut self, before: usize) {
        while let [first, rest @ ..] = self.comments
            && first.is_trailing
            && first.span.range().start < before
        {
            let is_line = !first.text.starts_with("/*");
            if !self.out.ends_with('\n') {
                self.out.push_str("  ");
            }
            self.out.push_str(&first.text);
            self.comments = rest;
            if is_line {
                self.newline();
                return;
            }
        }
    }

    /// Comments that stand before a position, on lines of their own.
    fn comments_before(&mut self, before: usize, indent: usize) {
        while let [first, rest @ ..] = self.comments
            && first.span.range().start < before
        {
            self.newline();
            self.indent(indent);
            self.out.push_str(&first.text);
            self.comments = rest;
            self.newline();
        }
    }
}

/// Where a term stands, which decides about parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    InParallel,
    InChoice,
    /// After a prefix, a delimitation or a replication.
    Tight,
}

fn needs_parentheses(term: &Term, place: Place) -> bool {
    match (&term.kind, place) {
        (_, Place::Whole) => false,
        (TermKind::Parallel(_), _) => true,
        (TermKind::Choice(_), Place::InChoice | Place::Tight) => true,
        _ => false,
    }
}

/// A term on one line.
fn inline(term: &Term, place: Place) -> String {
    let text = match &term.kind {
        TermKind::Nil | TermKind::Error => "nil".to_owned(),
        TermKind::Kill(label) => format!("kill({})", label.text),
        TermKind::Invoke(endpoint) => activity(endpoint, '!'),
        TermKind::Receive(endpoint, None) => activity(endpoint, '?'),
        TermKind::Receive(endpoint, Some(next)) => {
            format!(
                "{}. {}",
                activity(endpoint, '?'),
                inline(next, Place::Tight)
            )
        }
        TermKind::Parallel(operands) => joined(operands, " | ", Place::InParallel),
        TermKind::Choice(operands) => joined(operands, " + ", Place::InChoice),
        TermKind::Protection(body) => format!("{{ {} }}", inline(body, Place::Whole)),
        TermKind::Delimitation(binders, body) => {
            format!("{} {}", delimiters(binders), inline(body, Place::Tight))
        }
        TermKind::Replication(body) => format!("* {}", inline(body, Place::Tight)),
        TermKind::Call(name, arguments) => format!("{}({})", name.text, list(arguments)),
    };
    if needs_parentheses(term, place) {
        format!("( {text} )")
    } else {
        text
    }
}

fn joined(operands: &[Term], sign: &str, place: Place) -> String {
    let operands: Vec<String> = operands
        .iter()
        .map(|operand| inline(operand, place))
        .collect();
    operands.join(sign)
}

fn activity(endpoint: &Endpoint, sign: char) -> String {
    format!(
        "{}.{}{sign}<{}>",
        endpoint.partner.text,
        endpoint.operation.text,
        list(&endpoint.tuple)
    )
}

fn delimiters(binders: &[Binder]) -> String {
    let binders: Vec<String> = binders
        .iter()
        .map(|binder| {
            let sign = if binder.is_name { "#" } else { "" };
            format!("{}{sign}", binder.identifier.text)
        })
        .collect();
    format!("[{}]", binders.join(", "))
}

fn list(identifiers: &[Identifier]) -> String {
    let texts: Vec<&str> = identifiers.iter().map(|it| &*it.text).collect();
    texts.join(",")
}
