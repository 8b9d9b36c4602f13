//! The one form of a `.gc` file: one interaction per line, operators of blocks on lines of their own.
//!
//! ```text
//! C -> A : withdraw;
//! sel B {
//!     B -> A : allow;
//!     A -> C : money
//! +
//!     B -> A : deny
//! }
//! ```
//! Every choice is written as a block `sel`, which ChorGram reads too; braces that only group stand where the tree
//! needs them and nowhere else.

use choros_base::{Names, Span};

use super::ast::{Branch, Comment, Expression, ExpressionKind, Program, Word};

/// The text of a program; comments and single blank lines of its source stay, where it is given.
pub fn print(program: &Program, names: &Names, source: Option<&str>) -> String {
    let mut printer = Printer {
        names,
        source,
        comments: match source {
            Some(_) => &program.comments,
            None => &[],
        },
        lines: Vec::new(),
        last_code: None,
        indent: 0,
    };
    if let Some(choreography) = &program.choreography {
        printer.expression(choreography);
    }
    printer.comments_before(u32::MAX);
    printer.finish()
}

struct Printer<'a> {
    names: &'a Names,
    source: Option<&'a str>,
    /// Those that are not printed yet.
    comments: &'a [Comment],
    lines: Vec<Line>,
    /// The last line that is not a comment.
    last_code: Option<usize>,
    indent: usize,
}

#[derive(Default)]
struct Line {
    indent: usize,
    code: String,
    comment: String,
}

impl Printer<'_> {
    fn finish(self) -> String {
        let mut out = String::new();
        for line in self.lines {
            let text = match (line.code.is_empty(), line.comment.is_empty()) {
                (_, true) => line.code,
                (true, false) => line.comment,
                (false, false) => format!("{}  {}", line.code, line.comment),
            };
            if !text.is_empty() {
                out.push_str(&"    ".repeat(line.indent));
                out.push_str(&text);
            }
            out.push('\n');
        }
        out
    }

    fn line(&mut self, code: String) {
        self.last_code = Some(self.lines.len());
        self.lines.push(Line {
            indent: self.indent,
            code,
            comment: String::new(),
        });
    }

    /// A line that is written at a place of the source: what stands before it comes first.
    fn line_at(&mut self, span: Span, code: String) {
        let start = span.start().offset;
        self.comments_before(start);
        self.blank_before(start);
        self.line(code);
    }

    /// Puts something after the last line that is not a comment.
    fn append(&mut self, text: &str) {
        if let Some(line) = self.last_code {
            self.lines[line].code.push_str(text);
        }
    }

    fn comments_before(&mut self, offset: u32) {
        while let Some((comment, rest)) = self.comments.split_first() {
            let start = comment.span.start().offset;
            if start >= offset {
                return;
            }
            self.comments = rest;
            let behind = self.shares_line(start)
                && self
                    .last_code
                    .is_some_and(|line| line + 1 == self.lines.len())
                && !comment.text.contains('\n');
            match self.lines.last_mut() {
                Some(line) if behind && line.comment.is_empty() => {
                    line.comment.clone_from(&comment.text);
                }
                _ => {
                    self.blank_before(start);
                    self.lines.push(Line {
                        indent: self.indent,
                        code: String::new(),
                        comment: comment.text.clone(),
                    });
                }
            }
        }
    }

    /// Whether something stands before this place on its line.
    fn shares_line(&self, offset: u32) -> bool {
        let before = self.source.and_then(|it| it.get(..offset as usize));
        let line = before.map(|it| it.rsplit('\n').next().unwrap_or(""));
        line.is_some_and(|line| !line.trim().is_empty())
    }

    /// A blank line where the source has one or more.
    fn blank_before(&mut self, offset: u32) {
        let Some(before) = self.source.and_then(|it| it.get(..offset as usize)) else {
            return;
        };
        let space = before.len() - before.trim_end().len();
        let breaks = before[before.len() - space..].matches('\n').count();
        let is_inside = self.lines.last().is_some_and(|line| {
            let is_blank = line.code.is_empty() && line.comment.is_empty();
            let opens = line.code.ends_with('{') || line.code == "+" || line.code == "|";
            !is_blank && !opens
        });
        if breaks > 1 && is_inside {
            self.lines.push(Line::default());
        }
    }

    /// Recursion is as deep as the parser lets expressions nest.
    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Empty => self.line_at(expression.span, "(o)".to_owned()),
            ExpressionKind::Interaction {
                from,
                to,
                is_multicast,
                message,
            } => {
                let to: Vec<&str> = to.iter().map(|word| self.text(word)).collect();
                let arrow = if *is_multicast { "=>" } else { "->" };
                let code = format!(
                    "{} {arrow} {} : {}",
                    self.text(from),
                    to.join(", "),
                    self.text(message)
                );
                self.line_at(from.span, code);
            }
            ExpressionKind::Sequence(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    if position > 0 {
                        self.append(";");
                    }
                    self.expression(part);
                }
            }
            ExpressionKind::Fork(parts) => {
                self.open(expression.span, "{".to_owned());
                self.threads(parts);
                self.close(expression.span);
            }
            ExpressionKind::Choice {
                decider, branches, ..
            } => {
                self.open(expression.span, self.head("sel", decider.as_ref()));
                for (position, branch) in branches.iter().enumerate() {
                    if position > 0 {
                        self.between("+");
                    }
                    self.branch(branch);
                }
                self.close(expression.span);
            }
            ExpressionKind::Repeat { controller, body } => {
                self.open(expression.span, self.head("repeat", controller.as_ref()));
                self.branch(body);
                self.close(expression.span);
            }
        }
    }

    fn branch(&mut self, branch: &Branch) {
        self.expression(&branch.body);
        if !branch.unless.is_empty() {
            let guards: Vec<String> = branch
                .unless
                .iter()
                .map(|guard| {
                    let participant = self.text(&guard.participant);
                    format!("{participant} % {}", self.text(&guard.text))
                })
                .collect();
            self.line(format!("unless {}", guards.join(", ")));
        }
    }

    fn threads(&mut self, parts: &[Expression]) {
        let mut is_first = true;
        self.threads_of(parts, &mut is_first);
    }

    /// A fork in a fork is the same fork.
    fn threads_of(&mut self, parts: &[Expression], is_first: &mut bool) {
        for part in parts {
            match &part.kind {
                ExpressionKind::Fork(inner) => self.threads_of(inner, is_first),
                _ => {
                    if !std::mem::replace(is_first, false) {
                        self.between("|");
                    }
                    self.expression(part);
                }
            }
        }
    }

    fn head(&self, keyword: &str, word: Option<&Word>) -> String {
        match word {
            Some(word) => format!("{keyword} {} {{", self.text(word)),
            None => format!("{keyword} {{"),
        }
    }

    fn open(&mut self, span: Span, code: String) {
        self.line_at(span, code);
        self.indent += 1;
    }

    fn between(&mut self, sign: &str) {
        self.indent = self.indent.saturating_sub(1);
        self.line(sign.to_owned());
        self.indent += 1;
    }

    fn close(&mut self, span: Span) {
        self.comments_before(span.range().end as u32);
        self.indent = self.indent.saturating_sub(1);
        self.line("}".to_owned());
    }

    fn text(&self, word: &Word) -> &str {
        self.names.text(word.name)
    }
}
