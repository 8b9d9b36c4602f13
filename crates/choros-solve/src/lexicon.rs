//! The words of problems, for programs that show one and do not parse it.

use choros_data::syntax::EXPRESSIONS;
use choros_syntax::Lexicon;

/// The words of `.solve` files.
pub static LEXICON: Lexicon = Lexicon {
    keywords: &[
        "import",
        "namespace",
        "type",
        "words",
        "var",
        "assert",
        "xpath",
    ],
    ..EXPRESSIONS
};
