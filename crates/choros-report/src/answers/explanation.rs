//! What does this diagnostic mean?

use choros_base::CodeInfo;
use choros_data::Terms;

use super::Present;
use crate::{Block, NamedResult};

/// The answer of `explain`.
#[derive(Debug, Clone, Copy)]
pub struct Explanation {
    /// The code and its documentation.
    pub code: &'static CodeInfo,
}

impl Present for Explanation {
    const VERB: &'static str = "explain";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        vec![NamedResult {
            name: self.code.code.to_owned(),
            blocks: vec![
                Block::Line(self.code.name.to_owned()),
                Block::Picture {
                    format: "markdown",
                    text: self.code.documentation.to_owned(),
                },
            ],
            ..NamedResult::default()
        }]
    }
}
