//! Who is guilty where services do not keep a choreography.

use serde::Serialize;

/// Who is guilty, and who may be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Blame {
    /// Roles that left the choreography by what they sent.
    pub roles: Vec<GuiltyRole>,
    /// Roles that may be guilty, because no log says who is.
    pub may_be: Vec<String>,
    /// The only role in `roles` is the only one that can be guilty.
    pub alone: bool,
    /// Sessions that do not conform although every role did its part.
    pub unavoidable: usize,
}

/// A guilty role and the first message that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GuiltyRole {
    /// Who did it.
    pub role: String,
    /// Where its log has the message.
    pub place: String,
    /// What it sent.
    pub message: String,
}

impl Blame {
    /// Who is guilty, in sentences.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for guilty in &self.roles {
            let alone = if self.alone { " alone" } else { "" };
            words.push(format!(
                "guilty: `{}`{alone} ({}: {})",
                guilty.role, guilty.place, guilty.message
            ));
        }
        match &self.may_be[..] {
            [] => {}
            [only] => words.push(format!("`{only}` may be guilty: its log does not show it")),
            several => {
                let roles = several.join("`, `");
                words.push(format!(
                    "one of `{roles}` may be guilty: no log shows which"
                ));
            }
        }
        match self.unavoidable {
            0 => {}
            1 => words.push(
                "no role is guilty in 1 session: the choreography itself allows it".to_owned(),
            ),
            many => words.push(format!(
                "no role is guilty in {many} sessions: the choreography itself allows it"
            )),
        }
        words
    }
}
