//! How logs are read by a binding.

use std::sync::Arc;

use choros_bind::{
    Binder, Binding, BindingTally, LogRules, Part, PartSource, Pattern, RoleBinding, Vocabulary,
};
use choros_exec::log::{BoundOptions, LogFormat};
use choros_report::answers::RunNotes;

use crate::WatchContext;

/// A binding with the words of a model, and with names that the request adds.
pub(crate) fn binder(
    binding: Option<&Binding>,
    names: &[(String, String)],
    vocabulary: Vocabulary,
) -> Arc<Binder> {
    let mut binding = binding.cloned().unwrap_or_default();
    for (address, role) in names {
        let pattern = Pattern::new(address);
        match binding.roles.iter_mut().find(|it| it.name == *role) {
            Some(known) => known.names.push(pattern),
            None => binding.roles.push(RoleBinding {
                name: role.clone(),
                names: vec![pattern],
                ..RoleBinding::default()
            }),
        }
    }
    Arc::new(Binder::new(binding, vocabulary))
}

/// How a log is bound; not at all where it is in a form of our own and no binding was given.
pub(crate) fn bound(
    binder: &Arc<Binder>,
    path: &str,
    form: LogFormat,
    world: WatchContext<'_>,
) -> Option<BoundOptions> {
    (world.binding.is_some() || form.needs_binding()).then(|| BoundOptions {
        binder: binder.clone(),
        rules: binder.binding.log_rules(path).cloned(),
    })
}

/// More reasons are not listed one by one.
const MOST_REASONS: usize = 10;

/// Tells what became of the records of a log.
pub(crate) fn tell_tally(path: &str, tally: &BindingTally, run: &mut RunNotes) {
    let records = match tally.records {
        1 => "1 record".to_owned(),
        count => format!("{count} records"),
    };
    let notes = &mut run.semantics.notes;
    let ignored = match tally.ignored {
        0 => String::new(),
        count => format!(", {count} ignored"),
    };
    notes.push(format!(
        "`{path}`: {records}, {} bound{ignored}",
        tally.bound
    ));
    if tally.repeated > 0 {
        notes.push(format!(
            "`{path}`: {} told again, counted once",
            tally.repeated
        ));
    }
    if tally.resent > 0 {
        let records = match tally.resent {
            1 => "1 record".to_owned(),
            count => format!("{count} records"),
        };
        notes.push(format!(
            "`{path}`: {records} of requests that were sent again within one call, counted once"
        ));
    }
    let mut reasons: Vec<(&String, &u64)> = tally.reasons.iter().collect();
    reasons.sort_by(|left, right| right.1.cmp(left.1).then(left.0.cmp(right.0)));
    for (reason, count) in reasons.iter().take(MOST_REASONS) {
        notes.push(format!("`{path}`: {count} not bound: {reason}"));
    }
    if let Some(rest) = reasons.get(MOST_REASONS..).filter(|it| !it.is_empty()) {
        let count: u64 = rest.iter().map(|(_, count)| **count).sum();
        notes.push(format!("`{path}`: {count} not bound for other reasons"));
    }
    for ((message, field), count) in &tally.missing {
        notes.push(format!("`{path}`: {count} × `{message}` without `{field}`"));
    }
}

/// The only path at which a log's rules look for a part; none where they try several, or name a value.
pub(crate) fn only_path(rules: Option<&LogRules>, part: Part) -> Option<&str> {
    match rules?.part(part) {
        [PartSource::Path(path)] if !path.is_empty() => Some(path),
        _ => None,
    }
}
