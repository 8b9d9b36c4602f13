//! Cycles of control: activities or scopes that wait for each other.
//!
//! Every activity has two moments, its start and its end.
//! What is inside starts after the start of what is around it and ends before its end; in a sequence one ends before
//! the next starts; the source of a link ends before its target starts.
//! A link whose two moments lie on a cycle of these orders makes its target wait for itself (11.6.1).
//! Peer scopes depend on each other if a moment inside one comes before a moment inside the other (12.5.2).

use std::collections::BTreeMap;

use choros_xml::document::{Element, ElementId};

use super::links::LinkEnds;
use super::tree::{ancestors, elements, is, is_bpel};
use super::{Rules, rule};
use crate::vocabulary::is_activity;

rule!(SA00072 {
    code: "CH1472",
    name: "link-cycle",
    section: "11.6.1",
    what: "No link makes an activity wait for itself, also not through sequences and nesting.",
    why: "The activities would wait for each other forever.",
    example: "<sequence><empty><targets><target linkName='a'/></targets></empty><empty><sources><source linkName='a'/></sources></empty></sequence>",
});

rule!(SA00082 {
    code: "CH1482",
    name: "scope-cycle",
    section: "12.5.2",
    what: "Two scopes next to each other do not depend on each other in both directions.",
    why: "Compensation undoes scopes in the reverse order of their dependencies; with a cycle there is none.",
    example: "<flow>… <scope name='A'>…source a… target b…</scope><scope name='B'>…target a… source b…</scope></flow>",
});

/// The orders between moments; activity number `n` starts at `2 n` and ends at `2 n + 1`.
struct Moments {
    numbers: BTreeMap<ElementId, usize>,
    after: Vec<Vec<usize>>,
}

impl Moments {
    fn of(elements: &[Element<'_>], links: &[LinkEnds<'_>]) -> Moments {
        let activities: Vec<Element<'_>> = elements
            .iter()
            .filter(|it| is_activity(it.local()) || is(**it, "process"))
            .copied()
            .collect();
        let numbers: BTreeMap<ElementId, usize> = activities
            .iter()
            .enumerate()
            .map(|(number, it)| (it.id(), number))
            .collect();
        let mut moments = Moments {
            after: vec![Vec::new(); 2 * activities.len()],
            numbers,
        };
        for &activity in &activities {
            let Some(own) = moments.number(activity) else {
                continue;
            };
            moments.after[2 * own].push(2 * own + 1);
            let around = ancestors(activity).find_map(|it| moments.number(it));
            if let Some(around) = around {
                moments.after[2 * around].push(2 * own);
                moments.after[2 * own + 1].push(2 * around + 1);
            }
            if is(activity, "sequence") {
                let parts: Vec<usize> = activity
                    .children()
                    .filter(|it| is_bpel(*it))
                    .filter_map(|it| moments.number(it))
                    .collect();
                for pair in parts.windows(2) {
                    moments.after[2 * pair[0] + 1].push(2 * pair[1]);
                }
            }
        }
        for link in links {
            if let (Some(source), Some(target)) =
                (moments.number(link.source), moments.number(link.target))
            {
                moments.after[2 * source + 1].push(2 * target);
            }
        }
        moments
    }

    fn number(&self, element: Element<'_>) -> Option<usize> {
        self.numbers.get(&element.id()).copied()
    }

    /// Everything that comes after some moments.
    fn reachable(&self, from: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut work: Vec<usize> = from.into_iter().collect();
        let mut found = vec![false; self.after.len()];
        while let Some(current) = work.pop() {
            for &next in &self.after[current] {
                if !std::mem::replace(&mut found[next], true) {
                    work.push(next);
                }
            }
        }
        found
    }
}

/// Which activities come before which, whatever happens.
pub(crate) struct Order {
    moments: Moments,
}

impl Order {
    pub(crate) fn of(root: Element<'_>) -> Order {
        let elements = elements(root);
        let links = super::links::ends(root, &elements);
        Order {
            moments: Moments::of(&elements, &links),
        }
    }

    /// Whether something in the first comes before something in the second.
    pub(crate) fn comes_before(&self, one: Element<'_>, other: Element<'_>) -> bool {
        let starts = |whole| {
            let inside = elements(whole).into_iter();
            let numbers = inside.filter_map(|it| self.moments.number(it));
            numbers.map(|it| 2 * it)
        };
        let later = self.moments.reachable(starts(one));
        starts(other).any(|it| later[it])
    }
}

impl<'a> Rules<'a> {
    pub(super) fn link_cycles(&mut self) {
        let links = self.link_ends();
        if links.is_empty() {
            return;
        }
        let moments = Moments::of(&self.elements, &links);
        let mut has_cycle = false;
        for link in &links {
            let (Some(source), Some(target)) =
                (moments.number(link.source), moments.number(link.target))
            else {
                continue;
            };
            if moments.reachable([2 * target])[2 * source + 1] {
                has_cycle = true;
                let message = format!("the link `{}` makes its target wait for itself", link.name);
                let span = link.leaves.attribute_span("linkName");
                self.report(&SA00072, message, span, "ends after its target has started");
                self.also(link.target.span(), "the target");
            }
        }
        if !has_cycle {
            self.scope_cycles(&moments);
        }
    }

    fn scope_cycles(&mut self, moments: &Moments) {
        let scopes: Vec<Element<'a>> = self.all(&["scope"]);
        let mut inside: BTreeMap<ElementId, Vec<usize>> = BTreeMap::new();
        for &element in &self.elements {
            let Some(number) = moments.number(element) else {
                continue;
            };
            for scope in std::iter::once(element).chain(ancestors(element)) {
                if is(scope, "scope") {
                    inside.entry(scope.id()).or_default().push(2 * number);
                }
            }
        }
        let own = |scope: Element<'a>| inside.get(&scope.id()).into_iter().flatten().copied();
        let later: Vec<Vec<bool>> = scopes
            .iter()
            .map(|it| moments.reachable(own(*it)))
            .collect();
        let comes_before = |one: usize, other: usize| own(scopes[other]).any(|it| later[one][it]);
        let around: Vec<Option<ElementId>> = scopes
            .iter()
            .map(|it| super::tree::scope_of(*it).map(|it| it.id()))
            .collect();
        let mut found = Vec::new();
        for other in 0..scopes.len() {
            for one in (0..other).filter(|&one| around[one] == around[other]) {
                if comes_before(one, other) && comes_before(other, one) {
                    found.push((scopes[one], scopes[other]));
                }
            }
        }
        for (one, other) in found {
            let name = |scope: Element<'a>| scope.attribute("name").unwrap_or("").to_owned();
            let message = format!(
                "the scopes `{}` and `{}` depend on each other",
                name(one),
                name(other)
            );
            self.report(&SA00082, message, other.span(), "the second scope");
            self.also(one.span(), "the first scope");
        }
    }
}
