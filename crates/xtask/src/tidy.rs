//! The rules of this repository that the compiler does not know.

mod arrows;
mod coverage;
mod debts;
mod diagnostic_codes;
mod facade_size;
mod fuzzed;
mod grammars;
mod links;
mod long_files;
mod long_functions;
mod machine;
mod module_cycles;
mod option_names;
mod processes;
mod repeated_names;
mod serde_border;
mod sockets;
mod statics;
mod unsafe_code;
mod words;
mod world;

use std::fmt;

use crate::Repository;

/// Something that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file it is in.
    pub path: String,
    /// The line, from 1; 0 when it is about the file as a whole.
    pub line: usize,
    /// What is wrong and what to do instead.
    pub message: String,
}

/// Everything in this repository that breaks a rule, in the order of paths and lines.
pub fn tidy(repository: &Repository) -> Vec<Finding> {
    const RULES: [fn(&Repository) -> Vec<Finding>; 20] = [
        arrows::check,
        coverage::check,
        diagnostic_codes::check,
        facade_size::check,
        fuzzed::check,
        grammars::check,
        links::check,
        long_files::check,
        long_functions::check,
        machine::check,
        module_cycles::check,
        option_names::check,
        processes::check,
        repeated_names::check,
        serde_border::check,
        sockets::check,
        statics::check,
        unsafe_code::check,
        words::check,
        world::check,
    ];
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(repository)).collect();
    findings.retain(|finding| !debts::is_known(finding));
    findings.sort();
    findings
}

/// Crates that only developers use; they are not part of the product.
const DEVELOPER_CRATES: [&str; 2] = ["choros-testkit", "xtask"];

fn is_developer_crate(name: &str) -> bool {
    DEVELOPER_CRATES.contains(&name)
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// Runs one rule over texts: what its tests share.
#[cfg(test)]
fn findings<const N: usize>(
    rule: fn(&Repository) -> Vec<Finding>,
    texts: [(&str, &str); N],
) -> Vec<String> {
    rule(&Repository::from_texts(texts))
        .iter()
        .map(ToString::to_string)
        .collect()
}
