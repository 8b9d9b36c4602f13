//! How good are the tests?

use std::collections::BTreeMap;

use choros_base::Names;
use choros_model::Evidence;
use choros_model::cfsm::Cfsm;
use choros_model::evidence::{Table, Tree};
use choros_report::{Answer, Block, NamedResult, Report, Sizes, Stat, Stats, VerdictKind};
use choros_testgen::{Difference, Fate, Judged, Operator, judge, mutants};

use super::findings::tell_discipline;
use super::suite::{Testing, make_suite};
use crate::{Request, Settings, Workspace};

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutating {
    /// How tests are made, and for whom.
    pub testing: Testing,
    /// The kinds of mistakes.
    pub operators: Vec<Operator>,
    /// The score below which the answer is no, in thousandths.
    pub least_score: Option<u32>,
}

/// Makes mistakes in the machines of a model and counts how many its tests find.
pub fn mutate(
    workspace: &mut Workspace<'_>,
    request: &Request,
    asked: &Mutating,
    settings: &Settings,
) -> Report {
    let mut report = settings.report("mutate");
    report.semantics.relation = Some("mutants that some test fails".to_owned());
    tell_discipline(&mut report.semantics, settings);
    let Some(made) = make_suite(workspace, request, &asked.testing, settings, &mut report) else {
        return report;
    };
    let mut judged = Vec::new();
    for role in made.roles() {
        let Some(original) = made.suite.machine(role) else {
            continue;
        };
        let tests: Vec<_> = made.suite.tests_of(role).collect();
        let all = mutants(original, &asked.operators, &mut workspace.terms.names);
        for mutant in all {
            if settings.is_cancelled() {
                break;
            }
            settings.events.doing(format!("judging {}", mutant.name));
            judged.push(judge(
                original,
                mutant,
                &tests,
                settings.discipline,
                made.fairness,
                &workspace.terms,
                &settings.states(),
            ));
        }
    }
    let names = &workspace.terms.names;
    for role in made.roles() {
        if let Some(original) = made.suite.machine(role) {
            let own: Vec<&Judged> = judged.iter().filter(|it| it.role == role).collect();
            report
                .outcomes
                .push(role_outcome(original, &own, asked, names));
        }
    }
    report.semantics.notes.push(format!(
        "score {}: {} of {} mutants killed",
        score_text(&judged.iter().collect::<Vec<_>>()),
        judged.iter().filter(|it| killed(it)).count(),
        judged.len()
    ));
    report.interrupted = settings.is_cancelled();
    report
}

fn killed(judged: &Judged) -> bool {
    matches!(judged.fate, Fate::Killed { .. })
}

/// Killed over all, in thousandths, rounded down; a machine without mutants has nothing to find.
fn score(judged: &[&Judged]) -> u32 {
    let found = judged.iter().filter(|it| killed(it)).count();
    match judged.len() {
        0 => 1000,
        all => (found * 1000 / all) as u32,
    }
}

fn score_text(judged: &[&Judged]) -> String {
    let found = judged.iter().filter(|it| killed(it)).count();
    match judged.len() {
        0 => "1".to_owned(),
        all => format!("{:.3}", found as f64 / all as f64),
    }
}

