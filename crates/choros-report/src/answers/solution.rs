//! Which values satisfy a constraint?

use choros_data::Terms;
use choros_model::Verdict;

use super::Present;
use crate::{Answer, Block, NamedResult};

/// The answer of `solve`.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The file.
    pub name: String,
    /// *Holds* where there are values, *fails* where there are none.
    pub verdict: Verdict,
    /// The values, in the order of declaration.
    pub values: Vec<SolvedVariable>,
    /// The tree encoding as a script for solvers, where it was asked for.
    pub script: Option<String>,
}

/// A variable and its value.
#[derive(Debug, Clone)]
pub struct SolvedVariable {
    /// The variable.
    pub name: String,
    /// As the data language prints it.
    pub value: String,
    /// The same as XML, or why it has no text there.
    pub xml: Result<String, String>,
}

impl Present for Solution {
    const VERB: &'static str = "solve";

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let mut blocks = Vec::new();
        blocks.extend(self.script.map(|text| Block::Picture {
            format: "smt2",
            text,
        }));
        let word = match self.verdict {
            Verdict::Holds(_) | Verdict::HoldsIf(..) => "sat",
            Verdict::Fails(_) => "unsat",
            Verdict::Unknown(_) => "unknown",
        };
        blocks.push(Block::Line(word.to_owned()));
        for SolvedVariable { name, value, xml } in self.values {
            blocks.push(Block::Line(format!("{name} = {value}")));
            blocks.push(match xml {
                Ok(text) => Block::Picture {
                    format: "xml",
                    text,
                },
                Err(error) => Block::Line(format!("`{name}` has no text in XML: {error}")),
            });
        }
        vec![NamedResult {
            name: self.name,
            answer: Some(Answer::of(&self.verdict, terms)),
            blocks,
            ..NamedResult::default()
        }]
    }
}
