//! Names do not matter: one injective renaming of roles, messages and variables, applied to all inputs of a command,
//! changes neither a verdict, nor the kind of its evidence, nor the number of additions, states or tests.
//!
//! The commands are those of the specs whose models the document shows, for every verb in [`ASKED`].
//! After each of them, what it wrote is used again, under the old and under the new names ([`follow_up`]): its
//! certificate is checked, its report replayed, its model drawn.
//! A verb that stands in neither list fails the test: who adds one decides where it belongs.
//!
//! Names are found by the places in which they stand in a model (`o[a,b]`, `a -> b: o(x: Int)`, `<x>`, `x :=`, `! o`;
//! `p.o!<x>` in COWS, labels in `.aut` files, operations, links and variables in BPEL), and replaced wherever they occur
//! as words: in models, logs, formulas, rules, purposes and options.
//! New names are drawn so that their order has nothing to do with that of the old ones.
//!
//! Not covered: names of components, properties, definitions, types, constants and record labels; roles that are
//! numbers; commands that read a file of the examples or are stopped by time.
//!
//! A sample of every verb runs in every test; `CHOROS_SOAK=1` runs all.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

#![allow(
    clippy::print_stdout,
    reason = "how many were compared is worth seeing"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use choros_testkit::{Random, seed_from_env};
use serde_json::Value;

mod follow_up;
mod renaming;
#[path = "../support/spec_commands.rs"]
mod spec_commands;

use follow_up::{FollowUp, follow_up};
use renaming::{KEYWORDS, names, renamed, words};
use spec_commands::{SpecCommand as Case, commands_of_specs};

/// Verbs whose commands in the specs are asked again under other names.
const ASKED: [&str; 15] = [
    "conform", "realize", "check", "project", "explore", "tests", "verify", "audit", "comply",
    "mutate", "monitor", "watch", "solve", "script", "draw",
];

/// Verbs that use what another has written.
const FOLLOWING: [&str; 3] = ["certify", "replay", "draw"];

/// Verbs that are not asked, and why.
const LEFT_OUT: [(&str, &str); 11] = [
    ("init", "reads no model"),
    ("explain", "reads no model"),
    ("help", "reads no model"),
    ("serve", "asks the other verbs"),
    ("lsp", "asks the other verbs"),
    (
        "fmt",
        "its answer is a text, and longer names need more lines",
    ),
    ("drive", "needs a service that knows the names"),
    ("capture", "needs a service; it records, and judges nothing"),
    ("bind", "matches names, so it depends on them"),
    ("feed", "needs a broker; it passes on, and judges nothing"),
    ("import", "reads no model"),
];

/// This many commands of each verb are run in an ordinary test.
const SAMPLE: usize = 2;

#[test]
fn names_do_not_matter() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let mut cases = Vec::new();
    for (verb, all) in cases_by_verb() {
        assert!(!all.is_empty(), "no command of a spec asks `{verb}`");
        if std::env::var_os("CHOROS_SOAK").is_some() {
            cases.extend(all);
        } else {
            cases.extend((0..SAMPLE).map(|_| random.pick(&all).clone()));
        }
    }
    let mut compared = 0;
    let mut followed: BTreeMap<&str, usize> = BTreeMap::new();
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
        for (verb, _) in &before.followed {
            *followed.entry(verb).or_default() += 1;
        }
        let before = before.under(&renaming);
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
        compared * 4 > cases.len(),
        "seed {seed}: only {compared} of {} could be compared",
        cases.len()
    );
    for verb in FOLLOWING {
        let count = followed.get(verb).copied().unwrap_or_default();
        assert!(count > 0, "seed {seed}: nothing to ask `{verb}`");
    }
    println!("{compared} commands, then {followed:?}");
}

/// A verb that this test does not know is one that may depend on names.
#[test]
fn every_verb_is_asked_or_left_out_for_a_reason() {
    let output = Command::new(env!("CARGO_BIN_EXE_choros"))
        .arg("--help")
        .output()
        .expect("choros runs");
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    let verbs: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Questions:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(verbs.len() > 20, "the help lists verbs: {verbs:?}");
    let known: BTreeSet<&str> = (ASKED.into_iter().chain(FOLLOWING))
        .chain(LEFT_OUT.map(|(verb, _)| verb))
        .collect();
    assert_eq!(known, verbs.into_iter().collect());
}

/// What must not change.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    exit: i32,
    outcomes: Vec<Outcome>,
    /// What the verbs say that use what this one has written.
    followed: Vec<(&'static str, FollowUp)>,
}

impl Answer {
    /// The same answer about the renamed model: pictures show its names.
    fn under(mut self, renaming: &BTreeMap<String, String>) -> Answer {
        for (_, it) in &mut self.followed {
            it.rename(renaming);
        }
        self
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    verdict: String,
    evidence: Option<String>,
    additions: usize,
    /// Where the answer is a size.
    sizes: Vec<Option<u64>>,
}

const MODELS: [&str; 11] = [
    "schora", "chor", "stg", "pact", "gc", "fsa", "prop", "cows", "aut", "bpel", "solve",
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

fn cases_by_verb() -> Vec<(&'static str, Vec<Case>)> {
    let mut cases = commands_of_specs();
    cases.retain(Case::is_fit);
    let asks = |verb: &str| {
        let asked = cases.iter().filter(|case| case.words[0] == verb);
        asked.cloned().collect()
    };
    ASKED.into_iter().map(|verb| (verb, asks(verb))).collect()
}

impl Case {
    /// Whether it asks one of the questions of models that the document shows, in a way that this harness understands.
    fn is_fit(&self) -> bool {
        let Some((verb, rest)) = self.words.split_first() else {
            return false;
        };
        let models: Vec<&str> = self.models().collect();
        ASKED.contains(&verb.as_str())
            && !rest
                .iter()
                .any(|word| UNFIT.contains(&word.as_str()) || word.contains('/'))
            // No renaming reaches names within a body that is encoded.
            && !rest.iter().any(|word| word.starts_with("base64."))
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
        // What the last command has written is none of this one's.
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("the folder goes");
        }
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
        let mut asked = arguments.clone();
        asked.extend(["--format".to_owned(), "json".to_owned()]);
        let (exit, stdout) = choros(&asked, &folder);
        let report: Value = serde_json::from_str(&stdout).unwrap_or(Value::Null);
        let outcomes = match report["results"].as_array() {
            Some(results) if !results.is_empty() => results.clone(),
            _ => vec![report],
        };
        let models: BTreeSet<&str> = self.models().collect();
        Answer {
            exit,
            outcomes: outcomes.iter().map(outcome).collect(),
            followed: follow_up(&arguments, &models, &stdout, &folder),
        }
    }
}

/// Runs the command: its exit code and what it prints.
fn choros(arguments: &[String], folder: &Path) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("choros runs");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().unwrap_or(-1), stdout)
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
