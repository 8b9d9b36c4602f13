//! Every audit of the specs gives the same answer, to the letter, whether logs are held as wholes or their sessions are
//! judged as they end.

#![allow(
    clippy::print_stdout,
    reason = "how many were compared is worth seeing"
)]

use std::process::Command;

#[path = "support/spec_commands.rs"]
mod spec_commands;

use spec_commands::{SpecCommand, commands_of_specs};

/// What a command prints, to both outputs, and how it ends.
fn answer(case: &SpecCommand, whole_up_to: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in &case.files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(&case.words)
        .args(["--whole-up-to", whole_up_to])
        .current_dir(folder.path())
        .env("NO_COLOR", "1")
        .output()
        .expect("choros runs");
    let text = |bytes: &[u8]| without_pseudonyms(&String::from_utf8_lossy(bytes));
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// The text without pseudonyms of hidden values, which are others in each process.
fn without_pseudonyms(text: &str) -> String {
    let mut parts = text.split("[redacted ");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let after = part.split_once(']').map_or(part, |(_, after)| after);
        rest.push_str("[redacted]");
        rest.push_str(after);
    }
    rest
}

#[test]
fn audits_of_the_specs_say_the_same_session_by_session() {
    let is_fit = |case: &SpecCommand| {
        let mut words = case.words.iter();
        case.words.first().is_some_and(|it| it == "audit")
            && !words.any(|it| it == "--quiet-after" || it == "--whole-up-to" || it == "-")
    };
    let mut cases: Vec<SpecCommand> = commands_of_specs();
    cases.retain(is_fit);
    let mut wrong = Vec::new();
    let mut by_session = 0;
    for case in &cases {
        // Nothing is held; everything is.
        let streamed = answer(case, "0");
        let whole = answer(case, "1000000");
        by_session += usize::from(whole.1.contains("sessions are separated by"));
        if streamed != whole {
            wrong.push(format!(
                "{}: {}\n{streamed:#?}\n{whole:#?}",
                case.document.display(),
                case.words.join(" ")
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
    println!("{} audits, {by_session} by session", cases.len());
    assert!(
        cases.len() > 60 && by_session > 15,
        "{} {by_session}",
        cases.len()
    );
}
