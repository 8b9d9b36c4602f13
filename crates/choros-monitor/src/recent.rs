//! The last observations of a log, for evidence.
//!
//! Buffers are used again, so that keeping costs a few copies and no allocation.

use std::collections::VecDeque;

use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::Direction;

/// The last observations, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recent {
    kept: VecDeque<Kept>,
    most: usize,
}

#[derive(Debug, Clone)]
struct Kept {
    position: u64,
    line: u64,
    at: Option<Number>,
    direction: Direction,
    /// Sender, receiver, operation, identity, session and labels, one after the other.
    text: String,
    ends: [u32; 5],
    has_id: bool,
    has_session: bool,
    data: Vec<(u32, Datum<'static>)>,
}

impl Recent {
    pub(crate) fn new(most: usize) -> Recent {
        Recent {
            kept: VecDeque::new(),
            most,
        }
    }

    pub(crate) fn push(&mut self, position: u64, seen: &Observation<'_>) {
        if self.most == 0 {
            return;
        }
        let mut slot = match self.kept.len() >= self.most {
            true => self.kept.pop_front(),
            false => None,
        }
        .unwrap_or_else(|| Kept {
            position: 0,
            line: 0,
            at: None,
            direction: Direction::Send,
            text: String::new(),
            ends: [0; 5],
            has_id: false,
            has_session: false,
            data: Vec::new(),
        });
        slot.position = position;
        slot.line = seen.line;
        slot.at.clone_from(&seen.at);
        slot.direction = seen.direction;
        slot.has_id = seen.id.is_some();
        slot.has_session = seen.session.is_some();
        slot.text.clear();
        let parts: [&str; 5] = [
            &seen.from,
            &seen.to,
            &seen.operation,
            seen.id.as_deref().unwrap_or_default(),
            seen.session.as_deref().unwrap_or_default(),
        ];
        for (end, part) in slot.ends.iter_mut().zip(parts) {
            slot.text.push_str(part);
            *end = slot.text.len() as u32;
        }
        slot.data.clear();
        for (path, value) in &seen.data {
            slot.text.push_str(path);
            slot.data
                .push((slot.text.len() as u32, value.clone().into_owned()));
        }
        self.kept.push_back(slot);
    }

    /// Those from a position on.
    pub(crate) fn since(&self, position: u64, service: &str) -> Vec<(u64, Observation<'static>)> {
        // Most windows are short: look from the end.
        let first = self
            .kept
            .iter()
            .rposition(|kept| kept.position < position)
            .map_or(0, |before| before + 1);
        self.kept
            .range(first..)
            .map(|kept| (kept.position, kept.observation(service)))
            .collect()
    }
}

impl Kept {
    fn observation(&self, service: &str) -> Observation<'static> {
        let mut start = 0;
        let mut part = |end: u32| {
            let text = self.text[start..end as usize].to_owned();
            start = end as usize;
            text
        };
        let [from, to, operation, id, session] = self.ends.map(&mut part);
        Observation {
            line: self.line,
            at: self.at.clone(),
            by: service.to_owned().into(),
            direction: self.direction,
            from: from.into(),
            to: to.into(),
            operation: operation.into(),
            id: self.has_id.then(|| id.into()),
            session: self.has_session.then(|| session.into()),
            data: self
                .data
                .iter()
                .map(|(end, value)| (part(*end).into(), value.clone()))
                .collect(),
        }
    }
}
