//! Which scopes next to each other run side by side, and which in an order that compensation has to reverse (12.5.2).

use super::reader::Reader;
use crate::static_rules::Order;
use choros_xml::document::{Element, ElementId};

/// In which order two scopes have to be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undone {
    /// The one that completed last comes first.
    InTurn,
    /// The first one has to wait for the second, which depends on it.
    Waits,
    /// The other way round.
    First,
    /// In any order, also at the same time.
    Apart,
}

impl Undone {
    /// The same seen from the second scope.
    pub(super) fn turned(self) -> Undone {
        match self {
            Undone::Waits => Undone::First,
            Undone::First => Undone::Waits,
            other => other,
        }
    }
}

/// Where a scope is.
#[derive(Debug, Clone)]
pub(super) struct Place {
    element: ElementId,
    /// The rounds of parallel loops around it, each with the number of its branch.
    rounds: Vec<(ElementId, usize)>,
}

impl Reader<'_, '_> {
    pub(super) fn place(&self, element: Element<'_>) -> Place {
        Place {
            element: element.id(),
            rounds: self.rounds.clone(),
        }
    }

    /// The order in which two scopes are undone.
    pub(super) fn undone(&mut self, one: &Place, other: &Place) -> Undone {
        let branch_of = |loops: &ElementId| one.rounds.iter().find(|it| it.0 == *loops);
        let mut rounds = other.rounds.iter();
        if rounds.any(|it| branch_of(&it.0).is_some_and(|own| own.1 != it.1)) {
            return Undone::Apart;
        }
        let document = self.document.clone();
        let (first, second) = (
            document.element(one.element),
            document.element(other.element),
        );
        let Some((common, [own, rival])) = meeting(first, second) else {
            return Undone::InTurn;
        };
        let is_event = |it: Option<Element<'_>>| it.is_some_and(|it| it.local() == "eventHandlers");
        match common.local() {
            "flow" => {
                let order = self.order.get_or_insert_with(|| Order::of(document.root()));
                let orders = [
                    order.comes_before(first, second),
                    order.comes_before(second, first),
                ];
                let Some(loops) = loop_inside_scope(common) else {
                    return match orders {
                        [true, _] => Undone::Waits,
                        [_, true] => Undone::First,
                        _ => Undone::Apart,
                    };
                };
                // Of two rounds the later one still comes first.
                let what = "the order of compensation of parallel scopes in a loop";
                if orders == [false; 2] {
                    self.left_open(what, "rounds may be undone in any order", loops.span());
                    Undone::Apart
                } else {
                    let instead = "the scope that completed last is undone first";
                    self.not_followed(what, instead, loops.span());
                    Undone::InTurn
                }
            }
            "eventHandlers" => Undone::Apart,
            "scope" | "process" if is_event(own) != is_event(rival) => Undone::Apart,
            _ => Undone::InTurn,
        }
    }
}

/// The innermost element around both, and its children that they are in.
fn meeting<'d>(
    one: Element<'d>,
    other: Element<'d>,
) -> Option<(Element<'d>, [Option<Element<'d>>; 2])> {
    let above = |from: Element<'d>| std::iter::successors(Some(from), |it| it.parent());
    for (position, around) in above(one).enumerate() {
        if let Some(at) = above(other).position(|it| it.id() == around.id()) {
            let below =
                |from: Element<'d>, at: usize| at.checked_sub(1).and_then(|it| above(from).nth(it));
            return Some((around, [below(one, position), below(other, at)]));
        }
    }
    None
}

/// The loop around a flow, in the scope in which it is.
fn loop_inside_scope(flow: Element<'_>) -> Option<Element<'_>> {
    let above = std::iter::successors(flow.parent(), |it| it.parent());
    above
        .take_while(|it| !matches!(it.local(), "scope" | "process"))
        .find(|it| matches!(it.local(), "while" | "repeatUntil"))
}
