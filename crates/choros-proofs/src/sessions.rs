//! Formulas about models of many sessions.

use choros_data::Terms;
use choros_many::{
    CarriesOver, carries_over, distinct_identities, if_distinct, independence, safe_for_any_number,
};
use choros_model::stg::{SessionCount, Sessions};
use choros_model::{Unknown, Verdict};
use choros_query::abstraction::Abstraction;
use choros_report::answers::{
    AnsweredQuestion, RunNotes, Stop, Verification, one_stands, together,
};
use choros_workspace::{OneSession, PosedQuestions, Settings, VerifyRequest, Workspace};

use crate::answering::answered;

/// How many sessions are tried where nothing is known for any number.
const TRIED: u32 = 4;

/// Formulas about one session by itself, which are asked of one that shares nothing with the others.
pub(crate) fn about_each_session(
    one: OneSession,
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Verification, Stop> {
    let OneSession { stg, sessions, .. } = one;
    let name = sessions.name(stg.name());
    let found = independence(&stg, &sessions, &workspace.terms);
    if !found.holds() {
        let any = Sessions {
            count: SessionCount::Any,
            ..sessions.clone()
        };
        together(&name, &any, &found.words(), run)?;
    }
    let mut carried = Vec::new();
    let mut look = |posed: &PosedQuestions, _: &Terms| {
        let each = posed.asked.iter();
        carried = each
            .map(|it| carries_over(&it.formula, &posed.names, &stg))
            .collect();
    };
    let answers = answered(workspace, request, settings, run, &mut look)?;
    run.note(one_stands(&name, &sessions));
    let mut questions = Vec::new();
    for (mut answer, carried) in answers.questions.into_iter().zip(carried) {
        let mut parts = vec!["of each session".to_owned()];
        match carried {
            CarriesOver::Yes => {}
            CarriesOver::WithFairness => {
                parts.push("if no session that can continue waits forever for others".to_owned());
            }
            CarriesOver::No(reason) => {
                answer.verdict = Verdict::Unknown(Unknown::whatever_the_bound(format!(
                    "the answer for one session alone does not carry over to many: {reason}"
                )));
            }
        }
        parts.extend(answer.proviso.take());
        answer.proviso = Some(parts.join(", "));
        if let (false, Some(identity)) = (sessions.distinct, found.identity) {
            let terms = &mut workspace.terms;
            let condition = distinct_identities(stg.name(), identity, &sessions, terms);
            answer.verdict = if_distinct(answer.verdict, condition, terms);
        }
        questions.push(answer);
    }
    Ok(Verification { questions })
}

/// Formulas about all sessions, however many there are.
pub(crate) fn about_any_number(
    one: OneSession,
    workspace: &mut Workspace<'_>,
    request: &VerifyRequest,
    settings: &Settings,
    run: &mut RunNotes,
) -> Result<Verification, Stop> {
    let budget = settings.states();
    let mut shown: Vec<Result<Verdict, String>> = Vec::new();
    let mut known: Vec<AnsweredQuestion> = Vec::new();
    for count in 1..=TRIED {
        let sessions = Sessions {
            count: SessionCount::Exactly(count),
            ..one.sessions.clone()
        };
        let some = Settings {
            sessions: Some(sessions),
            ..settings.clone()
        };
        let mut look = |posed: &PosedQuestions, terms: &Terms| {
            let each = posed
                .asked
                .iter()
                .map(|it| match posed.rule_sets[it.rules] {
                    Abstraction::Identity => {
                        let formula = (&it.formula, &posed.names);
                        let (stg, sessions) = (&one.stg, &one.sessions);
                        safe_for_any_number(stg, sessions, &one.initial, formula, terms, &budget)
                    }
                    Abstraction::Rules(_) => Err("it is asked under abstraction rules".to_owned()),
                });
            shown = each.collect();
        };
        let mut aside = settings.run();
        let notes = if count == 1 { &mut *run } else { &mut aside };
        let found = if count == 1 {
            answered(workspace, request, &some, notes, &mut look)?
        } else {
            answered(workspace, request, &some, notes, &mut |_, _| {})?
        };
        for (position, mut answer) in found.questions.into_iter().enumerate() {
            if matches!(answer.verdict, Verdict::Fails(_)) {
                let sessions = if count == 1 { "session" } else { "sessions" };
                answer.proviso = Some(format!("with {count} {sessions}"));
            }
            match known.get_mut(position) {
                None => known.push(answer),
                Some(before) if is_open(&before.verdict) => *before = answer,
                Some(_) => {}
            }
        }
    }
    let each = known.into_iter().zip(shown);
    let questions = each.map(|(answer, shown)| for_any_number(answer, shown));
    Ok(Verification {
        questions: questions.collect(),
    })
}

/// Whether more sessions may change an answer.
fn is_open(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Fails(_) | Verdict::Unknown(_))
}

/// What is known of some sessions, and what was shown for any number of them.
fn for_any_number(
    mut answer: AnsweredQuestion,
    shown: Result<Verdict, String>,
) -> AnsweredQuestion {
    match (&answer.verdict, shown) {
        (Verdict::Fails(_), _) => {}
        (_, Ok(verdict)) => {
            answer.verdict = verdict;
            answer.proviso = Some("for any number of sessions".to_owned());
            answer.explanation = None;
        }
        (Verdict::Unknown(_), Err(_)) => {}
        (_, Err(reason)) => {
            answer.verdict = Verdict::Unknown(Unknown::whatever_the_bound(format!(
                "it holds for up to {TRIED} sessions, and was not shown for any number: {reason}"
            )));
        }
    }
    answer
}
