//! Names that the native language can write.

use choros_base::Name;
use choros_data::syntax::is_identifier;
use choros_data::{Term, Terms, Var};
use choros_model::stg::Stg;
use rustc_hash::{FxHashMap, FxHashSet};

use super::NotWritable;

/// Words that begin statements or stand in expressions.
const WORDS: [&str; 31] = [
    "again",
    "and",
    "at",
    "choice",
    "choreography",
    "const",
    "div",
    "do",
    "else",
    "exists",
    "false",
    "forall",
    "hiding",
    "if",
    "in",
    "interrupt",
    "loop",
    "mod",
    "new",
    "not",
    "or",
    "par",
    "repeat",
    "role",
    "skip",
    "then",
    "true",
    "try",
    "wait",
    "when",
    "while",
];

/// The variables of a graph under names that can be written.
pub(super) struct VariableNames {
    replacement: FxHashMap<Var, Term>,
}

impl VariableNames {
    pub(super) fn of(stg: &Stg, terms: &mut Terms) -> Self {
        let variables = stg.variables(terms);
        let mut taken: FxHashSet<String> = variables
            .iter()
            .map(|&variable| terms.variable_text(variable).to_owned())
            .collect();
        let mut replacement = FxHashMap::default();
        let mut sorts: FxHashMap<Name, Var> = FxHashMap::default();
        for variable in variables {
            let text = terms.variable_text(variable).to_owned();
            let first = *sorts
                .entry(terms.variable_name(variable))
                .or_insert(variable);
            // One name for two sorts cannot be written either.
            if first == variable && is_writable(&text) {
                continue;
            }
            let mut clean: String = text
                .chars()
                .map(|character| {
                    if character.is_ascii_alphanumeric() {
                        character
                    } else {
                        '_'
                    }
                })
                .collect();
            if !is_writable(&clean) {
                clean.insert_str(0, "v_");
            }
            while !taken.insert(clean.clone()) {
                clean.push('_');
            }
            let name = terms.names.intern(&clean);
            let sort = terms.variable_sort(variable);
            let new = terms.variable(name, sort);
            let new = terms.var(new);
            replacement.insert(variable, new);
        }
        VariableNames { replacement }
    }

    /// A variable as it is written.
    pub(super) fn variable(&self, variable: Var, terms: &Terms) -> String {
        let renamed = self.replacement.get(&variable);
        let renamed = renamed.and_then(|&term| terms.as_variable(term));
        terms.variable_text(renamed.unwrap_or(variable)).to_owned()
    }

    /// A term as it is written.
    pub(super) fn term(&self, term: Term, terms: &mut Terms) -> String {
        let renamed = terms.substitute(term, &self.replacement);
        terms.print(renamed)
    }
}

/// A name that must stay as it is: of a role, an operation, a type.
pub(super) fn fixed(name: Name, terms: &Terms) -> Result<&str, NotWritable> {
    let text = terms.names.text(name);
    if is_writable(text) {
        Ok(text)
    } else {
        Err(NotWritable::because(format!(
            "`{text}` is not a valid name in it"
        )))
    }
}

/// Whether a text is a name of the native language.
pub(crate) fn is_writable(text: &str) -> bool {
    is_identifier(text) && !WORDS.contains(&text)
}
