//! The one form of rules: one on each line, arrows below each other.

use choros_base::{FileId, Names, NotFormatted, has_errors};

use super::parse::parse_rules;
use crate::socl::layout::{INDENT, Lines, Piece, comment_texts, has_comments_inside, pieces};
use crate::socl::token::TokenKind;

/// A file of rules in its standard layout; it is read again and compared, comments included, before anyone gets it.
pub fn format_rules(file: FileId, text: &str, names: &mut Names) -> Result<String, NotFormatted> {
    let (rules, diagnostics) = parse_rules(file, text, 0..text.len(), names);
    if has_errors(&diagnostics) {
        return Err(NotFormatted::Mistakes(diagnostics));
    }
    let written = pieces(file, text);
    let formatted = layout(&written);
    let (again, diagnostics) = parse_rules(file, &formatted, 0..formatted.len(), names);
    let read_back = pieces(file, &formatted);
    let same = !has_errors(&diagnostics)
        && comment_texts(&read_back) == comment_texts(&written)
        && again.len() == rules.len()
        && again
            .iter()
            .zip(&rules)
            .all(|(one, other)| one.print(names) == other.print(names));
    if same {
        Ok(formatted)
    } else {
        Err(NotFormatted::Unfaithful)
    }
}

fn layout(pieces: &[Piece<'_>]) -> String {
    let mut lines = Lines::new();
    let braced = pieces.first().is_some_and(|it| it.is_word("Abstractions"));
    let mut at = 0;
    if braced {
        lines.statement(&pieces[..2], 0, |_, _| true);
        lines.open_block();
        at = 2;
    }
    at += rule_lines(&mut lines, &pieces[at..], if braced { INDENT } else { 0 });
    if braced {
        lines.close_block(&pieces[at], 0);
        at += 1;
    }
    lines.end(&pieces[at]);
    lines.finish()
}

/// Skips `;` between rules, which say nothing, but writes the comments before them; says how many there are.
pub(crate) fn separators(lines: &mut Lines, pieces: &[Piece<'_>], indent: usize) -> usize {
    let is_separator = |piece: &&Piece<'_>| piece.is(TokenKind::Sign(';'));
    let found = pieces.iter().take_while(is_separator);
    found
        .map(|piece| lines.comments_before(piece, indent))
        .count()
}

/// Writes the rules at the start of some pieces, and says how many pieces those are.
pub(crate) fn rule_lines(lines: &mut Lines, pieces: &[Piece<'_>], indent: usize) -> usize {
    let columns = Columns::of(pieces);
    let mut at = separators(lines, pieces, indent);
    while let Some(length) = rule_length(&pieces[at..]) {
        let rule = &pieces[at..at + length];
        if has_comments_inside(rule) {
            // Nothing is moved around a comment.
            lines.statement(rule, indent, |before, piece| {
                std::ptr::eq(before, &rule[0]) || is_spaced(before, piece)
            });
        } else {
            lines.line(&rule[0], indent, &columns.line(rule));
        }
        at += length;
        at += separators(lines, &pieces[at..], indent);
    }
    at
}

/// How wide the parts of rules are that stand below each other.
struct Columns {
    subject: usize,
    left: usize,
}

impl Columns {
    fn of(pieces: &[Piece<'_>]) -> Self {
        let mut columns = Self {
            subject: 0,
            left: 0,
        };
        let mut at = 0;
        while at < pieces.len() {
            match rule_length(&pieces[at..]) {
                Some(length) => {
                    let (subject, left, _) = sides(&pieces[at..at + length]);
                    columns.subject = columns.subject.max(width(&subject));
                    if width(&left) <= WIDEST {
                        columns.left = columns.left.max(width(&left));
                    }
                    at += length;
                }
                None if pieces[at].is(TokenKind::Sign(';')) => at += 1,
                None => break,
            }
        }
        columns
    }

    fn line(&self, rule: &[Piece<'_>]) -> String {
        let (subject, left, right) = sides(rule);
        let subject_width = self.subject;
        let left_width = self.left;
        format!("{subject:subject_width$} {left:left_width$} -> {right}")
    }
}

/// What a rule is about, its left side, its right side.
fn sides(rule: &[Piece<'_>]) -> (String, String, String) {
    let arrow = rule.iter().position(|it| it.is(TokenKind::Arrow));
    let arrow = arrow.unwrap_or(rule.len() - 1);
    let (left, right) = (joined(&rule[1..arrow]), joined(&rule[arrow + 1..]));
    (rule[0].text(), left, right)
}

/// Arrows are not put further to the right for the sake of one long rule.
const WIDEST: usize = 72;

fn width(text: &str) -> usize {
    text.chars().count()
}

/// How many pieces the rule at the start takes up: its left side, the arrow, and a template with its arguments.
fn rule_length(pieces: &[Piece<'_>]) -> Option<usize> {
    let first = pieces.first()?;
    if !first.is_word("Action") && !first.is_word("State") {
        return None;
    }
    let arrow = pieces.iter().position(|it| it.is(TokenKind::Arrow))?;
    let behind = arrow + 2;
    if pieces.get(behind)?.is(TokenKind::Sign('(')) {
        let closing = pieces[behind..]
            .iter()
            .position(|it| it.is(TokenKind::Sign(')')))?;
        Some(behind + closing + 1)
    } else {
        Some(behind)
    }
}

fn joined(pieces: &[Piece<'_>]) -> String {
    let mut out = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 && is_spaced(&pieces[index - 1], piece) {
            out.push(' ');
        }
        out.push_str(&piece.text());
    }
    out
}

/// Inside of a side nothing is spaced, but that two numbers around a point stay two.
fn is_spaced(before: &Piece<'_>, piece: &Piece<'_>) -> bool {
    let is_number = |it: &Piece<'_>| {
        it.is(TokenKind::Word)
            && it
                .token
                .text
                .trim_start_matches('-')
                .starts_with(|first: char| first.is_ascii_digit())
    };
    let is_point = |it: &Piece<'_>| it.is(TokenKind::Sign('.'));
    before.is(TokenKind::Arrow)
        || piece.is(TokenKind::Arrow)
        || is_number(before) && is_point(piece)
        || is_point(before) && is_number(piece)
}
