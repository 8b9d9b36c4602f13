//! The sessions that are open, and which of them is due.

use std::collections::{BTreeMap, BTreeSet};

use choros_model::observation::{Number, Observation};
use choros_model::stg::Direction;

use super::super::alphabet::LetterId;
use super::super::streaming::{Courses, Point};
use super::OpenSession;

/// Why a session is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The model allows nothing more in it.
    ByTheModel,
    /// Nothing was seen of it for too long.
    Quiet,
    /// Too much was held.
    ForRoom,
    WithTheStream,
}

#[derive(Default)]
pub(super) struct OpenSessions {
    sessions: BTreeMap<String, Live>,
    /// By their latest times.
    by_time: BTreeSet<(Number, String)>,
    /// By when they were touched last.
    by_touch: BTreeMap<u64, String>,
    /// By when they were over.
    over: BTreeSet<(u64, String)>,
    held: usize,
}

struct Live {
    session: OpenSession,
    points: Box<[Point]>,
}

/// The role of an observation and the message of the model that it is.
type CourseStep = (usize, (LetterId, Direction));

impl OpenSessions {
    pub(super) fn held(&self) -> usize {
        self.held
    }

    pub(super) fn count(&self) -> usize {
        self.sessions.len()
    }

    /// What was seen of a session, if it is open.
    pub(super) fn observations(&self, name: &str) -> Option<&[(usize, Observation<'static>)]> {
        let live = self.sessions.get(name)?;
        Some(&live.session.observations)
    }

    /// Adds an observation, which is the last of so many that were taken.
    pub(super) fn add(
        &mut self,
        name: &str,
        (log, seen): (usize, &Observation<'static>),
        (step, taken): (Option<CourseStep>, u64),
        courses: &mut Courses,
    ) {
        let mut live = self.remove(name).unwrap_or_else(|| Live {
            session: OpenSession {
                name: name.to_owned(),
                observations: Vec::new(),
                latest: None,
                touched: taken,
                over_since: None,
            },
            points: courses.start(),
        });
        let session = &mut live.session;
        session.observations.push((log, seen.clone()));
        session.touched = taken;
        if let Some(at) = &seen.at
            && session.latest.as_ref().is_none_or(|latest| latest < at)
        {
            session.latest = Some(at.clone());
        }
        if let Some((role, seen)) = step {
            courses.step(&mut live.points, role, seen);
            let is_over = courses.is_over(&live.points);
            session.over_since = is_over.then(|| session.over_since.unwrap_or(taken));
        }
        self.insert(live);
    }

    pub(super) fn restore(&mut self, session: OpenSession, points: Box<[Point]>) {
        self.insert(Live { session, points });
    }

    pub(super) fn save(&self) -> Vec<OpenSession> {
        let all = self.sessions.values();
        all.map(|it| it.session.clone()).collect()
    }

    /// A session that was over when so many fewer observations had been taken.
    pub(super) fn take_over(&mut self, taken: u64, linger: u64) -> Option<OpenSession> {
        let (since, name) = self.over.first()?;
        if taken.saturating_sub(*since) < linger {
            return None;
        }
        let name = name.clone();
        self.take(&name)
    }

    /// A session of which nothing was seen for longer than this.
    pub(super) fn take_quiet(
        &mut self,
        now: Option<&Number>,
        after: &Number,
    ) -> Option<OpenSession> {
        let (latest, name) = self.by_time.first()?;
        if now?.minus(latest) <= *after {
            return None;
        }
        let name = name.clone();
        self.take(&name)
    }

    /// The session that was touched the longest ago.
    pub(super) fn take_oldest(&mut self) -> Option<OpenSession> {
        let (_, name) = self.by_touch.first_key_value()?;
        let name = name.clone();
        self.take(&name)
    }

    pub(super) fn take_any(&mut self) -> Option<OpenSession> {
        let (name, _) = self.sessions.first_key_value()?;
        let name = name.clone();
        self.take(&name)
    }

    fn take(&mut self, name: &str) -> Option<OpenSession> {
        self.remove(name).map(|it| it.session)
    }

    fn insert(&mut self, live: Live) {
        let session = &live.session;
        let name = &session.name;
        self.held += session.observations.len();
        if let Some(latest) = &session.latest {
            self.by_time.insert((latest.clone(), name.clone()));
        }
        if let Some(since) = session.over_since {
            self.over.insert((since, name.clone()));
        }
        self.by_touch.insert(session.touched, name.clone());
        self.sessions.insert(name.clone(), live);
    }

    fn remove(&mut self, name: &str) -> Option<Live> {
        let live = self.sessions.remove(name)?;
        let session = &live.session;
        self.held -= session.observations.len();
        if let Some(latest) = &session.latest {
            self.by_time.remove(&(latest.clone(), name.to_owned()));
        }
        if let Some(since) = session.over_since {
            self.over.remove(&(since, name.to_owned()));
        }
        self.by_touch.remove(&session.touched);
        Some(live)
    }
}

/// A number for a name, which never changes, because states keep it (FNV-1a); that two have the same takes a message of
/// one for a late one of the other.
pub(super) fn fingerprint(name: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