fn role_outcome(
    original: &Cfsm,
    judged: &[&Judged],
    asked: &Mutating,
    names: &Names,
) -> NamedResult {
    let mut rows: BTreeMap<usize, Vec<&Judged>> = BTreeMap::new();
    for one in judged {
        let at = asked
            .operators
            .iter()
            .position(|&it| it == one.mutant.operator);
        rows.entry(at.unwrap_or(0)).or_default().push(one);
    }
    let count = |some: &[&Judged], wanted: fn(&Fate) -> bool| {
        some.iter().filter(|it| wanted(&it.fate)).count()
    };
    let equivalent = |fate: &Fate| matches!(fate, Fate::Equivalent);
    let mut table = Table {
        columns: [
            "operator",
            "mutants",
            "killed",
            "equivalent",
            "score",
            "mistake",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: Vec::new(),
    };
    for (at, &operator) in asked.operators.iter().enumerate() {
        let own: &[&Judged] = rows.get(&at).map_or(&[], Vec::as_slice);
        table.rows.push(vec![
            operator.code().to_owned(),
            own.len().to_string(),
            own.iter().filter(|it| killed(it)).count().to_string(),
            count(own, equivalent).to_string(),
            score_text(own),
            operator.words().to_owned(),
        ]);
    }
    let survivors: Vec<Tree> = judged
        .iter()
        .filter_map(|it| survivor(original, it, names))
        .collect();
    let undecided = count(judged, |fate| matches!(fate, Fate::Undecided(_)));
    let answer = asked.least_score.map(|least| {
        let word = if score(judged) >= least {
            VerdictKind::Holds
        } else if undecided > 0 && score_if_all_were_killed(judged, undecided) >= least {
            VerdictKind::Unknown
        } else {
            VerdictKind::Fails
        };
        Answer {
            word,
            condition: None,
            reason: (word == VerdictKind::Unknown)
                .then(|| format!("{undecided} mutants met a bound (raise it with --bound)")),
            evidence: Some(Evidence::Tree(Tree {
                claim: format!(
                    "score {}, and at least {} was asked for",
                    score_text(judged),
                    f64::from(least) / 1000.0
                ),
                origin: None,
                evidence: None,
                because: survivors.clone(),
            })),
        }
    });
    let mut blocks = vec![Block::Evidence(Box::new(Evidence::Table(table)))];
    if answer.is_none() {
        let trees = survivors
            .into_iter()
            .map(|it| Block::Evidence(Box::new(Evidence::Tree(it))));
        blocks.extend(trees);
    }
    blocks.push(Block::Line(format!(
        "mutants: {}, killed: {}, score: {}",
        judged.len(),
        judged.iter().filter(|it| killed(it)).count(),
        score_text(judged)
    )));
    NamedResult {
        name: names.text(original.participant()).to_owned(),
        answer,
        sizes: Sizes {
            stats: Stats::default()
                .with(Stat::Mutants, judged.len())
                .with(Stat::Killed, judged.iter().filter(|it| killed(it)).count())
                .with(Stat::Equivalent, count(judged, equivalent))
                .with(Stat::Inconclusive, undecided),
            complete: undecided == 0,
        },
        blocks,
        ..NamedResult::default()
    }
}

fn score_if_all_were_killed(judged: &[&Judged], undecided: usize) -> u32 {
    let found = judged.iter().filter(|it| killed(it)).count();
    ((found + undecided) * 1000 / judged.len().max(1)) as u32
}

/// Why a mutant is still there.
fn survivor(original: &Cfsm, judged: &Judged, names: &Names) -> Option<Tree> {
    let (word, reason) = match &judged.fate {
        Fate::Killed { .. } => return None,
        Fate::Equivalent => (
            "equivalent",
            "it does exactly what the machine does; no test can tell them apart".to_owned(),
        ),
        Fate::Undecided(reason) => ("not decided", choros_report::unknown_text(reason)),
        Fate::Survived(difference) => ("survived", difference_text(original, difference, names)),
    };
    Some(Tree {
        claim: format!("{word}: {}", judged.mutant.name),
        origin: None,
        evidence: None,
        because: vec![Tree {
            claim: reason,
            origin: None,
            evidence: None,
            because: Vec::new(),
        }],
    })
}

fn difference_text(original: &Cfsm, difference: &Difference, names: &Names) -> String {
    let text = |action: choros_model::cfsm::LocalAction| action.text(original.participant(), names);
    let word: Vec<String> = difference.word.iter().map(|&it| text(it)).collect();
    let after = match word.is_empty() {
        true => "at the start".to_owned(),
        false => format!("after {}", word.join(" ")),
    };
    let action = text(difference.action);
    let (who, not) = match difference.only_in_first {
        true => ("the machine", "the mutant"),
        false => ("the mutant", "the machine"),
    };
    let mut sentence = format!("{after} {who} does {action} and {not} does not");
    sentence.push_str(match (difference.action.is_output(), difference.only_in_first) {
        (false, false) => {
            ": it waits for one message more, and no test has to hear from it after that; only an acknowledgement \
             would show it"
        }
        (true, true) => ": a component may do less than it may, as long as the others get on",
        (true, false) | (false, true) => ": the others get on with either, so no test can tell",
    });
    sentence
}
