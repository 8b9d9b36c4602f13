//! What is in files of formulas and abstraction rules.

use std::sync::Arc;

use choros_base::{FileId, has_errors};
use choros_codes::diagnostics::{nothing_declared, unreadable};
use choros_query::abstraction::parse_rules;
use choros_query::questions::{GroupRules, Question, QuestionFile, RulesSource, parse_questions};
use choros_report::answers::RunNotes;

use crate::Workspace;

/// How many rules are in a file, in words; none where it has mistakes.
pub fn count_rules(
    workspace: &mut Workspace<'_>,
    path: &str,
    run: &mut RunNotes,
) -> Option<String> {
    let (file, text) = read(workspace, path, "abs", run)?;
    let names = &mut workspace.terms.names;
    let (rules, mut found) = parse_rules(file, &text, 0..text.len(), names);
    run.findings.append(&mut found);
    if rules.is_empty() && !has_errors(&run.findings) {
        run.findings.push(nothing_declared::diagnostic(path));
        return None;
    }
    let count = counted(rules.len(), "abstraction rule");
    Some(format!("`{path}` has {count}"))
}

/// What is in a file of formulas, in words; none where it, or a file of rules that it names, has mistakes.
pub fn count_questions(
    workspace: &mut Workspace<'_>,
    path: &str,
    run: &mut RunNotes,
) -> Option<String> {
    let (file, text) = read(workspace, path, "socl", run)?;
    let (questions, mut found) = parse_questions(file, &text, &mut workspace.terms.names);
    run.findings.append(&mut found);
    run.findings.append(&mut questions.unused_rules());
    for named in rule_files(&questions) {
        let named = beside(path, named);
        if run.semantics.inputs.contains_key(&named) {
            continue;
        }
        // What a file names may be refused, other than what the user names.
        match workspace.from.read_reference(&named) {
            Ok(_) => {
                count_rules(workspace, &named, run);
            }
            Err(error) => run.findings.push(unreadable::diagnostic(&error)),
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
    if formulas + patterns == 0 && questions.rules.is_empty() && !has_errors(&run.findings) {
        run.findings.push(nothing_declared::diagnostic(path));
        return None;
    }
    let (formulas, patterns) = (counted(formulas, "formula"), counted(patterns, "pattern"));
    Some(format!("`{path}` has {formulas}, {patterns}"))
}

/// The text of a file; `None` if it cannot be read, and a finding then says why.
fn read(
    workspace: &mut Workspace<'_>,
    path: &str,
    kind: &str,
    run: &mut RunNotes,
) -> Option<(FileId, Arc<str>)> {
    let inputs = &mut run.semantics.inputs;
    inputs.insert(path.to_owned(), kind.to_owned());
    let read = workspace.source(path);
    let told = read.map_err(|error| run.findings.push(unreadable::diagnostic(&error)));
    told.ok()
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
        GroupRules::File(named, _) => Some(named.as_str()),
        _ => None,
    });
    sets.chain(direct).collect()
}

/// A file that another names, looked for in the folder of that other.
pub(crate) fn beside(path: &str, named: &str) -> String {
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
