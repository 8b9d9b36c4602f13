//! Operators over paths, in one form.

use choros_query::socl::{Actions, NodeId, NodeKind, Quantifier};

/// What an operator over paths is made of.
pub(super) struct Paths<'f> {
    pub(super) quantifier: Quantifier,
    pub(super) weak: bool,
    pub(super) left: Option<NodeId>,
    /// Which steps may be followed; all, by default.
    pub(super) steps: Option<&'f Actions>,
    /// The last step.
    pub(super) last: Option<&'f Actions>,
    pub(super) right: Option<NodeId>,
}

impl<'f> Paths<'f> {
    pub(super) fn of(kind: &'f NodeKind) -> Option<Paths<'f>> {
        match kind {
            NodeKind::Always(quantifier, part) => Some(Paths {
                quantifier: *quantifier,
                weak: true,
                left: Some(*part),
                steps: None,
                last: None,
                right: None,
            }),
            NodeKind::Eventually(quantifier, last, part) => Some(Paths {
                quantifier: *quantifier,
                weak: false,
                left: None,
                steps: None,
                last: last.as_ref(),
                right: Some(*part),
            }),
            NodeKind::Until(until) => Some(Paths {
                quantifier: until.quantifier,
                weak: until.weak,
                left: Some(until.left),
                steps: Some(&until.steps),
                last: until.last.as_ref(),
                right: Some(until.right),
            }),
            _ => None,
        }
    }
}

/// Whether going on forever is not enough for this truth of a sub-formula, so that ranks count.
pub(super) fn needs_rank(kind: &NodeKind, truth: bool) -> bool {
    Paths::of(kind).is_some_and(|it| it.weak != truth)
}
