//! Start activities.

use choros_xml::document::Element;

use super::tree::{ancestors, child, is};
use super::{Rules, rule};
use crate::vocabulary::is_activity;

rule!(SA00056 {
    code: "CH1456",
    name: "activity-before-start",
    section: "10.4",
    what: "Before or in parallel with a start activity there are only other start activities, and `scope`, `flow` and `sequence` around them.",
    why: "No instance exists before a message starts one, so nothing can be done.",
    example: "<sequence><assign>…</assign><receive … createInstance='yes'/></sequence>",
});

rule!(SA00062 {
    code: "CH1462",
    name: "alarm-in-start",
    section: "11.5",
    what: "A `pick` with `createInstance=\"yes\"` has only messages, no alarm.",
    why: "The alarm would be set before there is an instance.",
    example: "<pick createInstance='yes'><onMessage …/><onAlarm>…</onAlarm></pick>",
});

fn is_start(element: Element<'_>) -> bool {
    (is(element, "receive") || is(element, "pick"))
        && element.attribute("createInstance") == Some("yes")
}

fn activities(element: Element<'_>) -> impl Iterator<Item = Element<'_>> {
    element
        .children()
        .filter(|it| super::tree::is_bpel(*it) && is_activity(it.local()))
}

/// The first activity inside that is neither a start activity nor `scope`, `flow` or `sequence`.
fn other_inside(element: Element<'_>) -> Option<Element<'_>> {
    let mut work = vec![element];
    while let Some(current) = work.pop() {
        if !is_start(current) && !is_container(current) {
            return Some(current);
        }
        if !is_start(current) {
            let mut inner: Vec<_> = activities(current).collect();
            inner.reverse();
            work.extend(inner);
        }
    }
    None
}

/// The first activity that is not a start activity and that nothing inside has to come before.
fn other_first(element: Element<'_>) -> Option<Element<'_>> {
    let mut work = vec![element];
    while let Some(current) = work.pop() {
        // An activity with an incoming link waits for another one.
        if is_start(current) || child(current, "targets").is_some() {
            continue;
        }
        if !is_container(current) {
            return Some(current);
        }
        match current.local() {
            "flow" => work.extend(activities(current)),
            _ => work.extend(activities(current).next()),
        }
    }
    None
}

fn is_container(element: Element<'_>) -> bool {
    matches!(element.local(), "scope" | "flow" | "sequence")
}

impl<'a> Rules<'a> {
    pub(super) fn starts(&mut self) {
        let starts: Vec<Element<'a>> = self.all(&["receive", "pick"]);
        let mut reported = Vec::new();
        for start in starts.into_iter().filter(|it| is_start(*it)) {
            if let Some(alarm) = child(start, "onAlarm") {
                let message = "a `pick` that creates an instance has an alarm";
                self.report(&SA00062, message, alarm.span(), "only messages are allowed");
            }
            let Some((other, label)) = before(start) else {
                continue;
            };
            if reported.contains(&other.id()) {
                continue;
            }
            reported.push(other.id());
            let message = format!("`{}` does not wait for a start activity", other.local());
            self.report(&SA00056, message, other.span(), label);
            self.also(start.span(), "creates an instance");
        }
    }
}

/// What is done before or in parallel with a start activity.
fn before(start: Element<'_>) -> Option<(Element<'_>, &'static str)> {
    let mut below = start;
    for around in ancestors(start) {
        match around.local() {
            "sequence" => {
                let mut earlier = activities(around).take_while(|it| it.id() != below.id());
                if let Some(other) = earlier.find_map(other_inside) {
                    return Some((other, "done before the start"));
                }
            }
            "flow" => {
                let mut others = activities(around).filter(|it| it.id() != below.id());
                if let Some(other) = others.find_map(other_first) {
                    return Some((other, "done in parallel with the start"));
                }
            }
            "scope" | "process" => {}
            // A condition, a loop or a handler needs an instance itself.
            _ => return Some((around, "around the start")),
        }
        below = around;
    }
    None
}
