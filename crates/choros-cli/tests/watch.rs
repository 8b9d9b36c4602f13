//! `watch` says what `monitor` says, line by line: on every log of the specs, and however observations are divided.

#![allow(
    clippy::print_stdout,
    reason = "how many were compared is worth seeing"
)]

use std::path::Path;
use std::process::Command;

#[path = "support/spec_commands.rs"]
mod spec_commands;

use choros_testkit::{Random, seed_from_env};
use spec_commands::{SpecCommand, commands_of_specs};

/// What a run prints, its exit code, and the lines of its verdicts.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    exit: Option<i32>,
    report: Vec<String>,
    complaints: String,
    verdicts: Vec<String>,
}

fn answer(folder: &Path, words: &[String]) -> Answer {
    let verdicts = folder.join("verdicts of this run.jsonl");
    let output = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(words)
        .arg("--verdicts")
        .arg(&verdicts)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("choros runs");
    let text = |bytes: &[u8]| without_pseudonyms(&String::from_utf8_lossy(bytes));
    let report = text(&output.stdout);
    // How observations are divided is said by one of the two.
    let report = report
        .lines()
        .filter(|it| !it.contains("observations are divided by"));
    let lines = std::fs::read_to_string(&verdicts).unwrap_or_default();
    let _ = std::fs::remove_file(&verdicts);
    Answer {
        exit: output.status.code(),
        report: report.map(str::to_owned).collect(),
        complaints: text(&output.stderr),
        verdicts: lines.lines().map(without_pseudonyms).collect(),
    }
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

fn both(folder: &Path, words: &[String], partitions: usize) -> [Answer; 2] {
    let watching = ["watch".to_owned()].into_iter().chain(words[1..].to_vec());
    let divided = ["--partitions".to_owned(), partitions.to_string()];
    let watching: Vec<String> = watching.chain(divided).collect();
    [answer(folder, words), answer(folder, &watching)]
}

/// Options that `watch` has not.
const OTHER: [&str; 12] = [
    "--state",
    "--listen",
    "--publish",
    "--verdicts-from",
    "--verdicts",
    "--explain",
    "--emit",
    "--follow",
    "--connections",
    "--patience",
    "--format",
    "--verdict-format",
];

#[test]
fn watching_the_logs_of_the_specs_says_what_monitoring_says() {
    let is_fit = |case: &SpecCommand| {
        let has_log = case.words.iter().any(|it| it == "--log");
        let other = case.words.iter().any(|it| {
            OTHER
                .iter()
                .any(|option| it == option || it.starts_with(&format!("{option}=")))
        });
        case.words.first().is_some_and(|it| it == "monitor") && has_log && !other
    };
    let mut cases: Vec<SpecCommand> = commands_of_specs();
    cases.retain(is_fit);
    let (mut lines, mut wrong) = (0, Vec::new());
    for case in &cases {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in &case.files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let [monitored, watched] = both(folder.path(), &case.words, 3);
        lines += monitored.verdicts.len();
        if monitored != watched {
            wrong.push(format!(
                "{}: {}\n{monitored:#?}\n{watched:#?}",
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
    println!("{} runs, {lines} verdicts", cases.len());
    assert!(cases.len() > 30 && lines > 50, "{} {lines}", cases.len());
}

const BY_SESSION: &str = "\
property answered on s { context ask[c,s]? (any) within 3 messages per session expect answer[s,c]! (any) }
property once on s { context ask[c,s]? (any) within 2 messages per session never ask[c,s]? (any) }
";
const BY_LOG: &str = "\
property answered on s { context ask[c,s]? (any) within 6 messages expect answer[s,c]! (any) }
property soon on c { context ask[c,s]! (any) with session within 20 ms expect answer[s,c]? (any) }
";

#[test]
fn random_logs_are_watched_as_they_are_monitored() {
    let mut random = Random::new(seed_from_env());
    for round in 0..6 {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut text, mut at) = (String::new(), 0);
        for _ in 0..400 {
            at += random.below(8);
            let (operation, ends) = *random.pick(&[("ask", ["c", "s"]), ("answer", ["s", "c"])]);
            let (by, direction) = *random.pick(&[(ends[0], "send"), (ends[1], "recv")]);
            let session = random.below(12);
            text.push_str(&format!(
                "{{\"at\":{at},\"by\":\"{by}\",\"dir\":\"{direction}\",\"from\":\"{}\",\"to\":\"{}\",\"op\":\"{operation}\",\
                 \"session\":\"{session}\"}}\n",
                ends[0], ends[1]
            ));
        }
        let properties = if round % 2 == 0 { BY_SESSION } else { BY_LOG };
        std::fs::write(folder.path().join("p.prop"), properties).expect("a file");
        std::fs::write(folder.path().join("l.jsonl"), text).expect("a file");
        let words = ["monitor", "p.prop", "--log", "l.jsonl"].map(str::to_owned);
        let partitions = 1 + random.below(16);
        let [monitored, watched] = both(folder.path(), &words, partitions);
        assert!(monitored.verdicts.len() > 50, "{monitored:#?}");
        assert_eq!(monitored, watched, "{partitions} partitions");
    }
}
