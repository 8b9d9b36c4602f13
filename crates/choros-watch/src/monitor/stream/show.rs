//! What a watch looks like while it runs: metrics, and a text for a terminal.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use choros_model::evidence::{Step, Trace};
use choros_model::observation::Observation;
use choros_model::stg::Direction;
use choros_monitor::{Outcome, WindowVerdict};
use choros_report::{Style, sequence_text};

use super::crew::{Crew, Gauge};
use super::kept::KeptJudge;
use crate::monitor::evidence::step;

/// The last failures are kept, so many.
const FAILURES: usize = 3;

/// A failure with more messages is listed and not drawn.
const MOST_STEPS: usize = 12;

/// What is counted while verdicts are heard.
pub(super) struct Show {
    names: Vec<String>,
    /// Of each property, how often each outcome was heard.
    counts: Vec<BTreeMap<Outcome, u64>>,
    failures: VecDeque<String>,
    members: usize,
    /// Observations and the time at which they were counted.
    before: (u64, u64),
    rate: u64,
}

impl Show {
    pub(super) fn new(names: &[String]) -> Show {
        Show {
            names: names.to_vec(),
            counts: vec![BTreeMap::new(); names.len()],
            failures: VecDeque::new(),
            members: 0,
            before: (0, 0),
            rate: 0,
        }
    }

    pub(super) fn met(&mut self, members: usize) {
        self.members = members;
    }

    pub(super) fn heard(&mut self, verdict: &WindowVerdict) {
        *self.counts[verdict.property]
            .entry(verdict.outcome)
            .or_default() += 1;
        if verdict.outcome == Outcome::Fail {
            self.failures.truncate(FAILURES - 1);
            self.failures.push_front(self.failure(verdict));
        }
    }

    fn failure(&self, verdict: &WindowVerdict) -> String {
        let mut text = format!("{} fails", self.names[verdict.property]);
        if let Some(key) = &verdict.key {
            let _ = write!(text, ", session {key}");
        }
        let _ = write!(
            text,
            " (log of `{}`, lines {} to {})",
            verdict.service, verdict.opened.line, verdict.decided.line
        );
        match chart(&verdict.window) {
            Some(chart) => {
                for line in chart.lines() {
                    let _ = write!(text, "\n  {line}");
                }
            }
            None => {
                for seen in verdict.window.iter() {
                    let _ = write!(text, "\n      {}", seen.text());
                }
            }
        }
        text
    }

    /// Counts how fast the workers of this process are.
    pub(super) fn look<J: KeptJudge>(&mut self, crew: &Crew<'_, J>) {
        let now = crew.clock.milliseconds();
        let (known, then) = self.before;
        let all = sum(crew, |it| &it.observations);
        if now >= then + 1_000 {
            self.rate = (all - known) * 1_000 / (now - then);
            self.before = (all, now);
        }
    }

