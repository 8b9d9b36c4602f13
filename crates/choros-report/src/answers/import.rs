//! What does a description of an API say as a model?

use choros_base::FileSet;
use choros_data::Terms;
use choros_model::Evidence;
use choros_model::evidence::Table;

use super::Present;
use super::counted::counted;
use super::projections::file_blocks;
use crate::{Block, NamedResult};

/// The answer of `import`.
#[derive(Debug, Clone, Default)]
pub struct Importing {
    /// The name of the files.
    pub name: String,
    /// The roles of the services.
    pub services: Vec<String>,
    pub operations: usize,
    pub messages: usize,
    /// The model and the binding; if they are written to a folder, they are taken out.
    pub files: FileSet,
    /// What was not carried over: where, what, and why.
    pub lost: Vec<[String; 3]>,
    /// All of that is shown, not only the first details of each kind.
    pub lists_all: bool,
    /// What to do next.
    pub next: String,
}

/// How many rows with one reason are shown.
const ROWS_PER_REASON: usize = 5;

impl Present for Importing {
    const VERB: &'static str = "import";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let mut blocks: Vec<Block> = file_blocks(&self.files).collect();
        let count = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
        blocks.push(Block::Line(format!(
            "{}: {}, {}",
            self.services.join(", "),
            counted(count(self.operations), "operation", "operations"),
            counted(count(self.messages), "message", "messages"),
        )));
        if !self.lost.is_empty() {
            let details = counted(count(self.lost.len()), "detail is", "details are");
            blocks.push(Block::Line(format!("{details} not carried over:")));
            let table = table(&self.lost, self.lists_all);
            blocks.push(Block::Evidence(Box::new(Evidence::Table(table))));
        }
        blocks.push(Block::Line(self.next));
        vec![NamedResult {
            name: self.name,
            blocks,
            ..NamedResult::default()
        }]
    }
}

/// The rows, which come in the order of their reasons; of many with one reason, the first.
fn table(lost: &[[String; 3]], is_whole: bool) -> Table {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for alike in lost.chunk_by(|one, next| one[2] == next[2]) {
        let shown = match alike.len() {
            count if is_whole || count <= ROWS_PER_REASON + 1 => count,
            _ => ROWS_PER_REASON,
        };
        rows.extend(alike.iter().take(shown).map(|row| row.to_vec()));
        if shown < alike.len() {
            let more = format!("… and {} more", alike.len() - shown);
            rows.push(vec![String::new(), more, alike[0][2].clone()]);
        }
    }
    Table {
        columns: ["where", "what", "why"].map(str::to_owned).to_vec(),
        rows,
    }
}
