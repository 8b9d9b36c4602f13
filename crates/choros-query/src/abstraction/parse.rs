//! Text to rules.

use choros_base::{Diagnostic, FileId, Name, Names, Span};
use choros_model::stg::Direction;

use super::rule::{Part, Rule, RuleArgument, Subject, Template};
use crate::socl::cursor::{Cursor, Parsed};
use crate::socl::diagnostics::{repeated_metavariable, unbound_metavariable};
use crate::socl::token::TokenKind;

/// Reads the rules in a part of a text: a file of rules, or the inside of a model's `Abstractions { … }`.
///
/// The block's own word and braces may be there too.
pub fn parse_rules(
    file: FileId,
    text: &str,
    range: std::ops::Range<usize>,
    names: &mut Names,
) -> (Vec<Rule>, Vec<Diagnostic>) {
    let mut cursor = Cursor::new(file, text, range);
    let braced = cursor.eat_word("Abstractions");
    if braced {
        // A missing brace is reported, and the rules are read all the same.
        let _ = cursor.expect_sign('{');
    }
    let rules = rules_until(&mut cursor, names);
    if braced {
        let _ = cursor.expect_sign('}');
    }
    if cursor.diagnostics.is_empty() && !cursor.is_at_end() {
        cursor.unexpected("`Action` or `State`");
    }
    (rules, cursor.diagnostics)
}

/// More findings than this tell nothing new.
const MAX_DIAGNOSTICS: usize = 100;

/// Reads rules up to a `}` or the end, or until too much is wrong.
pub(crate) fn rules_until(cursor: &mut Cursor<'_>, names: &mut Names) -> Vec<Rule> {
    let mut rules = Vec::new();
    loop {
        while cursor.take_sign(';') {}
        let too_many = cursor.diagnostics.len() >= MAX_DIAGNOSTICS;
        if cursor.is_at_end() || cursor.is_sign('}') || too_many {
            return rules;
        }
        if let Ok(rule) = rule(cursor, names) {
            rules.push(rule);
            continue;
        }
        // The next rule begins with one of two words.
        while !cursor.is_at_end() && !cursor.is_sign('}') && subject(cursor).is_none() {
            cursor.advance();
        }
    }
}

fn subject(cursor: &Cursor<'_>) -> Option<Subject> {
    match cursor.peek() {
        TokenKind::Word => match cursor.piece().text {
            "Action" => Some(Subject::Action),
            "State" => Some(Subject::State),
            _ => None,
        },
        _ => None,
    }
}

/// Metavariables that the left side has introduced.
type Introduced = Vec<Name>;

fn rule(cursor: &mut Cursor<'_>, names: &mut Names) -> Parsed<Rule> {
    let Some(subject) = subject(cursor) else {
        return Err(cursor.unexpected("`Action` or `State`"));
    };
    let start = cursor.take().span;
    let mut known = Introduced::new();
    let mut partner = Part::Any;
    let mut operation = part(cursor, names, &mut known)?;
    if cursor.take_sign('.') {
        partner = operation;
        operation = part(cursor, names, &mut known)?;
    }
    let mut ends = None;
    if cursor.take_sign('[') {
        let from = part(cursor, names, &mut known)?;
        cursor.expect_sign(',')?;
        let to = part(cursor, names, &mut known)?;
        cursor.expect_sign(']')?;
        ends = Some((from, to));
    }
    let direction = if cursor.take_sign('?') {
        Some(Direction::Receive)
    } else if cursor.take_sign('!') {
        Some(Direction::Send)
    } else {
        None
    };
    // The paper writes a comma, its tool's figure something like a dash, and both are only decoration.
    let _ = cursor.take_sign(',') || cursor.take_sign('-');
    let mut tuple = None;
    if cursor.take_sign('<') {
        let mut parts = Vec::new();
        while !cursor.is_sign('>') {
            parts.push(part(cursor, names, &mut known)?);
            if !cursor.take_sign(',') {
                break;
            }
        }
        cursor.expect_sign('>')?;
        tuple = Some(parts);
    }
    if cursor.peek() != TokenKind::Arrow {
        return Err(cursor.unexpected("`->`"));
    }
    cursor.advance();
    let (template, end) = template(cursor, names, &known)?;
    Ok(Rule {
        subject,
        partner,
        operation,
        ends,
        direction,
        tuple,
        template,
        span: start.to(end),
    })
}

fn part(cursor: &mut Cursor<'_>, names: &mut Names, known: &mut Introduced) -> Parsed<Part> {
    let token = cursor.piece();
    match token.kind {
        TokenKind::Sign('*') => {
            cursor.advance();
            Ok(Part::Any)
        }
        TokenKind::Word | TokenKind::Quoted => {
            cursor.advance();
            Ok(Part::Value(names.intern(token.text)))
        }
        TokenKind::Dollar if !token.text.is_empty() => {
            cursor.advance();
            let name = names.intern(token.text);
            if known.contains(&name) {
                cursor
                    .diagnostics
                    .push(repeated_metavariable::diagnostic(token.span, token.text));
            }
            known.push(name);
            Ok(Part::Meta(name))
        }
        _ => Err(cursor.unexpected("a name, `*`, or a metavariable such as `$id`")),
    }
}

fn template(
    cursor: &mut Cursor<'_>,
    names: &mut Names,
    known: &Introduced,
) -> Parsed<(Template, Span)> {
    let token = cursor.piece();
    if !matches!(token.kind, TokenKind::Word | TokenKind::Quoted) {
        return Err(cursor.unexpected("what the rule makes, such as `request(charge,$id)`"));
    }
    cursor.advance();
    let mut end = token.span;
    let kind = names.intern(token.text);
    let mut arguments = Vec::new();
    if cursor.take_sign('(') {
        while !cursor.is_sign(')') {
            let token = cursor.piece();
            match token.kind {
                TokenKind::Word | TokenKind::Quoted => {
                    arguments.push(RuleArgument::Value(names.intern(token.text)));
                }
                TokenKind::Dollar if !token.text.is_empty() => {
                    let name = names.intern(token.text);
                    if !known.contains(&name) {
                        let spelt: Vec<&str> = known.iter().map(|&it| names.text(it)).collect();
                        cursor.diagnostics.push(unbound_metavariable::diagnostic(
                            token.span, token.text, &spelt,
                        ));
                    }
                    arguments.push(RuleArgument::Meta(name));
                }
                _ => return Err(cursor.unexpected("a value or a metavariable such as `$id`")),
            }
            cursor.advance();
            if !cursor.take_sign(',') {
                break;
            }
        }
        end = cursor.expect_sign(')')?;
    }
    Ok((Template { kind, arguments }, end))
}
