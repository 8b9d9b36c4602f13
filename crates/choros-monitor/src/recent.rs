//! Observations that are kept for evidence: the last ones of a log, and those that opened windows.
//!
//! An observation is copied once and shared.
//! Buffers that no window holds are used again, so that keeping costs a few copies and no allocation.

use std::collections::VecDeque;
use std::sync::Arc;

use choros_model::observation::{Datum, Number, Observation};
use choros_model::stg::Direction;

/// The last observations, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recent {
    kept: VecDeque<Arc<Kept>>,
    most: usize,
}

/// One observation.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
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

impl Default for Kept {
    fn default() -> Kept {
        Kept {
            position: 0,
            line: 0,
            at: None,
            direction: Direction::Send,
            text: String::new(),
            ends: [0; 5],
            has_id: false,
            has_session: false,
            data: Vec::new(),
        }
    }
}

impl Recent {
    pub(crate) fn new(most: usize) -> Recent {
        Recent {
            kept: VecDeque::new(),
            most,
        }
    }

    /// Keeps one more, and forgets the oldest where there are too many.
    pub(crate) fn push(&mut self, position: u64, seen: &Observation<'_>) {
        if self.most == 0 {
            return;
        }
        let mut oldest = if self.kept.len() >= self.most {
            self.kept.pop_front()
        } else {
            None
        };
        match oldest.as_mut().and_then(Arc::get_mut) {
            Some(slot) => slot.fill(position, seen),
            None => {
                let mut slot = Kept::default();
                slot.fill(position, seen);
                oldest = Some(Arc::new(slot));
            }
        }
        self.kept.extend(oldest);
    }

    pub(crate) fn last(&self) -> Option<&Arc<Kept>> {
        self.kept.back()
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
    }

    /// Those from a position on.
    pub(crate) fn since(&self, position: u64) -> impl Iterator<Item = &Arc<Kept>> {
        // Most windows are short: look from the end.
        let first = self
            .kept
            .iter()
            .rposition(|kept| kept.position < position)
            .map_or(0, |before| before + 1);
        self.kept.range(first..)
    }
}

impl Kept {
    fn fill(&mut self, position: u64, seen: &Observation<'_>) {
        self.position = position;
        self.line = seen.line;
        self.at.clone_from(&seen.at);
        self.direction = seen.direction;
        self.has_id = seen.id.is_some();
        self.has_session = seen.session.is_some();
        self.text.clear();
        let parts: [&str; 5] = [
            &seen.from,
            &seen.to,
            &seen.operation,
            seen.id.as_deref().unwrap_or_default(),
            seen.session.as_deref().unwrap_or_default(),
        ];
        for (end, part) in self.ends.iter_mut().zip(parts) {
            self.text.push_str(part);
            *end = self.text.len() as u32;
        }
        self.data.clear();
        for (path, value) in &seen.data {
            self.text.push_str(path);
            self.data
                .push((self.text.len() as u32, value.clone().into_owned()));
        }
    }

    /// Its position in the log.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// The session that it names.
    pub(crate) fn session(&self) -> Option<&str> {
        let [.., start, end] = self.ends;
        self.has_session
            .then(|| &self.text[start as usize..end as usize])
    }

    /// As it was seen.
    pub(crate) fn observation(&self, service: &str) -> Observation<'static> {
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
            is_fault: false,
            id: self.has_id.then(|| id.into()),
            session: self.has_session.then(|| session.into()),
            data: self
                .data
                .iter()
                .map(|(end, value)| (part(*end).into(), value.clone()))
                .collect(),
            is_partial: false,
        }
    }
}
