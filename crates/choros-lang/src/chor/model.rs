//! A file that has been read: its choreographies, roles and systems on demand as graphs.

use choros_base::{Budget, Diagnostic, FileId, Severity};
use choros_data::Terms;
use choros_model::diagram::Diagram;
use choros_model::stg::{Sessions, Stg, hide, product};
use rustc_hash::FxHashSet;

use super::ast::{Item, Program};
use super::clocks::{self, Clocks};
use super::diagram::diagram;
use super::first::{self, FirstSenders};
use super::labels::{Labels, label};
use super::lower::lower_item;
use super::parse::parse;
use super::resolve::{Resolution, resolve};
use super::sorts::{Meanings, infer, values};
use super::{counterparts, flow, inclusion, rounds, saga};
use crate::ast::Reference;
use crate::diagnostics::MAX_FINDINGS;
use crate::{ComponentGraph, NoGraph};

/// A file with its names looked up and its terms built.
#[derive(Debug)]
pub struct Model {
    pub(super) program: Program,
    pub(super) resolution: Resolution,
    pub(super) labels: Labels,
    pub(super) meanings: Meanings,
    pub(super) clocks: Clocks,
    /// Who gets to know which values where.
    pub(super) knowledge: flow::Knowledge,
    /// The items in which, or in whose parts, something is wrong.
    broken: FxHashSet<usize>,
}

/// A choreography, role or system of a [`Model`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ItemId(usize);

/// Reads a file: syntax, names, values, claims, sorts.
///
/// The model can be used even if there are errors: items without mistakes have graphs.
pub fn read(file: FileId, text: &str, terms: &mut Terms) -> (Model, Vec<Diagnostic>) {
    let (program, mut diagnostics) = parse(file, text, &mut terms.names);
    let (resolution, mut found) = resolve(&program, &terms.names);
    diagnostics.append(&mut found);
    let (mut broken, mut found) = inclusion::check(&program, &resolution, &terms.names);
    diagnostics.append(&mut found);
    diagnostics.append(&mut counterparts::check(
        &program,
        &resolution,
        &terms.names,
    ));
    let (labels, mut found) = label(&program, &terms.names);
    diagnostics.append(&mut found);
    let values = values(&program);
    let mut first = FirstSenders::new(&program, &resolution, &broken);
    diagnostics.append(&mut first::check(&mut first, &terms.names));
    diagnostics.append(&mut rounds::check(&program, &terms.names));
    let text = |name| terms.names.text(name).to_owned();
    diagnostics.append(&mut saga::check(&program, text));
    let (clocks, mut found) =
        clocks::find(&program, &resolution, &broken, &mut first, &terms.names);
    diagnostics.append(&mut found);
    let (mut found, knowledge) = flow::check(&program, &values, &mut first, &terms.names);
    diagnostics.append(&mut found);
    let (meanings, mut found) = infer(&program, &resolution, &labels, terms);
    diagnostics.append(&mut found);
    note_errors(&program, &diagnostics, &mut broken);
    // In the order of the text, whichever stage found it.
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary().map(|span| span.start()));
    let model = Model {
        program,
        resolution,
        labels,
        meanings,
        clocks,
        knowledge,
        broken,
    };
    (model, diagnostics)
}

/// Items with errors in them are broken; so is everything when errors were left out because there are too many.
fn note_errors(program: &Program, diagnostics: &[Diagnostic], broken: &mut FxHashSet<usize>) {
    if diagnostics.len() >= MAX_FINDINGS {
        broken.extend(0..program.items.len());
        return;
    }
    for diagnostic in diagnostics {
        let Some(place) = diagnostic.primary() else {
            continue;
        };
        if diagnostic.severity != Severity::Error {
            continue;
        }
        let at = place.range().start;
        for (position, item) in program.items.iter().enumerate() {
            if item.span().range().contains(&at) {
                broken.insert(position);
            }
        }
    }
}

