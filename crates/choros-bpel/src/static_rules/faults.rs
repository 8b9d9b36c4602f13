//! Fault handlers.

use choros_xml::document::Element;

use super::compensation::is_handler;
use super::tree::{ancestors, children, is};
use super::{Rules, rule};
use crate::vocabulary::{ABSTRACT, EXECUTABLE};

rule!(SA00003 {
    code: "CH1403",
    name: "standard-fault-with-exit",
    section: "5.2",
    what: "Where `exitOnStandardFault` is `yes`, no fault handler names a standard fault.",
    why: "Such a fault ends the process, and the handler never runs.",
    example: "<process exitOnStandardFault='yes' …><faultHandlers><catch faultName='bpel:selectionFailure'>…",
});

rule!(SA00080 {
    code: "CH1480",
    name: "no-fault-handler",
    section: "12.5",
    what: "`faultHandlers` contains a `catch` or a `catchAll`.",
    why: "An empty element handles nothing and hides that the default handler is at work.",
    example: "<faultHandlers/>",
});

rule!(SA00081 {
    code: "CH1481",
    name: "fault-variable",
    section: "12.5",
    what: "A `catch` has a `faultVariable` if and only if it has either `faultMessageType` or `faultElement`.",
    why: "The variable has the type that this attribute gives; without the variable the attribute means nothing.",
    example: "<catch faultName='t:f' faultVariable='x'>…</catch>",
});

rule!(SA00093 {
    code: "CH1493",
    name: "repeated-catch",
    section: "12.5",
    what: "No two `catch` of a scope have the same fault name and the same type.",
    why: "Which of them handles the fault would be undefined.",
    example: "<catch faultName='t:f'>…</catch><catch faultName='t:f'>…</catch>",
});

impl<'a> Rules<'a> {
    pub(super) fn faults(&mut self) {
        for handlers in self.all(&["faultHandlers"]) {
            if !handlers.children().any(is_handler) {
                let message = "`faultHandlers` handles no fault";
                let label = "`catch` or `catchAll` is expected";
                self.report(&SA00080, message, handlers.span(), label);
            }
        }
        for catch in self.all(&["catch"]) {
            self.fault_variable(catch);
            self.standard_fault(catch);
        }
        for around in self.all(&["faultHandlers", "invoke"]) {
            self.repeated_catch(around);
        }
    }

    fn fault_variable(&mut self, catch: Element<'a>) {
        let has = |attribute: &str| catch.attribute(attribute).is_some();
        let types = (has("faultMessageType"), has("faultElement"));
        let problem = match (has("faultVariable"), types) {
            (false, (false, false)) | (true, (true, false) | (false, true)) => return,
            (true, (false, false)) => "`faultMessageType` or `faultElement` is missing",
            (true, (true, true)) => "`faultMessageType` and `faultElement` exclude each other",
            (false, _) => "`faultVariable` is missing",
        };
        let message = "the data of the fault have no variable with one type";
        self.report(&SA00081, message, catch.span(), problem);
    }

    fn standard_fault(&mut self, catch: Element<'a>) {
        let Some(Ok(name)) = catch.attribute("faultName").map(|it| catch.resolve(it)) else {
            return;
        };
        if !matches!(&*name.namespace, ABSTRACT | EXECUTABLE) {
            return;
        }
        let mut scopes = ancestors(catch).filter(|it| is(*it, "scope") || is(*it, "process"));
        let exit =
            scopes.find_map(|it| it.attribute("exitOnStandardFault").map(|value| (it, value)));
        if let Some((scope, "yes")) = exit {
            let message = format!("`{}` ends the process and is never caught", name.local);
            let span = catch.attribute_span("faultName");
            self.report(&SA00003, message, span, "a standard fault");
            self.also(
                scope.attribute_span("exitOnStandardFault"),
                "ends the process",
            );
        }
    }

    fn repeated_catch(&mut self, around: Element<'a>) {
        let key = |catch: Element<'a>| {
            ["faultName", "faultMessageType", "faultElement"]
                .map(|it| catch.attribute(it).map(|it| catch.resolve(it).ok()))
        };
        let all: Vec<Element<'a>> = around.children().filter(|it| is(*it, "catch")).collect();
        for (position, &catch) in all.iter().enumerate() {
            if let Some(first) = all[..position].iter().find(|it| key(**it) == key(catch)) {
                let message = "two `catch` handle the same faults";
                self.report(&SA00093, message, catch.span(), "the second one");
                self.also(first.span(), "the first one");
            }
        }
        let more = children(around, "catchAll").nth(1);
        if let Some(again) = more {
            let message = "two `catchAll` handle the same faults";
            self.report(&SA00093, message, again.span(), "the second one");
        }
    }
}
