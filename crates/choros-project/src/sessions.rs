//! How many sessions a question of `choros.toml` is about.

use choros_base::Diagnostic;
use choros_codes::diagnostics::project_value;
use choros_model::stg::{MOST_SESSIONS, SessionCount, Sessions};

use crate::Row;

impl Row {
    /// The sessions, where there are several; not for files of which there are none, which the caller knows.
    pub fn sessions(
        &self,
        has_none: impl Fn(&str) -> bool,
    ) -> Result<Option<Sessions>, Vec<Diagnostic>> {
        let count = match (self.number("sessions"), self.text("sessions")) {
            (Some(count), _) => {
                SessionCount::Exactly(u32::try_from(count).unwrap_or(MOST_SESSIONS))
            }
            (None, Some(_)) => SessionCount::Any,
            (None, None) => {
                let about = ["by", "distinct", "sharing", "own-queues", "per-session"];
                let given = about.into_iter().find(|it| self.has(it));
                return match given {
                    None => Ok(None),
                    Some(key) => {
                        let place = self.place(key);
                        Err(vec![project_value::lonely(key, "sessions", place)])
                    }
                };
            }
        };
        let named = ["model", "implementation", "specification", "files"];
        let mut texts = named.iter().flat_map(|key| self.texts(key));
        if let Some(other) = texts.find(|it| has_none(it)) {
            let place = self.place("sessions");
            return Err(vec![project_value::no_sessions(other, place)]);
        }
        Ok(Some(Sessions {
            count,
            identity: self.text("by").map(str::to_owned),
            distinct: self.flag("distinct"),
            shared: self.texts("sharing").to_vec(),
            own_queues: self.flag("own-queues"),
        }))
    }
}
