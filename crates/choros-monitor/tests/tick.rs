//! Time that passes without a message decides what a message with that time would decide.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros_base::SourceMap;
use choros_data::Terms;
use choros_model::observation::{Number, Observation};
use choros_monitor::{Config, Monitor, Outcome};
use choros_query::property::{MessageSchema, read};
use choros_testkit::{Random, rounds, seed_from_env};

const PROPERTIES: &str = "\
property soon on s { context ask[c,s]? (any) with session within 20 ms expect answer[s,c]! (any) }
property quiet on s { context ask[c,s]? (any) within 35 ms never ask[c,s]? (any) }
";

fn monitor(config: Config) -> Monitor {
    let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
    let file = sources.add("p.prop", PROPERTIES);
    let (properties, mistakes) = read(file, PROPERTIES, &MessageSchema::default(), &mut terms);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    Monitor::new(&properties, &terms, config).expect("properties without mistakes")
}

fn seen(operation: &'static str, at: i64, line: u64, session: usize) -> Observation<'static> {
    let mut seen = match operation {
        "ask" => Observation::received(operation, "c", "s"),
        _ => Observation::sent(operation, "s", "c"),
    };
    seen.by = "s".into();
    seen.at = Some(Number::from(at));
    seen.line = line;
    seen.session = Some(session.to_string().into());
    seen
}

/// The verdicts of the last call: property, the message that opened the window, outcome.
fn told(monitor: &Monitor) -> Vec<(usize, u64, Outcome)> {
    let verdicts = monitor.verdicts().iter();
    verdicts
        .map(|it| (it.property, it.opened.line, it.outcome))
        .collect()
}

#[test]
fn a_tick_decides_what_an_unrelated_message_would() {
    let mut random = Random::new(seed_from_env());
    let mut by_tick = 0;
    for _ in 0..rounds(200) {
        let config = Config {
            slack: random.percent(30).then_some(7),
            ..Config::default()
        };
        let slack = config.slack.unwrap_or(0) as i64;
        let mut ticked = monitor(config.clone());
        let mut messaged = monitor(config);
        let mut at = 0;
        for line in 1..60 {
            at += random.below(30) as i64;
            if random.percent(40) {
                ticked.tick(&Number::from(at));
                // One that is not judged before the slack is over decides nothing before.
                messaged.observe(&seen("other", at, line, 0));
                by_tick += told(&ticked).len();
            } else {
                let operation = *random.pick(&["ask", "answer"]);
                let late = at - random.below(slack as usize + 1) as i64;
                let seen = seen(operation, late, line, random.below(3));
                ticked.observe(&seen);
                messaged.observe(&seen);
            }
            if slack == 0 {
                assert_eq!(told(&ticked), told(&messaged), "at {at}");
            }
        }
        // With slack an unrelated message waits, and what it decides comes later; in the end all is the same.
        ticked.tick(&Number::from(at + 1000));
        messaged.observe(&seen("other", at + 1000, 60, 0));
        messaged.finish();
        ticked.finish();
        assert_eq!(ticked.counts(), messaged.counts());
    }
    assert!(by_tick > 100, "{by_tick}");
}

#[test]
fn a_window_ends_when_its_time_is_over_and_not_before() {
    let mut monitor = monitor(Config::default());
    monitor.observe(&seen("ask", 100, 1, 1));
    // `within 20 ms` includes the twentieth.
    monitor.tick(&Number::from(120));
    assert_eq!(told(&monitor), []);
    monitor.tick(&Number::from(121));
    assert_eq!(told(&monitor), [(0, 1, Outcome::Fail)]);
    monitor.tick(&Number::from(136));
    assert_eq!(told(&monitor), [(1, 1, Outcome::Pass)]);
}
