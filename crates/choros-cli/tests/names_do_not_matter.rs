//! Names do not matter: one injective renaming of roles, messages and variables, applied to all inputs of a command,
//! changes neither a verdict, nor the kind of its evidence, nor the number of additions, states or tests.
//!
//! The commands are those of the specs: every `conform`, `realize`, `check`, `project`, `explore`, `tests`, `verify`,
//! `audit`, `monitor`, `comply` and `mutate` whose models the document shows.
//! Names are found by the places in which they stand in a model (`o[a,b]`, `a -> b: o(x: Int)`, `<x>`, `x :=`, `! o`;
//! `p.o!<x>` in COWS, labels in `.aut` files, operations, links and variables in BPEL), and replaced wherever they occur
//! as words: in models, logs, formulas, rules, purposes and options.
//! New names are drawn so that their order has nothing to do with that of the old ones.
//!
//! Not covered: `drive` and `capture`, which need a service; names of components, properties, definitions, types,
//! constants and record labels; roles that are numbers; commands that read a file of the examples or are stopped by time.
//!
//! A sample runs in every test; `CHOROS_SOAK=1` runs all.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use choros_testkit::{Random, seed_from_env};
use serde_json::Value;

#[path = "support/spec_commands.rs"]
mod spec_commands;
use spec_commands::{SpecCommand as Case, commands_of_specs};

/// This many commands are run in an ordinary test.
const SAMPLE: usize = 25;

#[test]
fn names_do_not_matter() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut cases = cases();
    assert!(cases.len() > 100, "only {} commands found", cases.len());
    if std::env::var_os("CHOROS_SOAK").is_none() {
        let all = std::mem::take(&mut cases);
        for _ in 0..SAMPLE {
            cases.push(random.pick(&all).clone());
        }
    }
    let mut compared = 0;
    let mut wrong = Vec::new();
    for case in &cases {
        let renaming = case.renaming(&mut random);
        if renaming.is_empty() {
            continue;
        }
        let before = case.answer(&BTreeMap::new(), "before");
        let after = case.answer(&renaming, "after");
        // Words that are names in one place and something else in another make nonsense of the model; seldom.
        if before.exit == 2 || after.exit == 2 {
            continue;
        }
        compared += 1;
        if before != after {
            wrong.push(format!(
                "{}: {}\n  {before:?}\n  {after:?} with {renaming:?}",
                case.document.display(),
                case.words.join(" ")
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "seed {seed}: {} of {compared} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        compared * 2 > cases.len(),
        "seed {seed}: only {compared} of {} could be compared",
        cases.len()
    );
}

/// What must not change.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    exit: i32,
    outcomes: Vec<Outcome>,
}

#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    verdict: String,
    evidence: Option<String>,
    additions: usize,
    /// Where the answer is a size.
    sizes: Vec<Option<u64>>,
}

const MODELS: [&str; 10] = [
    "schora", "chor", "stg", "pact", "gc", "fsa", "prop", "cows", "aut", "bpel",
];
const VERBS: [&str; 11] = [
    "conform", "realize", "check", "project", "explore", "tests", "verify", "audit", "comply",
    "mutate", "monitor",
];

/// Options of commands that are left out: their answer is a file or text, or depends on how fast the machine is.
const UNFIT: [&str; 7] = [
    "--format",
    "--deny",
    "--emit",
    "-o",
    "--tree",
    "--smt2",
    "--timeout",
];

/// Options whose values have names in them.
const NAMING: [&str; 15] = [
    "--role",
    "--share",
    "--shared",
    "--decider",
    "--service",
    "--map",
    "--formula",
    "--pattern",
    "--log",
    "--param",
    "--domain",
    "--play",
    "--user",
    "--hide",
    "--hypothesis",
];

/// Words that no renaming may touch.
const KEYWORDS: &[&str] = &[
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
];

fn cases() -> Vec<Case> {
    let mut cases = commands_of_specs();
    cases.retain(Case::is_fit);
    cases
}

impl Case {
    /// Whether it asks one of the questions of models that the document shows, in a way that this harness understands.
    fn is_fit(&self) -> bool {
        let Some((verb, rest)) = self.words.split_first() else {
            return false;
        };
        let models: Vec<&str> = self.models().collect();
        VERBS.contains(&verb.as_str())
            && !rest
                .iter()
                .any(|word| UNFIT.contains(&word.as_str()) || word.contains('/'))
            && !models.is_empty()
            && models.iter().all(|model| {
                let known = MODELS.iter().any(|it| model.ends_with(&format!(".{it}")));
                known && self.files.contains_key(*model)
            })
    }

