//! The standings that were reached, without those that others cover.

use std::collections::BTreeMap;
use std::rc::Rc;

use choros_data::Term;
use rustc_hash::FxHashMap;

use super::conditions::Conditions;
use super::standing::Standing;
use super::walk::{Ground, Stopped};

/// The standings of a set that is being built, by node.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    nodes: BTreeMap<u32, AtNode>,
}

#[derive(Debug, Default)]
struct AtNode {
    /// The condition of each standing, by its values.
    conditions: FxHashMap<Rc<[Term]>, Term>,
    /// Those that may cover others.
    general: Vec<Rc<[Term]>>,
}

impl Reached {
    /// Adds a standing; gives it back, with all that is known of its values, unless it says nothing new.
    pub(crate) fn add(
        &mut self,
        mut standing: Standing,
        conditions: &mut Conditions,
        ground: &mut Ground<'_>,
    ) -> Result<Option<Standing>, Stopped> {
        let node = standing.node;
        let at = self.nodes.entry(node).or_default();
        if let Some(&known) = at.conditions.get(&standing.values) {
            if conditions.implied(standing.condition, known, ground)? {
                return Ok(None);
            }
            standing.condition = conditions.either(known, standing.condition, ground)?;
        }
        for values in &at.general {
            let known = Standing {
                node,
                values: values.clone(),
                condition: at.conditions.get(values).copied().unwrap_or(Term::FALSE),
            };
            if *values != standing.values && known.covers(&standing, conditions, ground)? {
                return Ok(None);
            }
        }
        if standing.is_general(conditions, ground.terms) {
            at.leave_out(&standing, conditions, ground)?;
            at.general.push(standing.values.clone());
        }
        at.conditions
            .insert(standing.values.clone(), standing.condition);
        Ok(Some(standing))
    }

    /// All of them, in a fixed order.
    pub(crate) fn sorted(self) -> Vec<Standing> {
        let mut all: Vec<Standing> = Vec::new();
        for (node, at) in self.nodes {
            let found = at.conditions.into_iter();
            all.extend(found.map(|(values, condition)| Standing {
                node,
                values,
                condition,
            }));
        }
        all.sort_by_cached_key(|standing| {
            let values: Vec<usize> = standing.values.iter().map(|it| it.index()).collect();
            (standing.node, values)
        });
        all
    }
}

impl AtNode {
    /// Leaves out what a new standing covers, itself among them.
    fn leave_out(
        &mut self,
        new: &Standing,
        conditions: &mut Conditions,
        ground: &mut Ground<'_>,
    ) -> Result<(), Stopped> {
        let mut known: Vec<(Rc<[Term]>, Term)> = self
            .conditions
            .iter()
            .map(|(values, condition)| (values.clone(), *condition))
            .collect();
        known.sort_by_cached_key(|(values, _)| {
            let values: Vec<usize> = values.iter().map(|it| it.index()).collect();
            values
        });
        for (values, condition) in known {
            let old = Standing {
                node: new.node,
                values,
                condition,
            };
            if old.values == new.values || new.covers(&old, conditions, ground)? {
                self.conditions.remove(&old.values);
                self.general.retain(|it| *it != old.values);
            }
        }
        Ok(())
    }
}
