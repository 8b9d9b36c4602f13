//! Judging global properties from the verdicts of testers in other processes.

use choros_exec::verdicts::{Heard, subscribe};
use choros_monitor::GlobalMonitor;
use choros_query::property::Properties;
use choros_report::Report;

use super::Monitoring;
use super::evidence::global_outcome;
use crate::Settings;
use crate::diagnostics::broken_stream;

/// Hears all testers to their end.
pub(super) fn hear(
    properties: &Properties,
    what: &Monitoring,
    settings: &Settings,
    report: &mut Report,
) {
    let addresses: Vec<String> = what
        .verdicts_from
        .iter()
        .map(|(_, address)| address.clone())
        .collect();
    let mut monitor = GlobalMonitor::new(&properties.global);
    let mut subscription = subscribe(&addresses, what.patience, &settings.cancel);
    // The highest number heard from each tester: a verdict that comes again, after a restart, counts once.
    let mut heard_up_to = vec![0; addresses.len()];
    let mut is_broken = false;
    while let Some((tester, heard)) = subscription.next(&settings.cancel) {
        let service = &what.verdicts_from[tester].0;
        match heard {
            Ok(Heard::Verdict {
                sequence,
                property,
                outcome,
            }) => {
                if sequence > 0 && sequence <= heard_up_to[tester] {
                    continue;
                }
                heard_up_to[tester] = sequence;
                monitor.hear(&property, outcome);
            }
            Ok(Heard::Lost(count)) => {
                let reason = format!("{count} of them came too early to be heard");
                report
                    .diagnostics
                    .push(broken_stream::diagnostic(service, &reason));
                is_broken = true;
            }
            Ok(Heard::End) => {}
            Err(reason) => {
                report
                    .diagnostics
                    .push(broken_stream::diagnostic(service, &reason));
                is_broken = true;
            }
        }
    }
    if is_broken {
        return;
    }
    for number in 0..properties.global.len() {
        report.outcomes.push(global_outcome(&monitor, number));
    }
}