    /// The metrics of this process in the form of Prometheus; counts of verdicts are those of all processes.
    pub(super) fn metrics<J: KeptJudge>(&self, crew: &Crew<'_, J>, undelivered: u64) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, values: &[(String, u64)]| {
            let _ = writeln!(
                text,
                "# HELP choros_{name} {help}\n# TYPE choros_{name} {kind}"
            );
            for (labels, value) in values {
                let _ = writeln!(text, "choros_{name}{labels} {value}");
            }
        };
        let each = |of: fn(&Gauge) -> &AtomicU64| -> Vec<(String, u64)> {
            let gauges = crew.gauges.iter().enumerate();
            let value = |(partition, gauge): (usize, &Gauge)| {
                let labels = format!("{{partition=\"{partition}\"}}");
                (labels, of(gauge).load(Ordering::Relaxed))
            };
            gauges.map(value).collect()
        };
        let owned = crew.owned();
        let owned: Vec<_> = (0..crew.gauges.len() as u32)
            .map(|it| {
                (
                    format!("{{partition=\"{it}\"}}"),
                    u64::from(owned.contains(&it)),
                )
            })
            .collect();
        family(
            "owned",
            "gauge",
            "Whether this process judges the partition.",
            &owned,
        );
        family(
            "observations_total",
            "counter",
            "Observations judged by this process, those after a takeover again.",
            &each(|it| &it.observations),
        );
        family(
            "lag_messages",
            "gauge",
            "Messages of the partition that wait.",
            &each(|it| &it.lag),
        );
        family(
            "open_windows",
            "gauge",
            "Windows that wait for their end.",
            &each(|it| &it.open_windows),
        );
        family(
            "takeovers_total",
            "counter",
            "How often this process took the partition over.",
            &each(|it| &it.takeovers),
        );
        family(
            "unanswered_total",
            "counter",
            "Orders that the broker did not answer in time.",
            &each(|it| &it.unanswered),
        );
        let mut verdicts = Vec::new();
        for (name, counts) in self.names.iter().zip(&self.counts) {
            for outcome in [Outcome::Pass, Outcome::Fail, Outcome::Inconclusive] {
                let labels = format!("{{property=\"{name}\",verdict=\"{}\"}}", outcome.word());
                verdicts.push((labels, counts.get(&outcome).copied().unwrap_or(0)));
            }
        }
        family(
            "verdicts_total",
            "counter",
            "Verdicts of all processes.",
            &verdicts,
        );
        let plain = |value: u64| [(String::new(), value)];
        family(
            "members",
            "gauge",
            "Processes that share the work.",
            &plain(self.members as u64),
        );
        family(
            "undelivered_total",
            "counter",
            "How often a webhook, command or collector could not be told.",
            &plain(undelivered),
        );
        text
    }

    /// What a terminal shows.
    pub(super) fn top<J: KeptJudge>(&self, crew: &Crew<'_, J>) -> String {
        let owned = crew.owned().len();
        let mut text = format!(
            "{} processes; here {owned} of {} partitions, {} observations/s, lag {}, {} open windows\n\n",
            self.members,
            crew.gauges.len(),
            self.rate,
            sum(crew, |it| &it.lag),
            sum(crew, |it| &it.open_windows),
        );
        let width = self.names.iter().map(|it| it.chars().count()).max();
        let width = width.unwrap_or(0).max(8);
        let _ = writeln!(
            text,
            "{:width$} {:>10} {:>10} {:>12}",
            "property", "pass", "fail", "inconclusive"
        );
        for (name, counts) in self.names.iter().zip(&self.counts) {
            let count = |outcome| counts.get(&outcome).copied().unwrap_or(0);
            let _ = writeln!(
                text,
                "{name:width$} {:>10} {:>10} {:>12}",
                count(Outcome::Pass),
                count(Outcome::Fail),
                count(Outcome::Inconclusive)
            );
        }
        for failure in &self.failures {
            let _ = write!(text, "\n{failure}\n");
        }
        text
    }
}

/// The messages of a window as a chart, each once, unless it would be wider than a terminal or longer than there is room.
fn chart(window: &[Observation<'static>]) -> Option<String> {
    let is_sent = |received: &Observation<'_>| {
        window.iter().any(|it| {
            it.direction == Direction::Send
                && it.id == received.id
                && it.operation == received.operation
                && (&it.from, &it.to) == (&received.from, &received.to)
        })
    };
    let both = |seen: &&Observation<'_>| seen.direction != Direction::Receive || !is_sent(seen);
    let steps: Vec<Step> = window.iter().filter(both).map(step).collect();
    let trace = Trace {
        steps,
        ..Trace::default()
    };
    let style = Style {
        colour: false,
        unicode: true,
        width: 80,
    };
    let has_room = trace.steps.len() <= MOST_STEPS;
    sequence_text(&trace, &style).filter(|_| has_room)
}

fn load(value: &AtomicU64) -> u64 {
    value.load(Ordering::Relaxed)
}

fn sum<J>(crew: &Crew<'_, J>, of: fn(&Gauge) -> &AtomicU64) -> u64 {
    crew.gauges.iter().map(|it| load(of(it))).sum()
}
