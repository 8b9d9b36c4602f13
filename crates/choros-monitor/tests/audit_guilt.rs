//! Who is guilty in choreographies with data, against a twin that tries all values.
//!
//! A role is guilty iff its own history is one of the choreography up to a sending with which it leaves it.
//! The values are 0 and 1: a hidden value that is positive may be taken for 1, any other for 0, and no guard of these
//! choreographies notices.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

mod delayed;
mod players;

use std::collections::{BTreeMap, BTreeSet};

use choros_data::Terms;
use choros_model::Observed;
use choros_model::observation::Observation;
use choros_model::stg::{Direction, Role, Stg};
use choros_monitor::audit::{
    Audit, AuditVerdict, Auditing, CrossingMessages, Empty, Integers, Log, MessageMoment, Network,
    Sessions,
};
use choros_testkit::{
    Player, Random, SeenMessage, all_bound, messages_of, random_data_choreography, rounds,
    seed_from_env,
};

use delayed::{Delayed, Delays, History, random_relay};

fn judged(stg: &Stg, players: &[&Player<'_>], network: Network, terms: &mut Terms) -> Audit {
    let logs: Vec<Log> = players
        .iter()
        .map(|player| {
            let seen = player.log.iter();
            let seen = seen.map(|(message, direction, id)| (message, *direction, *id));
            players::log(player.role(), seen, |_, _| {}, terms)
        })
        .collect();
    let how = Auditing {
        crossing: CrossingMessages::Fails,
        network,
        ..usual()
    };
    players::judged(stg, &logs, &how, terms)
}

/// One session, and integers as they are.
fn usual() -> Auditing {
    Auditing {
        sessions: Sessions::One,
        empty: Empty::Conforms,
        integers: Integers::Declared,
        limit: 2_000,
        ..Auditing::default()
    }
}

#[test]
fn guilty_is_who_leaves_the_choreography_by_a_sending() {
    let mut random = Random::new(seed_from_env());
    let (mut blamed, mut innocent, mut suspects, mut cut) = (0, 0, 0, 0);
    for _ in 0..rounds(150) {
        let text = all_bound(&random_data_choreography(&mut random), &mut random);
        let mut terms = Terms::new();
        let stg = players::model(&text, &mut terms);
        let all = messages_of(&stg, &terms);
        let mut players = Player::all(&stg, &mut terms);
        for player in &mut players {
            player.is_wrong = random.percent(20) && random.percent(50);
        }
        let repeats = random.percent(50);
        for id in 0..24 {
            let message = random.pick(&all).clone();
            let of = |role: Role, players: &[Player<'_>]| {
                players.iter().position(|it| it.role() == role)
            };
            let (Some(from), Some(to)) = (of(message.1, &players), of(message.2, &players)) else {
                continue;
            };
            let keeps = players[from].may_send(&message, &mut terms);
            // Who is wrong now and then is not wrong all the time.
            let may = keeps || (players[from].is_wrong && random.percent(10));
            if !may {
                continue;
            }
            players[from].does(&message, Direction::Send, id, &mut terms);
            players[to].does(&message, Direction::Receive, id, &mut terms);
            if repeats && random.percent(20) {
                // The network delivers it again, and the role knows that it has it already.
                players[to].log.push((message, Direction::Receive, id));
            }
        }
        let network = if repeats {
            Network::MayRepeat
        } else {
            Network::Once
        };
        // Now and then one of them has no log.
        let missing = random.percent(30).then(|| random.below(players.len()));
        let observed: Vec<&Player<'_>> = players
            .iter()
            .enumerate()
            .filter(|(number, _)| Some(*number) != missing)
            .map(|(_, player)| player)
            .collect();
        let found = judged(&stg, &observed, network, &mut terms);
        // Where too many orders had to be tried, the bound is the answer.
        let is_cut = |it: &AuditVerdict| matches!(it.verdict, Observed::Unknown(_));
        if found.results.iter().any(is_cut) {
            cut += 1;
            continue;
        }
        let name = |player: &Player<'_>| terms.names.text(player.role().0).to_owned();
        let guilty = found.blame.guilty.iter().map(|it| it.role.clone());
        let guilty: BTreeSet<String> = guilty.collect();
        let really = observed.iter().filter(|it| it.is_guilty);
        let expected: BTreeSet<String> = really.map(|it| name(it)).collect();
        let logs: Vec<_> = players.iter().map(|it| &it.log).collect();
        let context = || format!("without {missing:?}: {text}{logs:?}");
        assert_eq!(guilty, expected, "{}", context());
        let global = found.results.iter().find(|it| it.name == "global");
        let fails = global.is_some_and(|it| it.verdict.word() == "fails");
        let blame = &found.blame;
        if fails && guilty.is_empty() {
            // Someone is named: who has no log, or the choreography.
            let is_named = !blame.may_be.is_empty() || blame.races > 0;
            assert!(is_named, "{}", context());
        }
        if let Some(absent) = missing.map(|number| &players[number]) {
            let suspected = blame.may_be.contains(&name(absent));
            let is_it = fails && guilty.is_empty() && absent.is_guilty;
            assert!(suspected || !is_it, "{}", context());
            // Who sent nothing that anyone received cannot have led them astray.
            let sent = |it: &&Player<'_>| {
                let mut log = it.log.iter();
                log.any(|(message, direction, _)| {
                    *direction == Direction::Receive && message.1 == absent.role()
                })
            };
            assert!(!suspected || observed.iter().any(sent), "{}", context());
            suspects += usize::from(suspected);
        }
        blamed += usize::from(!guilty.is_empty());
        innocent += usize::from(guilty.is_empty());
    }
    let met = (blamed, innocent, suspects, cut);
    assert!(blamed > 5 && innocent > 5, "{met:?}");
    // Bounds are for what is rare.
    assert!(cut * 5 < blamed + innocent, "{met:?}");
}

