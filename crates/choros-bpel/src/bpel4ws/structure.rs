//! Activities, links, handlers.

use std::sync::Arc;

use choros_xml::diagnostics::unsupported_construct;
use choros_xml::document::{Element, ElementId, NewElement};

use super::{Translator, Work, is_older};
use crate::vocabulary::is_activity;

impl<'d> Translator<'d> {
    /// Adds an element; what is inside is returned.
    pub(super) fn element(&mut self, parent: Option<ElementId>, element: Element<'d>) -> Work<'d> {
        if !is_older(element) {
            return self.other(parent, element);
        }
        match element.local() {
            "switch" => self.switch(parent, element),
            "terminate" => self.activity(parent, element, "exit"),
            "compensate" if element.attribute("scope").is_some() => {
                self.activity(parent, element, "compensateScope")
            }
            "copy" => self.copy(parent, element),
            // Links are put into `sources` and `targets` of their activity.
            "source" | "target" => Vec::new(),
            "partners" => {
                self.left_out("`partners`", element);
                Vec::new()
            }
            "onMessage"
                if element
                    .parent()
                    .is_some_and(|it| it.local() == "eventHandlers") =>
            {
                self.activity(parent, element, "onEvent")
            }
            local => self.activity(parent, element, local),
        }
    }

    fn left_out(&mut self, what: &str, element: Element<'d>) {
        let finding = unsupported_construct::diagnostic(what, "left out", element.span());
        self.findings.push(finding);
    }

    /// Documentation and data stay as they are.
    fn other(&mut self, parent: Option<ElementId>, element: Element<'d>) -> Work<'d> {
        let new = NewElement::like(element, element.name().clone());
        let id = self.result.add(parent, element, new);
        self.inside(id, element)
    }

    /// An element with its attributes in their new places.
    fn activity(
        &mut self,
        parent: Option<ElementId>,
        element: Element<'d>,
        local: &str,
    ) -> Work<'d> {
        let mut new = self.like(element, local);
        let mut moved = Vec::new();
        for (attribute, inner) in [
            ("condition", "condition"),
            ("for", "for"),
            ("until", "until"),
        ] {
            if let Some(found) = new.take(attribute) {
                moved.push((inner, found));
            }
        }
        let join = new.take("joinCondition");
        let wants_isolation = new.take("variableAccessSerializable");
        if let Some(isolated) = wants_isolation {
            new.set("isolated", isolated.value, isolated.span);
        }
        if let Some(target) = new.take("scope") {
            new.set("target", target.value, target.span);
        }
        if local == "correlation"
            && let Some(pattern) = new.take("pattern")
        {
            new.set("pattern", message_pattern(&pattern.value), pattern.span);
        }
        if local == "catch" {
            self.fault_type(element, &mut new);
        }
        new.take("abstractProcess");
        new.take("enableInstanceCompensation");
        let id = self.result.add(parent, element, new);
        if is_activity(local) {
            self.links(id, element, join.as_ref());
        }
        for (inner, attribute) in moved {
            self.with_text(id, element, inner, &attribute);
        }
        self.inside(id, element)
    }

    /// `switch`: the first case is the condition of an `if`, the others are its `elseif`.
    fn switch(&mut self, parent: Option<ElementId>, element: Element<'d>) -> Work<'d> {
        let mut new = self.like(element, "if");
        let join = new.take("joinCondition");
        let id = self.result.add(parent, element, new);
        self.links(id, element, join.as_ref());
        let mut work = Vec::new();
        let mut is_first = true;
        for case in element.children() {
            match case.local() {
                "case" if is_first => {
                    is_first = false;
                    if let Some(condition) = case.attribute_node("condition") {
                        self.with_text(id, case, "condition", condition);
                    }
                    work.extend(self.inside(id, case));
                }
                "case" => {
                    let new = self.empty(case, "elseif");
                    let inner = self.result.add(Some(id), case, new);
                    if let Some(condition) = case.attribute_node("condition") {
                        self.with_text(inner, case, "condition", condition);
                    }
                    work.extend(self.inside(inner, case));
                }
                "otherwise" => {
                    let new = self.empty(case, "else");
                    let inner = self.result.add(Some(id), case, new);
                    work.extend(self.inside(inner, case));
                }
                _ => {}
            }
        }
        work
    }

    /// The links of an activity, which the older version writes next to its contents.
    fn links(
        &mut self,
        id: ElementId,
        element: Element<'d>,
        join: Option<&choros_xml::document::Attribute>,
    ) {
        for (wrapper, local) in [("targets", "target"), ("sources", "source")] {
            let ends: Vec<Element<'d>> = element
                .children()
                .filter(|it| is_older(*it) && it.local() == local)
                .collect();
            let Some(&first) = ends.first() else {
                continue;
            };
            let new = self.empty(first, wrapper);
            let around = self.result.add(Some(id), first, new);
            if let (Some(join), "targets") = (join, wrapper) {
                self.with_text(around, first, "joinCondition", join);
            }
            for end in ends {
                let mut new = self.like(end, local);
                let condition = new.take("transitionCondition");
                let inner = self.result.add(Some(around), end, new);
                if let Some(condition) = condition {
                    self.with_text(inner, end, "transitionCondition", &condition);
                }
            }
        }
    }

    /// A fault's variable has the type with which it is declared around.
    fn fault_type(&mut self, catch: Element<'d>, new: &mut NewElement) {
        let Some(variable) = catch.attribute("faultVariable") else {
            return;
        };
        let declared = std::iter::successors(catch.parent(), |it| it.parent())
            .flat_map(|it| it.children())
            .filter(|it| is_older(*it) && it.local() == "variables")
            .flat_map(|it| it.children())
            .find(|it| it.attribute("name") == Some(variable));
        let Some(declared) = declared else {
            return;
        };
        for (written, wanted) in [
            ("messageType", "faultMessageType"),
            ("element", "faultElement"),
        ] {
            if let Some(kind) = declared.attribute_node(written) {
                new.set(wanted, kind.value.clone(), kind.span);
                return;
            }
        }
    }
}

/// The pattern of a correlation: seen from the invoked operation, and no longer from the process.
fn message_pattern(older: &str) -> &str {
    match older {
        "out" => "request",
        "in" => "response",
        "out-in" | "in-out" => "request-response",
        other => other,
    }
}

/// An expression in which the status of a link is a variable: `getLinkStatus('a')` is `$a`.
pub(super) fn expression(text: &Arc<str>) -> Arc<str> {
    let Some(at) = text.find("getLinkStatus") else {
        return text.clone();
    };
    let mut result = String::new();
    let mut rest: &str = text;
    let mut at = Some(at);
    while let Some(start) = at {
        let before = &rest[..start];
        // The prefix of the function belongs to it.
        let before = match before.strip_suffix(':') {
            Some(prefixed) => prefixed
                .trim_end_matches(|it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.')),
            None => before,
        };
        let after = &rest[start + "getLinkStatus".len()..];
        let (Some(open), Some(close)) = (after.find('('), after.find(')')) else {
            break;
        };
        if open > close {
            break;
        }
        let name = after[open + 1..close].trim().trim_matches(['\'', '"']);
        result.push_str(before);
        result.push('$');
        result.push_str(name);
        rest = &after[close + 1..];
        at = rest.find("getLinkStatus");
    }
    result.push_str(rest);
    result.into()
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn the_status_of_a_link_is_a_variable() {
        let translated = |text: &str| expression(&text.into()).to_string();
        assert_eq!(
            translated("bpws:getLinkStatus('a') and getLinkStatus(\"b\")"),
            "$a and $b"
        );
        assert_eq!(translated("$x = 1"), "$x = 1");
        assert_eq!(translated("getLinkStatus('a'"), "getLinkStatus('a'");
    }
}
