//! What is said of an answer about many sessions.

use choros_model::stg::{SessionCount, Sessions};

use super::{RunNotes, Stop};

/// One session was examined, and the answer is about all.
pub fn one_stands(name: &str, sessions: &Sessions) -> String {
    let identity = sessions.identity.as_deref().unwrap_or_default();
    let promise = if sessions.distinct {
        format!("each session has its own `{identity}`, which no other one has")
    } else {
        format!("this needs a different `{identity}` in each session; `--distinct` promises it")
    };
    format!(
        "`{name}`: one session was examined and stands for any number of them, because they share nothing; {promise}"
    )
}

/// One session was examined without what all share, and the answer is about all.
pub fn one_role_keeps(name: &str, sessions: &Sessions) -> String {
    let shared = sessions.shared.join("`, `");
    let identity = sessions.identity.as_deref().unwrap_or_default();
    let promise = if sessions.distinct {
        ""
    } else {
        "; this needs distinct identities"
    };
    format!(
        "`{name}`: one session was examined without `{shared}` and stands for any number of them by `{identity}`: one role keeps `{shared}` for all, and every message does the same to it in each session{promise}"
    )
}

/// One session was examined among others that change what all share, and the answer is about all.
pub fn one_disturbed(name: &str) -> String {
    format!(
        "`{name}`: one session was examined among others that may change at any time what they share, and stands for any number of them"
    )
}

/// What can happen in one of many sessions that share no data is what can happen in one alone.
pub fn one_is_like_all(name: &str) -> String {
    format!(
        "`{name}`: one session was examined, because sessions that share no data can do the same"
    )
}

/// One session does not stand for all; any number of them then has no answer.
pub fn together(
    name: &str,
    sessions: &Sessions,
    reason: &str,
    run: &mut RunNotes,
) -> Result<(), Stop> {
    match sessions.count {
        SessionCount::Exactly(count) => {
            run.note(format!(
                "`{name}`: all {count} sessions were examined together, because one does not stand for all: {reason}"
            ));
            Ok(())
        }
        SessionCount::Any => Err(Stop::Unsettled {
            name: name.to_owned(),
            reason: format!(
                "one session does not stand for all: {reason}; ask about a number of sessions"
            ),
        }),
    }
}
