//! A worker: who owns a partition, reads its entries, tells verdicts and writes checkpoints.
//!
//! It is asked for the next [`Order`], which someone carries out, and told of what came of it in a [`Report`]; so it
//! knows no broker and no clock but the one it is given, which only decides when it tries to take a partition over.
//! The README says why every verdict is told exactly once, whatever is lost, late, or done twice.

use std::collections::VecDeque;
use std::fmt;

use crate::checkpoint::Checkpoint;
use crate::entry::Entry;
use crate::judge::{Judge, Misfit};
use crate::verdict::{Told, VerdictId};

/// How often a worker does what; times are milliseconds of its own clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// A partition whose checkpoint is not written for so long is taken over.
    pub patience: u64,
    /// An owner writes its checkpoint at least so often.
    pub heartbeat: u64,
    /// It waits so long before it asks again where nothing is new.
    pub poll: u64,
    /// A checkpoint is written after this many entries.
    pub every: u64,
    /// So many entries, and so many verdicts, go at once.
    pub most: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            patience: 2_000,
            heartbeat: 500,
            poll: 100,
            every: 1_000,
            most: 256,
        }
    }
}

/// What a worker wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order<S, V> {
    /// Read the checkpoint of the partition.
    ReadCheckpoint,
    /// Write it if its revision is still this; 0 if there is none.
    Save {
        expected: u64,
        checkpoint: Checkpoint<S>,
    },
    /// Read the names of up to so many verdicts of the partition after this one.
    ReadVerdicts { after: u64, most: usize },
    /// Tell verdicts, if the last verdict of the partition is still this one.
    Publish {
        expected_last: u64,
        verdicts: Vec<Told<V>>,
    },
    /// Read up to so many entries after this one.
    Fetch { after: u64, most: usize },
    /// Do nothing before this time.
    Wait { until: u64 },
    /// Nothing more: this worker cannot continue.
    Stop(Fault),
}

/// What came of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report<S> {
    /// The checkpoint with its revision; revision 0 if there is none.
    Checkpoint {
        revision: u64,
        checkpoint: Option<Checkpoint<S>>,
    },
    /// It was written, and has this revision.
    Saved { revision: u64 },
    /// The names of verdicts that are there, and the number of the last one of the partition.
    Verdicts { names: Vec<VerdictId>, last: u64 },
    /// All verdicts were told.
    Published,
    /// The entries, of the stream with this incarnation.
    Entries {
        incarnation: String,
        entries: Vec<Entry>,
    },
    /// It is not as expected, so nothing was written.
    Refused,
    /// It is not known whether it was done.
    Unanswered,
}

/// Why a worker cannot continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The verdicts that are there are not those that the entries give.
    Diverged {
        expected: Box<VerdictId>,
        found: Box<VerdictId>,
    },
    /// The checkpoint is about another stream: this one was made later.
    OtherStream { expected: String, found: String },
    /// Fewer verdicts are there than were told.
    VerdictsLost { told: u64, found: u64 },
    /// Entries are gone that were not judged yet: the next one there is not the next.
    EntriesLost { after: u64, found: u64 },
    /// The state or an entry does not fit the properties that this worker knows.
    Misfit(Misfit),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Diverged { expected, found } => write!(
                f,
                "the verdict `{found}` is where `{expected}` belongs: the stream, or this program, is not what it was"
            ),
            Fault::OtherStream { expected, found } => write!(
                f,
                "the checkpoint is about the stream `{expected}`, and this one is `{found}`"
            ),
            Fault::VerdictsLost { told, found } => {
                write!(f, "{told} verdicts were told, and {found} are there")
            }
            Fault::EntriesLost { after, found } => {
                write!(
                    f,
                    "entry {after} is followed by entry {found}: those between are lost"
                )
            }
            Fault::Misfit(misfit) => f.write_str(&misfit.0),
        }
    }
}

