//! What does each role do?

use choros_base::FileSet;
use choros_data::Terms;
use choros_model::cfsm::Cfsm;
use choros_model::stg::Stg;

use super::Present;
use crate::{Block, NamedResult, Sizes, Stat, Stats};

/// The answer of `project` about one choreography.
#[derive(Debug, Clone)]
pub struct Projections {
    /// Its name, or its path.
    pub name: String,
    /// Whether it is one of several, so that its name stands before those of its roles.
    pub is_one_of_several: bool,
    /// Its roles, or the one that was asked for.
    pub roles: Vec<ProjectedRole>,
    /// All of them in one text, where that was asked for.
    pub together: Option<Block>,
}

/// What one role does.
#[derive(Debug, Clone)]
pub struct ProjectedRole {
    /// Who it is.
    pub name: String,
    /// What it does.
    pub behaviour: RoleBehaviour,
    /// The same, in the form that was asked for.
    pub picture: Vec<Block>,
}

/// What one role does.
#[derive(Debug, Clone)]
pub enum RoleBehaviour {
    /// Its part of a graph of interactions.
    Graph(Stg),
    /// Its machine, of a g-choreography.
    Machine(Cfsm),
}

impl RoleBehaviour {
    /// Its sizes.
    pub fn stats(&self) -> Stats {
        match self {
            RoleBehaviour::Graph(stg) => Stats::of_graph(stg),
            RoleBehaviour::Machine(machine) => Stats::default()
                .with(Stat::States, machine.state_count())
                .with(Stat::Transitions, machine.transition_count()),
        }
    }
}

impl Present for Projections {
    const VERB: &'static str = "project";

    fn is_made_of_messages(&self) -> bool {
        true
    }

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let outcome = |name: String, stats: Stats, blocks: Vec<Block>| NamedResult {
            name,
            blocks,
            sizes: Sizes {
                stats,
                complete: true,
            },
            ..NamedResult::default()
        };
        let machine = |it: &ProjectedRole| matches!(it.behaviour, RoleBehaviour::Machine(_));
        if let (Some(block), true) = (&self.together, self.roles.iter().all(machine)) {
            let mut sum = Stats::default();
            for role in &self.roles {
                sum.add(&role.behaviour.stats());
            }
            return vec![outcome(self.name, sum, vec![block.clone()])];
        }
        let roles = self.roles.into_iter().map(|role| {
            let name = if self.is_one_of_several {
                format!("{}: {}", self.name, role.name)
            } else {
                role.name
            };
            outcome(name, role.behaviour.stats(), role.picture)
        });
        let mut outcomes: Vec<NamedResult> = roles.collect();
        // Graphs that are written together stand with the first.
        if let Some(first) = outcomes.first_mut() {
            first.blocks.extend(self.together);
        }
        outcomes
    }
}

/// Programs of roles.
#[derive(Debug, Clone)]
pub struct Skeleton {
    /// What the programs do.
    pub projections: Projections,
    /// The programs; a caller that writes them to a folder takes them out, and the others are shown.
    pub files: FileSet,
}

impl Present for Skeleton {
    const VERB: &'static str = "project";

    fn is_made_of_messages(&self) -> bool {
        true
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let mut outcomes = self.projections.outcomes(terms);
        if let Some(last) = outcomes.last_mut() {
            last.blocks.extend(file_blocks(&self.files));
        }
        outcomes
    }
}

/// Files, for those who name no folder.
pub fn file_blocks(files: &FileSet) -> impl Iterator<Item = Block> {
    files.iter().map(|(path, text)| Block::Picture {
        format: "code",
        text: format!("==> {path} <==\n{text}\n"),
    })
}
