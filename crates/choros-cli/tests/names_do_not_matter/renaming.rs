//! Names in models: where they stand, and how they are exchanged.

use std::collections::{BTreeMap, BTreeSet};

/// The words of a text that may be names.
pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_'))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The names that stand where roles, messages and variables do.
pub(crate) fn names(model: &str, text: &str, found: &mut BTreeSet<String>) {
    let is = |kind: &str| model.ends_with(kind);
    let bytes: Vec<char> = text.chars().collect();
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut position = 0;
    while position < bytes.len() {
        if !is_word(bytes[position]) {
            position += 1;
            continue;
        }
        let start = position;
        while position < bytes.len() && is_word(bytes[position]) {
            position += 1;
        }
        let word: String = bytes[start..position].iter().collect();
        let rest: String = bytes[position..].iter().take(80).collect();
        let before: String = bytes[..start]
            .iter()
            .rev()
            .take(40)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        let (before, rest_trimmed) = (before.trim_end(), rest.trim_start());
        let is_message = rest.starts_with('[')
            && rest[1..]
                .split(']')
                .next()
                .is_some_and(|roles| roles.split(',').count() == 2);
        let in_roles = (before.ends_with('[') || before.ends_with(','))
            && (rest_trimmed.starts_with(',') || rest_trimmed.starts_with(']'));
        let in_arrow =
            rest_trimmed.starts_with("->") || before.ends_with("->") || before.ends_with("<-");
        let line = before.rsplit('\n').next().unwrap_or_default();
        let after_colon = before.ends_with(':')
            && (rest.starts_with('(') || rest.starts_with('\n') || line.contains("->"));
        let after_mark = before.ends_with(" !") || before.ends_with(" ?");
        let is_bound = before.ends_with('<') && rest.starts_with('>');
        let is_assigned = rest_trimmed.starts_with(":=");
        let is_declared = ["Int", "Bool", "String", "Real"]
            .iter()
            .any(|sort| rest.starts_with(&format!(": {sort}")));
        let in_label = is(".aut")
            && line.matches('"').count() % 2 == 1
            && (before.ends_with(['"', '(', ',', '.', '<', '!', '?']));
        let is_endpoint = is(".cows")
            && match rest.strip_prefix('.') {
                Some(operation) => operation
                    .trim_start_matches(is_word)
                    .starts_with(['!', '?']),
                None => before.ends_with('.') && rest.starts_with(['!', '?']),
            };
        let in_tuple =
            is(".cows") && before.ends_with(['<', ',']) && rest_trimmed.starts_with([',', '>']);
        let in_attribute = is(".bpel")
            && rest.starts_with('"')
            && [
                "operation=\"",
                "partnerLink=\"",
                "ariable=\"",
                "<variable name=\"",
            ]
            .iter()
            .any(|it| before.ends_with(it));
        let is_asked_for =
            is(".solve") && line.trim_start() == "var" && rest_trimmed.starts_with(':');
        if is_message
            || is_asked_for
            || in_label
            || is_endpoint
            || in_tuple
            || in_attribute
            || in_roles
            || in_arrow
            || after_colon
            || after_mark
            || is_bound
            || is_assigned
            || is_declared
        {
            found.insert(word);
        }
    }
}

pub(crate) fn renamed(text: &str, renaming: &BTreeMap<String, String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut word = String::new();
    for it in text.chars().chain(['\n']) {
        if it.is_alphanumeric() || it == '_' {
            word.push(it);
            continue;
        }
        result.push_str(renaming.get(&word).unwrap_or(&word));
        word.clear();
        result.push(it);
    }
    result.pop();
    result
}

/// Words that no renaming may touch.
pub(crate) const KEYWORDS: &[&str] = &[
    "DECLARATIONS",
    "COMMANDS",
    "component",
    "end",
    "chorD",
    "STG",
    "skip",
    "tau",
    "tick",
    "raise",
    "initial",
    "stg",
    "explicit",
    "sinks",
    "stopped",
    "node",
    "variables",
    "choreography",
    "role",
    "system",
    "hiding",
    "plays",
    "serves",
    "if",
    "else",
    "while",
    "repeat",
    "loop",
    "again",
    "choice",
    "at",
    "or",
    "and",
    "par",
    "try",
    "interrupt",
    "do",
    "type",
    "const",
    "Int",
    "Bool",
    "String",
    "Real",
    "Symbol",
    "true",
    "false",
    "not",
    "then",
    "label",
    "wait",
    "service",
    "from",
    "to",
    "in",
    "do",
    "on",
    "div",
    "mod",
    "xor",
    "forall",
    "exists",
    "import",
    "rec",
    "sel",
    "outputs",
    "graph",
    "state",
    "marking",
    "send",
    "receive",
    "session",
    // Keys of records.
    "id",
    "fault",
    "time",
    "message",
    "event",
    "operation",
    "data",
    "values",
    "kind",
    "enabled",
    "final",
    "let",
    "nil",
    "kill",
    "i",
    "any",
    "property",
    "context",
    "within",
    "expect",
    "where",
    "with",
    // Words of drawings, which are compared after names were put back.
    "start",
    "digraph",
    "comment",
    "plaintext",
    "point",
    "shape",
];
