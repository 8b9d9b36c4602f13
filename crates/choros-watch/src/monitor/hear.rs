//! Judging global properties from the verdicts of testers in other processes.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use choros_codes::diagnostics::broken_stream;
use choros_exec::verdicts::{Subscription, VerdictEvent, VerdictOutput, subscribe};
use choros_monitor::GlobalMonitor;
use choros_query::property::Properties;
use choros_report::answers::{Monitoring, RunNotes, Stop};

use super::WatchRequest;
use super::changed_verdicts::ChangedVerdicts;
use super::evidence::global_verdict;
use super::ledger::open_output;
use crate::WatchContext;

/// What is wrong with verdicts of a tester that cannot say its doubts.
const UNTOLD: &str = "its tester does not say which of its verdicts depend on missing records";

/// Hears all testers to their end.
pub(super) fn hear(
    properties: &Properties,
    request: &WatchRequest,
    world: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Monitoring, Stop> {
    let addresses: Vec<String> = request
        .verdicts_from
        .iter()
        .map(|(_, address)| address.clone())
        .collect();
    let mut output = open_output(request, None).map_err(Stop::World)?;
    let mut monitor = GlobalMonitor::new(&properties.global);
    monitor.forget_all();
    let subscription = subscribe(&addresses, request.patience, world.cancel);
    let output = output.as_mut();
    let ended = listen(subscription, &mut monitor, request, world, output, run);
    match ended.map_err(|error| Stop::World(format!("cannot write verdicts: {error}")))? {
        Ended::Broken => Err(Stop::Mistakes),
        Ended::Whole(doubts) => {
            let numbers = 0..properties.global.len();
            Ok(Monitoring {
                properties: numbers
                    .map(|it| global_verdict(&monitor, it, &doubts))
                    .collect(),
                ..Monitoring::default()
            })
        }
    }
}

/// Whether every tester was heard to its end.
enum Ended {
    /// With the properties whose verdicts are open after all, and why.
    Whole(BTreeMap<String, String>),
    Broken,
}

fn listen(
    mut subscription: Subscription,
    monitor: &mut GlobalMonitor,
    request: &WatchRequest,
    world: WatchContext<'_>,
    mut output: Option<&mut VerdictOutput>,
    run: &mut RunNotes,
) -> io::Result<Ended> {
    let mut news = ChangedVerdicts::new(monitor);
    // The highest number heard from each tester: a verdict that comes again, after a restart, counts once.
    let mut heard_up_to = vec![0; request.verdicts_from.len()];
    let mut is_broken = false;
    let mut told: Vec<BTreeSet<String>> = vec![BTreeSet::new(); heard_up_to.len()];
    let mut doubts = BTreeMap::new();
    let mut watches_all = false;
    while let Some((tester, heard)) = subscription.next(world.cancel) {
        let problem = match heard {
            Ok(VerdictEvent::Verdict {
                sequence,
                property,
                outcome,
            }) => {
                if sequence == 0 || sequence > heard_up_to[tester] {
                    heard_up_to[tester] = sequence;
                    monitor.hear(&property, outcome);
                }
                told[tester].insert(property);
                None
            }
            Ok(VerdictEvent::End(last)) => {
                // A tester of another kind does not say what it watches: it may be anything.
                watches_all |= last.watched.is_none();
                let watched = last.watched.unwrap_or_default();
                watched.iter().for_each(|name| monitor.watch(name));
                match last.open {
                    Some(open) => doubts.extend(open),
                    None => {
                        let of_tester = told[tester].iter().cloned().chain(watched);
                        let all = of_tester.map(|name| (name, UNTOLD.to_owned()));
                        doubts.extend(all);
                    }
                }
                None
            }
            Ok(VerdictEvent::Lost(count)) => Some(format!(
                "{count} of them came before this tester was connected"
            )),
            Err(reason) => Some(reason),
        };
        if let Some(reason) = problem {
            let service = &request.verdicts_from[tester].0;
            let diagnostic = broken_stream::diagnostic(service, &reason);
            run.findings.push(diagnostic);
            is_broken = true;
        }
        write(&news.lines(monitor, request.form), &mut output)?;
    }
    if watches_all {
        let properties = monitor.properties().to_vec();
        for name in properties
            .iter()
            .flat_map(|it| it.when.iter().chain(&it.then))
        {
            monitor.watch(name);
        }
        write(&news.lines(monitor, request.form), &mut output)?;
    }
    Ok(if is_broken {
        Ended::Broken
    } else {
        Ended::Whole(doubts)
    })
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
