//! From unfolded graphs back to those that they come from.

use choros_certify::{Attack, Challenge as Move, RelatedPair, Sides};
use choros_model::stg::EdgeId;

use crate::clauses::Challenge;
use crate::unfold::Unfolded;

/// Two graphs and how they were unfolded.
pub(crate) struct Fold<'a> {
    pub(crate) sides: &'a Sides<'a>,
    pub(crate) left: &'a Unfolded,
    pub(crate) right: &'a Unfolded,
}

impl Fold<'_> {
    /// What a challenge is on the originals.
    pub(crate) fn challenge(&self, challenge: Challenge) -> Challenge {
        match challenge {
            Challenge::Silent(edge) => Challenge::Silent(self.left.edges[edge.index()]),
            Challenge::Left(edge) => Challenge::Left(self.left.edges[edge.index()]),
            Challenge::Right(edge) => Challenge::Right(self.right.edges[edge.index()]),
            end @ (Challenge::LeftEnds | Challenge::RightEnds) => end,
        }
    }

    /// The relation between the originals: several conditions for one pair, where it was split.
    pub(crate) fn relation(&self, relation: &[RelatedPair]) -> Vec<RelatedPair> {
        relation
            .iter()
            .map(|pair| RelatedPair {
                left: self.left.nodes[pair.left.index()],
                right: self.right.nodes[pair.right.index()],
                condition: pair.condition,
            })
            .collect()
    }

    /// An attack on the originals.
    pub(crate) fn attack(&self, attack: &mut Attack) {
        let left = |edge: &mut EdgeId| *edge = self.left.edges[edge.index()];
        let right = |edge: &mut EdgeId| *edge = self.right.edges[edge.index()];
        for position in &mut attack.positions {
            position.left.node = self.left.nodes[position.left.node.index()];
            position.right.node = self.right.nodes[position.right.node.index()];
            match &mut position.challenge {
                Move::Silent { choice, .. } => left(&mut choice.edge),
                Move::Left(edge) => left(edge),
                Move::Right(edge) => right(edge),
                Move::LeftEnds | Move::RightEnds => {}
            }
            for reply in &mut position.replies {
                reply.left.iter_mut().for_each(left);
                right(&mut reply.right);
            }
        }
    }
}
