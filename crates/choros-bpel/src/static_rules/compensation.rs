//! Compensation: which scope is compensated, and where.

use choros_xml::document::Element;

use super::tree::{ancestors, child, is, is_bpel};
use super::{Rules, rule};

rule!(SA00077 {
    code: "CH1477",
    name: "unknown-compensated-scope",
    section: "12.4.3.1",
    what: "The target of `compensateScope` is a scope directly inside the scope whose handler it is in; scopes of event handlers count.",
    why: "Only these scopes can have completed and be undone by this handler.",
    example: "<faultHandlers><catchAll><compensateScope target='elsewhere'/></catchAll></faultHandlers>",
});

rule!(SA00078 {
    code: "CH1478",
    name: "compensated-activity",
    section: "12.4.3.1",
    what: "The target of `compensateScope` is a `scope`, or an `invoke` with a fault or compensation handler of its own.",
    why: "Other activities leave nothing that could be compensated.",
    example: "<compensateScope target='plainInvoke'/>",
});

rule!(SA00079 {
    code: "CH1479",
    name: "compensation-in-handler",
    section: "12.4.4.3",
    what: "The outermost scope inside a fault, compensation or termination handler has no compensation handler.",
    why: "Once the handler has ended, nothing can call it.",
    example: "<catchAll><scope><compensationHandler>…</compensationHandler> …</scope></catchAll>",
});

const HANDLERS: [&str; 4] = [
    "catch",
    "catchAll",
    "compensationHandler",
    "terminationHandler",
];

/// Whether an element is a fault, compensation or termination handler.
pub(super) fn is_handler(element: Element<'_>) -> bool {
    is_bpel(element) && HANDLERS.contains(&element.local())
}

/// The scope to which a handler belongs; an `invoke` with handlers is one.
pub(super) fn handled_scope(handler: Element<'_>) -> Option<Element<'_>> {
    let around = handler.parent()?;
    match around.local() {
        "faultHandlers" => around.parent(),
        _ => Some(around),
    }
}

fn is_scope(element: Element<'_>) -> bool {
    is(element, "scope") || is(element, "invoke") && element.children().any(is_handler)
}

/// The scopes directly inside one, those in its event handlers among them, and the other named activities.
pub(super) fn inside(scope: Element<'_>) -> (Vec<Element<'_>>, Vec<Element<'_>>) {
    let (mut scopes, mut others) = (Vec::new(), Vec::new());
    let mut work: Vec<Element<'_>> = scope.children().rev().collect();
    while let Some(current) = work.pop() {
        if is_handler(current) || is(current, "faultHandlers") || is(current, "literal") {
            continue;
        }
        if is_scope(current) {
            scopes.push(current);
            continue;
        }
        if is_bpel(current) && crate::vocabulary::is_activity(current.local()) {
            others.push(current);
        }
        work.extend(current.children().rev());
    }
    (scopes, others)
}

/// The scopes directly inside one, those in its event handlers among them.
pub(crate) fn scopes_inside(scope: Element<'_>) -> Vec<Element<'_>> {
    inside(scope).0
}

impl Rules<'_> {
    pub(super) fn compensation(&mut self) {
        for activity in self.all(&["compensateScope"]) {
            let target = activity.attribute("target").unwrap_or("");
            // Outside all handlers it is misplaced, which is another finding.
            let Some(handler) = ancestors(activity).find(|it| is_handler(*it)) else {
                continue;
            };
            let Some(scope) = handled_scope(handler) else {
                continue;
            };
            let (scopes, others) = inside(scope);
            let named = |it: &&Element<'_>| it.attribute("name") == Some(target);
            if scopes.iter().any(|it| named(&it)) {
                continue;
            }
            let span = activity.attribute_span("target");
            match others.iter().find(named) {
                Some(other) => {
                    let message = format!("`{target}` cannot be compensated");
                    let label = format!("the name of `{}`", other.local());
                    self.report(&SA00078, message, span, label);
                    self.also(other.span(), "has no handlers");
                }
                None => {
                    let known: Vec<&str> = scopes
                        .iter()
                        .filter_map(|it| it.attribute("name"))
                        .collect();
                    let message =
                        format!("no scope `{target}` is directly inside the scope of this handler");
                    let label = match &known[..] {
                        [] => "there is none with a name".to_owned(),
                        known => format!("there is `{}`", known.join("`, `")),
                    };
                    self.report(&SA00077, message, span, label);
                }
            }
        }
        for handler in self.all(&HANDLERS) {
            let inner = child(handler, "scope").and_then(|it| child(it, "compensationHandler"));
            if let Some(inner) = inner {
                let message = "the compensation handler can never be called";
                let label = format!("the scope ends with `{}`", handler.local());
                self.report(&SA00079, message, inner.span(), label);
            }
        }
    }
}
