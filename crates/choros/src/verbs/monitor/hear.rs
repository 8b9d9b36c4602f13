//! Judging global properties from the verdicts of testers in other processes.

use std::io;

use choros_data::Terms;
use choros_exec::verdicts::{Heard, Subscription, VerdictOutput, subscribe};
use choros_monitor::GlobalMonitor;
use choros_query::property::Properties;
use choros_report::Report;

use super::MonitorRequest;
use super::changed_verdicts::ChangedVerdicts;
use super::evidence::global_outcome;
use super::watch::open_output;
use crate::Settings;
use crate::diagnostics::broken_stream;

/// Hears all testers to their end.
pub(super) fn hear(
    properties: &Properties,
    what: &MonitorRequest,
    settings: &Settings,
    terms: &Terms,
    report: &mut Report,
) {
    let addresses: Vec<String> = what
        .verdicts_from
        .iter()
        .map(|(_, address)| address.clone())
        .collect();
    let mut output = match open_output(what, None) {
        Ok(output) => output,
        Err(reason) => {
            report.world_failed = Some(reason);
            return;
        }
    };
    let mut monitor = GlobalMonitor::new(&properties.global);
    monitor.forget_all();
    let subscription = subscribe(&addresses, what.patience, &settings.cancel);
    match listen(
        subscription,
        &mut monitor,
        what,
        settings,
        output.as_mut(),
        report,
    ) {
        Err(error) => report.world_failed = Some(format!("cannot write verdicts: {error}")),
        Ok(Ended::Broken) => {}
        Ok(Ended::Whole) => {
            for number in 0..properties.global.len() {
                report.outcomes.push(global_outcome(&monitor, number, terms));
            }
        }
    }
}

/// Whether every tester was heard to its end.
enum Ended {
    Whole,
    Broken,
}

fn listen(
    mut subscription: Subscription,
    monitor: &mut GlobalMonitor,
    what: &MonitorRequest,
    settings: &Settings,
    mut output: Option<&mut VerdictOutput>,
    report: &mut Report,
) -> io::Result<Ended> {
    let mut news = ChangedVerdicts::new(monitor);
    // The highest number heard from each tester: a verdict that comes again, after a restart, counts once.
    let mut heard_up_to = vec![0; what.verdicts_from.len()];
    let mut ended = Ended::Whole;
    let mut watches_all = false;
    while let Some((tester, heard)) = subscription.next(&settings.cancel) {
        let problem = match heard {
            Ok(Heard::Verdict {
                sequence,
                property,
                outcome,
            }) => {
                if sequence == 0 || sequence > heard_up_to[tester] {
                    heard_up_to[tester] = sequence;
                    monitor.hear(&property, outcome);
                }
                None
            }
            Ok(Heard::End { watched }) => {
                // A tester of another kind does not say what it watches: it may be anything.
                watches_all |= watched.is_none();
                let watched = watched.unwrap_or_default();
                watched.iter().for_each(|name| monitor.watch(name));
                None
            }
            Ok(Heard::Lost(count)) => Some(format!("{count} of them came too early to be heard")),
            Err(reason) => Some(reason),
        };
        if let Some(reason) = problem {
            let service = &what.verdicts_from[tester].0;
            let diagnostic = broken_stream::diagnostic(service, &reason);
            report.diagnostics.push(diagnostic);
            ended = Ended::Broken;
        }
        write(&news.lines(monitor, what.form), &mut output)?;
    }
    if watches_all {
        let properties = monitor.properties().to_vec();
        for name in properties
            .iter()
            .flat_map(|it| it.when.iter().chain(&it.then))
        {
            monitor.watch(name);
        }
        write(&news.lines(monitor, what.form), &mut output)?;
    }
    Ok(ended)
}

fn write(lines: &str, output: &mut Option<&mut VerdictOutput>) -> io::Result<()> {
    match output {
        Some(output) if !lines.is_empty() => {
            output.write(lines)?;
            output.flush()
        }
        _ => Ok(()),
    }
}
