//! A stream whose sessions are audited by this process and others.

use choros_codes::diagnostics::unusable_stream;
use choros_model::observation::Observation;
use choros_monitor::audit::OnlineState;
use choros_monitor::{
    GlobalMonitor, LogPresence, MissingPart, PartPresence, PropertyCounts, Remark, State, Watcher,
    WindowVerdict,
};
use choros_report::SavedAudit;
use choros_report::answers::{Audit, RunNotes, Stop};
use choros_stream::Fault;

use super::kept::KeptJudge;
use super::place::{Place, world};
use super::request::StreamRequest;
use super::watch::{found_division, prepare};
use super::workers::Watched;
use crate::WatchContext;
use crate::monitor::ledger::part_ledger;
use crate::monitor::sessions::{
    Answering, Maker, ONLY, SessionJudge, SessionSums, SessionsRequest, judged_by, restored_audit,
    saved_audit,
};

/// Audits a stream until it ends or is stopped.
pub(in crate::monitor) fn audit(
    maker: &Maker<'_>,
    request: &SessionsRequest,
    stream: &StreamRequest,
    context: WatchContext<'_>,
    run: &mut RunNotes,
) -> Result<Audit, Stop> {
    let place = Place::open(&stream.broker, &stream.name, context.cancel, run)?;
    let division = found_division(&place, run)?;
    if division.by_service && division.partitions > 1 {
        let found = unusable_stream::not_by_session(&place.names.stream);
        run.findings.push(found);
        return Err(Stop::Mistakes);
    }
    prepare(&place, &judged_by(maker), &division, run)?;
    let mut incarnations = Vec::new();
    for partition in 0..division.partitions {
        incarnations.push(place.incarnation(partition).map_err(world)?);
    }
    let make = |_: u32, incarnation: &str| Ok(maker.judge(incarnation));
    let watched = Watched {
        place: &place,
        division: &division,
        incarnations: &incarnations,
        judge: &make,
        wanted: None,
        stream,
        context,
    };
    let parts = maker.online().parts().to_vec();
    let roles = maker.heads.iter().map(|it| it.role.clone()).collect();
    let mut global = GlobalMonitor::new(&[]);
    let mut ledger = part_ledger(&parts, roles, &request.watch, &mut global, context)?;
    let states = watched.run(&mut ledger, &Elsewhere, run)?;
    let mut sums = SessionSums::default();
    for state in &states {
        sums.add(state);
    }
    let answering = Answering {
        maker,
        sums,
        left_out: 0,
        is_draft: false,
    };
    answering.answer(&ledger)
}

impl KeptJudge for SessionJudge<'_> {
    const HAS_LINES: bool = true;

    fn version(_: &OnlineState) -> u32 {
        ONLY
    }

    fn text(state: &OnlineState) -> String {
        saved_audit(state).to_json()
    }

    fn state(_: u32, text: &str) -> Result<OnlineState, String> {
        SavedAudit::from_json(text).map(|it| restored_audit(&it))
    }

    /// What a change means to an audit, it says itself.
    fn learn(&mut self, _: u32, _: &Place) -> Result<bool, Fault> {
        Ok(true)
    }

    fn taken(&self) -> u64 {
        self.online().found().taken
    }

    fn open(&self) -> u64 {
        self.online().open() as u64
    }
}

/// Everything is judged by workers; nothing here.
struct Elsewhere;

impl Watcher for Elsewhere {
    fn observe(&mut self, _: &Observation<'_>) {}

    fn finish(&mut self) {}

    fn verdicts(&self) -> &[WindowVerdict] {
        &[]
    }

    fn remarks(&self) -> &[Remark] {
        &[]
    }

    fn counts(&self) -> Vec<PropertyCounts> {
        Vec::new()
    }

    fn observations(&self) -> u64 {
        0
    }

    fn has_seen(&self, _: Option<&str>) -> bool {
        true
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
        Vec::new()
    }

    fn state(&self) -> Option<State> {
        None
    }
}
