//! The tests of a saved suite, as they are written there.
//!
//! A suite says which edges each path takes, so nothing is searched and no solver is asked: the paths are walked again
//! in the model, and what comes out must be what is written, up to the numbers of symbols.
//! The model is needed nevertheless, because answers are judged against all its branches and not against the path
//! alone ([ADR 0016](../../../../docs/adr/0016-a-suite-is-what-it-says.md)); the digest says whether it is the same.

use choros_base::Choice;
use choros_data::Terms;
use choros_report::{Report, SavedSymbolicSuite, SavedSymbolicTest};
use choros_symex::driver::Edge;
use choros_symex::{
    CoverageCriterion, Derived, PurposeActions, Selection, Suite, TestCase, follow,
};
use rustc_hash::FxHashMap;

use super::derive::{Prepared, SymbolicTesting, prepare};
use super::message::read_message;
use super::save::save_test;
use crate::{FileKind, Request, Settings, Workspace};

/// The model of a suite.
pub(in crate::verbs) fn model_of(saved: &SavedSymbolicSuite) -> Request {
    Request {
        path: saved.model.clone(),
        component: saved.component.clone(),
        kind: saved.model_kind.as_deref().and_then(FileKind::named),
    }
}

/// How a suite was made.
pub(in crate::verbs) fn testing_of(saved: &SavedSymbolicSuite) -> SymbolicTesting {
    SymbolicTesting {
        role: saved.role.clone(),
        user: Some(saved.user.clone()),
        play: saved.played.clone(),
        play_all: false,
        purpose: saved.purpose.clone(),
        actions: PurposeActions::chosen(&saved.purpose_actions).unwrap_or_default(),
        contracts: saved.contracts.clone(),
        words: saved.words.clone(),
        depth: saved.depth,
        coverage: CoverageCriterion::chosen(&saved.coverage)
            .unwrap_or(CoverageCriterion::Transitions),
        only_terminating: saved.only_terminating,
        incomplete: saved.incomplete,
        inclusion: saved.inclusion,
    }
}

/// The settings with the parameters of a suite, where none are given.
pub(in crate::verbs) fn settings_of(saved: &SavedSymbolicSuite, settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    for (name, value) in &saved.parameters {
        if !settings.parameters.iter().any(|(known, _)| known == name) {
            settings.parameters.push((name.clone(), value.clone()));
        }
    }
    settings
}

/// The tests of a suite that was read from a file, or why they are no tests of the model.
///
/// `None` where the model cannot be read, which the report says.
pub(in crate::verbs) fn restore(
    workspace: &mut Workspace<'_>,
    saved: &SavedSymbolicSuite,
    asked: &SymbolicTesting,
    settings: &Settings,
    report: &mut Report,
) -> Option<Result<Derived, String>> {
    let prepared = prepare(workspace, &model_of(saved), asked, settings, report)?;
    Some(restored(prepared, saved, &mut workspace.terms))
}

fn restored(
    prepared: Prepared,
    saved: &SavedSymbolicSuite,
    terms: &mut Terms,
) -> Result<Derived, String> {
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
            "it is for a tester who plays {}, and not {}; `--play` says so when it is made",
            meant.join(", "),
            played.join(", ")
        ));
    }
    let paths: Vec<Vec<usize>> = saved
        .tests
        .iter()
        .map(|test| test.steps.iter().map(|step| step.edge).collect())
        .collect();
    let (tree, ends) =
        follow(&prepared.graph, prepared.rules(), &paths, terms).map_err(|_| changed())?;
    let tests = saved.tests.iter().zip(ends);
    let tests: Vec<TestCase> = tests
        .map(|(test, end)| {
            let name = test.name.clone();
            TestCase::of(&tree, end, name, &prepared.orchestration.played)
        })
        .collect();
    let interface = &prepared.orchestration.interface;
    let suite = Suite::of(&prepared.graph, &tree, &tests, interface, terms);
    let selection = Selection {
        tests,
        items: 0,
        missing: Vec::new(),
    };
    let mut derived = prepared.derived(tree, selection, suite);
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
                condition: choros_data::Term::TRUE,
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
        let end = match is_word(first) {
            true => rest.find(|it| !is_word(it)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        let digits = word.strip_prefix("vs").unwrap_or_default();
        match !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()) {
            true => {
                let next = numbers.len();
                let number = numbers.entry(word.to_owned()).or_insert(next);
                made.push_str(&format!("vs{number}"));
            }
            false => made.push_str(word),
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
