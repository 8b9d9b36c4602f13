//! Is a g-choreography well-formed?

use choros_model::gchor::Gchor;
use choros_model::{Evidence, Verdict};
use choros_report::answers::{Run, Soundness, Standing, Stop};
use choros_report::{Counted, Stat, Stats};

use super::form::judge;
use crate::{Settings, Workspace};

/// Whether choices have a decider who tells all others, loops too, and threads have nothing in common.
pub(in crate::verbs) fn check(
    path: &str,
    gchor: &Gchor,
    workspace: &Workspace<'_>,
    settings: &Settings,
    run: &mut Run,
) -> Result<Soundness, Stop> {
    let names = &workspace.terms.names;
    let relation = if settings.gchor.strict {
        "well-branched, well-forked, well-sequenced"
    } else {
        "well-branched, well-forked"
    };
    run.semantics.relation = Some(relation.to_owned());
    settings.events.doing(format!("checking `{path}`"));
    let judged = judge(gchor, settings).map_err(|spent| Stop::Cut {
        name: path.to_owned(),
        reason: spent.to_string(),
    })?;
    run.findings.extend(judged.note(gchor, names, settings));
    let stats = sizes(gchor);
    let counted: Vec<String> = stats
        .iter()
        .map(|(stat, count)| Counted(stat, count).to_string())
        .collect();
    let mut remarks = vec![counted.join(", ")];
    remarks.extend(judged.decisions(gchor, names, &workspace.sources));
    let evidence = Evidence::Tree(judged.tree(gchor, names));
    let verdict = if judged.violations.is_empty() {
        Verdict::Holds(evidence)
    } else {
        Verdict::Fails(evidence)
    };
    Ok(Soundness {
        stats,
        remarks,
        ..Soundness::new(path, Standing::Judged(verdict))
    })
}

/// Participants and different messages.
pub(super) fn sizes(gchor: &Gchor) -> Stats {
    Stats::default()
        .with(Stat::Messages, gchor.interactions().len())
        .with(Stat::Roles, gchor.roles().names().len())
}
