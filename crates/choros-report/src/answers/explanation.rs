//! What does this diagnostic mean?

use choros_base::CodeInfo;
use choros_data::Terms;

use super::Present;
use crate::{Block, Outcome};

/// The answer of `explain`.
#[derive(Debug, Clone, Copy)]
pub struct Explanation {
    /// The code and its documentation.
    pub code: &'static CodeInfo,
}

impl Present for Explanation {
    const VERB: &'static str = "explain";

    fn outcomes(self, _: &Terms) -> Vec<Outcome> {
        vec![Outcome {
            name: self.code.code.to_owned(),
            blocks: vec![
                Block::Line(self.code.name.to_owned()),
                Block::Picture {
                    format: "markdown",
                    text: self.code.documentation.to_owned(),
                },
            ],
            ..Outcome::default()
        }]
    }
}
