//! A broker: a stream of entries, a checkpoint with revisions, and a stream of verdicts; each request is done as a whole.

use std::collections::VecDeque;

use choros_stream::{Checkpoint, Entry, Judge, Order, Report, Told, VerdictId};

/// What keeps a verdict from being told twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fence {
    /// The last verdict must be the expected one.
    ExpectedLast,
    /// Nothing.
    Nothing,
    /// Only that its name is not among the latest so many.
    Window(usize),
    /// The last verdict must be the expected one; but the answer comes before anything is kept, and a crash of the
    /// publisher loses what is not.
    AnsweredTooEarly,
}

/// One partition.
pub(crate) struct Broker<J: Judge> {
    pub(crate) incarnation: String,
    pub(crate) entries: Vec<Entry>,
    checkpoint: Option<Checkpoint<J::State>>,
    revision: u64,
    pub(crate) verdicts: Vec<Told<J::Verdict>>,
    /// What was answered and is not kept yet.
    pub(crate) early: VecDeque<Told<J::Verdict>>,
    fence: Fence,
}

impl<J: Judge> Broker<J> {
    pub(crate) fn new(incarnation: &str, fence: Fence) -> Broker<J> {
        Broker {
            incarnation: incarnation.to_owned(),
            entries: Vec::new(),
            checkpoint: None,
            revision: 0,
            verdicts: Vec::new(),
            early: VecDeque::new(),
            fence,
        }
    }

    /// Does what an order says; of several verdicts perhaps only the first `part`.
    pub(crate) fn answer(
        &mut self,
        order: &Order<J::State, J::Verdict>,
        part: Option<usize>,
    ) -> Option<Report<J::State>> {
        Some(match order {
            Order::ReadCheckpoint => Report::Checkpoint {
                revision: self.revision,
                checkpoint: self.checkpoint.clone(),
            },
            Order::Save {
                expected,
                checkpoint,
            } => {
                if *expected != self.revision {
                    return Some(Report::Refused);
                }
                self.revision += 1;
                self.checkpoint = Some(checkpoint.clone());
                Report::Saved {
                    revision: self.revision,
                }
            }
            Order::ReadVerdicts { after, most } => {
                let all = self.verdicts.iter().chain(&self.early);
                let names = all.map(|it| it.id.clone());
                Report::Verdicts {
                    names: names.skip(*after as usize).take(*most).collect(),
                    last: (self.verdicts.len() + self.early.len()) as u64,
                }
            }
            Order::Fetch { after, most } => {
                let entries = self.entries.iter().skip(*after as usize).take(*most);
                Report::Entries {
                    incarnation: self.incarnation.clone(),
                    entries: entries.cloned().collect(),
                }
            }
            Order::Publish {
                expected_last,
                verdicts,
            } => return self.publish(*expected_last, verdicts, part),
            Order::Wait { .. } | Order::Stop(_) => return None,
        })
    }

    fn publish(
        &mut self,
        expected_last: u64,
        verdicts: &[Told<J::Verdict>],
        part: Option<usize>,
    ) -> Option<Report<J::State>> {
        let last = self.verdicts.len() + self.early.len();
        let is_fenced = matches!(self.fence, Fence::ExpectedLast | Fence::AnsweredTooEarly);
        if is_fenced && last as u64 != expected_last {
            return Some(Report::Refused);
        }
        for told in verdicts.iter().take(part.unwrap_or(usize::MAX)) {
            match self.fence {
                Fence::Window(size) => {
                    let from = self.verdicts.len().saturating_sub(size);
                    let known: Vec<&VerdictId> =
                        self.verdicts[from..].iter().map(|it| &it.id).collect();
                    if !known.contains(&&told.id) {
                        self.verdicts.push(told.clone());
                    }
                }
                Fence::AnsweredTooEarly => self.early.push_back(told.clone()),
                Fence::ExpectedLast | Fence::Nothing => self.verdicts.push(told.clone()),
            }
        }
        // Of a part no one is told.
        match part {
            Some(_) => None,
            None => Some(Report::Published),
        }
    }

    /// Keeps what was answered too early.
    pub(crate) fn flush(&mut self) {
        self.verdicts.extend(self.early.drain(..));
    }
}
