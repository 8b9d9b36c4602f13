//! Sessions of logs, in this process alone: the judges that share a stream with others, and no broker.

use choros_bind::Vocabulary;
use choros_exec::feed::{FeedRun, run as turn};
use choros_exec::log::WantedValues;
use choros_exec::verdicts::VerdictOutput;
use choros_model::observation::Observation;
use choros_monitor::{
    GlobalMonitor, LogPresence, MissingPart, PartPresence, PropertyCounts, Remark, State, Watcher,
    WindowVerdict,
};
use choros_report::answers::{Audit, RunNotes, Stop};
use choros_stream::{Content, Entry, Judge, partition_of};

use super::SessionsRequest;
use super::answer::{Answering, SessionSums};
use super::judge::{Maker, SessionJudge};
use crate::WatchContext;
use crate::mapping::{binder, tell_tally};
use crate::monitor::inputs::Inputs;
use crate::monitor::ledger::part_ledger;

/// Reads logs and judges their sessions.
pub(super) fn audit(
    maker: &Maker<'_>,
    request: &SessionsRequest,
    context: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Audit, Stop> {
    let watch = &request.watch;
    let words = Vocabulary::of(maker.model.stg, maker.model.terms);
    let inputs = Inputs {
        request: watch,
        binder: binder(context.binding, &watch.names, words),
        wanted: WantedValues::All,
        saved: None,
    };
    let parts = maker.online().parts().to_vec();
    let roles = maker.heads.iter().map(|it| it.role.clone()).collect();
    let mut global = GlobalMonitor::new(&[]);
    let mut ledger = part_ledger(&parts, roles, watch, &mut global, context)?;
    let (files, live) = inputs.open(context, run)?;
    let mut feed = FeedRun {
        files,
        live,
        follow: watch.follow,
        save_every: watch.state_every,
        cancel: context.cancel,
    };
    let count = watch.partitions.unwrap_or(1).max(1);
    let mut judges = Judges {
        judges: (0..count).map(|_| maker.judge("local")).collect(),
        verdicts: Vec::new(),
        sequence: 0,
        taken: 0,
        fault: None,
    };
    let result = turn(&mut feed, &mut judges, &mut ledger);
    for file in &feed.files {
        if let Some(tally) = file.reader.tally() {
            tell_tally(&file.path, tally, run);
        }
    }
    let result = result.and_then(|()| {
        judges.finish();
        ledger.verdicts(&judges.verdicts, None)?;
        ledger.output.as_mut().map_or(Ok(()), VerdictOutput::flush)
    });
    let mut sums = SessionSums::default();
    for judge in &judges.judges {
        sums.add(&judge.save());
    }
    let answering = Answering {
        maker,
        sums,
        left_out: ledger.problems.left_out(),
        is_draft: context.binding.is_some_and(|it| it.draft),
    };
    let answer = answering.answer(&ledger)?;
    run.findings.extend(ledger.problems.diagnostics());
    let failed = result.err().map(|error| error.to_string());
    match failed.or(judges.fault) {
        None => Ok(answer),
        Some(reason) => Err(Stop::World(reason)),
    }
}

/// A judge for each partition.
struct Judges<'j> {
    judges: Vec<SessionJudge<'j>>,
    verdicts: Vec<WindowVerdict>,
    sequence: u64,
    taken: u64,
    fault: Option<String>,
}

impl Judges<'_> {
    fn take(&mut self, partition: usize, content: Content) {
        let mut told = Vec::new();
        let entry = Entry {
            sequence: self.taken,
            content,
        };
        match self.judges[partition].take(&entry, &mut told) {
            Ok(()) => {}
            Err(misfit) => self.fault = Some(misfit.0),
        }
        for told in told {
            self.sequence += 1;
            self.verdicts.push(WindowVerdict {
                sequence: self.sequence,
                ..told.verdict
            });
        }
    }
}

impl Watcher for Judges<'_> {
    fn observe(&mut self, seen: &Observation<'_>) {
        self.verdicts.clear();
        if self.fault.is_some() {
            return;
        }
        self.taken += 1;
        let session = seen.session.as_deref().unwrap_or_default();
        let partition = partition_of(session, self.judges.len() as u32) as usize;
        self.take(partition, Content::Seen(vec![seen.clone().into_owned()]));
    }

    fn finish(&mut self) {
        self.verdicts.clear();
        for partition in 0..self.judges.len() {
            self.take(partition, Content::End(Vec::new()));
        }
    }

    fn verdicts(&self) -> &[WindowVerdict] {
        &self.verdicts
    }

    fn remarks(&self) -> &[Remark] {
        &[]
    }

    fn counts(&self) -> Vec<PropertyCounts> {
        Vec::new()
    }

    fn observations(&self) -> u64 {
        self.taken
    }

    fn has_seen(&self, _: Option<&str>) -> bool {
        self.taken > 0
    }

    fn filtered(&self) -> u64 {
        0
    }

    fn unnamed(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    fn logs(&self) -> Vec<LogPresence> {
        Vec::new()
    }

    fn presence(&self) -> Vec<PartPresence> {
        Vec::new()
    }

    fn absent(&self, _: usize) -> MissingPart {
        MissingPart::default()
    }

    fn open_windows(&self) -> Vec<u64> {
        let open = self.judges.iter().map(|it| it.online().open() as u64);
        vec![open.sum()]
    }

    fn state(&self) -> Option<State> {
        None
    }

    fn stopped(&self) -> Option<String> {
        self.fault.clone()
    }
}
