//! Lines: a newline is a `;`, and comments are kept.
//!
//! The tokens of the data language know nothing of lines.
//! Here a `;` is put where a line ends that may end a statement and the next one may begin one; never within
//! parentheses or brackets, and not where an operator says that the line continues.

use choros_base::{FileId, Span};
use choros_data::syntax::{Token, TokenKind};

use super::ast::Comment;

/// The tokens with a `;` for each line that ends a statement, and the comments.
pub(super) fn layout(file: FileId, text: &str, tokens: Vec<Token>) -> (Vec<Token>, Vec<Comment>) {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 4);
    let mut gaps = Gaps {
        file,
        text,
        blank: true,
        comments: Vec::new(),
    };
    // What is open, and how much of it are not braces: a newline counts in braces only.
    let mut open: Vec<TokenKind> = Vec::new();
    let mut others = 0usize;
    let mut end = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        let range = token.span.range();
        let newline = gaps.scan(end, range.start);
        if let Some(at) = newline
            && others == 0
            && may_end(text, &out)
            && may_begin(text, &tokens, index)
        {
            out.push(Token {
                kind: TokenKind::Semicolon,
                span: Span::new(file, at, at + 1),
            });
        }
        match token.kind {
            TokenKind::LeftBrace => open.push(token.kind),
            TokenKind::LeftParenthesis | TokenKind::LeftBracket => {
                open.push(token.kind);
                others += 1;
            }
            TokenKind::RightParenthesis | TokenKind::RightBracket
                if open
                    .last()
                    .is_some_and(|&kind| kind != TokenKind::LeftBrace) =>
            {
                open.pop();
                others -= 1;
            }
            // A brace closes what was forgotten within it, so that one slip does not join all lines after it.
            TokenKind::RightBrace => {
                while let Some(kind) = open.pop() {
                    if kind == TokenKind::LeftBrace {
                        break;
                    }
                    others -= 1;
                }
            }
            _ => {}
        }
        out.push(*token);
        gaps.blank = false;
        end = range.end;
    }
    (out, gaps.comments)
}

/// What lies between tokens.
struct Gaps<'t> {
    file: FileId,
    text: &'t str,
    /// Whether nothing but white space was seen on this line.
    blank: bool,
    comments: Vec<Comment>,
}

impl Gaps<'_> {
    /// Notes the comments between two tokens; answers where the first newline is.
    fn scan(&mut self, start: usize, end: usize) -> Option<u32> {
        let gap = self.text.get(start..end).unwrap_or("");
        let mut newline = None;
        let mut at = 0;
        while let Some(next) = gap[at..].chars().next() {
            let rest = &gap[at..];
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |close| close + 2)
            } else {
                if next == '\n' {
                    newline.get_or_insert((start + at) as u32);
                    self.blank = true;
                }
                at += next.len_utf8();
                continue;
            };
            self.comments.push(Comment {
                text: rest[..length].trim_end().to_owned(),
                span: Span::new(self.file, (start + at) as u32, (start + at + length) as u32),
                alone: self.blank,
            });
            self.blank = false;
            at += length;
        }
        newline
    }
}

/// Whether a statement or declaration may end with the last of these tokens.
fn may_end(text: &str, tokens: &[Token]) -> bool {
    let Some((token, before)) = tokens.split_last() else {
        return false;
    };
    if token.kind == TokenKind::Identifier {
        // A message may be called so: repairs add `a -> b: or`.
        let is_name = before.last().is_some_and(|it| it.kind == TokenKind::Colon);
        if is_name {
            return true;
        }
        let word = text.get(token.span.range()).unwrap_or("");
        return !UNFINISHED.contains(&word);
    }
    matches!(
        token.kind,
        TokenKind::Integer
            | TokenKind::Decimal
            | TokenKind::Text
            | TokenKind::RightParenthesis
            | TokenKind::RightBracket
            | TokenKind::RightBrace
    )
}

/// Whether a statement or declaration may begin with the token at a position.
fn may_begin(text: &str, tokens: &[Token], index: usize) -> bool {
    let token = tokens[index];
    match token.kind {
        TokenKind::Identifier => {
            let word = text.get(token.span.range()).unwrap_or("");
            // `late Charged` continues a timeout; a role may be called `late`.
            let next = tokens.get(index + 1);
            let is_late = word == "late" && next.is_some_and(|it| it.kind == TokenKind::Identifier);
            !is_late && !CONTINUE.contains(&word)
        }
        TokenKind::Arrow => true,
        // `<-` begins a reception, `<` continues comparing.
        TokenKind::Less => tokens.get(index + 1).is_some_and(|next| {
            next.kind == TokenKind::Minus && next.span.range().start == token.span.range().end
        }),
        _ => false,
    }
}

/// Words that need something after them.
const UNFINISHED: [&str; 9] = ["and", "or", "not", "in", "div", "mod", "if", "then", "else"];

/// Words that continue with what the line before began.
const CONTINUE: [&str; 9] = [
    "or",
    "and",
    "else",
    "interrupt",
    "hiding",
    "div",
    "mod",
    "in",
    "then",
];
