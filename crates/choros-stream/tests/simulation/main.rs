//! Workers, a broker that is slow and forgetful, crashes and clocks: thousands of schedules from seeds.
//!
//! Whatever happens, each partition's verdicts are those of a single process, in its order: none lost, none doubled, none
//! wrong; and once the storm is over they are all told.
//! The same schedules find each of the mistakes that the README names, so they can.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

mod broker;
mod judges;
mod world;

use std::cell::Cell;
use std::rc::Rc;

use broker::Fence;
use choros_base::SourceMap;
use choros_data::Terms;
use choros_model::observation::{Number, Observation};
use choros_model::stg::Direction;
use choros_monitor::Config;
use choros_query::property::{MessageSchema, read};
use choros_stream::{Content, Entry, Judge, PropertyJudge, Told, Versions};
use choros_testkit::{Random, rounds, seed_from_env};
use judges::Sessions;
use world::{Weather, World, told};

/// What a stream holds: sessions that open and mostly close, and ticks that the feeder puts between.
fn entries(random: &mut Random, count: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut time = 0;
    for number in 0..count {
        time += random.below(60) as i64;
        let content = if random.percent(25) {
            Content::Tick(Number::from(time))
        } else {
            let operation = *random.pick(&["open", "close"]);
            let mut seen = Observation::sent(operation, "a", "b");
            seen.by = "a".into();
            seen.session = Some(random.below(6).to_string().into());
            seen.at = Some(Number::from(time));
            seen.line = number as u64 + 1;
            Content::Seen(vec![seen])
        };
        entries.push(Entry {
            sequence: number as u64 + 1,
            content,
        });
    }
    entries
}

/// The verdicts of a single process.
fn alone<J: Judge>(mut judge: J, entries: &[Entry]) -> Vec<Told<J::Verdict>> {
    let mut verdicts = Vec::new();
    for entry in entries {
        judge.take(entry, &mut verdicts).expect("entries that fit");
    }
    verdicts
}

/// What is wrong with a schedule, if anything is; and how often a partition was taken over.
fn schedule<J>(
    fence: Fence,
    seed: u64,
    single: impl Fn() -> J,
    make: impl Fn(&Rc<Cell<u64>>) -> J + 'static,
) -> Result<usize, String>
where
    J: Judge,
    J::Verdict: PartialEq + std::fmt::Debug,
{
    let mut random = Random::new(seed);
    let weather = Weather {
        processes: 1 + random.below(3),
        partitions: 1 + random.below(2),
        fence,
        storm: 1_500 + random.below(2_500) as u64,
        end: 20_000,
    };
    let mut world = World::new(weather, random.number(), make);
    let mut expected = Vec::new();
    for partition in 0..weather.partitions {
        let count = 20 + random.below(100);
        let entries = entries(&mut random, count);
        let mut at = 0;
        for entry in &entries {
            at += random.below(60) as u64;
            world.append(partition, at, entry.clone());
        }
        expected.push((alone(single(), &entries), entries.len()));
    }
    let is_done = world.run(|brokers| {
        let mut both = brokers.iter().zip(&expected);
        both.all(|(broker, (verdicts, entries))| {
            broker.entries.len() == *entries && told(broker).len() >= verdicts.len()
        })
    });
    if let Some(fault) = world.faults.first() {
        return Err(format!("a worker stopped: {fault:?}"));
    }
    for (broker, (verdicts, _)) in world.brokers.iter().zip(&expected) {
        if told(broker) != verdicts.as_slice() {
            return Err(format!(
                "{} verdicts are told, and {} are right: {:#?}\n{verdicts:#?}",
                told(broker).len(),
                verdicts.len(),
                told(broker)
            ));
        }
    }
    if is_done {
        Ok(world.takeovers)
    } else {
        Err("no progress".to_owned())
    }
}

fn sessions(fence: Fence, seed: u64) -> Result<usize, String> {
    schedule(fence, seed, || Sessions::new(None), |_| Sessions::new(None))
}

