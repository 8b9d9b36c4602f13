//! Lines of text, with the comments and blank lines of the text that they were made from.

use crate::chor::ast::Comment;

/// Text that grows line by line.
pub(super) struct Lines<'a> {
    out: String,
    indent: usize,
    /// Where the current line begins in `out`.
    line: usize,
    /// What is printed was read from this.
    source: Option<&'a str>,
    /// The comments that are still to be printed.
    comments: &'a [Comment],
}

/// Longer lines are broken where they can be.
const WIDTH: usize = 100;

const STEP: &str = "    ";

impl<'a> Lines<'a> {
    pub(super) fn new(source: Option<&'a str>, comments: &'a [Comment]) -> Self {
        Self {
            out: String::new(),
            indent: 0,
            line: 0,
            source,
            comments: if source.is_some() { comments } else { &[] },
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Starts a line for what stands at `start` in the source, after the comments before `header_end`.
    ///
    /// There is an empty line before it if the source has one, or if it is to be set `apart`.
    pub(super) fn lead(&mut self, start: usize, header_end: usize, apart: bool) {
        // A comment that belongs to the item is set apart together with it.
        let mut apart = apart;
        while let Some((comment, rest)) = self.comments.split_first()
            && comment.span.range().start < header_end
        {
            self.comments = rest;
            self.comment(comment, std::mem::take(&mut apart));
        }
        if apart || self.blank_before(start) {
            self.blank();
        }
        self.begin();
    }

    /// Prints the comments before a place in the source, each on its own line.
    pub(super) fn comments_before(&mut self, place: usize) {
        while let Some((comment, rest)) = self.comments.split_first()
            && comment.span.range().start < place
        {
            self.comments = rest;
            self.comment(comment, false);
        }
    }

    /// Prints the comments that stand on the line of `end` in the source, before `limit`, each on its own line.
    pub(super) fn comments_on_line(&mut self, end: usize, limit: usize) {
        while let Some(comment) = self.take_on_line(end, limit) {
            self.comment(comment, false);
        }
    }

    fn take_on_line(&mut self, end: usize, limit: usize) -> Option<&'a Comment> {
        let (comment, rest) = self.comments.split_first()?;
        let start = comment.span.range().start;
        let between = self.source?.get(end..start)?;
        if between.contains('\n') || start >= limit {
            return None;
        }
        self.comments = rest;
        Some(comment)
    }

    pub(super) fn has_comment_before(&self, place: usize) -> bool {
        let next = self.comments.first();
        next.is_some_and(|comment| comment.span.range().start < place)
    }

    fn comment(&mut self, comment: &Comment, apart: bool) {
        if apart || self.blank_before(comment.span.range().start) {
            self.blank();
        }
        self.begin();
        self.out.push_str(&comment.text);
        self.newline();
    }

    /// Ends the line of what ended at `end` in the source, with the comments that stand on the same line there,
    /// before `limit`.
    pub(super) fn end(&mut self, end: usize, limit: usize) {
        while let Some(comment) = self.take_on_line(end, limit) {
            self.out.push(' ');
            self.out.push_str(&comment.text);
            if comment.text.starts_with("//") {
                break;
            }
        }
        self.newline();
    }

    /// `start`, the items with commas, `end`: on one line if they fit.
    pub(super) fn list(&mut self, start: &str, items: &[String], end: &str) {
        let flat = format!("{start}{}{end}", items.join(", "));
        let column = self.out.len() - self.line;
        if column + flat.chars().count() <= WIDTH || items.len() < 2 {
            return self.out.push_str(&flat);
        }
        self.out.push_str(start);
        self.newline();
        self.deeper();
        for (position, item) in items.iter().enumerate() {
            self.begin();
            self.out.push_str(item);
            if position + 1 < items.len() {
                self.out.push(',');
            }
            self.newline();
        }
        self.back();
        self.begin();
        self.out.push_str(end);
    }

    /// `start` and the items, joined by an operator: on one line if they fit.
    pub(super) fn chain(&mut self, start: &str, items: &[String], operator: &str) {
        let flat = format!("{start}{}", items.join(&format!(" {operator}")));
        if flat.chars().count() <= WIDTH {
            return self.out.push_str(&flat);
        }
        self.out.push_str(start);
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.newline();
                self.deeper();
                self.begin();
                self.back();
                self.out.push_str(operator);
            }
            self.out.push_str(item);
        }
    }

    pub(super) fn deeper(&mut self) {
        self.indent += 1;
    }

    pub(super) fn back(&mut self) {
        self.indent = self.indent.saturating_sub(1);
    }

    pub(super) fn begin(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str(STEP);
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.comments_before(usize::MAX);
        self.out
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.line = self.out.len();
    }

    /// An empty line, but not at the start of the text or of a block, and never two.
    fn blank(&mut self) {
        let fresh = self.out.is_empty() || self.out.ends_with("{\n") || self.out.ends_with("\n\n");
        if !fresh {
            self.newline();
        }
    }

    /// Whether the line above a place of the source is empty.
    fn blank_before(&self, place: usize) -> bool {
        let before = self.source.and_then(|source| source.get(..place));
        let spaces = before.map_or(0, |before| {
            let mut newlines = 0;
            for character in before.chars().rev() {
                match character {
                    '\n' => newlines += 1,
                    _ if character.is_whitespace() => {}
                    _ => break,
                }
            }
            newlines
        });
        spaces >= 2
    }
}
