//! Sub-formulas whose variables have values.
//!
//! A formula with binders is instantiated as labels are met: `[request(i,$v)] φ` needs `φ` with `v = 1` and with
//! `v = 2` if there are requests with these data.
//! An instance is a sub-formula together with the values of its free variables, so equal questions are one instance,
//! and what was found out about it in a state is kept under that instance and state.

use choros_base::Name;
use choros_query::socl::{Actions, Formula, NodeId, NodeKind, Quantifier, Variable};
use rustc_hash::FxHashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct InstanceId(pub(crate) u32);

choros_base::indices!(InstanceId);

/// All instances of a formula that were needed.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    ids: FxHashMap<(NodeId, Vec<Name>), InstanceId>,
    all: Vec<Instance>,
}

/// A sub-formula whose variables have values.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) node: NodeId,
    /// One per free variable of the node.
    pub(crate) values: Vec<Name>,
    /// Parts that are not under a binder of this node, in the order of the node.
    pub(crate) parts: Vec<InstanceId>,
    /// By label: the instances of the part under the binder, one per way to match; `None` if not asked yet.
    pub(crate) after: Vec<Option<Box<[InstanceId]>>>,
    /// By label: whether it satisfies the `χ` of an until.
    pub(crate) steps: Vec<Option<bool>>,
    /// By state: 0 not asked, 1 true, 2 false, `3 + r` open in round `r`.
    pub(crate) values_in: Vec<u32>,
}

/// An operator over paths, whatever it was written as.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) quantifier: Quantifier,
    pub(crate) weak: bool,
    /// What holds until then; `None` is `true`.
    pub(crate) left: Option<InstanceId>,
    pub(crate) target: Target,
}

/// How an until ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Never.
    Nothing,
    State(InstanceId),
    /// By a step into a state.
    Step,
}

impl Instances {
    pub(crate) fn get(&self, id: InstanceId) -> &Instance {
        &self.all[id.index()]
    }

    pub(crate) fn get_mut(&mut self, id: InstanceId) -> &mut Instance {
        &mut self.all[id.index()]
    }

    /// The instance of a node; `value` gives the values of its free variables.
    pub(crate) fn add(
        &mut self,
        formula: &Formula,
        node: NodeId,
        value: &dyn Fn(Variable) -> Option<Name>,
    ) -> InstanceId {
        // Formulas are closed, so every free variable has a value.
        let free = &formula.node(node).free;
        let values: Vec<Name> = free
            .iter()
            .filter_map(|&variable| value(variable))
            .collect();
        if let Some(&id) = self.ids.get(&(node, values.clone())) {
            return id;
        }
        let kind = &formula.node(node).kind;
        let direct: Vec<NodeId> = match kind {
            NodeKind::Next(..) | NodeKind::Diamond(..) | NodeKind::Box(..) => Vec::new(),
            NodeKind::Eventually(_, Some(_), _) => Vec::new(),
            NodeKind::Until(until) if until.last.is_some() => vec![until.left],
            other => other.parts(),
        };
        let parts = direct
            .into_iter()
            .map(|part| self.add(formula, part, value))
            .collect();
        let id = InstanceId(self.all.len() as u32);
        self.all.push(Instance {
            node,
            values: values.clone(),
            parts,
            after: Vec::new(),
            steps: Vec::new(),
            values_in: Vec::new(),
        });
        self.ids.insert((node, values), id);
        id
    }

    /// The value of a variable that is free in an instance.
    pub(crate) fn value(
        &self,
        formula: &Formula,
        id: InstanceId,
        variable: Variable,
    ) -> Option<Name> {
        let instance = self.get(id);
        let place = formula
            .node(instance.node)
            .free
            .iter()
            .position(|&free| free == variable)?;
        instance.values.get(place).copied()
    }

    /// The operator over paths of an instance, if it is one.
    pub(crate) fn shape(&self, formula: &Formula, id: InstanceId) -> Option<Shape> {
        let instance = self.get(id);
        let part = |index: usize| instance.parts[index];
        Some(match &formula.node(instance.node).kind {
            NodeKind::Always(quantifier, _) => Shape {
                quantifier: *quantifier,
                weak: true,
                left: Some(part(0)),
                target: Target::Nothing,
            },
            NodeKind::Eventually(quantifier, actions, _) => Shape {
                quantifier: *quantifier,
                weak: false,
                left: None,
                target: match actions {
                    Some(_) => Target::Step,
                    None => Target::State(part(0)),
                },
            },
            NodeKind::Until(until) => Shape {
                quantifier: until.quantifier,
                weak: until.weak,
                left: Some(part(0)),
                target: match &until.last {
                    Some(_) => Target::Step,
                    None => Target::State(part(1)),
                },
            },
            _ => return None,
        })
    }
}

/// The `χ` of an operator over paths.
pub(crate) fn step_actions(kind: &NodeKind) -> Option<&Actions> {
    match kind {
        NodeKind::Until(until) => Some(&until.steps),
        _ => None,
    }
}
