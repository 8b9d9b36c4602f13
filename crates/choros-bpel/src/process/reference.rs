//! References of partners: who is called over a partner link (WS-BPEL 2.0, 6.3 and 8.4).
//!
//! A partner link that is assigned to remembers whose reference it holds: that of its own partner, that of another
//! partner link, or none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use choros_data::{Sort, Term, Var};
use choros_model::stg::{Role, Update};

use super::assign::{CopyFault, When};
use super::reader::{Reader, child};
use super::reading::Reading;
use crate::calculus::{Activity, ActivityId, Arm};
use choros_xml::document::Element;

/// The namespace of `service-ref`.
pub(super) const SERVICE_REF: &str = "http://docs.oasis-open.org/wsbpel/2.0/serviceref";

/// Whose reference a partner link holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callee {
    /// Nothing (0), or the place of a partner link among all, from 1.
    var: Var,
    own: i64,
}

impl Callee {
    /// The variable that remembers it.
    pub(super) fn variable(&self) -> Var {
        self.var
    }
}

/// What a literal reference says.
enum Reference {
    /// Nothing at all.
    Missing,
    /// The address of a form that every engine knows.
    Address(String),
    /// Something that only some engines know.
    Foreign(String),
    /// No `service-ref`.
    Other,
}

impl Reader<'_, '_> {
    /// Which partner links get the references of which, over any number of copies.
    pub(super) fn reference_sources(root: Element<'_>) -> BTreeMap<String, BTreeSet<String>> {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut work = vec![root];
        while let Some(element) = work.pop() {
            work.extend(element.children());
            let (Some(from), Some(to)) = (child(element, "from"), child(element, "to")) else {
                continue;
            };
            if let Some(link) = to.attribute("partnerLink") {
                let sources = found.entry(link.to_owned()).or_default();
                if from.attribute("endpointReference") == Some("partnerRole") {
                    sources.extend(from.attribute("partnerLink").map(str::to_owned));
                }
            }
        }
        loop {
            let mut is_closed = true;
            for link in found.keys().cloned().collect::<Vec<_>>() {
                let direct = found[&link].clone();
                let more = direct.iter().filter_map(|it| found.get(it)).flatten();
                let more: Vec<String> = more.cloned().collect();
                if let Some(sources) = found.get_mut(&link) {
                    let known = sources.len();
                    sources.extend(more);
                    is_closed &= sources.len() == known;
                }
            }
            if is_closed {
                return found;
            }
        }
    }

    /// What a partner link remembers, and with what it begins.
    pub(super) fn declare_callee(&mut self, link: Element<'_>) -> Option<Update> {
        let name = link.attribute("name")?;
        let is_unbound = link.attribute("initializePartnerRole") == Some("no");
        let is_fixed = !is_unbound && !self.references.contains_key(name);
        if is_fixed || self.options.reading == Reading::Thesis {
            return None;
        }
        let own = self.place_of(name)?;
        let var = self.new_variable(&format!("callee_{name}"), Sort::INT);
        self.around.callees.insert(name.into(), Callee { var, own });
        let first = self.terms.int(if is_unbound { 0 } else { own });
        Some(self.set(var, first))
    }

    fn place_of(&self, link: &str) -> Option<i64> {
        let place = self.partners.iter().rposition(|it| &*it.name == link)?;
        i64::try_from(place + 1).ok()
    }

    fn is(&mut self, callee: Callee, place: i64) -> Term {
        let (who, place) = (self.terms.var(callee.var), self.terms.int(place));
        self.terms.equal(who, place)
    }

    /// A call goes to whom the partner link refers to; if to no one, it is a fault (10.3).
    pub(super) fn called_over(&mut self, element: Element<'_>, call: ActivityId) -> ActivityId {
        let link = element.attribute("partnerLink").unwrap_or("");
        let Some(&callee) = self.around.callees.get(link) else {
            return call;
        };
        let unbound = self.is(callee, 0);
        let mut elsewhere = vec![unbound];
        let mut arms = Vec::new();
        let sources = self.references.get(link).cloned().unwrap_or_default();
        for other in sources.iter().filter(|it| *it != link) {
            let Some(place) = self.place_of(other) else {
                continue;
            };
            if !self.offers_the_same(link, other, element) {
                let what = format!("a call over `{link}` with the reference of `{other}`");
                self.not_followed(&what, "the partner of the link is called", element.span());
                continue;
            }
            let guard = self.is(callee, place);
            elsewhere.push(guard);
            let role = Role(self.terms.names.intern(other));
            let body = self.redirected(call, role);
            arms.push(arm(guard, body));
        }
        let elsewhere = self.terms.or(elsewhere);
        let own = self.terms.complement(elsewhere);
        arms.insert(0, arm(own, call));
        let raise = self.raise("uninitializedPartnerRole", element);
        arms.push(arm(unbound, raise));
        self.add(Activity::Choice { arms, waits: false }, element)
    }

    /// Whether two partners answer to the same operation with the same messages.
    fn offers_the_same(&self, link: &str, other: &str, element: Element<'_>) -> bool {
        let operation = element.attribute("operation").unwrap_or("");
        let declared = |link: &str| {
            let used = self.around.partner_links.get(link)?.uses.clone()?;
            let found = self.definitions.operation(&used, operation)?;
            Some((
                found.input.clone(),
                found.output.clone(),
                found.faults.clone(),
            ))
        };
        declared(link).is_some_and(|it| Some(it) == declared(other))
    }