/// Messages that were sent and did not arrive yet, by the numbers of their ends.
type Transit = BTreeMap<(usize, usize), Vec<(SeenMessage, usize)>>;

/// The roles that this one hears in the order in which they speak, as far as the logs tell.
fn heard_in_order(number: usize, roles: &[Role], logs: &[Option<History>]) -> Vec<Role> {
    let ids = |log: &History, from: Role, direction: Direction| -> Vec<usize> {
        let mut ids = Vec::new();
        for (message, its, id) in log {
            let is_it = message.1 == from && message.2 == roles[number] && *its == direction;
            // What the network delivers again says nothing.
            if is_it && !ids.contains(id) {
                ids.push(*id);
            }
        }
        ids
    };
    let received = |from: Role| {
        let log = logs[number].as_ref();
        log.map_or(Vec::new(), |log| ids(log, from, Direction::Receive))
    };
    let mut heard = Vec::new();
    for (from, log) in roles.iter().zip(logs) {
        let sent = log.as_ref().map(|log| ids(log, *from, Direction::Send));
        let received = received(*from);
        if received.is_empty() || sent.is_some_and(|sent| sent.starts_with(&received)) {
            heard.push(*from);
        }
    }
    heard
}

/// The services talk for a while: those that are wrong send what they must not now and then, and those that received
/// what they could not expect continue as they like.
fn talk(players: &mut [Delayed<'_>], all: &[SeenMessage], random: &mut Random, terms: &mut Terms) {
    let roles: Vec<Role> = players.iter().map(|it| it.role).collect();
    let of = |role: Role| roles.iter().position(|it| *it == role);
    let (overtakes, repeats) = (random.percent(30), random.percent(30));
    let mut transit = Transit::new();
    let deliver = |players: &mut [Delayed<'_>], transit: &mut Transit, random: &mut Random| {
        let channels: Vec<(usize, usize)> = transit.keys().copied().collect();
        let channel = *random.pick(&channels);
        let waiting = transit.get_mut(&channel).expect("it is one of them");
        let first = if overtakes && random.percent(30) {
            random.below(waiting.len())
        } else {
            0
        };
        let (message, id) = waiting.remove(first);
        if waiting.is_empty() {
            transit.remove(&channel);
        }
        let log = &mut players[channel.1].log;
        log.push((message.clone(), Direction::Receive, id));
        if repeats && random.percent(20) {
            log.push((message, Direction::Receive, id));
        }
    };
    for id in 0..30 {
        if !transit.is_empty() && random.percent(50) {
            deliver(players, &mut transit, random);
            continue;
        }
        let message = random.pick(all).clone();
        let (Some(from), Some(to)) = (of(message.1), of(message.2)) else {
            continue;
        };
        let known: Vec<Option<History>> = players.iter().map(|it| Some(it.log.clone())).collect();
        let delays = Delays {
            in_order: heard_in_order(from, &roles, &known),
            waits: true,
        };
        let once = without_repeats(&players[from].log);
        let player = &players[from];
        let has_left = !player.is_seen(&once, &delays, terms);
        let mut longer = once;
        longer.push((message.clone(), Direction::Send, id));
        let keeps = has_left || player.is_seen(&longer, &delays, terms);
        let may = if has_left { 20 } else { 10 };
        let is_free = has_left || player.is_wrong;
        if (!keeps || has_left) && !(is_free && random.percent(may)) {
            continue;
        }
        players[from].did_its_part &= keeps;
        players[from]
            .log
            .push((message.clone(), Direction::Send, id));
        let channel = transit.entry((from, to)).or_default();
        channel.push((message, id));
    }
    while !transit.is_empty() {
        deliver(players, &mut transit, random);
    }
}

fn without_repeats(log: &History) -> History {
    let mut once: History = Vec::new();
    for seen in log {
        let is_again = |it: &&(SeenMessage, Direction, usize)| it.1 == seen.1 && it.2 == seen.2;
        if !once.iter().any(|it| is_again(&it)) {
            once.push(seen.clone());
        }
    }
    once
}

#[test]
fn where_messages_take_their_time_who_does_its_part_is_not_guilty_and_someone_is() {
    let mut random = Random::new(seed_from_env());
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..rounds(250) {
        let is_relay = random.percent(50);
        let text = if is_relay {
            random_relay(&mut random)
        } else {
            all_bound(&random_data_choreography(&mut random), &mut random)
        };
        let mut terms = Terms::new();
        let stg = players::model(&text, &mut terms);
        let all = messages_of(&stg, &terms);
        let mut talking = Delayed::all(&stg, &terms);
        for player in &mut talking {
            player.is_wrong = random.percent(25);
        }
        talk(&mut talking, &all, &mut random, &mut terms);
        // Now and then a log is missing, or cut.
        let mut is_whole = true;
        let mut logs: Vec<Option<History>> = Vec::new();
        for player in &talking {
            let mut log = player.log.clone();
            if random.percent(10) {
                log.truncate(random.below(log.len() + 1));
                is_whole = false;
            }
            let is_there = random.percent(90);
            is_whole &= is_there;
            logs.push(is_there.then_some(log));
        }
        let reading = match random.below(5) {
            0 | 1 => MessageMoment::Receptions,
            _ => MessageMoment::Sendings,
        };
        let how = Auditing {
            reading,
            network: Network::MayRepeat,
            limit: 20_000,
            ..usual()
        };
        let records: Vec<Log> = talking
            .iter()
            .zip(&logs)
            .filter_map(|(player, log)| {
                let seen = log.as_ref()?.iter();
                let seen = seen.map(|(message, direction, id)| (message, *direction, *id));
                Some(players::log(player.role, seen, |_, _| {}, &terms))
            })
            .collect();
        let found = players::judged(&stg, &records, &how, &mut terms);
        let name = |role: Role, terms: &Terms| terms.names.text(role.0).to_owned();
        let guilty: BTreeSet<String> = {
            let guilty = found.blame.guilty.iter();
            guilty.map(|it| it.role.clone()).collect()
        };
        let lines: Vec<String> = records
            .iter()
            .flat_map(|log| log.observations.iter().map(|it| (&log.role, it)))
            .map(|(role, it)| format!("{role} {} {:?} {:?}\n", it.text(), it.direction, it.id))
            .collect();
        let context = || format!("{reading:?} {text}{}{:?}", lines.concat(), found.blame);
        for player in talking.iter().filter(|it| it.did_its_part) {
            let name = name(player.role, &terms);
            assert!(!guilty.contains(&name), "{name}: {}", context());
        }
        let global = found.results.iter().find(|it| it.name == "global");
        let fails = global.is_some_and(|it| it.verdict.word() == "fails");
        // Without identities less is known, and nothing else.
        let bare = talking.iter().zip(&logs).filter_map(|(player, log)| {
            let seen = without_repeats(log.as_ref()?);
            let seen = seen
                .iter()
                .map(|(message, direction, id)| (message, *direction, *id));
            let finish = |seen: &mut Observation<'static>, _| seen.id = None;
            Some(players::log(player.role, seen, finish, &terms))
        });
        let bare: Vec<Log> = bare.collect();
        let once = Auditing {
            network: Network::Once,
            ..how.clone()
        };
        let without = players::judged(&stg, &bare, &once, &mut terms);
        let of_all = without.results.iter().find(|it| it.name == "global");
        let word = of_all.map_or("unknown", |it| it.verdict.word());
        let with = global.map_or("unknown", |it| it.verdict.word());
        let agree = word == "unknown" || with == "unknown" || word == with;
        assert!(agree, "without identities {word}: {}", context());
        for player in talking.iter().filter(|it| it.did_its_part) {
            let name = name(player.role, &terms);
            let is_blamed = without.blame.guilty.iter().any(|it| it.role == name);
            assert!(!is_blamed, "{name}, without identities: {}", context());
        }
        *met.entry("told without identities").or_default() += usize::from(word != "unknown");
        let roles: Vec<Role> = talking.iter().map(|it| it.role).collect();
        let holds = global.is_some_and(|it| it.verdict.word() == "holds");
        for (number, player) in talking.iter().enumerate() {
            let name = name(player.role, &terms);
            let own = found.results.iter().find(|it| it.name == name);
            let (Some(own), Some(log)) = (own, logs[number].as_ref().map(without_repeats)) else {
                continue;
            };
            let own_fails = own.verdict.word() == "fails";
            assert!(!holds || !own_fails, "{name}: {}", context());
            if reading == MessageMoment::Receptions || !own_fails {
                continue;
            }
            let delays = Delays {
                in_order: heard_in_order(number, &roles, &logs),
                waits: false,
            };
            // Only a log that no run shows fails; that of a role which does its part, for what it received.
            let left = player.leaves(&log, &delays, &mut terms);
            let left = left.map(|at| log[at].1);
            assert!(left.is_some(), "{name}: {}", context());
            let is_wronged = left == Some(Direction::Receive);
            assert!(!player.did_its_part || is_wronged, "{name}: {}", context());
            *met.entry("roles that fail").or_default() += 1;
        }
        if !fails {
            assert!(guilty.is_empty(), "{}", context());
            *met.entry("no one to blame").or_default() += 1;
            continue;
        }
        if reading == MessageMoment::Receptions {
            // Who sends what no run has, whenever it arrives; who only sent early may be, where no one else is.
            let (mut expected, mut early) = (BTreeSet::new(), BTreeSet::new());
            for (player, log) in talking.iter().zip(&logs) {
                let Some(log) = log.as_ref().map(without_repeats) else {
                    continue;
                };
                let left = player.leaves_without_delays(&log, &mut terms);
                let Some(left) = left.filter(|left| log[*left].1 == Direction::Send) else {
                    continue;
                };
                let name = name(player.role, &terms);
                if player.is_seen_by_receptions(&log[..=left], &mut terms) {
                    early.insert(name);
                } else {
                    expected.insert(name);
                }
            }
            assert_eq!(guilty, expected, "{}", context());
            let may_be: BTreeSet<String> = found.blame.may_be.iter().cloned().collect();
            let is_named = !guilty.is_empty() || may_be.is_empty() || early.is_subset(&may_be);
            assert!(is_named, "{early:?}: {}", context());
            // The roles of a relay that wait keep to its runs.
            let is_avoidable = is_relay && is_whole;
            assert!(!is_avoidable || found.blame.races == 0, "{}", context());
            *met.entry("guilty by receptions").or_default() += usize::from(!guilty.is_empty());
            continue;
        }
        // Who sends what no run shows; if no one does, who did not wait.
        let (mut expected, mut hasty) = (BTreeSet::new(), BTreeSet::new());
        for (number, player) in talking.iter().enumerate() {
            let Some(log) = logs[number].as_ref().map(without_repeats) else {
                continue;
            };
            let strictly = Delays {
                in_order: roles.clone(),
                waits: true,
            };
            let Some(left) = player.leaves(&log, &strictly, &mut terms) else {
                continue;
            };
            let mut delays = Delays {
                in_order: heard_in_order(number, &roles, &logs),
                waits: false,
            };
            let is_sent = log[left].1 == Direction::Send;
            if is_sent && !player.is_seen(&log[..=left], &delays, &mut terms) {
                expected.insert(name(player.role, &terms));
            }
            delays.waits = true;
            if is_sent && !player.is_seen(&log[..=left], &delays, &mut terms) {
                hasty.insert(name(player.role, &terms));
            }
        }
        let is_told = |it: &(SeenMessage, Direction, usize)| {
            let mut sent = logs.iter().flatten().flatten();
            it.1 == Direction::Send
                || sent.any(|other| other.1 == Direction::Send && other.2 == it.2)
        };
        let all_told = logs.iter().flatten().flatten().all(is_told);
        if expected.is_empty() && all_told && logs.iter().all(Option::is_some) {
            expected = hasty;
        }
        assert_eq!(guilty, expected, "{}", context());
        if is_relay && is_whole {
            assert!(!guilty.is_empty(), "{}", context());
            *met.entry("someone is guilty").or_default() += 1;
        }
        for (number, player) in talking.iter().enumerate().filter(|it| !it.1.is_wrong) {
            let Some(log) = logs[number].as_ref().map(without_repeats) else {
                continue;
            };
            let in_order = heard_in_order(number, &roles, &logs);
            let delays = Delays {
                in_order,
                waits: true,
            };
            let left = player.leaves(&log, &delays, &mut terms);
            let sends_on = |at: usize| log[at..].iter().any(|it| it.1 == Direction::Send);
            *met.entry("victims that answer").or_default() +=
                usize::from(left.is_some_and(sends_on));
        }
    }
    for (case, least) in [
        ("no one to blame", 10),
        ("someone is guilty", 5),
        ("victims that answer", 10),
        ("roles that fail", 10),
        ("told without identities", 10),
        ("guilty by receptions", 3),
    ] {
        assert!(met.get(case).is_some_and(|it| *it >= least), "{met:?}");
    }
}