/// A worker on one partition.
pub struct Worker<J: Judge> {
    owner: String,
    incarnation: String,
    pace: Pace,
    judge: J,
    phase: Phase<J>,
}

enum Phase<J: Judge> {
    /// Someone else may own the partition: its last revision, and since when it is that one.
    Watching {
        known: Option<(u64, u64)>,
        asked: Option<u64>,
    },
    /// The partition is to be taken: its revision and what is there.
    Claiming {
        revision: u64,
        checkpoint: Option<Checkpoint<J::State>>,
    },
    Owning(Box<Owning<J>>),
    Stopped(Fault),
}

struct Owning<J: Judge> {
    revision: u64,
    /// It is not known whether the last checkpoint was written.
    is_uncertain: bool,
    /// What a checkpoint may say now.
    safe: Checkpoint<J::State>,
    /// The last entry that was judged.
    sequence: u64,
    /// So many verdicts are told, and were judged here.
    told: u64,
    /// Verdicts after those that others told already.
    ahead: VecDeque<VerdictId>,
    /// Whether `ahead` has all of them.
    knows_ahead: bool,
    /// Verdicts that were judged here and are to be published.
    pending: VecDeque<Told<J::Verdict>>,
    since_saved: u64,
    saved_at: u64,
    idle_until: u64,
    /// The next checkpoint names no owner.
    is_leaving: bool,
}

impl<J: Judge> Worker<J> {
    /// A worker; no other process, nor another run of this one, has the same name.
    pub fn new(owner: String, incarnation: String, pace: Pace, judge: J) -> Worker<J> {
        Worker {
            owner,
            incarnation,
            pace,
            judge,
            phase: Phase::Watching {
                known: None,
                asked: None,
            },
        }
    }

    /// Whether it holds the partition, as far as it knows.
    pub fn owns(&self) -> bool {
        matches!(self.phase, Phase::Owning(_))
    }

    /// The last entry that it judged; none if it does not own the partition.
    pub fn judged(&self) -> Option<u64> {
        match &self.phase {
            Phase::Owning(owning) => Some(owning.sequence),
            _ => None,
        }
    }

    /// Whether all verdicts on what it judged are told.
    pub fn is_settled(&self) -> bool {
        match &self.phase {
            Phase::Owning(owning) => owning.pending.is_empty(),
            _ => false,
        }
    }

    /// What judges the entries.
    pub fn judge(&self) -> &J {
        &self.judge
    }

    /// The same, to let it learn another version.
    pub fn judge_mut(&mut self) -> &mut J {
        &mut self.judge
    }

    /// Gives the partition back with the next checkpoint, so that others need no patience; nothing if it is not owned.
    pub fn release(&mut self) {
        if let Phase::Owning(owning) = &mut self.phase {
            owning.is_leaving = true;
        }
    }

    /// What it wants done now.
    pub fn next(&mut self, now: u64) -> Order<J::State, J::Verdict> {
        match &mut self.phase {
            Phase::Watching { asked, .. } => match asked {
                Some(at) if now < *at + self.pace.poll => Order::Wait {
                    until: *at + self.pace.poll,
                },
                _ => {
                    *asked = Some(now);
                    Order::ReadCheckpoint
                }
            },
            Phase::Claiming {
                revision,
                checkpoint,
            } => Order::Save {
                expected: *revision,
                checkpoint: match checkpoint {
                    Some(checkpoint) => Checkpoint {
                        owner: Some(self.owner.clone()),
                        ..checkpoint.clone()
                    },
                    None => Checkpoint {
                        incarnation: self.incarnation.clone(),
                        sequence: 0,
                        told: 0,
                        state: None,
                        owner: Some(self.owner.clone()),
                    },
                },
            },
            Phase::Owning(owning) => owning.next(&self.judge, now, self.pace),
            Phase::Stopped(fault) => Order::Stop(fault.clone()),
        }
    }

