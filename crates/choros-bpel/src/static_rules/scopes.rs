//! Scopes: isolation and names.

use super::tree::{ancestors, is, repeated};
use super::{Rules, rule};

rule!(SA00091 {
    code: "CH1491",
    name: "nested-isolation",
    section: "12.8",
    what: "No isolated scope is inside another one.",
    why: "The outer scope already has its variables for itself; what the inner one would add is undefined.",
    example: "<scope isolated='yes'><scope isolated='yes'>…</scope></scope>",
});

rule!(SA00092 {
    code: "CH1492",
    name: "repeated-scope",
    section: "12.4.3",
    what: "The named scopes directly inside a scope have different names.",
    why: "`compensateScope` could mean either of them.",
    example: "<sequence><scope name='a'>…</scope><scope name='a'>…</scope></sequence>",
});

impl Rules<'_> {
    pub(super) fn scopes(&mut self) {
        for scope in self.all(&["scope"]) {
            let is_isolated = |it: choros_xml::document::Element<'_>| {
                is(it, "scope") && it.attribute("isolated") == Some("yes")
            };
            let outer = ancestors(scope).find(|it| is_isolated(*it));
            if let (true, Some(outer)) = (is_isolated(scope), outer) {
                let message = "an isolated scope is inside another one";
                let span = scope.attribute_span("isolated");
                self.report(&SA00091, message, span, "isolated again");
                self.also(outer.attribute_span("isolated"), "isolated already");
            }
        }
        for scope in self.scopes_and_process() {
            let (inner, _) = super::compensation::inside(scope);
            for (again, first) in repeated(inner, "name") {
                let name = again.attribute("name").unwrap_or("");
                let message = format!("two scopes directly inside one are called `{name}`");
                let span = again.attribute_span("name");
                self.report(&SA00092, message, span, "the second one");
                self.also(first, "the first one");
            }
        }
    }
}
