//! Who is guilty in choreographies with data, against a twin that tries all values.
//!
//! A role is guilty iff its own history is one of the choreography up to a sending with which it leaves it.
//! The values are 0 and 1: a hidden value that is positive may be taken for 1, any other for 0, and no guard of these
//! choreographies notices.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use std::collections::BTreeSet;

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::Observed;
use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::{Direction, Role, Stg, read_stg};
use choros_monitor::audit::{
    Audit, AuditVerdict, Auditing, CrossingMessages, Empty, Hypothesis, Integers, Log,
    MessageMoment, Network, Order, Projection, Runs, Sessions, audit,
};
use choros_testkit::{
    Player, Random, all_bound, messages_of, random_data_choreography, rounds, seed_from_env,
};

fn judged(stg: &Stg, players: &[&Player<'_>], network: Network, terms: &mut Terms) -> Audit {
    let text = |role: Role, terms: &Terms| terms.names.text(role.0).to_owned();
    let logs: Vec<Log> = players
        .iter()
        .map(|player| {
            let role = text(player.role(), terms);
            let observations =
                player
                    .log
                    .iter()
                    .map(|((operation, from, to, values), direction, id)| {
                        let (from, to) = (text(*from, terms), text(*to, terms));
                        let mut seen = Observation::new(operation.clone(), from, to, *direction);
                        seen.id = Some(id.to_string().into());
                        for &value in values {
                            seen.data
                                .push(("value".into(), Datum::Number(Number::from(value))));
                        }
                        seen
                    });
            Log {
                source: format!("{role}.jsonl"),
                hypothesis: Hypothesis::Cut,
                promises_data: false,
                observations: observations.collect(),
                role,
            }
        })
        .collect();
    let how = Auditing {
        order: Order::Local,
        reading: MessageMoment::Whole,
        crossing: CrossingMessages::Fails,
        sessions: Sessions::One,
        runs: Runs::MayBeUnfinished,
        projection: Projection::Remembering,
        empty: Empty::Conforms,
        network,
        integers: Integers::Declared,
        limit: 2_000,
    };
    let mut solver = choros_smt::find().expect("tests have a solver");
    let budget = Budget::unlimited();
    audit(stg, &logs, &how, terms, &mut *solver, &budget).expect("the solver works")
}

#[test]
fn guilty_is_who_leaves_the_choreography_by_a_sending() {
    let mut random = Random::new(seed_from_env());
    let (mut blamed, mut innocent, mut suspects, mut cut) = (0, 0, 0, 0);
    for _ in 0..rounds(150) {
        let text = all_bound(&random_data_choreography(&mut random), &mut random);
        let (mut sources, mut terms) = (SourceMap::new(), Terms::new());
        let file = sources.add("random.stg", text.clone());
        let (stg, mistakes) = read_stg(file, &text, &mut terms);
        assert!(mistakes.is_empty(), "{text}{mistakes:?}");
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