impl Model {
    /// The file as it is written.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The choreographies, roles and systems, in order; of those with one name, the first.
    pub fn ids(&self) -> impl Iterator<Item = ItemId> + '_ {
        let items = self.program.items.iter().enumerate();
        items
            .filter(|(position, item)| {
                item.is_component()
                    && self.resolution.component(item.name().name) == Some(*position)
            })
            .map(|(position, _)| ItemId(position))
    }

    /// One of this name, if there is one.
    pub fn find(&self, name: &str, terms: &Terms) -> Option<ItemId> {
        let position = self.resolution.component(terms.names.get(name)?)?;
        Some(ItemId(position))
    }

    /// The sequence diagram of a choreography; roles and systems have none.
    pub fn diagram(&self, id: ItemId, terms: &Terms) -> Option<Diagram> {
        diagram(&self.program, &self.clocks, self.item(id), &terms.names)
    }

    /// As it is written.
    pub fn item(&self, id: ItemId) -> &Item {
        &self.program.items[id.0]
    }

    pub fn name<'a>(&self, id: ItemId, terms: &'a Terms) -> &'a str {
        terms.names.text(self.item(id).name().name)
    }

    /// How many sessions of its graph there are, where it is sessions of something.
    pub fn sessions(&self, id: ItemId, terms: &Terms) -> Option<Sessions> {
        let Item::Sessions(item) = self.item(id) else {
            return None;
        };
        let text = |it: &Reference| terms.names.text(it.name).to_owned();
        Some(Sessions {
            count: item.count,
            identity: item.by.as_ref().map(text),
            distinct: item.distinct,
            shared: item.sharing.iter().map(text).collect(),
            own_queues: item.own_queues,
        })
    }

    /// The roles of a choreography that are declared as services.
    pub fn services<'a>(&'a self, id: ItemId, terms: &'a Terms) -> impl Iterator<Item = &'a str> {
        let item = match self.item(id) {
            Item::Sessions(sessions) => {
                let one = self.resolution.component(sessions.of.name);
                one.map_or(self.item(id), |it| &self.program.items[it])
            }
            item => item,
        };
        let declared = match item {
            Item::Choreography(item) => &item.services[..],
            _ => &[],
        };
        declared.iter().map(|role| terms.names.text(role.name))
    }

    pub(super) fn is_broken(&self, position: usize) -> bool {
        self.broken.contains(&position)
    }

    /// The graph of a choreography, role or system, computed at each call.
    ///
    /// A system is the product of its parts, the parts of parts that are systems included; what it or such a part
    /// hides is hidden in the whole.
    pub fn lower(
        &self,
        id: ItemId,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<ComponentGraph, NoGraph> {
        self.lower_with_ticks(id, None, terms, budget)
    }

    /// The same with ticks of so many milliseconds, where that divides all durations of the file; models with different
    /// durations can be compared only if their ticks are of one length.
    pub fn lower_with_ticks(
        &self,
        id: ItemId,
        tick: Option<u64>,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<ComponentGraph, NoGraph> {
        let clocks = match tick {
            Some(tick) => self.clocks.with_tick(tick),
            None => self.clocks.clone(),
        };
        if let Item::Sessions(sessions) = self.item(id) {
            let one = self.resolution.component(sessions.of.name);
            let one = one.filter(|_| !self.is_broken(id.0));
            let one = ItemId(one.ok_or(NoGraph::Mistakes)?);
            return self.lower_with_ticks(one, tick, terms, budget);
        }
        let Item::System(_) = self.item(id) else {
            return Ok(ComponentGraph {
                stg: self.lower_part(id.0, &clocks, terms, budget)?,
                notes: Vec::new(),
            });
        };
        let (parts, hidden) = self.parts(id.0)?;
        let name = self.name(id, terms).to_owned();
        let parts = parts
            .into_iter()
            .map(|part| self.lower_part(part, &clocks, terms, budget))
            .collect::<Result<Vec<Stg>, NoGraph>>()?;
        let parts: Vec<&Stg> = parts.iter().collect();
        let product = product(name, &parts, budget, terms)?;
        let alphabet = product
            .stg
            .alphabet()
            .into_iter()
            .filter(|(operation, _, _)| hidden.contains(&operation.0))
            .collect();
        let stg = if hidden.is_empty() {
            product.stg
        } else {
            hide(&product.stg, &alphabet, terms)
        };
        Ok(ComponentGraph {
            stg,
            notes: product.notes,
        })
    }

    /// The parts of a system that are not systems, in order, each once, and the operations that are hidden.
    fn parts(&self, system: usize) -> Result<(Vec<usize>, FxHashSet<choros_base::Name>), NoGraph> {
        let mut parts = Vec::new();
        let mut hidden = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut pending = vec![system];
        while let Some(position) = pending.pop() {
            if self.is_broken(position) {
                return Err(NoGraph::Mistakes);
            }
            if !seen.insert(position) {
                continue;
            }
            let Item::System(system) = &self.program.items[position] else {
                parts.push(position);
                continue;
            };
            hidden.extend(system.hiding.iter().map(|hidden| hidden.name));
            for part in system.parts.iter().rev() {
                let part = self.resolution.component(part.name);
                pending.push(part.ok_or(NoGraph::Mistakes)?);
            }
        }
        Ok((parts, hidden))
    }

    fn lower_part(
        &self,
        position: usize,
        clocks: &Clocks,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Stg, NoGraph> {
        if self.is_broken(position) {
            Err(NoGraph::Mistakes)
        } else {
            lower_item(self, position, clocks, terms, budget)
        }
    }
}
