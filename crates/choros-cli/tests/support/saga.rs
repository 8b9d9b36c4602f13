//! The traffic of the saga in all forms, and what is said about it.

use std::path::{Path, PathBuf};
use std::process::Output;

use choros_testkit::{Traffic, TrafficForm};

use super::choros;

pub(crate) const PATHS: [(&str, &str); 4] = [
    ("PlaceOrder", "/orders"),
    ("Reserve", "/reserve"),
    ("Charge", "/charge"),
    ("Release", "/release"),
];
pub(crate) const STATUSES: [(&str, u16); 8] = [
    ("Confirmed", 201),
    ("Rejected", 409),
    ("Cancelled", 402),
    ("Reserved", 200),
    ("OutOfStock", 409),
    ("Charged", 200),
    ("Declined", 402),
    ("Released", 200),
];

pub(crate) fn saga(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/saga")
        .join(name)
}

pub(crate) fn asked(words: &[String]) -> Output {
    choros().args(words).output().expect("choros runs")
}

/// Writes the logs of a form; the options that name them.
pub(crate) fn write_logs(
    folder: &Path,
    log: &str,
    traffic: &Traffic,
    form: TrafficForm,
) -> Vec<String> {
    let mut options = Vec::new();
    for (number, (role, text)) in traffic.logs(form).into_iter().enumerate() {
        let file = folder.join(format!("{log}-{form:?}-{number}.{}", form.extension()));
        std::fs::write(&file, text).expect("a file");
        let file = file.display();
        options.push("--log".to_owned());
        options.push(match role {
            Some(role) => format!("{role}={file}"),
            None => file.to_string(),
        });
    }
    options
}

/// The logs of the saga: one in which all is well, and ten faults.
pub(crate) const LOGS: [&str; 11] = [
    "correct",
    "amount",
    "generous",
    "inventory-other-id",
    "no-release",
    "no-stock",
    "overcharge",
    "payment-other-id",
    "total",
    "unpaid",
    "zero",
];

/// The verdict of an audit, and who is guilty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) verdict: String,
    pub(crate) guilty: Vec<String>,
}

pub(crate) fn audited(options: &[String], log: &str, form: TrafficForm) -> Judgement {
    let mut words = vec!["audit".to_owned(), saga("saga.chor").display().to_string()];
    words.extend_from_slice(options);
    let output = asked(&words);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = said.lines().rev().find_map(|line| {
        let mut known = ["holds", "fails", "unknown"].into_iter();
        known.find(|it| line == *it || line.starts_with(&format!("{it}:")))
    });
    let wrong = String::from_utf8_lossy(&output.stderr);
    let verdict = verdict.unwrap_or_else(|| panic!("{log} {form:?}: {said}{wrong}"));
    let notes = said.lines().filter_map(|line| line.split_once("guilty: "));
    let names = notes.map(|(_, rest)| rest.split(" (").next().unwrap_or(rest));
    let names = names.flat_map(|names| names.split('`').skip(1).step_by(2));
    Judgement {
        verdict: verdict.to_owned(),
        guilty: names.map(str::to_owned).collect(),
    }
}

/// Whether a weaker judgement does not contradict a stronger one.
pub(crate) fn agrees(weaker: &Judgement, stronger: &Judgement) -> bool {
    let is_guilty_too = |it: &String| stronger.guilty.contains(it);
    (weaker.verdict == stronger.verdict || weaker.verdict == "unknown")
        && weaker.guilty.iter().all(is_guilty_too)
}
