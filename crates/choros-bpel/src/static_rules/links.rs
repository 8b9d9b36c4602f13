//! Links: their names and their ends.

use choros_xml::document::{Element, ElementId};

use super::tree::{ancestors, child, declared, is, is_inside, repeated};
use super::{Rules, rule};

rule!(SA00064 {
    code: "CH1464",
    name: "repeated-link",
    section: "11.6",
    what: "The links of a `flow` have different names.",
    why: "A source or target could mean either of them.",
    example: "<links><link name='a'/><link name='a'/></links>",
});

rule!(SA00067 {
    code: "CH1467",
    name: "parallel-links",
    section: "11.6.1",
    what: "Two activities are connected by at most one link.",
    why: "The second link has no effect of its own, and its condition may contradict the first.",
    example: "<empty><sources><source linkName='a'/><source linkName='b'/></sources></empty>\n<empty><targets><target linkName='a'/><target linkName='b'/></targets></empty>",
});

rule!(SA00068 {
    code: "CH1468",
    name: "repeated-source",
    section: "11.6.1",
    what: "The sources of an activity name different links.",
    why: "The link would get its status twice.",
    example: "<sources><source linkName='a'/><source linkName='a'/></sources>",
});

rule!(SA00069 {
    code: "CH1469",
    name: "repeated-target",
    section: "11.6.1",
    what: "The targets of an activity name different links.",
    why: "The activity would wait for the same link twice.",
    example: "<targets><target linkName='a'/><target linkName='a'/></targets>",
});

rule!(SA00071 {
    code: "CH1471",
    name: "link-into-handler",
    section: "11.6.1",
    what: "A link that crosses the border of a fault or termination handler leads out of the handler and out of its scope.",
    why: "A handler starts because of a fault, not because of a link; and inside the scope nothing runs any more that could wait for it.",
    example: "<catchAll><empty><targets><target linkName='a'/></targets></empty></catchAll>",
});

/// A link with the activities at its ends.
pub(super) struct LinkEnds<'a> {
    pub(super) name: &'a str,
    pub(super) declared: Element<'a>,
    pub(super) source: Element<'a>,
    pub(super) target: Element<'a>,
    /// The element `source`.
    pub(super) leaves: Element<'a>,
    /// The element `target`.
    enters: Element<'a>,
}

/// The declaration of a link, seen from a source or target.
fn link<'a>(from: Element<'a>, name: &str) -> Option<Element<'a>> {
    ancestors(from)
        .filter(|it| is(*it, "flow"))
        .find_map(|flow| {
            child(flow, "links")?
                .children()
                .find(|it| is(*it, "link") && it.attribute("name") == Some(name))
        })
}

/// The links among some elements that have both ends.
pub(super) fn ends<'a>(root: Element<'a>, elements: &[Element<'a>]) -> Vec<LinkEnds<'a>> {
    let ends = |local: &str| -> Vec<(ElementId, Element<'a>, Element<'a>)> {
        let named = elements.iter().filter(|it| it.local() == local);
        named
            .filter_map(|&end| {
                let link = link(end, end.attribute("linkName")?)?;
                let activity = end.parent()?.parent()?;
                Some((link.id(), end, activity))
            })
            .collect()
    };
    let targets = ends("target");
    let mut found = Vec::new();
    for (id, leaves, source) in ends("source") {
        let Some((_, enters, target)) = targets.iter().find(|(it, ..)| *it == id) else {
            continue;
        };
        found.push(LinkEnds {
            name: leaves.attribute("linkName").unwrap_or(""),
            declared: root.document().element(id),
            source,
            target: *target,
            leaves,
            enters: *enters,
        });
    }
    found
}

impl<'a> Rules<'a> {
    pub(super) fn links(&mut self) {
        for flow in self.all(&["flow"]) {
            for (again, first) in repeated(declared(flow, "links", "link"), "name") {
                let name = again.attribute("name").unwrap_or("");
                let message = format!("two links of one flow are called `{name}`");
                let span = again.attribute_span("name");
                for link in declared(flow, "links", "link") {
                    if link.attribute("name") == Some(name) {
                        self.covers(link.span(), false);
                    }
                }
                self.report(&SA00064, message, span, "the second one");
                self.also(first, "the first one");
            }
        }
        for (wrapper, local, code) in [
            ("sources", "source", &SA00068),
            ("targets", "target", &SA00069),
        ] {
            for ends in self.all(&[wrapper]) {
                let ends = ends.children().filter(|it| is(*it, local));
                for (again, first) in repeated(ends, "linkName") {
                    let name = again.attribute("linkName").unwrap_or("");
                    if let Some(link) = link(again, name) {
                        self.covers(link.span(), false);
                    }
                    let message = format!("the activity is the {local} of `{name}` twice");
                    let span = again.attribute_span("linkName");
                    self.report(code, message, span, "the second time");
                    self.also(first, "the first time");
                }
            }
        }
        let ends = self.link_ends();
        self.parallel_links(&ends);
        for link in &ends {
            self.handler_border(link);
        }
    }

    /// The links that have both ends.
    pub(super) fn link_ends(&self) -> Vec<LinkEnds<'a>> {
        ends(self.root, &self.elements)
    }

    fn parallel_links(&mut self, links: &[LinkEnds<'a>]) {
        for (position, one) in links.iter().enumerate() {
            let first = links[..position].iter().find(|other| {
                other.source.id() == one.source.id()
                    && other.target.id() == one.target.id()
                    && other.declared.id() != one.declared.id()
            });
            if let Some(first) = first {
                let message = format!(
                    "`{}` and `{}` connect the same activities",
                    first.name, one.name
                );
                let span = one.leaves.attribute_span("linkName");
                self.report(&SA00067, message, span, "the second link");
                self.also(first.leaves.attribute_span("linkName"), "the first link");
            }
        }
    }

    fn handler_border(&mut self, link: &LinkEnds<'a>) {
        let handlers = ["catch", "catchAll", "terminationHandler"];
        let is_handler =
            |it: &Element<'a>| super::tree::is_bpel(*it) && handlers.contains(&it.local());
        let into = ancestors(link.target)
            .filter(is_handler)
            .find(|it| !is_inside(link.source, *it));
        if let Some(handler) = into {
            let message = format!("the link `{}` leads into a handler", link.name);
            let label = format!("inside `{}`", handler.local());
            self.covers(link.enters.attribute_span("linkName"), false);
            self.report(&SA00071, message, link.target.span(), label);
            self.also(link.source.span(), "outside");
            return;
        }
        let out = ancestors(link.source)
            .filter(is_handler)
            .find(|it| !is_inside(link.target, *it));
        let Some(scope) = out.and_then(|it| super::compensation::handled_scope(it)) else {
            return;
        };
        if is_inside(link.target, scope) {
            let message = format!(
                "the link `{}` leads from a handler into its own scope",
                link.name
            );
            self.report(&SA00071, message, link.target.span(), "inside the scope");
            self.also(link.source.span(), "in the handler");
        }
    }
}
