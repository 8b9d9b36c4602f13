//! What other verbs say of what a command has written: the same under other names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::choros;
use crate::renaming::{renamed, words};

/// What a verb said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FollowUp {
    exit: i32,
    verdict: String,
    /// How much was shown.
    lines: usize,
    /// The words that were drawn, line by line.
    drawn: Vec<Vec<String>>,
}

impl FollowUp {
    /// What was drawn, as it is of the renamed model.
    pub(crate) fn rename(&mut self, renaming: &BTreeMap<String, String>) {
        for line in &mut self.drawn {
            for word in line.iter_mut() {
                *word = renamed(word, renaming);
            }
            // Variables stand in the order of the alphabet, for people.
            line.sort();
        }
        self.drawn.sort();
    }
}

/// Verbs that write certificates.
const CERTIFIED: [&str; 4] = ["conform", "realize", "verify", "check"];

/// Checks the certificate of a command, replays its report and draws its model.
pub(crate) fn follow_up(
    arguments: &[String],
    models: &BTreeSet<&str>,
    report: &str,
    folder: &Path,
) -> Vec<(&'static str, FollowUp)> {
    let mut followed = Vec::new();
    if CERTIFIED.contains(&arguments[0].as_str()) {
        let mut asked = arguments.to_vec();
        asked.extend(["--certificate".to_owned(), "proof.json".to_owned()]);
        choros(&asked, folder);
        // Some answers have no certificate; that they have none must not depend on names either.
        let mut asked = vec!["certify".to_owned(), "proof.json".to_owned()];
        asked.extend(models.iter().map(|&model| model.to_owned()));
        asked.extend(["--format".to_owned(), "json".to_owned()]);
        let (exit, stdout) = choros(&asked, folder);
        let report: Value = serde_json::from_str(&stdout).unwrap_or(Value::Null);
        let verdict = report["verdict"].as_str().unwrap_or_default().to_owned();
        let said = FollowUp {
            exit,
            verdict,
            lines: 0,
            drawn: Vec::new(),
        };
        followed.push(("certify", said));
    }
    std::fs::write(folder.join("report.json"), report).expect("a file");
    let (exit, stdout) = choros(&["replay".to_owned(), "report.json".to_owned()], folder);
    let said = FollowUp {
        exit,
        verdict: String::new(),
        lines: stdout.lines().count(),
        drawn: Vec::new(),
    };
    followed.push(("replay", said));
    // In one of the notations that have no layout; models without end are cut.
    let model = arguments[1].split('+').next().unwrap_or_default();
    let asked = ["draw", model, "-o", "picture.dot", "--max-states", "2000"];
    let asked = asked.map(str::to_owned);
    let (exit, _) = choros(&asked, folder);
    let picture = std::fs::read_to_string(folder.join("picture.dot")).unwrap_or_default();
    let picture = picture.replace("\\n", " ");
    let words_of = |line| words(line).into_iter().map(str::to_owned).collect();
    let mut said = FollowUp {
        exit,
        verdict: String::new(),
        lines: 0,
        drawn: picture.lines().map(words_of).collect(),
    };
    said.rename(&BTreeMap::new());
    followed.push(("draw", said));
    followed
}
