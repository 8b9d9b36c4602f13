//! The programming languages that are written.

use choros_base::Choice;

/// A programming language that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TargetLanguage {
    /// Python 3.11 or later.
    Python,
    /// Rust, edition 2021 or later.
    Rust,
}

impl Choice for TargetLanguage {
    const CHOICES: &'static [(&'static str, TargetLanguage, &'static str)] = &[
        (
            "python",
            TargetLanguage::Python,
            "A package without dependencies, for Python 3.11 or later",
        ),
        ("rust", TargetLanguage::Rust, "A crate without dependencies"),
    ];
}

impl TargetLanguage {
    /// All of them.
    pub const ALL: [TargetLanguage; 2] = [TargetLanguage::Python, TargetLanguage::Rust];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            TargetLanguage::Python => "python",
            TargetLanguage::Rust => "rust",
        }
    }

    /// Its name as it is written in prose.
    pub fn title(self) -> &'static str {
        match self {
            TargetLanguage::Python => "Python",
            TargetLanguage::Rust => "Rust",
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            TargetLanguage::Python => "py",
            TargetLanguage::Rust => "rs",
        }
    }

    /// A text as a literal of the language.
    ///
    /// Only printable ASCII stands for itself, so that nothing in a model can end the literal or a line.
    pub fn text_literal(self, text: &str) -> String {
        let mut literal = String::from("\"");
        for character in text.chars() {
            match character {
                '"' | '\\' => {
                    literal.push('\\');
                    literal.push(character);
                }
                ' '..='~' => literal.push(character),
                other => literal.push_str(&self.escape(other)),
            }
        }
        literal.push('"');
        literal
    }

    /// A remark that ends with its line.
    ///
    /// Characters that end a line are written as blanks, so that nothing in a model becomes code.
    pub fn comment(self, text: &str) -> String {
        let text: String = text
            .chars()
            .map(|character| {
                if character.is_control() || ends_line(character) {
                    ' '
                } else {
                    character
                }
            })
            .collect();
        let sign = match self {
            TargetLanguage::Python => "#",
            TargetLanguage::Rust => "//",
        };
        format!("{sign} {text}").trim_end().to_owned()
    }

    fn escape(self, character: char) -> String {
        let code = u32::from(character);
        match self {
            TargetLanguage::Rust => format!("\\u{{{code:x}}}"),
            TargetLanguage::Python => format!("\\U{code:08x}"),
        }
    }

    /// Words that cannot be names, with those that a reader would take for something else.
    pub(crate) fn reserved(self) -> &'static [&'static str] {
        match self {
            TargetLanguage::Rust => RUST,
            TargetLanguage::Python => PYTHON,
        }
    }
}

fn ends_line(character: char) -> bool {
    matches!(character, '\u{2028}' | '\u{2029}' | '\u{85}')
}

const RUST: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "bool",
    "box",
    "break",
    "char",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "f32",
    "f64",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "i128",
    "i64",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "Self",
    "static",
    "str",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "usize",
    "virtual",
    "where",
    "while",
    "yield",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Eq",
    "Err",
    "None",
    "Ok",
    "Option",
    "PartialEq",
    "Result",
    "Some",
    "String",
    "Vec",
];

const PYTHON: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "bool", "break", "case",
    "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from",
    "global", "if", "import", "in", "int", "is", "lambda", "len", "list", "match", "nonlocal",
    "not", "or", "pass", "raise", "return", "self", "str", "try", "tuple", "type", "while", "with",
    "yield",
];

#[cfg(test)]
mod tests {
    use super::TargetLanguage;

    #[test]
    fn nothing_ends_a_literal_or_a_remark() {
        assert_eq!(
            TargetLanguage::Rust.text_literal("a\"b\\c\nü"),
            r#""a\"b\\c\u{a}\u{fc}""#
        );
        assert_eq!(
            TargetLanguage::Python.text_literal("a\"b\\c\nü"),
            r#""a\"b\\c\U0000000a\U000000fc""#
        );
        assert_eq!(
            TargetLanguage::Python.comment("a\nimport os"),
            "# a import os"
        );
        assert_eq!(TargetLanguage::Rust.comment("a\u{2028}b"), "// a b");
    }
}
