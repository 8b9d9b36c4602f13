//! An answer that is not settled says what to do: it names a bound, and raising that changes the answer or its reason; or
//! it says that raising a bound does not help.
//!
//! The commands are those of the specs that prove something and end with *unknown*.
//! A larger budget of a solver is not tried: whether that helps no one knows.

use std::path::Path;
use std::process::Command;

#[path = "support/spec_commands.rs"]
mod spec_commands;
use spec_commands::{SpecCommand, commands_of_specs};

const VERBS: [&str; 4] = ["conform", "realize", "check", "verify"];

/// Reasons that no bound has to do with: nothing to judge, or an option of the command itself.
const NOT_ABOUT_BOUNDS: [&str; 5] = [
    "ask about a number of sessions",
    "no message is exchanged",
    "a model has no time",
    "run without --reduce",
    // The command says how much it may use.
    "bytes for states",
];

#[test]
fn what_is_unknown_says_what_would_settle_it() {
    let mut commands = commands_of_specs();
    commands.retain(|it| {
        let fits = |word: &String| !word.contains('/') && !word.starts_with("--certificate");
        it.exit == 4 && VERBS.contains(&it.words[0].as_str()) && it.words.iter().all(fits)
    });
    let (mut raised, mut useless) = (0, 0);
    let mut wrong = Vec::new();
    for command in &commands {
        let said = unknowns(command, &command.words);
        if said.is_empty() {
            continue;
        }
        for reason in &said {
            let place = format!(
                "{}: {}\n  {reason}",
                command.document.display(),
                command.words.join(" ")
            );
            if reason.matches("raising a bound").count() > 1 {
                wrong.push(format!("{place}\n  says it twice"));
            }
            if let Some((_, advice)) = reason.split_once("(raise it with ") {
                raised += 1;
                // What a solver would need is not known in advance, and it may be without end.
                if advice.starts_with("--solver-budget") {
                    continue;
                }
                let words = raised_words(&command.words, advice);
                if unknowns(command, &words).contains(reason) {
                    wrong.push(format!("{place}\n  the same with {}", words.join(" ")));
                }
            } else if reason.contains("raising a bound does not help") {
                useless += 1;
            } else if !NOT_ABOUT_BOUNDS.iter().any(|it| reason.contains(it)) {
                wrong.push(format!("{place}\n  says neither"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        raised > 5 && useless > 2,
        "{raised} name a bound, {useless} say that none helps"
    );
}

/// The lines that say why something is not settled.
fn unknowns(command: &SpecCommand, words: &[String]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unknowns");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in &command.files {
        if !name.contains(['/', '\\']) {
            std::fs::write(folder.join(name), text).expect("a file");
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(words)
        .args(["--timeout", "60"])
        .current_dir(&folder)
        .output()
        .expect("choros runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter(|line| line.contains(": unknown: "));
    lines.map(str::to_owned).collect()
}

/// The command with a higher bound: the one that is advised, or much more.
fn raised_words(words: &[String], advice: &str) -> Vec<String> {
    let mut advice = advice.trim_end_matches(')').split_whitespace();
    let option = advice.next().unwrap_or_default();
    let mut words = words.to_vec();
    let at = words.iter().position(|it| it == option);
    let now: u64 = at
        .and_then(|at| words.get(at + 1)?.parse().ok())
        .unwrap_or(match option {
            "--bound" => 5,
            "--depth" => 100,
            _ => 1_000_000,
        });
    let more = match advice.next() {
        Some(value) => value.to_owned(),
        None => (now * 10).to_string(),
    };
    match at {
        Some(at) => words[at + 1] = more,
        None => words.extend([option.to_owned(), more]),
    }
    words
}