    /// Hears what came of the last order, which was given at `then`.
    pub fn hear(&mut self, report: Report<J::State>, then: u64, now: u64) {
        match (&mut self.phase, report) {
            (
                Phase::Watching { known, .. },
                Report::Checkpoint {
                    revision,
                    checkpoint,
                },
            ) => {
                let owner = checkpoint.as_ref().and_then(|it| it.owner.as_ref());
                // No clocks need to agree: only how long nothing changed is measured, by one clock.
                let since = match known {
                    Some((known, since)) if *known == revision => *since,
                    _ => now,
                };
                *known = Some((revision, since));
                let is_free = owner.is_none_or(|it| *it == self.owner);
                if is_free || now.saturating_sub(since) >= self.pace.patience {
                    self.phase = Phase::Claiming {
                        revision,
                        checkpoint,
                    };
                }
            }
            (Phase::Claiming { checkpoint, .. }, Report::Saved { revision }) => {
                let checkpoint = checkpoint.take();
                self.begin(revision, checkpoint, then);
            }
            (Phase::Claiming { .. }, _) => self.watch(now),
            (Phase::Owning(owning), report) => {
                match owning.hear(report, &mut self.judge, (then, now), self.pace) {
                    Ok(()) => {}
                    Err(Left::Lost) => self.watch(now),
                    Err(Left::Fault(fault)) => self.phase = Phase::Stopped(fault),
                }
            }
            (Phase::Watching { .. } | Phase::Stopped(_), _) => {}
        }
    }

    fn watch(&mut self, now: u64) {
        self.phase = Phase::Watching {
            known: None,
            // Someone else was faster: there is time.
            asked: Some(now),
        };
    }

    /// Continues where the last owner's checkpoint is.
    fn begin(&mut self, revision: u64, checkpoint: Option<Checkpoint<J::State>>, then: u64) {
        let checkpoint = checkpoint.unwrap_or_else(|| Checkpoint {
            incarnation: self.incarnation.clone(),
            sequence: 0,
            told: 0,
            state: None,
            owner: None,
        });
        let fault = if checkpoint.incarnation == self.incarnation {
            let restored = self.judge.restore(checkpoint.state.as_ref());
            restored.err().map(Fault::Misfit)
        } else {
            Some(Fault::OtherStream {
                expected: checkpoint.incarnation.clone(),
                found: self.incarnation.clone(),
            })
        };
        self.phase = match fault {
            Some(fault) => Phase::Stopped(fault),
            None => Phase::Owning(Box::new(Owning {
                revision,
                is_uncertain: false,
                sequence: checkpoint.sequence,
                told: checkpoint.told,
                safe: Checkpoint {
                    owner: Some(self.owner.clone()),
                    ..checkpoint
                },
                ahead: VecDeque::new(),
                knows_ahead: false,
                pending: VecDeque::new(),
                since_saved: 0,
                saved_at: then,
                idle_until: 0,
                is_leaving: false,
            })),
        };
    }
}

/// Why a partition is not owned any more.
enum Left {
    Lost,
    Fault(Fault),
}

impl<J: Judge> Owning<J> {
    fn next(&mut self, judge: &J, now: u64, pace: Pace) -> Order<J::State, J::Verdict> {
        let is_settled = self.pending.is_empty();
        if self.is_uncertain {
            return Order::ReadCheckpoint;
        }
        if self.is_leaving
            || now >= self.saved_at.saturating_add(pace.heartbeat)
            || is_settled && self.since_saved >= pace.every
        {
            // Where verdicts are still to be published, a checkpoint says no more than the last one.
            if is_settled && self.safe.sequence < self.sequence {
                self.safe.sequence = self.sequence;
                self.safe.told = self.told;
                self.safe.state = Some(judge.save());
            }
            return Order::Save {
                expected: self.revision,
                checkpoint: Checkpoint {
                    owner: self.safe.owner.clone().filter(|_| !self.is_leaving),
                    ..self.safe.clone()
                },
            };
        }
        if !self.knows_ahead {
            return Order::ReadVerdicts {
                after: self.told + self.ahead.len() as u64,
                most: pace.most,
            };
        }
        if !is_settled {
            return Order::Publish {
                expected_last: self.told,
                verdicts: self.pending.iter().take(pace.most).cloned().collect(),
            };
        }
        if now < self.idle_until {
            let until = self.idle_until.min(self.saved_at + pace.heartbeat);
            return Order::Wait { until };
        }
        Order::Fetch {
            after: self.sequence,
            most: pace.most,
        }
    }

