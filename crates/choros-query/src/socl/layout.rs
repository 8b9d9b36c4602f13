//! Tokens with the comments before them, and lines made of them.
//!
//! A formatter that works on tokens loses nothing: it chooses the white space, and everything else is copied.

use choros_base::FileId;

use super::token::{Token, TokenKind, tokens};

/// A token and what stands before it.
#[derive(Debug, Clone)]
pub(crate) struct Piece<'t> {
    pub(crate) token: Token<'t>,
    /// The comments between the token before and this one.
    pub(crate) comments: Vec<Comment<'t>>,
    /// How many lines end between what stands before the token and the token itself.
    pub(crate) breaks: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Comment<'t> {
    /// Its text, with its signs.
    pub(crate) text: &'t str,
    /// How many lines end between what stands before it and the comment.
    pub(crate) breaks: usize,
}

impl Comment<'_> {
    /// Whether it takes up the rest of its line.
    fn ends_line(&self) -> bool {
        !self.text.starts_with("/*")
    }
}

impl Piece<'_> {
    pub(crate) fn is(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.token.kind == TokenKind::Word && self.token.text == word
    }

    /// The token as it is written; quotes that no one closed are closed.
    pub(crate) fn text(&self) -> String {
        let text = self.token.text;
        match self.token.kind {
            TokenKind::Quoted => format!("\"{text}\""),
            TokenKind::Dollar => format!("${text}"),
            TokenKind::Percent => format!("%{text}"),
            _ => text.to_owned(),
        }
    }
}

/// The pieces of a text, the last of which is its end.
pub(crate) fn pieces(file: FileId, text: &str) -> Vec<Piece<'_>> {
    let mut end = 0;
    tokens(file, text, 0..text.len())
        .into_iter()
        .map(|token| {
            let range = token.span.range();
            let (comments, breaks) = comments(text.get(end..range.start).unwrap_or(""));
            end = range.end;
            Piece {
                token,
                comments,
                breaks,
            }
        })
        .collect()
}

/// The texts of all comments, in their order.
pub(crate) fn comment_texts<'t>(pieces: &[Piece<'t>]) -> Vec<&'t str> {
    let comments = pieces.iter().flat_map(|piece| &piece.comments);
    comments.map(|comment| comment.text).collect()
}

/// The comments of a gap between tokens, and how many lines end after the last of them.
fn comments(gap: &str) -> (Vec<Comment<'_>>, usize) {
    let mut found = Vec::new();
    let mut rest = gap;
    loop {
        let inner = rest.trim_start();
        let breaks = rest[..rest.len() - inner.len()].matches('\n').count();
        let length = match inner {
            "" => return (found, breaks),
            block if block.starts_with("/*") => {
                block.find("*/").map_or(block.len(), |found| found + 2)
            }
            line => line.find('\n').unwrap_or(line.len()),
        };
        found.push(Comment {
            text: inner[..length].trim_end(),
            breaks,
        });
        rest = &inner[length..];
    }
}

/// Lines of text.
#[derive(Default)]
pub(crate) struct Lines {
    out: String,
    /// Whether the last line is open.
    open: bool,
    /// Whether a comment takes up the rest of the last line.
    is_full: bool,
    /// Whether what comes next is the first of a block.
    first: bool,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self {
            first: true,
            ..Self::default()
        }
    }

    pub(crate) fn finish(mut self) -> String {
        self.end_line();
        self.out
    }

    fn end_line(&mut self) {
        if std::mem::replace(&mut self.open, false) {
            self.out.push('\n');
        }
    }

    /// Begins a line; one blank line stays where there were some.
    fn begin_line(&mut self, indent: usize, breaks: usize) {
        self.end_line();
        if breaks > 1 && !self.first {
            self.out.push('\n');
        }
        self.first = false;
        self.open = true;
        self.is_full = false;
        self.out.push_str(&" ".repeat(indent));
    }

    /// The comments before a piece that begins a line of its own.
    pub(crate) fn comments_before(&mut self, piece: &Piece<'_>, indent: usize) {
        for comment in &piece.comments {
            if comment.breaks == 0 && self.open && !self.is_full {
                self.out.push_str("  ");
            } else {
                self.begin_line(indent, comment.breaks);
            }
            self.out.push_str(comment.text);
            self.is_full = comment.ends_line();
        }
    }

    /// A whole line without comments inside, after the comments of its first piece.
    pub(crate) fn line(&mut self, first: &Piece<'_>, indent: usize, text: &str) {
        self.comments_before(first, indent);
        self.begin_line(indent, first.breaks);
        self.out.push_str(text);
    }

    /// The pieces of a statement, from the start of a line; those where `spaced` wants a space keep a line's end there.
    pub(crate) fn statement(
        &mut self,
        pieces: &[Piece<'_>],
        indent: usize,
        spaced: impl Fn(&Piece<'_>, &Piece<'_>) -> bool,
    ) {
        let Some((first, others)) = pieces.split_first() else {
            return;
        };
        self.line(first, indent, &first.text());
        let mut before = first;
        for piece in others {
            let space = spaced(before, piece);
            self.inside(piece, space, indent + CONTINUED);
            self.out.push_str(&piece.text());
            before = piece;
        }
    }

    /// What stands between two pieces of a statement.
    fn inside(&mut self, piece: &Piece<'_>, space: bool, indent: usize) {
        let mut must_break = false;
        for comment in &piece.comments {
            if must_break || comment.breaks > 0 {
                self.begin_line(indent, 1);
            } else {
                self.out
                    .push_str(if comment.ends_line() { "  " } else { " " });
            }
            self.out.push_str(comment.text);
            must_break = comment.ends_line();
        }
        let breaks = piece.breaks > 0 && (space || !piece.comments.is_empty());
        if must_break || breaks {
            self.begin_line(indent, 1);
        } else if space || !piece.comments.is_empty() {
            self.out.push(' ');
        }
    }

    /// Text at the end of the line.
    pub(crate) fn append(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Opens a block at the end of the line.
    pub(crate) fn open_block(&mut self) {
        self.first = true;
    }

    /// Closes a block in a line of its own, or in the same if nothing is in it.
    pub(crate) fn close_block(&mut self, closing: &Piece<'_>, indent: usize) {
        let is_empty = self.first && closing.comments.is_empty();
        self.comments_before(closing, indent + INDENT);
        if !is_empty {
            self.begin_line(indent, 1);
        }
        self.first = false;
        self.out.push('}');
    }

    /// The comments at the end of the text.
    pub(crate) fn end(&mut self, end: &Piece<'_>) {
        self.comments_before(end, 0);
    }
}

/// What is inside of a block stands so much further to the right.
pub(crate) const INDENT: usize = 2;

/// The lines of a statement after its first.
const CONTINUED: usize = 4;

/// Whether any piece but the first has comments before it.
pub(crate) fn has_comments_inside(pieces: &[Piece<'_>]) -> bool {
    pieces
        .iter()
        .skip(1)
        .any(|piece| !piece.comments.is_empty())
}
