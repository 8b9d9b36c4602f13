//! The words of problems, for whoever shows one and does not read it.

use choros_syntax::{Comments, Lexicon};

/// The words of `.solve` files.
pub static LEXICON: Lexicon = Lexicon {
    comments: Comments {
        lines: &["//"],
        blocks: &[("/*", "*/")],
    },
    keywords: &[
        "import",
        "namespace",
        "type",
        "words",
        "var",
        "assert",
        "xpath",
        "and",
        "or",
        "not",
        "in",
        "div",
        "mod",
        "if",
        "then",
        "else",
        "forall",
        "exists",
    ],
    values: &["true", "false"],
    sorts: &["Bool", "Int", "Real", "String", "Symbol", "List"],
    sigils: &[],
};
