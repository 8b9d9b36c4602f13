//! A run as a test purpose.

use choros_model::Evidence;
use choros_model::evidence::{StepEvent, Trace};
use choros_model::stg::Direction;

use crate::SavedReport;

/// A message as one of its ends sees it.
pub(crate) struct Seen<'r> {
    pub(crate) operation: &'r str,
    pub(crate) from: &'r str,
    pub(crate) to: &'r str,
    pub(crate) fields: &'r [(String, String)],
}

/// The messages of a run that are seen from the whole system.
pub(crate) fn seen(run: &Trace) -> Vec<Seen<'_>> {
    let seen = run.steps.iter().filter_map(|it| match &it.event {
        StepEvent::Message {
            operation,
            from,
            to,
            direction: Direction::Interaction,
            fields,
        } => Some(Seen {
            operation,
            from,
            to,
            fields,
        }),
        _ => None,
    });
    seen.collect()
}

/// The first run of a saved report in which a role takes part, as a test purpose for it: what it is evidence of, and
/// the text; without a role, for the one that the first message goes to.
pub fn purpose_of_report<'r>(
    report: &'r SavedReport,
    role: Option<&str>,
) -> Option<(&'r str, String)> {
    let mut results = report.results.iter();
    results.find_map(|result| match &result.evidence {
        Some(Evidence::Trace(run)) => Some((&result.name[..], purpose(&seen(run), role, true)?)),
        _ => None,
    })
}

/// A run as a purpose for a role.
pub(crate) fn purpose(seen: &[Seen<'_>], role: Option<&str>, ends: bool) -> Option<String> {
    let role = match role {
        Some(role) => role,
        None => seen.first()?.to,
    };
    let mut lines = vec!["purpose run".to_owned()];
    let mut labels: Vec<String> = Vec::new();
    let mut variables = 0;
    for message in seen {
        let (partner, sign) = match (message.from == role, message.to == role) {
            (true, _) => (message.to, "!"),
            (_, true) => (message.from, "?"),
            _ => continue,
        };
        let mut names = Vec::new();
        let mut values = Vec::new();
        for (_, value) in message.fields {
            variables += 1;
            names.push(format!("run{variables}"));
            values.push(format!("run{variables} == {value}"));
        }
        labels.push(format!(
            "{partner}.{}{sign}{}",
            message.operation,
            match &names[..] {
                [only] => only.clone(),
                [] => String::new(),
                several => format!("({})", several.join(", ")),
            }
        ));
        if !values.is_empty() {
            labels.push(format!("[{}] tau", values.join(" and ")));
        }
    }
    if ends {
        labels.push("#".to_owned());
    }
    if labels.is_empty() {
        return None;
    }
    for (state, label) in labels.iter().enumerate() {
        lines.push(format!("T{state} -> T{}: {label}", state + 1));
    }
    lines.push(format!("T{}: *", labels.len()));
    Some(lines.join("\n") + "\n")
}
