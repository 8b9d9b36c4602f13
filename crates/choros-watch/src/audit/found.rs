//! What an audit found, as an answer.

use choros_bind::DRAFT;
use choros_model::Observed;
use choros_monitor::audit as engine;
use choros_report::answers::{Audit, AuditedPart, FieldPresence};
use choros_report::{Blame, GraphDrawing, GuiltyRole};

use super::logs::SplitSession;

/// The answer; what could not be read of a log leaves open whether it conforms.
pub(super) fn found_answer(
    found: engine::Audit,
    torn: &[SplitSession],
    drawings: Vec<GraphDrawing>,
) -> Audit {
    let fields = found.fields.into_iter().map(|it| FieldPresence {
        is_expected: it.with_data > 0,
        field: it.field,
        message: None,
        there: it.there as u64,
        records: it.records as u64,
    });
    let parts = found.results.into_iter().map(|it| AuditedPart {
        verdict: doubted(&it.name, it.verdict, torn),
        name: it.name,
        finished: it.finished,
        observations: it.observations,
        filtered: it.filtered,
        pass: it.pass,
        fail: it.fail,
        inconclusive: it.inconclusive,
        growth: it.growth,
    });
    Audit {
        parts: parts.collect(),
        sessions: found.sessions,
        told_apart: found.told_apart,
        blame: blame(found.blame),
        repeated: found.repeated,
        fields: fields.collect(),
        filtered: found.filtered,
        notes: found.notes,
        drawings,
    }
}

/// Nothing is said about logs that were read by a draft of a binding: a message that is bound wrongly, or not at all,
/// makes right conversations wrong, and wrong ones right.
pub(super) fn left_open(audit: &mut Audit) {
    for part in &mut audit.parts {
        if !matches!(part.verdict, Observed::Unknown(_)) {
            part.verdict = Observed::unknown(DRAFT.to_owned(), None);
        }
    }
    audit.blame = None;
}

/// Who is guilty; nothing where no role is suspected.
pub(crate) fn blame(found: engine::Blame) -> Option<Blame> {
    if found == engine::Blame::default() {
        return None;
    }
    let roles = found.guilty.into_iter().map(|guilty| GuiltyRole {
        role: guilty.role,
        place: guilty.place,
        message: guilty.message,
    });
    Some(Blame {
        roles: roles.collect(),
        may_be: found.may_be,
        alone: found.alone,
        unavoidable: found.races,
    })
}

/// A record that could not be read may have been the one that was not allowed.
fn doubted(name: &str, verdict: Observed, torn: &[SplitSession]) -> Observed {
    let concerns =
        |log: &&SplitSession| name == "global" || log.role.as_ref().is_none_or(|role| role == name);
    let is_yes = matches!(
        verdict,
        Observed::Holds { .. } | Observed::HoldsIf { .. } | Observed::Empty { .. }
    );
    let Some(log) = torn.iter().find(concerns).filter(|_| is_yes) else {
        return verdict;
    };
    let records = match log.left_out {
        1 => "1 record".to_owned(),
        many => format!("{many} records"),
    };
    let reason = format!(
        "what could be read conforms, but {records} of `{}` could not",
        log.path
    );
    Observed::unknown(reason, None)
}
