//! Partner links: roles, names, and references that are copied.

use choros_xml::document::Element;

use super::tree::{declared, is, repeated};
use super::{Rules, rule};

rule!(SA00016 {
    code: "CH1416",
    name: "partner-link-without-role",
    section: "6.2",
    what: "A partner link has `myRole`, `partnerRole`, or both.",
    why: "Without a role no message can use it.",
    example: "<partnerLink name='W' partnerLinkType='t:Link'/>",
});

rule!(SA00017 {
    code: "CH1417",
    name: "nothing-to-initialize",
    section: "6.2",
    what: "Only a partner link with a `partnerRole` has the attribute `initializePartnerRole`.",
    why: "The attribute says whether the address of the partner is known at the start; without that role there is no address.",
    example: "<partnerLink name='USER' partnerLinkType='t:Link' myRole='service' initializePartnerRole='yes'/>",
});

rule!(SA00018 {
    code: "CH1418",
    name: "repeated-partner-link",
    section: "6.2",
    what: "The partner links of a scope have different names.",
    why: "An activity could mean either of them.",
    example: "<partnerLink name='W' …/><partnerLink name='W' …/>",
});

rule!(SA00035 {
    code: "CH1435",
    name: "no-own-reference",
    section: "8.4",
    what: "`endpointReference=\"myRole\"` is copied only from a partner link with `myRole`.",
    why: "The process offers nothing there, so it has no address to copy.",
    example: "<from partnerLink='W' endpointReference='myRole'/>",
});

rule!(SA00036 {
    code: "CH1436",
    name: "no-partner-reference",
    section: "8.4",
    what: "`endpointReference=\"partnerRole\"` is copied only from a partner link with `partnerRole`.",
    why: "The process uses nothing there, so it has no partner's address to copy.",
    example: "<from partnerLink='USER' endpointReference='partnerRole'/>",
});

rule!(SA00037 {
    code: "CH1437",
    name: "no-partner-to-set",
    section: "8.4",
    what: "A copy goes only to a partner link with `partnerRole`.",
    why: "The copy sets the partner's address; without the role there is none.",
    example: "<to partnerLink='USER'/>",
});

impl<'a> Rules<'a> {
    pub(super) fn partner_links(&mut self) {
        for scope in self.scopes_and_process() {
            let links: Vec<Element<'a>> = declared(scope, "partnerLinks", "partnerLink").collect();
            for (again, first) in repeated(links.iter().copied(), "name") {
                let name = again.attribute("name").unwrap_or("");
                let span = again.attribute_span("name");
                let message = format!("two partner links of one scope are called `{name}`");
                self.report(&SA00018, message, span, "the second one");
                self.also(first, "the first one");
            }
            for link in links {
                self.roles(link);
            }
        }
        for end in self.all(&["from", "to"]) {
            self.reference(end);
        }
    }

    fn roles(&mut self, link: Element<'a>) {
        let name = link.attribute("name").unwrap_or("");
        let has = |role: &str| link.attribute(role).is_some();
        if !has("myRole") && !has("partnerRole") {
            self.breaks(name);
            let message = format!("the partner link `{name}` has no role");
            let label = "`myRole` or `partnerRole` is missing";
            self.report(&SA00016, message, link.span(), label);
        }
        if has("initializePartnerRole") && !has("partnerRole") {
            let message = format!("the partner link `{name}` has no partner to initialize");
            let span = link.attribute_span("initializePartnerRole");
            self.report(&SA00017, message, span, "needs `partnerRole`");
        }
    }

    /// A copy from or to a partner link.
    fn reference(&mut self, end: Element<'a>) {
        let Some(name) = end.attribute("partnerLink") else {
            return;
        };
        let Some(link) = self.find(end, "partnerLinks", "partnerLink", name) else {
            return;
        };
        let role = match (end.local(), end.attribute("endpointReference")) {
            ("to", _) => "partnerRole",
            (_, Some("myRole")) => "myRole",
            (_, Some("partnerRole")) => "partnerRole",
            _ => return,
        };
        if link.attribute(role).is_some() {
            return;
        }
        let code = match (is(end, "to"), role) {
            (true, _) => &SA00037,
            (false, "myRole") => &SA00035,
            (false, _) => &SA00036,
        };
        let message = format!("the partner link `{name}` has no `{role}`");
        self.covers(end.span(), false);
        let span = end.attribute_span("partnerLink");
        self.report(code, message, span, format!("needs `{role}`"));
        self.also(link.span(), "declared here");
    }
}
