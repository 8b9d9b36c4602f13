//! Logs of random conversations, and ways to judge them.

use choros_data::Terms;
use choros_model::observation::{Correlation, Number, Observation};
use choros_model::stg::{Direction, Stg};
use choros_monitor::audit::{
    Auditing, CrossingMessages, Hypothesis, Integers, Log, MessageMoment, Order, Runs, Sessions,
};
use choros_testkit::{Player, Random, SeenMessage, messages_of};

use crate::players;

/// Conversations of several sessions at a time.
pub(crate) fn conversations(stg: &Stg, terms: &mut Terms, random: &mut Random) -> Vec<Log> {
    let all = messages_of(stg, terms);
    let names: Vec<String> = stg
        .roles()
        .iter()
        .map(|role| terms.names.text(role.0).to_owned())
        .collect();
    let (uses_ids, uses_sessions, loses) =
        (random.percent(80), random.percent(85), random.percent(30));
    let hypothesis = *random.pick(&[
        Hypothesis::Cut,
        Hypothesis::Cut,
        Hypothesis::Late,
        Hypothesis::Gaps,
    ]);
    let mut logs: Vec<Log> = Vec::new();
    for name in &names {
        if random.percent(90) {
            logs.push(Log {
                role: name.clone(),
                source: format!("{name}.jsonl"),
                hypothesis,
                promises_data: false,
                observations: Vec::new(),
            });
        }
    }
    if random.percent(10)
        && let Some(first) = logs.first().cloned()
    {
        logs.push(Log {
            source: "other.jsonl".to_owned(),
            ..first
        });
    }
    let mut open: Vec<(usize, Vec<Player<'_>>)> = Vec::new();
    let (mut sessions, mut time) = (0, 0);
    for id in 0..60 + random.below(120) {
        if open.is_empty() || random.percent(12) {
            let mut players = Player::all(stg, terms);
            let is_wrong = random.percent(15);
            for player in &mut players {
                player.is_wrong = is_wrong && random.percent(50);
            }
            open.push((sessions, players));
            sessions += 1;
        }
        let number = random.below(open.len());
        if random.percent(4) {
            open.swap_remove(number);
            continue;
        }
        let (session, players) = &mut open[number];
        let message: SeenMessage = random.pick(&all).clone();
        let of = |role| players.iter().position(|it: &Player<'_>| it.role() == role);
        let (Some(from), Some(to)) = (of(message.1), of(message.2)) else {
            continue;
        };
        if !players[from].may_send(&message, terms) && !players[from].is_wrong {
            continue;
        }
        players[from].does(&message, Direction::Send, id, terms);
        players[to].does(&message, Direction::Receive, id, terms);
        let mut tell = |end: usize, message: &SeenMessage, direction, random: &mut Random| {
            time += random.below(3) as i64;
            let role = players[end].role();
            let seen = (message, direction, id);
            let finish = |seen: &mut Observation<'static>, _| {
                seen.at = Some(Number::from(time));
                seen.is_fault = seen.operation.ends_with("Fault");
                if uses_sessions {
                    seen.session = Some(session.to_string().into());
                }
                if !uses_ids {
                    seen.id = None;
                }
            };
            let told = players::log(role, [seen], finish, terms);
            let fitting = logs.iter_mut().filter(|it| it.role == told.role);
            let mut fitting: Vec<&mut Log> = fitting.collect();
            if fitting.is_empty() || loses && random.percent(6) {
                return;
            }
            let index = random.below(fitting.len());
            let lines = &mut fitting[index].observations;
            for mut seen in told.observations {
                seen.line = lines.len() as u64 + 1;
                lines.push(seen);
            }
        };
        tell(from, &message, Direction::Send, random);
        tell(to, &message, Direction::Receive, random);
        if random.percent(6) {
            let ending = *random.pick(&["Fault", "Response"]);
            let answer = (
                format!("{}{ending}", message.0),
                message.2,
                message.1,
                vec![],
            );
            tell(to, &answer, Direction::Send, random);
            tell(from, &answer, Direction::Receive, random);
        }
    }
    logs
}

/// Ways to judge them.
pub(crate) fn how(random: &mut Random) -> Auditing {
    Auditing {
        order: *random.pick(&[Order::Local, Order::Local, Order::Time]),
        reading: *random.pick(&[
            MessageMoment::Whole,
            MessageMoment::Whole,
            MessageMoment::Sendings,
            MessageMoment::Receptions,
        ]),
        crossing: *random.pick(&[CrossingMessages::Fails, CrossingMessages::JudgedBySendings]),
        sessions: match random.below(4) {
            0 => Sessions::By(Correlation::Session),
            _ => Sessions::Found,
        },
        runs: match random.below(4) {
            0 => Runs::MustBeFinished,
            _ => Runs::MayBeUnfinished,
        },
        integers: Integers::Declared,
        limit: 2_000,
        ..Auditing::default()
    }
}
