//! A small judge: sessions that open and close, and are given up when they are quiet for too long.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use choros_model::observation::{Number, Observation};
use choros_stream::{Content, Entry, Judge, Misfit, Told, VerdictId};

/// A session that is open for longer is given up.
pub(crate) const QUIET: i64 = 400;

/// Sessions, each with the entry that opened it and the time of that.
pub(crate) type Open = BTreeMap<String, (u64, i64)>;

#[derive(Clone)]
pub(crate) struct Sessions {
    open: Open,
    /// The clock of the process, if quiet sessions are cut by it and not by ticks.
    pub(crate) clock: Option<Rc<Cell<u64>>>,
}

impl Sessions {
    pub(crate) fn new(clock: Option<Rc<Cell<u64>>>) -> Sessions {
        Sessions {
            open: Open::new(),
            clock,
        }
    }

    fn cut(&mut self, now: i64, verdicts: &mut Vec<Told<&'static str>>) {
        let quiet = self.open.iter().filter(|(_, (_, at))| *at + QUIET < now);
        let quiet: Vec<String> = quiet.map(|(session, _)| session.clone()).collect();
        for session in quiet {
            if let Some((opened, _)) = self.open.remove(&session) {
                verdicts.push(told(&session, opened, "quiet"));
            }
        }
    }
}

fn told(session: &str, opened: u64, verdict: &'static str) -> Told<&'static str> {
    Told {
        id: VerdictId {
            incarnation: "s1".to_owned(),
            version: 1,
            property: "closed".to_owned(),
            session: session.to_owned(),
            service: String::new(),
            opened,
        },
        verdict,
    }
}

fn milliseconds(number: &Number) -> i64 {
    number.to_string().parse().expect("a whole number")
}

impl Judge for Sessions {
    type State = Open;
    type Verdict = &'static str;

    fn take(
        &mut self,
        entry: &Entry,
        verdicts: &mut Vec<Told<&'static str>>,
    ) -> Result<(), Misfit> {
        if let Some(clock) = &self.clock {
            let now = clock.get() as i64;
            self.cut(now, verdicts);
        }
        match &entry.content {
            Content::Tick(now) if self.clock.is_none() => self.cut(milliseconds(now), verdicts),
            Content::Seen(all) => {
                for seen in all {
                    self.see(entry.sequence, seen, verdicts);
                }
            }
            Content::Tick(_) | Content::Change(_) | Content::End(_) => {}
        }
        Ok(())
    }

    fn save(&self) -> Open {
        self.open.clone()
    }

    fn restore(&mut self, state: Option<&Open>) -> Result<(), Misfit> {
        self.open = state.cloned().unwrap_or_default();
        Ok(())
    }
}

impl Sessions {
    fn see(
        &mut self,
        sequence: u64,
        seen: &Observation<'_>,
        verdicts: &mut Vec<Told<&'static str>>,
    ) {
        let session = seen.session.as_deref().unwrap_or_default().to_owned();
        let at = seen.at.as_ref().map(milliseconds).unwrap_or_default();
        if seen.operation == "open" {
            self.open.entry(session).or_insert((sequence, at));
        } else if seen.operation == "close"
            && let Some((opened, _)) = self.open.remove(&session)
        {
            // One message decides two windows.
            verdicts.push(told(&session, opened, "pass"));
            let mut second = told(&session, opened, "pass");
            second.id.property = "again".to_owned();
            verdicts.push(second);
        }
    }
}
