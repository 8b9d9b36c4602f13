//! Generated choreographies and logs, ready to be audited: for the tests and for the benchmark.

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::observation::{Number, Observation};
use choros_model::stg::{Direction, Stg};
use choros_monitor::audit::{
    Audit, Auditing, CrossingMessages, Empty, Hypothesis, Integers, Log, MessageMoment, Network,
    Order, Projection, Runs, Sessions, audit,
};
use choros_smt::LazySolver;
use choros_testkit::{RandomChor, Seen};

/// The graph of a choreography.
pub(crate) fn graph(chor: &RandomChor, terms: &mut Terms) -> Stg {
    let text = chor.text();
    let mut sources = SourceMap::new();
    let file = sources.add("random.pact", text.as_str());
    let (model, diagnostics) = choros_lang::pact::read(file, &text, "random", terms);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let id = model.ids().next().unwrap();
    let lowered = model.lower(id, terms, &Budget::unlimited());
    lowered.unwrap().stg
}

/// Logs as an audit takes them.
pub(crate) fn files(chor: &RandomChor, logs: &[Vec<Seen>]) -> Vec<Log> {
    let observation = |&(sends, channel, number, at): &Seen| {
        let (from, to) = chor.channels[channel];
        let direction = if sends {
            Direction::Send
        } else {
            Direction::Receive
        };
        let mut observation = Observation::new(
            format!("c{channel}"),
            from.to_string(),
            to.to_string(),
            direction,
        );
        observation.id = Some(number.to_string().into());
        observation.at = Some(Number::from(at as i64));
        observation
    };
    let log = |(service, log): (usize, &Vec<Seen>)| Log {
        role: (service + 1).to_string(),
        source: format!("{}.jsonl", service + 1),
        hypothesis: Hypothesis::Cut,
        promises_data: false,
        observations: log.iter().map(observation).collect(),
    };
    logs.iter().enumerate().map(log).collect()
}

/// Judges logs of one session by a graph.
pub(crate) fn judge(stg: &Stg, logs: &[Log], order: Order, terms: &mut Terms) -> Audit {
    let how = Auditing {
        order,
        reading: MessageMoment::Whole,
        crossing: CrossingMessages::Fails,
        sessions: Sessions::One,
        runs: Runs::MayBeUnfinished,
        projection: Projection::Remembering,
        empty: Empty::IsUnknown,
        network: Network::Once,
        integers: Integers::Declared,
        tolerance: 100,
        limit: 1_000_000,
    };
    let budget = Budget::unlimited();
    audit(
        stg,
        logs,
        &how,
        terms,
        &mut LazySolver::without_any(),
        &budget,
    )
    .unwrap()
}

/// Whether the logs show that something went wrong: some verdict fails, or something is unfinished.
pub(crate) fn is_found(audit: &Audit) -> bool {
    let mut results = audit.results.iter();
    results.any(|it| it.verdict.word() == "fails" || !it.finished)
}