    /// The files that the command names.
    fn models(&self) -> impl Iterator<Item = &str> {
        self.words
            .iter()
            .skip(1)
            .take_while(|word| !word.starts_with('-'))
            .flat_map(|word| word.split('+'))
            .filter_map(|part| part.split('#').next())
    }

    /// New names for the roles, messages and variables of the models.
    fn renaming(&self, random: &mut Random) -> BTreeMap<String, String> {
        let mut found: BTreeSet<String> = BTreeSet::new();
        let mut taken: BTreeSet<String> = KEYWORDS.iter().map(|&it| it.to_owned()).collect();
        for model in self.models() {
            let text = &self.files[model];
            names(model, text, &mut found);
            // Components, types and constants keep their names: commands and outputs go by them.
            let words = words(text);
            for pair in words.windows(2) {
                let declares = [
                    "component",
                    "choreography",
                    "role",
                    "system",
                    "type",
                    "const",
                    "stg",
                    "loop",
                    "plays",
                    "let",
                    "property",
                ];
                if declares.contains(&pair[0]) {
                    taken.insert(pair[1].to_owned());
                }
            }
        }
        let mut order: Vec<String> = found
            .into_iter()
            .filter(|name| {
                !taken.contains(name) && !name.starts_with(|it: char| it.is_ascii_digit())
            })
            .collect();
        // A name that begins with a capital may be a constant of data; the new one does as well.
        let mut renaming = BTreeMap::new();
        while !order.is_empty() {
            let name = order.swap_remove(random.below(order.len()));
            let first = if name.starts_with(|it: char| it.is_ascii_uppercase()) {
                b'A' + random.below(26) as u8
            } else {
                b'a' + random.below(26) as u8
            };
            let new = format!(
                "{}{}n{}",
                first as char,
                random.below(90) + 10,
                renaming.len()
            );
            renaming.insert(name, new);
        }
        renaming
    }

    fn answer(&self, renaming: &BTreeMap<String, String>, folder: &str) -> Answer {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("names")
            .join(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in &self.files {
            if name.contains(['/', '\\']) {
                continue;
            }
            std::fs::write(folder.join(name), renamed(text, renaming)).expect("a file");
        }
        let mut arguments = self.words.clone();
        for position in 2..arguments.len() {
            if !NAMING.contains(&arguments[position - 1].as_str()) {
                continue;
            }
            let value = &arguments[position];
            arguments[position] = match value.split_once('=') {
                Some((name, file)) if self.files.contains_key(file) => {
                    format!("{}={file}", renamed(name, renaming))
                }
                _ if self.files.contains_key(value) => value.clone(),
                _ => renamed(value, renaming),
            };
        }
        let output = Command::new(env!("CARGO_BIN_EXE_choros"))
            .args(&arguments)
            .args(["--format", "json"])
            .current_dir(&folder)
            .output()
            .expect("choros runs");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        let outcomes = match report["results"].as_array() {
            Some(results) if !results.is_empty() => results.clone(),
            _ => vec![report],
        };
        Answer {
            exit: output.status.code().unwrap_or(-1),
            outcomes: outcomes.iter().map(outcome).collect(),
        }
    }
}

/// The kind of evidence is compared, not what stands inside it: that depends on values that a solver is free to choose.
fn outcome(outcome: &Value) -> Outcome {
    let sizes = [
        "states",
        "transitions",
        "deadlocks",
        "messages",
        "tests",
        "observations",
        "pass",
        "fail",
        "inconclusive",
    ];
    Outcome {
        verdict: outcome["verdict"].as_str().unwrap_or_default().to_owned(),
        evidence: outcome["evidence"]["kind"].as_str().map(str::to_owned),
        additions: outcome["additions"].as_array().map_or(0, Vec::len),
        sizes: sizes
            .iter()
            .map(|size| outcome["stats"][size].as_u64())
            .collect(),
    }
}

/// The words of a text that may be names.
fn words(text: &str) -> Vec<&str> {
    text.split(|it: char| !(it.is_alphanumeric() || it == '_'))
        .filter(|word| !word.is_empty())
        .collect()
}

/// The names that stand where roles, messages and variables do.
fn names(model: &str, text: &str, found: &mut BTreeSet<String>) {
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
        if is_message
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

fn renamed(text: &str, renaming: &BTreeMap<String, String>) -> String {
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
