//! What texts with expressions have in common, for programs that show them.

use choros_syntax::{Comments, Lexicon};

/// The words of expressions and the usual comments; a language adds its keywords.
pub const EXPRESSIONS: Lexicon = Lexicon {
    comments: Comments {
        lines: &["//"],
        blocks: &[("/*", "*/")],
    },
    keywords: &[],
    operators: &[
        "and", "or", "not", "in", "div", "mod", "if", "then", "else", "forall", "exists",
    ],
    values: &["true", "false"],
    sorts: &["Bool", "Int", "Real", "String", "Symbol", "List"],
    sigils: &[],
};
