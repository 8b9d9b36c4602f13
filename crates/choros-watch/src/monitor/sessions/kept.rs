//! States of audits, as they are kept.

use choros_model::observation::Number;
use choros_monitor::audit::{GuiltyParty, OnlineBlame, OnlineState, OpenSession, PartCounts};
use choros_report::{SavedAudit, SavedGuilt, SavedPart, SavedSession};

use super::super::saved_state::{restored_observation, saved_observation};

/// What is kept of a state.
pub(in crate::monitor) fn saved_audit(state: &OnlineState) -> SavedAudit {
    let part = |it: &PartCounts| {
        let counts = [it.pass, it.fail, it.inconclusive];
        let [pass, fail, inconclusive] = counts;
        let others = [it.unfinished, it.observations, it.filtered];
        let [unfinished, observations, filtered] = others;
        SavedPart([pass, fail, inconclusive, unfinished, observations, filtered])
    };
    let session = |it: &OpenSession| SavedSession {
        name: it.name.clone(),
        seen: it
            .observations
            .iter()
            .map(|(log, seen)| (*log as u64, saved_observation(seen)))
            .collect(),
        latest: it.latest.as_ref().map(ToString::to_string),
        touched: it.touched,
        over: it.over_since,
    };
    let guilt = |(begins, party): &((u64, u64), GuiltyParty)| SavedGuilt {
        begins: *begins,
        role: party.role.clone(),
        place: party.place.clone(),
        message: party.message.clone(),
    };
    SavedAudit {
        schema: 0,
        taken: state.taken,
        now: state.now.as_ref().map(ToString::to_string),
        parts: state.parts.iter().map(part).collect(),
        sessions: state.sessions_judged,
        filtered: state.filtered.clone(),
        strangers: state.strangers.clone(),
        unnamed: state.unnamed,
        late: state.late,
        conditional: state.conditional,
        cut: [state.cut_quiet, state.cut_for_room],
        guilty: state.blame.guilty.values().map(guilt).collect(),
        may_be_guilty: state.blame.may_be.iter().cloned().collect(),
        races: state.blame.races,
        ended: state
            .ended
            .numbers()
            .map(|it| format!("{it:016x}"))
            .collect(),
        forgotten: state.forgotten,
        open: state.sessions.iter().map(session).collect(),
    }
}

/// The state that was kept.
pub(in crate::monitor) fn restored_audit(saved: &SavedAudit) -> OnlineState {
    let number = |text: &Option<String>| Number::parse(text.as_ref()?).ok();
    let part = |SavedPart(counts): &SavedPart| {
        let [pass, fail, inconclusive, unfinished, observations, filtered] = *counts;
        PartCounts {
            pass,
            fail,
            inconclusive,
            unfinished,
            observations,
            filtered,
        }
    };
    let session = |it: &SavedSession| OpenSession {
        name: it.name.clone(),
        observations: it
            .seen
            .iter()
            .map(|(log, seen)| {
                let log = usize::try_from(*log).unwrap_or(usize::MAX);
                (log, restored_observation(seen))
            })
            .collect(),
        latest: number(&it.latest),
        touched: it.touched,
        over_since: it.over,
    };
    let guilt = |it: &SavedGuilt| {
        let party = GuiltyParty {
            role: it.role.clone(),
            place: it.place.clone(),
            message: it.message.clone(),
        };
        (it.role.clone(), (it.begins, party))
    };
    let digits = saved.ended.as_bytes().chunks(16);
    let ended = digits.filter_map(|it| u64::from_str_radix(str::from_utf8(it).ok()?, 16).ok());
    OnlineState {
        sessions: saved.open.iter().map(session).collect(),
        now: number(&saved.now),
        taken: saved.taken,
        parts: saved.parts.iter().map(part).collect(),
        sessions_judged: saved.sessions,
        filtered: saved.filtered.clone(),
        strangers: saved.strangers.clone(),
        unnamed: saved.unnamed,
        late: saved.late,
        conditional: saved.conditional,
        cut_quiet: saved.cut[0],
        cut_for_room: saved.cut[1],
        blame: OnlineBlame {
            guilty: saved.guilty.iter().map(guilt).collect(),
            may_be: saved.may_be_guilty.iter().cloned().collect(),
            races: saved.races,
        },
        ended: ended.collect(),
        forgotten: saved.forgotten,
    }
}

#[cfg(test)]
mod tests {
    use super::{restored_audit, saved_audit};
    use choros_model::observation::{Datum, Number, Observation};
    use choros_monitor::audit::{OnlineState, OpenSession, PartCounts};
    use choros_report::SavedAudit;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let seen = Observation {
            by: "a".into(),
            line: 3,
            at: Number::parse("12.5").ok(),
            is_fault: true,
            session: Some("x".into()),
            data: vec![("n".into(), Datum::Number(Number::from(7)))],
            ..Observation::sent("m", "a", "b")
        };
        let state = OnlineState {
            sessions: vec![OpenSession {
                name: "x".to_owned(),
                observations: vec![(1, seen)],
                latest: Number::parse("12.5").ok(),
                touched: 9,
                over_since: Some(8),
            }],
            now: Some(Number::from(13)),
            taken: 9,
            parts: vec![PartCounts {
                pass: 1,
                fail: 2,
                inconclusive: 3,
                unfinished: 4,
                observations: 5,
                filtered: 6,
            }],
            ended: [1, u64::MAX, 7].into_iter().collect(),
            late: 4,
            ..OnlineState::default()
        };
        let text = saved_audit(&state).to_json();
        let read = SavedAudit::from_json(&text).map(|it| restored_audit(&it));
        assert_eq!(read, Ok(state));
    }
}
