//! Messages outside the model: who receives one is not blamed for what it does after it.
//!
//! A *refusal* answers a message of the model with a fault; its sender leaves its part.
//! Any other may be noise, so its sender is not guilty by it.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

mod players;

use std::collections::BTreeSet;

use choros_data::Terms;
use choros_model::Observed;
use choros_model::observation::{FAULT, Observation};
use choros_model::stg::{Direction, Role};
use choros_monitor::audit::{
    Audit, Auditing, CrossingMessages, Empty, Hypothesis, Integers, Log, MessageMoment, Sessions,
};
use choros_testkit::{
    Player, Random, SeenMessage, all_bound, messages_of, random_data_choreography, rounds,
    seed_from_env,
};

/// What comes back to who sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// A fault, which no run has.
    Refusal,
    /// Something else of which the model does not speak.
    Other,
}

/// How its name ends.
fn ending(answer: Answer) -> &'static str {
    match answer {
        Answer::Refusal => FAULT,
        Answer::Other => "Response",
    }
}

fn how(reading: MessageMoment) -> Auditing {
    Auditing {
        reading,
        crossing: CrossingMessages::Fails,
        sessions: Sessions::One,
        empty: Empty::Conforms,
        integers: Integers::Declared,
        limit: 2_000,
        ..Auditing::default()
    }
}

fn logs(players: &[Player<'_>], terms: &Terms) -> Vec<Log> {
    let log = |player: &Player<'_>| {
        let seen = player.log.iter();
        let seen = seen.map(|(message, direction, id)| (message, *direction, *id));
        let mut log = players::log(player.role(), seen, |_, _| {}, terms);
        for (line, observation) in (1..).zip(&mut log.observations) {
            observation.line = line;
        }
        log
    };
    players.iter().map(log).collect()
}

fn guilty(found: &Audit) -> BTreeSet<String> {
    let guilty = found.blame.guilty.iter();
    guilty.map(|it| it.role.clone()).collect()
}

/// The services talk for a while, and one answer is not in the model: what kind it is, and who receives it.
fn talk(
    players: &mut [Player<'_>],
    all: &[SeenMessage],
    random: &mut Random,
    terms: &mut Terms,
) -> Option<(Answer, Role)> {
    let roles: Vec<Role> = players.iter().map(Player::role).collect();
    let of = |role: Role| roles.iter().position(|it| *it == role);
    let mut answered = None;
    for id in 0..24 {
        let message = random.pick(all).clone();
        let (Some(from), Some(to)) = (of(message.1), of(message.2)) else {
            continue;
        };
        let keeps = players[from].may_send(&message, terms);
        let is_loose = players[from].is_wrong || answered.is_some_and(|(_, it)| it == message.1);
        if !(keeps || is_loose && random.percent(20)) {
            continue;
        }
        players[from].does(&message, Direction::Send, id, terms);
        players[to].does(&message, Direction::Receive, id, terms);
        if answered.is_some() || !random.percent(30) {
            continue;
        }
        let answer = *random.pick(&[Answer::Refusal, Answer::Other]);
        let ending = ending(answer);
        let outside = (
            format!("{}{ending}", message.0),
            message.2,
            message.1,
            Vec::new(),
        );
        match answer {
            Answer::Refusal => players[to].leaves(&outside, Direction::Send, id),
            Answer::Other => players[to].log.push((outside.clone(), Direction::Send, id)),
        }
        players[from].leaves(&outside, Direction::Receive, id);
        answered = Some((answer, message.1));
    }
    answered
}

#[test]
fn who_receives_what_is_not_in_the_model_is_not_guilty_of_what_follows() {
    let mut random = Random::new(seed_from_env());
    let (mut refused, mut excused, mut exact) = (0, 0, 0);
    for _ in 0..rounds(150) {
        let text = all_bound(&random_data_choreography(&mut random), &mut random);
        let mut terms = Terms::new();
        let stg = players::model(&text, &mut terms);
        let all = messages_of(&stg, &terms);
        let mut talking = Player::all(&stg, &mut terms);
        for player in &mut talking {
            player.is_wrong = random.percent(10);
        }
        let Some((answer, receiver)) = talk(&mut talking, &all, &mut random, &mut terms) else {
            continue;
        };
        let mut records = logs(&talking, &terms);
        let name = |player: &Player<'_>| terms.names.text(player.role().0).to_owned();
        let really = talking.iter().filter(|it| it.is_guilty).map(name);
        let really: BTreeSet<String> = really.collect();
        let lines: Vec<String> = records
            .iter()
            .flat_map(|log| log.observations.iter().map(|it| (&log.role, it)))
            .map(|(role, it)| format!("{role} {} {:?} {:?}\n", it.text(), it.direction, it.id))
            .collect();
        for reading in [
            MessageMoment::Whole,
            MessageMoment::Sendings,
            MessageMoment::Receptions,
        ] {
            let found = players::judged(&stg, &records, &how(reading), &mut terms);
            let blamed = guilty(&found);
            let context = || format!("{reading:?} {text}{}{:?}", lines.concat(), found.blame);
            if reading != MessageMoment::Whole {
                // Where messages take their time, it may have done wrong before by sending too early.
                let name = terms.names.text(receiver.0);
                let log = records.iter().find(|it| it.role == name);
                let lines = log.into_iter().flat_map(|it| &it.observations);
                let mut lines = lines.filter(|it| it.operation.ends_with(ending(answer)));
                let told = lines.find(|it| it.direction == Direction::Receive);
                let told = told.map_or(0, |it| it.line);
                let blamed = found.blame.guilty.iter().find(|it| it.role == name);
                let line = blamed.and_then(|it| it.place.rsplit(':').next()?.parse().ok());
                assert!(line.is_none_or(|it: u64| it < told), "{}", context());
                continue;
            }
            assert!(blamed.is_subset(&really), "{}", context());
            let is_open = |it: &&choros_monitor::audit::AuditVerdict| {
                matches!(it.verdict, Observed::Unknown(_))
            };
            let is_certain = !found.results.iter().any(|it| is_open(&it));
            if is_certain {
                assert_eq!(blamed, really, "{}", context());
                exact += 1;
            }
            refused += usize::from(answer == Answer::Refusal && !blamed.is_empty());
            excused += usize::from(answer == Answer::Other && !found.blame.may_be.is_empty());
            let words = |found: &Audit| -> Vec<&'static str> {
                found.results.iter().map(|it| it.verdict.word()).collect()
            };
            // What is said to others than the roles changes nothing.
            let mut noisy = records.clone();
            for log in &mut noisy {
                let at = random.below(log.observations.len() + 1);
                let noise = Observation::sent("Query", log.role.clone(), "elsewhere");
                log.observations.insert(at, noise);
            }
            let with_noise = players::judged(&stg, &noisy, &how(reading), &mut terms);
            assert_eq!(words(&with_noise), words(&found), "{}", context());
            assert_eq!(with_noise.blame, found.blame, "{}", context());
        }
        // A log with gaps blames no one by a refusal alone, nor who received it.
        for log in &mut records {
            log.hypothesis = Hypothesis::Gaps;
        }
        let how = how(MessageMoment::Whole);
        let found = players::judged(&stg, &records, &how, &mut terms);
        let blamed = guilty(&found);
        let context = || format!("gaps {text}{}{:?}", lines.concat(), found.blame);
        assert!(blamed.is_subset(&really), "{}", context());
    }
    let met = (refused, excused, exact);
    assert!(refused > 5 && excused > 0 && exact > 20, "{met:?}");
}