#[test]
fn no_verdict_is_lost_doubled_or_wrong() {
    let seed = seed_from_env();
    let mut takeovers = 0;
    let count = rounds(3_000) as u64;
    for number in 0..count {
        let seed = seed.wrapping_add(number);
        match sessions(Fence::ExpectedLast, seed) {
            Ok(found) => takeovers += found,
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    assert!(takeovers as u64 > 3 * count, "only {takeovers} takeovers");
}

/// How many of some schedules go wrong.
fn wrong(count: u64, run: impl Fn(u64) -> Result<usize, String>) -> usize {
    (0..count).filter(|seed| run(*seed).is_err()).count()
}

#[test]
fn without_fencing_verdicts_are_told_twice() {
    assert!(wrong(60, |seed| sessions(Fence::Nothing, seed)) > 5);
}

#[test]
fn a_window_of_known_names_is_not_enough() {
    assert!(wrong(300, |seed| sessions(Fence::Window(3), seed)) > 5);
    // With a window that holds everything nothing is doubled: it is the window that is too short.
    assert_eq!(
        wrong(60, |seed| sessions(Fence::Window(usize::MAX), seed)),
        0
    );
}

#[test]
fn a_checkpoint_before_verdicts_are_kept_loses_some() {
    assert!(wrong(60, |seed| sessions(Fence::AnsweredTooEarly, seed)) > 5);
}

#[test]
fn quiet_sessions_that_a_clock_cuts_are_cut_elsewhere_after_a_restart() {
    let run = |seed| {
        let clock = |clock: &Rc<Cell<u64>>| Sessions::new(Some(clock.clone()));
        schedule(Fence::ExpectedLast, seed, || Sessions::new(None), clock)
    };
    assert!(wrong(60, run) > 30);
}

const PROPERTIES: &str = "\
property closed on a { context open[a,b]! (any) with session within 400 ms expect close[a,b]! (any) }
property twice on a { context open[a,b]! (any) within 2 messages per session never open[a,b]! (any) }
";

#[test]
fn monitors_of_properties_are_such_judges() {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let file = sources.add("p.prop", PROPERTIES);
    let (properties, mistakes) = read(file, PROPERTIES, &MessageSchema::default(), &mut terms);
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let versions = Versions::new("s1", (1, &properties), &terms, Config::default());
    let versions = versions.expect("properties without mistakes");
    let judge = PropertyJudge::new(versions).expect("a first version");
    let seed = seed_from_env();
    for number in 0..rounds(300) as u64 {
        let seed = seed.wrapping_add(number);
        let (single, worker) = (judge.clone(), judge.clone());
        let found = schedule(
            Fence::ExpectedLast,
            seed,
            move || single.clone(),
            move |_| worker.clone(),
        );
        if let Err(wrong) = found {
            panic!("seed {seed}: {wrong}");
        }
    }
}

#[test]
fn a_new_version_of_the_properties_begins_at_its_entry() {
    let mut terms = Terms::new();
    let mut sources = SourceMap::new();
    let mut version = |text: &str| {
        let file = sources.add("p.prop", text.to_owned());
        let (properties, mistakes) = read(file, text, &MessageSchema::default(), &mut terms);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        properties
    };
    let one = version(
        "property p on a { context open[a,b]! (any) within 1 messages per session expect close[a,b]! (any) }",
    );
    let two = version(
        "property q on a { context open[a,b]! (any) within 1 messages per session never close[a,b]! (any) }",
    );
    let mut versions =
        Versions::new("s1", (1, &one), &terms, Config::default()).expect("properties");
    versions.add(2, &two, &terms).expect("properties");
    let mut judge = PropertyJudge::new(versions).expect("a first version");
    let seen = |sequence: u64, operation: &'static str, session: &'static str| {
        let mut seen = Observation::new(operation, "a", "b", Direction::Send);
        seen.by = "a".into();
        seen.line = sequence;
        seen.session = Some(session.into());
        Entry {
            sequence,
            content: Content::Seen(vec![seen]),
        }
    };
    let change = Entry {
        sequence: 4,
        content: Content::Change(2),
    };
    let entries = [
        seen(1, "open", "x"),
        seen(2, "close", "x"),
        seen(3, "open", "y"),
        change,
        seen(5, "close", "y"),
        seen(6, "open", "z"),
        seen(7, "close", "z"),
    ];
    let mut verdicts = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        // A restart anywhere changes nothing.
        let state = judge.save();
        judge
            .restore((number > 0).then_some(&state))
            .expect("its own state");
        judge.take(entry, &mut verdicts).expect("known versions");
    }
    let found: Vec<(u32, &str, u64, &str)> = verdicts
        .iter()
        .map(|it| {
            let id = &it.id;
            (
                id.version,
                id.property.as_str(),
                id.opened,
                it.verdict.outcome.word(),
            )
        })
        .collect();
    let expected = [
        (1, "p", 1, "pass"),
        (1, "p", 3, "inconclusive"),
        (2, "q", 6, "fail"),
    ];
    assert_eq!(found, expected);
}
