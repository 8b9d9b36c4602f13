//! Who is guilty in choreographies with data, against a twin that tries all values.
//!
//! A role is guilty iff its own history is one of the choreography up to a sending with which it leaves it.
//! The values are 0 and 1: a hidden value that is positive may be taken for 1, any other for 0, and no guard of these
//! choreographies notices.
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros_base::{Budget, SourceMap};
use choros_data::Terms;
use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::{Direction, Role, Stg, read_stg};
use choros_monitor::audit::{
    Audit, Auditing, Crossing, Empty, Hypothesis, Integers, Log, Network, Order, Projection,
    Reading, Runs, Sessions, audit,
};
use choros_testkit::{
    LocalRuns, Random, SeenMessage, Situations, random_data_choreography, rounds, seed_from_env,
};

const DOMAIN: [i64; 2] = [0, 1];

/// What a role has done: its log, and where the choreography may be for all it knows; `None` once it was told what it
/// could not expect, or sent what it must not.
struct Player<'a> {
    runs: LocalRuns<'a>,
    at: Option<Situations>,
    log: Vec<(SeenMessage, Direction, usize)>,
    is_guilty: bool,
    is_wrong: bool,
}

impl Player<'_> {
    fn may(&self, message: &SeenMessage, terms: &mut Terms) -> Option<Situations> {
        let next = self.runs.next(self.at.as_ref()?, terms);
        let found = next.into_iter().find(|(seen, _)| seen == message);
        found.map(|(_, after)| after)
    }

    fn does(&mut self, message: &SeenMessage, direction: Direction, id: usize, terms: &mut Terms) {
        let after = self.may(message, terms);
        self.is_guilty |= direction == Direction::Send && self.at.is_some() && after.is_none();
        self.at = after;
        self.log.push((message.clone(), direction, id));
    }
}

/// The choreography after messages that bind all variables: a log does not say what parameters are.
fn with_values(text: &str, random: &mut Random) -> String {
    let mut text = text.replace("initial 0", "initial 100");
    for (position, variable) in ["x", "y", "z"].into_iter().enumerate() {
        let source = 100 + position;
        let target = if position == 2 { 0 } else { source + 1 };
        let (from, to) = *random.pick(&[("a", "b"), ("b", "c"), ("c", "a")]);
        text.push_str(&format!(
            "{source} -> {target}: b{position}[{from},{to}].<{variable}>\n"
        ));
    }
    text
}

/// All messages that somebody might send.
fn messages(stg: &Stg, terms: &Terms) -> Vec<SeenMessage> {
    let mut all: Vec<SeenMessage> = Vec::new();
    for message in stg.messages() {
        let operation = terms.names.text(message.operation.0).to_owned();
        let carried: Vec<Vec<i64>> = match message.fields.len() {
            0 => vec![Vec::new()],
            _ => DOMAIN.iter().map(|&value| vec![value]).collect(),
        };
        for values in carried {
            let one = (operation.clone(), message.from, message.to, values);
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    all
}

fn judged(stg: &Stg, players: &[Player<'_>], network: Network, terms: &mut Terms) -> Audit {
    let text = |role: Role, terms: &Terms| terms.names.text(role.0).to_owned();
    let logs: Vec<Log> = players
        .iter()
        .map(|player| {
            let role = text(player.runs.role(), terms);
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
        reading: Reading::Whole,
        crossing: Crossing::Fails,
        sessions: Sessions::One,
        runs: Runs::MayBeUnfinished,
        projection: Projection::Remembering,
        empty: Empty::Conforms,
        network,
        integers: Integers::Declared,
        limit: 1_000_000,
    };
    let mut solver = choros_smt::find().expect("tests have a solver");
    let budget = Budget::unlimited();
    audit(stg, &logs, &how, terms, &mut *solver, &budget).expect("the solver works")
}

#[test]
fn guilty_is_who_leaves_the_choreography_by_a_sending() {
    let mut random = Random::new(seed_from_env());
    let (mut blamed, mut innocent) = (0, 0);
    for _ in 0..rounds(150) {
        let text = with_values(&random_data_choreography(&mut random), &mut random);
        let (mut sources, mut terms) = (SourceMap::new(), Terms::new());
        let file = sources.add("random.stg", text.clone());
        let (stg, mistakes) = read_stg(file, &text, &mut terms);
        assert!(mistakes.is_empty(), "{text}{mistakes:?}");
        let all = messages(&stg, &terms);
        let mut players: Vec<Player<'_>> = Vec::new();
        for role in stg.roles() {
            let runs = LocalRuns::new(&stg, role, &DOMAIN, &terms);
            players.push(Player {
                at: Some(runs.start(&mut terms)),
                runs,
                log: Vec::new(),
                is_guilty: false,
                is_wrong: random.percent(20) && random.percent(50),
            });
        }
        let repeats = random.percent(50);
        for id in 0..40 {
            let message = random.pick(&all).clone();
            let of = |role: Role, players: &[Player<'_>]| {
                players.iter().position(|it| it.runs.role() == role)
            };
            let (Some(from), Some(to)) = (of(message.1, &players), of(message.2, &players)) else {
                continue;
            };
            let keeps =
                players[from].at.is_none() || players[from].may(&message, &mut terms).is_some();
            // Who is wrong now and then is not wrong all the time.
            if !keeps && !(players[from].is_wrong && random.percent(10)) {
                continue;
            }
            players[from].does(&message, Direction::Send, id, &mut terms);
            players[to].does(&message, Direction::Receive, id, &mut terms);
            if repeats && random.percent(20) {
                // The network delivers it again, and the role knows that it has it already.
                players[to].log.push((message, Direction::Receive, id));
            }
        }
        let network = match repeats {
            true => Network::MayRepeat,
            false => Network::Once,
        };
        let found = judged(&stg, &players, network, &mut terms);
        let mut guilty: Vec<String> = found
            .blame
            .guilty
            .iter()
            .map(|it| it.role.clone())
            .collect();
        guilty.sort();
        let mut expected: Vec<String> = players
            .iter()
            .filter(|it| it.is_guilty)
            .map(|it| terms.names.text(it.runs.role().0).to_owned())
            .collect();
        expected.sort();
        let logs: Vec<_> = players.iter().map(|it| &it.log).collect();
        assert_eq!(guilty, expected, "{text}{logs:?}");
        blamed += usize::from(!guilty.is_empty());
        innocent += usize::from(guilty.is_empty());
    }
    assert!(blamed > 5 && innocent > 5, "{blamed} {innocent}");
}
