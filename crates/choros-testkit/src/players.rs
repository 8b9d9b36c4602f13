//! Services that play the roles of a choreography, message by message, with the values 0 and 1.

use choros_data::Terms;
use choros_model::stg::{Direction, Role, Stg};

use crate::{LocalRuns, Random, SeenMessage, Situations};

const DOMAIN: [i64; 2] = [0, 1];

/// What a role has done: its log, and where the choreography may be for all it knows; `None` once it was told what it
/// could not expect, or sent what it must not.
pub struct Player<'a> {
    role: Role,
    runs: LocalRuns<'a>,
    at: Option<Situations>,
    /// Messages with their identities.
    pub log: Vec<(SeenMessage, Direction, usize)>,
    /// It has sent what it must not.
    pub is_guilty: bool,
    /// It may send what it must not.
    pub is_wrong: bool,
}

impl<'a> Player<'a> {
    /// One for each role of a choreography.
    pub fn all(stg: &'a Stg, terms: &mut Terms) -> Vec<Player<'a>> {
        let mut players = Vec::new();
        for role in stg.roles() {
            let runs = LocalRuns::new(stg, role, &DOMAIN, terms);
            players.push(Player {
                role,
                at: Some(runs.start(terms)),
                runs,
                log: Vec::new(),
                is_guilty: false,
                is_wrong: false,
            });
        }
        players
    }

    pub fn role(&self) -> Role {
        self.role
    }

    /// Whether it does its part by sending a message: once it was told what it could not expect it may do anything.
    pub fn may_send(&self, message: &SeenMessage, terms: &mut Terms) -> bool {
        self.at.is_none() || self.may(message, terms).is_some()
    }

    fn may(&self, message: &SeenMessage, terms: &mut Terms) -> Option<Situations> {
        let next = self.runs.next(self.at.as_ref()?, terms);
        let found = next.into_iter().find(|(seen, _)| seen == message);
        found.map(|(_, after)| after)
    }

    /// It sends or receives a message.
    pub fn does(
        &mut self,
        message: &SeenMessage,
        direction: Direction,
        id: usize,
        terms: &mut Terms,
    ) {
        let after = self.may(message, terms);
        self.is_guilty |= direction == Direction::Send && self.at.is_some() && after.is_none();
        self.at = after;
        self.log.push((message.clone(), direction, id));
    }

    /// It sends or receives what no run of the choreography has: from here on it may do anything.
    pub fn leaves(&mut self, message: &SeenMessage, direction: Direction, id: usize) {
        self.is_guilty |= direction == Direction::Send && self.at.is_some();
        self.at = None;
        self.log.push((message.clone(), direction, id));
    }
}

/// The choreography after messages that bind all variables: a log does not say what parameters are.
pub fn all_bound(text: &str, random: &mut Random) -> String {
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

/// All messages that someone might send.
pub fn messages_of(stg: &Stg, terms: &Terms) -> Vec<SeenMessage> {
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
