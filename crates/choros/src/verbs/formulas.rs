//! Can formulas and abstraction rules be read? (`check FORMULAS`)

use std::sync::Arc;

use choros_base::{FileId, has_errors};
use choros_query::abstraction::parse_rules;
use choros_query::questions::{Question, QuestionFile, RulesSource, Using, parse_questions};
use choros_report::{Outcome, Report};

use crate::diagnostics::{nothing_declared, unreadable};
use crate::{Content, Request, Settings, Workspace};

/// Checks that formulas and rules can be read, with the files of rules that they name.
///
/// Whether formulas hold is what `verify` asks of a model.
pub(super) fn check_formulas(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    settings: &Settings,
) -> Report {
    let mut report = settings.report("check");
    report.semantics.relation = Some("syntax of formulas and abstraction rules".to_owned());
    for request in requests {
        let path = request.path.as_str();
        let before = report.diagnostics.len();
        let counted = match request.holds(&[Content::Rules]) {
            true => rules(workspace, path, &mut report)
                .map(|count| format!("`{path}` has {}", counted(count, "abstraction rule"))),
            false => formulas(workspace, path, &mut report),
        };
        let Some(counted) = counted.filter(|_| !has_errors(&report.diagnostics[before..])) else {
            continue;
        };
        let ask = match request.holds(&[Content::Rules]) {
            true => format!("`choros verify MODEL --rules {path}` uses them"),
            false => format!("`choros verify MODEL --formulas {path}` asks whether they hold"),
        };
        let note = format!("{counted} and no mistakes; {ask}");
        report.semantics.notes.push(note);
        report.outcomes.push(Outcome {
            name: path.to_owned(),
            ..Outcome::default()
        });
    }
    if has_errors(&report.diagnostics) {
        report.outcomes.clear();
        report.semantics.notes.clear();
    }
    report
}

/// How many rules are in a file.
fn rules(workspace: &mut Workspace<'_>, path: &str, report: &mut Report) -> Option<usize> {
    let (file, text) = read(workspace, path, "abs", report)?;
    let names = &mut workspace.terms.names;
    let (rules, mut found) = parse_rules(file, &text, 0..text.len(), names);
    report.diagnostics.append(&mut found);
    if rules.is_empty() && !has_errors(&report.diagnostics) {
        report.diagnostics.push(nothing_declared::diagnostic(path));
        return None;
    }
    Some(rules.len())
}

/// What is in a file of formulas, in words.
fn formulas(workspace: &mut Workspace<'_>, path: &str, report: &mut Report) -> Option<String> {
    let (file, text) = read(workspace, path, "socl", report)?;
    let (questions, mut found) = parse_questions(file, &text, &mut workspace.terms.names);
    report.diagnostics.append(&mut found);
    report.diagnostics.append(&mut questions.unused_rules());
    for named in rule_files(&questions) {
        let named = beside(path, named);
        if report.semantics.inputs.contains_key(&named) {
            continue;
        }
        // What a file names may be refused, other than what the user names.
        match workspace.read_reference(&named) {
            Ok(_) => {
                rules(workspace, &named, report);
            }
            Err(error) => report.diagnostics.push(unreadable::diagnostic(&error)),
        }
    }
    let all = questions.groups.iter().flat_map(|group| &group.questions);
    let (mut formulas, mut patterns) = (0, 0);
    for question in all {
        match question {
            Question::Formula { .. } => formulas += 1,
            Question::Patterns { patterns: some, .. } => patterns += some.len(),
        }
    }
    if formulas + patterns == 0 && questions.rules.is_empty() && !has_errors(&report.diagnostics) {
        report.diagnostics.push(nothing_declared::diagnostic(path));
        return None;
    }
    let (formulas, patterns) = (counted(formulas, "formula"), counted(patterns, "pattern"));
    Some(format!("`{path}` has {formulas}, {patterns}"))
}

/// The text of a file; `None` if it cannot be read, which the report then says.
fn read(
    workspace: &mut Workspace<'_>,
    path: &str,
    kind: &str,
    report: &mut Report,
) -> Option<(FileId, Arc<str>)> {
    let inputs = &mut report.semantics.inputs;
    inputs.insert(path.to_owned(), kind.to_owned());
    match workspace.read(path) {
        Ok(text) => Some((workspace.sources.add(path, text.clone()), text)),
        Err(error) => {
            report.diagnostics.push(unreadable::diagnostic(&error));
            None
        }
    }
}

/// The files of rules that a file of formulas names, as it writes them.
fn rule_files(questions: &QuestionFile) -> Vec<&str> {
    let sets = questions.rules.iter().filter_map(|set| match &set.source {
        RulesSource::File(named) => Some(named.as_str()),
        RulesSource::Inline(_) => None,
    });
    let usings = questions
        .groups
        .iter()
        .filter_map(|group| group.using.as_ref());
    let direct = usings.flatten().filter_map(|using| match using {
        Using::File(named, _) => Some(named.as_str()),
        _ => None,
    });
    sets.chain(direct).collect()
}

/// A file that another names, looked for in the folder of that other.
pub(super) fn beside(path: &str, named: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) if !named.starts_with('/') => format!("{folder}/{named}"),
        _ => named.to_owned(),
    }
}

fn counted(count: usize, word: &str) -> String {
    match count {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    }
}