    fn hear(
        &mut self,
        report: Report<J::State>,
        judge: &mut J,
        (then, now): (u64, u64),
        pace: Pace,
    ) -> Result<(), Left> {
        match report {
            Report::Saved { .. } if self.is_leaving => return Err(Left::Lost),
            Report::Saved { revision } => {
                self.revision = revision;
                self.saved_at = then;
                self.since_saved = 0;
            }
            // Whoever wrote it owns the partition now; or it was written by an order of this worker that came late.
            // And verdicts are there that this worker does not know of.
            Report::Refused => {
                self.is_uncertain = true;
                self.knows_ahead = false;
            }
            Report::Checkpoint {
                revision,
                checkpoint,
            } => {
                let owner = checkpoint.and_then(|it| it.owner);
                if owner != self.safe.owner {
                    return Err(Left::Lost);
                }
                self.revision = revision;
                self.is_uncertain = false;
            }
            Report::Published => {
                let count = self.pending.len().min(pace.most);
                self.pending.drain(..count);
                self.told += count as u64;
            }
            Report::Verdicts { last, .. } if last < self.told => {
                return Err(Left::Fault(Fault::VerdictsLost {
                    told: self.told,
                    found: last,
                }));
            }
            Report::Verdicts { names, .. } => {
                self.knows_ahead = names.len() < pace.most;
                self.ahead.extend(names);
                self.skip_told()?;
            }
            Report::Entries {
                incarnation,
                entries,
            } => self.take(incarnation, entries, judge, (now, pace))?,
            // It may have been done, or may be done later.
            Report::Unanswered => {
                self.is_uncertain = true;
                self.knows_ahead = false;
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        incarnation: String,
        entries: Vec<Entry>,
        judge: &mut J,
        (now, pace): (u64, Pace),
    ) -> Result<(), Left> {
        if incarnation != self.safe.incarnation {
            return Err(Left::Fault(Fault::OtherStream {
                expected: self.safe.incarnation.clone(),
                found: incarnation,
            }));
        }
        if entries.is_empty() {
            self.idle_until = now + pace.poll;
        }
        for entry in entries {
            if entry.sequence <= self.sequence {
                continue;
            }
            if entry.sequence > self.sequence + 1 {
                return Err(Left::Fault(Fault::EntriesLost {
                    after: self.sequence,
                    found: entry.sequence,
                }));
            }
            let mut verdicts = Vec::new();
            let judged = judge.take(&entry, &mut verdicts);
            judged.map_err(|misfit| Left::Fault(Fault::Misfit(misfit)))?;
            self.sequence = entry.sequence;
            self.since_saved += 1;
            self.pending.extend(verdicts);
        }
        self.skip_told()
    }

    /// Leaves out verdicts that others told already.
    fn skip_told(&mut self) -> Result<(), Left> {
        while let (Some(found), Some(expected)) = (self.ahead.front(), self.pending.front()) {
            if *found != expected.id {
                return Err(Left::Fault(Fault::Diverged {
                    expected: Box::new(expected.id.clone()),
                    found: Box::new(found.clone()),
                }));
            }
            self.ahead.pop_front();
            self.pending.pop_front();
            self.told += 1;
        }
        Ok(())
    }
}
