//! Message exchanges: which reply answers which request.

use choros_xml::document::Element;

use super::tree::{ancestors, child, is, is_inside};
use super::{Rules, rule};

rule!(SA00060 {
    code: "CH1460",
    name: "unmarked-exchange",
    section: "10.4.1",
    what: "Requests for the same operation of the same partner link in two branches of a `flow` have a `messageExchange`.",
    why: "Both can be open at the same time, and a reply could answer either.",
    example: "<flow><sequence><receive partnerLink='U' operation='o' …/><reply …/></sequence><sequence><receive partnerLink='U' operation='o' …/><reply …/></sequence></flow>",
});

rule!(SA00061 {
    code: "CH1461",
    name: "unknown-exchange",
    section: "10.4.1",
    what: "A `messageExchange` is declared in a scope around the activity.",
    why: "Requests and replies are matched by this declaration.",
    example: "<receive … messageExchange='first'/>",
});

rule!(SA00089 {
    code: "CH1489",
    name: "unknown-event-exchange",
    section: "12.7.1",
    what: "The `messageExchange` of an `onEvent` is declared in the scope inside it or in a scope around it.",
    why: "Requests and replies are matched by this declaration.",
    example: "<onEvent … messageExchange='first'><scope>…</scope></onEvent>",
});

impl<'a> Rules<'a> {
    pub(super) fn exchanges(&mut self) {
        for element in self.all(&["receive", "reply", "onMessage", "onEvent"]) {
            let Some(name) = element.attribute("messageExchange") else {
                continue;
            };
            let find = |from| self.find(from, "messageExchanges", "messageExchange", name);
            let is_event = is(element, "onEvent");
            let own = child(element, "scope").filter(|_| is_event).and_then(find);
            if own.or_else(|| find(element)).is_none() {
                let code = if is_event { &SA00089 } else { &SA00061 };
                let message = format!("no message exchange `{name}` is declared");
                let span = element.attribute_span("messageExchange");
                self.report(code, message, span, "not declared");
            }
        }
        self.parallel_requests();
    }

    fn parallel_requests(&mut self) {
        let requests: Vec<Element<'a>> = self
            .all(&["receive", "onMessage"])
            .into_iter()
            .filter(|it| it.attribute("messageExchange").is_none())
            .filter(|it| self.operation(*it).is_some_and(|it| it.output.is_some()))
            .collect();
        for (position, &one) in requests.iter().enumerate() {
            for &other in &requests[..position] {
                let same = |attribute| one.attribute(attribute) == other.attribute(attribute);
                if same("partnerLink") && same("operation") && are_parallel(one, other) {
                    let name = one.attribute("operation").unwrap_or("");
                    let message = format!(
                        "two requests `{name}` can be open at once, and no exchange marks them"
                    );
                    self.report(
                        &SA00060,
                        message,
                        one.span(),
                        "`messageExchange` is missing",
                    );
                    self.also(other.span(), "in parallel");
                    break;
                }
            }
        }
    }
}

/// Whether two activities are in different branches of a flow that no link orders.
fn are_parallel(one: Element<'_>, other: Element<'_>) -> bool {
    let Some(common) = ancestors(one).find(|it| is_inside(other, *it)) else {
        return false;
    };
    let ordered = |element: Element<'_>| {
        std::iter::once(element)
            .chain(ancestors(element))
            .take_while(|it| it.id() != common.id())
            .any(|it| child(it, "targets").is_some())
    };
    is(common, "flow") && !ordered(one) && !ordered(other)
}
