//! Indented text.

use std::collections::BTreeSet;

/// A file of code that grows line by line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Code {
    text: String,
    depth: usize,
    /// What the lines mention that has to be imported.
    used: BTreeSet<String>,
}

impl Code {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a line at the present depth; an empty one stays empty.
    pub fn line(&mut self, line: impl AsRef<str>) -> &mut Self {
        let line = line.as_ref();
        if !line.is_empty() {
            for _ in 0..self.depth {
                self.text.push_str("    ");
            }
            self.text.push_str(line);
        }
        self.text.push('\n');
        self
    }

    /// Adds lines at the present depth, each indented further as far as it is itself.
    pub fn lines(&mut self, text: &str) -> &mut Self {
        for line in text.lines() {
            self.line(line);
        }
        self
    }

    /// Adds an empty line, unless there is one or nothing yet.
    pub fn blank(&mut self) -> &mut Self {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        self
    }

    /// Adds what `body` adds, one step deeper.
    pub fn indented(&mut self, body: impl FnOnce(&mut Code)) -> &mut Self {
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self
    }

    /// A head line, an indented body, and a tail line: `fn f() {`, …, `}`.
    pub fn block(&mut self, head: &str, tail: &str, body: impl FnOnce(&mut Code)) -> &mut Self {
        self.line(head).indented(body).line(tail)
    }

    /// The lines mention these names, which have to be imported.
    pub fn uses<N: Into<String>>(&mut self, names: impl IntoIterator<Item = N>) -> &mut Self {
        self.used.extend(names.into_iter().map(Into::into));
        self
    }

    /// What the lines mention that has to be imported.
    pub fn used(&self) -> &BTreeSet<String> {
        &self.used
    }

    /// The text so far, which ends with one line end.
    pub fn finish(self) -> String {
        let mut text = self.text;
        while text.ends_with("\n\n") {
            text.pop();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn blocks_are_indented_and_blanks_are_single() {
        let mut code = Code::new();
        code.blank();
        code.block("fn f() {", "}", |code| {
            code.line("a();").blank().blank();
            code.lines("if b {\n    c();\n}");
        });
        code.blank().blank();
        let expected = "fn f() {\n    a();\n\n    if b {\n        c();\n    }\n}\n";
        assert_eq!(code.finish(), expected);
    }
}
