//! Is a g-choreography well-formed?

use choros_model::Evidence;
use choros_model::gchor::Gchor;
use choros_report::{Answer, Block, Counted, Outcome, Report, Sizes, Stat, Stats, Word};

use super::form::judge;
use crate::{Settings, Workspace};

/// Whether choices have a decider who tells all others, loops too, and threads have nothing in common.
pub(in crate::verbs) fn check(
    path: &str,
    gchor: &Gchor,
    workspace: &Workspace<'_>,
    settings: &Settings,
    report: &mut Report,
) {
    let names = &workspace.terms.names;
    report.semantics.relation = Some(
        match settings.gchor.strict {
            true => "well-branched, well-forked, well-sequenced",
            false => "well-branched, well-forked",
        }
        .to_owned(),
    );
    settings.progress.show(format!("checking `{path}`"));
    let stats = sizes(gchor);
    let judged = match judge(gchor, settings) {
        Ok(judged) => judged,
        Err(spent) => {
            report.outcomes.push(Outcome {
                name: path.to_owned(),
                answer: Some(Answer {
                    word: Word::Unknown,
                    condition: None,
                    reason: Some(spent.to_string()),
                    evidence: None,
                }),
                ..Outcome::default()
            });
            return;
        }
    };
    report
        .diagnostics
        .extend(judged.note(gchor, names, settings));
    let counted: Vec<String> = stats
        .iter()
        .map(|(stat, count)| Counted(stat, count).to_string())
        .collect();
    let mut blocks = vec![Block::Line(counted.join(", "))];
    blocks.extend(judged.decisions(gchor, names, &workspace.sources));
    report.outcomes.push(Outcome {
        name: path.to_owned(),
        answer: Some(Answer {
            word: match judged.violations.is_empty() {
                true => Word::Holds,
                false => Word::Fails,
            },
            condition: None,
            reason: None,
            evidence: Some(Evidence::Tree(judged.tree(gchor, names))),
        }),
        blocks,
        sizes: Sizes {
            stats,
            complete: true,
        },
        ..Outcome::default()
    });
}

/// Participants and different messages.
pub(super) fn sizes(gchor: &Gchor) -> Stats {
    Stats::default()
        .with(Stat::Messages, gchor.interactions().len())
        .with(Stat::Roles, gchor.roles().names().len())
}
