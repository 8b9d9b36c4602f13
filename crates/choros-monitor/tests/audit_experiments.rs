//! The experiments of section 4.1.7 of Nguyen's thesis: generated choreographies and logs, correct and with faults.

mod experiment;

use choros_base::Budget;
use choros_data::Terms;
use choros_model::stg::{Traces, count_traces};
use choros_monitor::audit::{Audit, Order};
use choros_testkit::{LogFault, Random, RandomChor, Seen, disturb, reorder, seed_from_env};

use experiment::{files, graph, is_found};

fn judge(chor: &RandomChor, logs: &[Vec<Seen>], order: Order) -> Audit {
    let mut terms = Terms::new();
    let stg = graph(chor, &mut terms);
    experiment::judge(&stg, &files(chor, logs), order, &mut terms)
}

fn words(audit: &Audit) -> Vec<(&str, &'static str, bool)> {
    let results = audit.results.iter();
    results
        .map(|it| (it.name.as_str(), it.verdict.word(), it.finished))
        .collect()
}

#[test]
fn correct_logs_are_never_wrong_by_time_and_locally() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..200 {
        let chor = RandomChor::new(4, 8, random.number());
        let logs = chor.logs(&chor.run(&mut random));
        for (name, verdict, finished) in words(&judge(&chor, &logs, Order::Time)) {
            assert_eq!(
                (verdict, finished),
                ("holds", true),
                "{name} of {}",
                chor.text()
            );
        }
        // Without a clock the order may be open, but right logs are never wrong.
        for (name, verdict, _) in words(&judge(&chor, &logs, Order::Local)) {
            assert_ne!(verdict, "fails", "{name} of {}", chor.text());
        }
    }
}

#[test]
fn faults_of_every_kind_are_found() {
    let mut random = Random::new(seed_from_env());
    for fault in LogFault::ALL {
        let found = (0..100)
            .filter(|_| {
                let chor = RandomChor::new(3, 8, random.number());
                let mut logs = chor.logs(&chor.run(&mut random));
                disturb(&mut logs, fault, chor.channels.len(), &mut random);
                let audit = judge(&chor, &logs, Order::Local);
                is_found(&audit)
            })
            .count();
        assert!(found > 10, "{fault:?} was found {found} times of 100");
    }
    let found = (0..100)
        .filter(|_| {
            let chor = RandomChor::new(3, 8, random.number());
            let mut other = chor.clone();
            other.change_operator(&mut random);
            let logs = other.logs(&other.run(&mut random));
            let audit = judge(&chor, &logs, Order::Time);
            is_found(&audit)
        })
        .count();
    assert!(
        found > 10,
        "changed operators were found {found} times of 100"
    );
}

#[test]
fn a_reordered_log_of_a_line_is_wrong() {
    let mut random = Random::new(seed_from_env());
    let chor = RandomChor::line(1_000);
    let mut logs = chor.logs(&chor.run(&mut random));
    assert!(
        words(&judge(&chor, &logs, Order::Local))
            .iter()
            .all(|it| it.1 == "holds")
    );
    reorder(&mut logs, 5, &mut random);
    assert!(
        words(&judge(&chor, &logs, Order::Local))
            .iter()
            .all(|it| it.1 == "fails")
    );
}

#[test]
fn more_traces_than_the_thesis_had_cost_no_more_than_their_log() {
    let chor = RandomChor::many_traces();
    let mut terms = Terms::new();
    let stg = graph(&chor, &mut terms);
    assert_eq!(
        count_traces(&stg, &Budget::steps(1_000)).unwrap(),
        Traces::Finite(277_200u32.into())
    );
    let mut random = Random::new(seed_from_env());
    let logs = chor.logs(&chor.run(&mut random));
    for (name, verdict, finished) in words(&judge(&chor, &logs, Order::Local)) {
        assert_eq!((verdict, finished), ("holds", true), "{name}");
    }
}
