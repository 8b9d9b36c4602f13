//! Files of questions: formulas and patterns, with the rules by which models are abstracted.

mod alphabet;
mod file;
mod format;
mod symbols;

pub use alphabet::Alphabet;
pub use file::{
    Group, GroupRules, NamedRules, Question, QuestionFile, RulesSource, parse_questions,
};
pub use format::format_questions;
pub use symbols::{LEXICON, RULES_LEXICON, rule_symbols, symbols};
