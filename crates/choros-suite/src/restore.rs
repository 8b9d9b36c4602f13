//! The tests of a saved suite, as they are written there.
//!
//! A suite says which edges each path takes, so nothing is searched and no solver is asked: the paths are walked again
//! in the model, and what comes out must be what is written, up to the numbers of symbols.
//! The model is needed nevertheless, because answers are judged against all its branches and not against the path
//! alone ([ADR 0016](../../../docs/adr/0016-a-suite-is-what-it-says.md)); the digest says whether it is the same.

use choros_data::{Term, Terms};
use choros_report::{SavedSymbolicSuite, SavedSymbolicTest};
use choros_symex::driver::Edge;
use choros_symex::{DerivedTests, Prepared};
use rustc_hash::FxHashMap;

use crate::message::read_message;
use crate::save::save_test;

/// The tests of a suite that was read from a file, or why they are not tests of the model.
pub fn restore(
    prepared: Prepared,
    saved: &SavedSymbolicSuite,
    terms: &mut Terms,
) -> Result<DerivedTests, String> {
    let changed = || {
        let model = &saved.model;
        format!("`{model}` or one of its parameters has changed since it was made")
    };
    if saved.digest.is_empty() {
        return Err("an earlier version made it, and did not write down its paths".to_owned());
    }
    let name = |role: &choros_model::stg::Role| terms.names.text(role.0).to_owned();
    let mut played: Vec<String> = prepared.orchestration.played.iter().map(name).collect();
    let mut meant = saved.played.clone();
    played.sort_unstable();
    meant.sort_unstable();
    if played != meant {
        return Err(format!(
            "it is for a tester that plays {}, not {}; set this with `--play` when making the suite",
            meant.join(", "),
            played.join(", ")
        ));
    }
    let paths = saved.tests.iter().map(|test| {
        let edges = test.steps.iter().map(|step| step.edge);
        (test.name.clone(), edges.collect())
    });
    let paths: Vec<(String, Vec<usize>)> = paths.collect();
    let mut derived = prepared.follow(&paths, terms).ok_or_else(changed)?;
    if derived.digest(terms) != saved.digest {
        return Err(changed());
    }
    for (number, written) in saved.tests.iter().enumerate() {
        let (test, path) = (
            &derived.selection.tests[number],
            &derived.suite.paths[number],
        );
        let now = save_test(test, path, &derived, terms);
        let says_the_same = canonical(&now) == canonical(written);
        if !says_the_same {
            return Err(format!(
                "`{}` says something else than its path in `{}` does",
                written.name, saved.model
            ));
        }
        for edge in &written.edges {
            let sent = edge.sent.iter();
            let sent: Result<Vec<_>, String> = sent
                .map(|message| read_message(message, &derived.orchestration, terms))
                .collect();
            let sent = sent.map_err(|reason| format!("values of `{}`: {reason}", written.name))?;
            derived.suite.paths[number].edges.push(Edge {
                // Words for people; what is sent is what counts.
                condition: Term::TRUE,
                sent,
            });
        }
    }
    Ok(derived)
}

/// What a test says, with its symbols numbered in the order in which they appear.
fn canonical(test: &SavedSymbolicTest) -> Vec<String> {
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut texts = Vec::new();
    for step in &test.steps {
        let of_message = [&step.operation, &step.from, &step.to, &step.fault];
        let of_step = [&step.state, &step.kind, &step.part, &step.event];
        let about = of_message.into_iter().flatten().chain(of_step);
        texts.extend(about.map(|text| renamed(text, &mut numbers)));
        for field in &step.fields {
            texts.push(renamed(&field.term, &mut numbers));
            texts.push(renamed(&field.value, &mut numbers));
        }
    }
    for condition in test.path_condition.iter().chain(&test.condition) {
        texts.push(renamed(condition, &mut numbers));
    }
    texts
}

/// A text with `vs7` as the first symbol, or the number that it has by now.
fn renamed(text: &str, numbers: &mut FxHashMap<String, usize>) -> String {
    let mut made = String::with_capacity(text.len());
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if is_word(first) {
            rest.find(|it| !is_word(it)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(end);
        let digits = word.strip_prefix("vs").unwrap_or_default();
        if !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) {
            let next = numbers.len();
            let number = numbers.entry(word.to_owned()).or_insert(next);
            made.push_str(&format!("vs{number}"));
        } else {
            made.push_str(word)
        }
        rest = after;
    }
    made
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn symbols_are_numbered_as_they_appear() {
        let mut numbers = Default::default();
        assert_eq!(renamed("vs7 > vs12 + vs7", &mut numbers), "vs0 > vs1 + vs0");
        assert_eq!(
            renamed("not(avs7, vs7x, vs12)", &mut numbers),
            "not(avs7, vs7x, vs1)"
        );
    }
}