    /// The same call of someone else.
    fn redirected(&mut self, call: ActivityId, to: Role) -> ActivityId {
        let origin = self.process.origin(call);
        let activity = match self.process.activity(call).clone() {
            Activity::Send(mut sending) => {
                sending.partner = to;
                Activity::Send(sending)
            }
            Activity::Receive(mut reception) => {
                reception.partner = to;
                Activity::Receive(reception)
            }
            Activity::Sequence(parts) => {
                let parts = parts.into_iter().map(|it| self.redirected(it, to));
                Activity::Sequence(parts.collect())
            }
            other => other,
        };
        self.process.add(activity, origin)
    }

    /// A copy from or to a partner link.
    pub(super) fn copy_reference(&mut self, from: Element<'_>, to: Element<'_>) -> Option<Update> {
        let source = from.attribute("partnerLink");
        let is_partner = from.attribute("endpointReference") == Some("partnerRole");
        if let (Some(link), true) = (source, is_partner)
            && let Some(&callee) = self.around.callees.get(link)
        {
            let unbound = self.is(callee, 0);
            self.copy_faults.push(CopyFault {
                fault: "uninitializedPartnerRole",
                when: When::If(unbound),
            });
        }
        let Some(link) = to.attribute("partnerLink") else {
            let path = self.path(to)?;
            let what = "the reference of a partner link in a variable";
            self.left_open(what, "it may be any reference", from.span());
            return self.forget(&path);
        };
        // Without a partner there is nothing to assign, which a static rule says (SA00037).
        self.around.partner_links.get(link)?.uses.as_ref()?;
        let Some(&callee) = self.around.callees.get(link) else {
            let what = "the reference of a partner link";
            self.not_followed(what, "the partner is called all the same", to.span());
            return None;
        };
        let held = match source {
            Some(source) if is_partner => match self.around.callees.get(source) {
                Some(held) => self.terms.var(held.var),
                None => {
                    let place = self.place_of(source)?;
                    self.terms.int(place)
                }
            },
            Some(_) => {
                let what = "the reference of the process itself";
                self.not_followed(what, "the partner is called all the same", from.span());
                self.terms.int(callee.own)
            }
            None => {
                self.written_reference(from, link);
                self.terms.int(callee.own)
            }
        };
        Some(self.set(callee.var, held))
    }

    /// A reference that is no partner link's: whether it is understood, and whose it is.
    fn written_reference(&mut self, from: Element<'_>, link: &str) {
        let unsupported = |when| CopyFault {
            fault: "unsupportedReference",
            when,
        };
        let reference = child(from, "literal").map_or(Reference::Other, reference_in);
        match reference {
            Reference::Missing => self.copy_faults.push(unsupported(When::Always)),
            Reference::Address(address) if self.is_address_of(&address, link) => {}
            Reference::Address(address) => {
                let what = format!("a call to `{address}`");
                let instead = format!("`{link}` is called, who must be there");
                self.not_followed(&what, &instead, from.span());
            }
            Reference::Foreign(scheme) => {
                // An engine may know it, or not.
                self.copy_faults.push(unsupported(When::Perhaps));
                let what = format!("a reference of the scheme `{scheme}`");
                let instead =
                    "it is understood, and the partner is called all the same, or it is not";
                self.not_followed(&what, instead, from.span());
            }
            Reference::Other => {
                self.copy_faults.push(unsupported(When::Perhaps));
                let what = "a reference that is computed";
                self.not_followed(what, "the partner is called all the same", from.span());
            }
        }
    }

    /// Whether the documents say that the partner of a link is at an address.
    fn is_address_of(&self, address: &str, link: &str) -> bool {
        let used = self.around.partner_links.get(link);
        let used = used.and_then(|it| it.uses.as_ref());
        used.is_some_and(|it| self.definitions.addresses(it).contains(&address))
    }
}

fn arm(guard: Term, body: ActivityId) -> Arm {
    Arm {
        guard,
        updates: Vec::new(),
        body,
    }
}

/// What a literal says about where someone is.
fn reference_in(literal: Element<'_>) -> Reference {
    let Some(reference) = literal.children().next() else {
        return Reference::Other;
    };
    if !reference.is(SERVICE_REF, "service-ref") {
        return Reference::Other;
    }
    let Some(content) = reference.children().next() else {
        return Reference::Missing;
    };
    // Without a scheme, the element that is referred with says how it is meant.
    let namespace = &content.name().namespace;
    let scheme: Arc<str> = match reference.attribute("reference-scheme") {
        Some(scheme) => scheme.trim().into(),
        None => namespace.clone(),
    };
    let is_addressing = |it: &str| it.ends_with("/addressing");
    let address = content.children().find(|it| it.local() == "Address");
    match address {
        Some(address) if is_addressing(&scheme) && is_addressing(namespace) => {
            Reference::Address(address.text().trim().to_owned())
        }
        _ => Reference::Foreign(scheme.to_string()),
    }
}
