//! Is a g-choreography well-formed?

use choros_model::gchor::Gchor;
use choros_report::answers::{RunNotes, Soundness, Stop, unsequenced_note};

use super::form;
use crate::{Settings, Workspace};

/// Whether choices have a decider who tells all others, loops too, and threads have nothing in common.
pub(in crate::verbs) fn check(
    path: &str,
    gchor: &Gchor,
    workspace: &Workspace<'_>,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Soundness, Stop> {
    let names = &workspace.terms.names;
    let relation = if settings.gchor.strict {
        "well-branched, well-forked, well-sequenced"
    } else {
        "well-branched, well-forked"
    };
    run.semantics.relation = Some(relation.to_owned());
    settings.events.doing(format!("checking `{path}`"));
    let form = form(gchor, settings).map_err(|spent| Stop::Cut {
        name: path.to_owned(),
        reason: spent.to_string(),
    })?;
    run.findings.extend(unsequenced_note(&form, gchor, names));
    let sources = &workspace.sources;
    Ok(Soundness::of_gchor(path, gchor, &form, names, sources))
}
