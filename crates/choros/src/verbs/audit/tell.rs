//! What an audit found, as a report.

use choros_model::{Evidence, Verdict};
use choros_monitor::audit::{Audit, Blame, Judged, Presence};
use choros_report::{Answer, GuiltyRole, Outcome, Report, Sizes, Stat, Stats, Word};

use super::logs::Torn;
use crate::Workspace;
use crate::diagnostics::role_logged_twice::{self, TwiceLogged};

/// Puts what was found into the report.
pub(super) fn tell(found: Audit, workspace: &Workspace<'_>, report: &mut Report) {
    let torn: Vec<TwiceLogged<'_>> = found
        .torn
        .iter()
        .map(|it| TwiceLogged {
            sources: [&it.sources[0], &it.sources[1]],
            session: &it.session,
            role: &it.role,
        })
        .collect();
    report
        .diagnostics
        .extend(role_logged_twice::diagnostics(&torn));
    let notes = &mut report.semantics.notes;
    notes.push(found.told_apart);
    notes.extend(found.notes);
    notes.extend(blame_words(&found.blame));
    report.blame = blame(found.blame);
    if found.repeated > 0 {
        notes.push(format!(
            "left out {} of messages that had been delivered before",
            counted(found.repeated, "reception", "receptions")
        ));
    }
    let partly = |field: &&Presence| field.there < field.records && field.with_data > 0;
    for field in found.fields.iter().filter(partly) {
        notes.push(format!(
            "`{}` was in {} of {} that should have it",
            field.field,
            field.there,
            counted(field.records, "record", "records")
        ));
    }
    if !found.filtered.is_empty() {
        const MOST_NAMED: usize = 10;
        let total: u64 = found.filtered.iter().map(|(_, count)| count).sum();
        let mut words: Vec<String> = found
            .filtered
            .iter()
            .take(MOST_NAMED)
            .map(|(message, count)| format!("{message} ({count})"))
            .collect();
        if found.filtered.len() > MOST_NAMED {
            words.push(format!("{} others", found.filtered.len() - MOST_NAMED));
        }
        notes.push(format!(
            "left out {total} {} of messages that the model does not speak of: {}",
            if total == 1 {
                "observation"
            } else {
                "observations"
            },
            words.join(", ")
        ));
    }
    for result in found.results {
        if let (Verdict::Holds(Evidence::Trace(trace)), false) = (&result.verdict, result.finished)
        {
            notes.push(format!("`{}` {}", result.name, trace.conclusion));
        }
        report
            .outcomes
            .push(outcome(result, found.sessions, workspace));
    }
}

/// Who is guilty, for programs; nothing where nobody is suspected.
fn blame(found: Blame) -> Option<Box<choros_report::Blame>> {
    if found == Blame::default() {
        return None;
    }
    let roles = found.guilty.into_iter().map(|guilty| GuiltyRole {
        role: guilty.role,
        place: guilty.place,
        message: guilty.message,
    });
    Some(Box::new(choros_report::Blame {
        roles: roles.collect(),
        may_be: found.may_be,
        alone: found.alone,
        unavoidable: found.races,
    }))
}

/// Who is guilty, in words.
fn blame_words(blame: &Blame) -> Vec<String> {
    let mut words = Vec::new();
    for guilty in &blame.guilty {
        let alone = if blame.alone { " alone" } else { "" };
        words.push(format!(
            "guilty: `{}`{alone} ({}: {})",
            guilty.role, guilty.place, guilty.message
        ));
    }
    match &blame.may_be[..] {
        [] => {}
        [only] => words.push(format!("`{only}` may be guilty: its log does not tell")),
        several => {
            let roles = several.join("`, `");
            words.push(format!("one of `{roles}` may be guilty: no log tells"));
        }
    }
    if blame.races > 0 {
        words.push(format!(
            "no role is guilty in {}: the choreography itself allows it",
            counted(blame.races, "session", "sessions")
        ));
    }
    words
}

/// `1 record`, `2 records`.
fn counted(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {several}"),
    }
}

/// A record that could not be read may have been the one that was not allowed: nobody knows that such a log conforms.
pub(super) fn doubt(torn: &[Torn], report: &mut Report) {
    for outcome in &mut report.outcomes {
        let concerns = |log: &&Torn| {
            outcome.name == "global" || log.role.as_ref().is_none_or(|role| *role == outcome.name)
        };
        let (Some(log), Some(answer)) = (torn.iter().find(concerns), &mut outcome.answer) else {
            continue;
        };
        if !matches!(answer.word, Word::Holds | Word::Conditional) {
            continue;
        }
        let records = match log.left_out {
            1 => "1 record".to_owned(),
            many => format!("{many} records"),
        };
        answer.word = Word::Unknown;
        answer.condition = None;
        answer.evidence = None;
        answer.reason = Some(format!(
            "what could be read conforms, but {records} of `{}` could not",
            log.path
        ));
    }
}

fn outcome(result: Judged, sessions: usize, workspace: &Workspace<'_>) -> Outcome {
    let mut stats = Stats::default()
        .with(Stat::Observations, result.observations)
        .with(Stat::Filtered, result.filtered);
    if sessions > 1 {
        stats = stats
            .with(Stat::Pass, result.pass)
            .with(Stat::Fail, result.fail)
            .with(Stat::Inconclusive, result.inconclusive);
    }
    Outcome {
        answer: Some(Answer::of(&result.verdict, &workspace.terms)),
        name: result.name,
        sizes: Sizes {
            stats,
            complete: result.finished,
        },
        ..Outcome::default()
    }
}
