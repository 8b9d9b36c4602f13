//! What does it look like?

use choros_data::Terms;

use super::Present;
use crate::{Block, NamedResult, Sizes};

/// The answer of `draw` about one component, file or piece of evidence.
#[derive(Debug, Clone, Default)]
pub struct Drawn {
    /// Its name, or its path.
    pub name: String,
    /// The picture, in the form that was asked for; none where it has no such form.
    pub picture: Vec<Block>,
    /// Whether a bound cut what is drawn.
    pub is_cut: bool,
}

impl Drawn {
    /// All that there is to draw.
    pub fn whole(name: String, picture: Vec<Block>) -> Drawn {
        Drawn {
            name,
            picture,
            is_cut: false,
        }
    }
}

impl Present for Drawn {
    const VERB: &'static str = "draw";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        vec![NamedResult {
            name: self.name,
            blocks: self.picture,
            sizes: Sizes {
                complete: !self.is_cut,
                ..Sizes::default()
            },
            ..NamedResult::default()
        }]
    }
}
