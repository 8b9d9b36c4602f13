//! The tree of a process: what is around an element, and what names mean there.

use choros_base::Span;
use choros_xml::document::{Element, QName};
use choros_xml::wsdl::OperationDeclaration;

use super::Rules;
use crate::vocabulary::{ABSTRACT, EXECUTABLE};

/// Whether an element is this one of BPEL.
pub(super) fn is(element: Element<'_>, local: &str) -> bool {
    element.local() == local && is_bpel(element)
}

pub(super) fn is_bpel(element: Element<'_>) -> bool {
    matches!(&*element.name().namespace, ABSTRACT | EXECUTABLE)
}

pub(super) fn child<'d>(element: Element<'d>, local: &str) -> Option<Element<'d>> {
    element.children().find(|it| is(*it, local))
}

pub(super) fn children<'d>(
    element: Element<'d>,
    local: &'d str,
) -> impl Iterator<Item = Element<'d>> + 'd {
    element.children().filter(move |it| is(*it, local))
}

/// The elements in a wrapper such as `variables`.
pub(super) fn declared<'d>(
    scope: Element<'d>,
    wrapper: &'d str,
    local: &'d str,
) -> impl Iterator<Item = Element<'d>> + 'd {
    children(scope, wrapper).flat_map(move |it| children(it, local))
}

/// All elements of BPEL, in the order of the document; what is inside a literal is data.
pub(super) fn elements(root: Element<'_>) -> Vec<Element<'_>> {
    let mut found = Vec::new();
    let mut work = vec![root];
    while let Some(element) = work.pop() {
        if is_bpel(element) {
            found.push(element);
        }
        if !is(element, "literal") {
            work.extend(element.children().rev());
        }
    }
    found
}

/// The elements around one, innermost first, without itself.
pub(super) fn ancestors<'d>(element: Element<'d>) -> impl Iterator<Item = Element<'d>> + 'd {
    std::iter::successors(element.parent(), |it| it.parent())
}

/// Whether `inner` is `outer` or inside it.
pub(super) fn is_inside(inner: Element<'_>, outer: Element<'_>) -> bool {
    inner.id() == outer.id() || ancestors(inner).any(|it| it.id() == outer.id())
}

/// The scope around an element; the process is one.
pub(super) fn scope_of(element: Element<'_>) -> Option<Element<'_>> {
    ancestors(element).find(|it| is(*it, "scope") || is(*it, "process"))
}

/// Whether an expression is left open, as in abstract processes.
pub(super) fn is_opaque(element: Element<'_>) -> bool {
    element.local() == "opaqueFrom"
        || element.attribute("opaque") == Some("yes")
        || element.text().trim() == "##opaque"
}

/// An element that reports a name given twice, with the first place.
pub(super) fn repeated<'d>(
    elements: impl IntoIterator<Item = Element<'d>>,
    attribute: &str,
) -> Vec<(Element<'d>, Span)> {
    let mut seen: Vec<(&str, Span)> = Vec::new();
    let mut found = Vec::new();
    for element in elements {
        let Some(name) = element.attribute(attribute) else {
            continue;
        };
        match seen.iter().find(|(known, _)| *known == name) {
            Some((_, first)) => found.push((element, *first)),
            None => seen.push((name, element.attribute_span(attribute))),
        }
    }
    found
}

/// What a variable is declared to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Holds {
    Message(QName),
    Element(QName),
    Type(QName),
}

/// What the attributes of a declaration say.
pub(super) fn holds(element: Element<'_>, names: [&str; 3]) -> Option<Holds> {
    let [message, of_element, of_type] = names;
    let name = |attribute: &str| element.resolve(element.attribute(attribute)?).ok();
    name(message)
        .map(Holds::Message)
        .or_else(|| name(of_element).map(Holds::Element))
        .or_else(|| name(of_type).map(Holds::Type))
}

impl<'a> Rules<'a> {
    /// The elements of BPEL with one of these names.
    pub(super) fn all(&self, locals: &[&str]) -> Vec<Element<'a>> {
        let named = self.elements.iter();
        named
            .filter(|it| locals.contains(&it.local()))
            .copied()
            .collect()
    }

    /// The scopes, the process among them.
    pub(super) fn scopes_and_process(&self) -> Vec<Element<'a>> {
        self.all(&["process", "scope"])
    }

    pub(super) fn is_executable(&self) -> bool {
        &*self.root.name().namespace == EXECUTABLE
    }

    /// The declaration of a name in the scopes around an element.
    pub(super) fn find(
        &self,
        from: Element<'a>,
        wrapper: &str,
        local: &str,
        name: &str,
    ) -> Option<Element<'a>> {
        std::iter::once(from)
            .chain(ancestors(from))
            .find_map(|scope| {
                scope
                    .children()
                    .filter(|it| is(*it, wrapper))
                    .flat_map(|it| it.children())
                    .find(|it| is(*it, local) && it.attribute("name") == Some(name))
            })
    }

    /// What a variable holds where it is used; `None` if that is unknown.
    pub(super) fn variable(&self, from: Element<'a>, name: &str) -> Option<Holds> {
        let types = ["messageType", "element", "type"];
        for around in std::iter::once(from).chain(ancestors(from)) {
            let own = declared(around, "variables", "variable")
                .find(|it| it.attribute("name") == Some(name));
            if let Some(own) = own {
                return holds(own, types);
            }
            let implicit = match around.local() {
                "onEvent" => around.attribute("variable") == Some(name),
                "catch" => around.attribute("faultVariable") == Some(name),
                "forEach" => around.attribute("counterName") == Some(name),
                _ => false,
            };
            if implicit {
                return match around.local() {
                    "onEvent" => holds(around, types),
                    "catch" => holds(around, ["faultMessageType", "faultElement", "faultType"]),
                    _ => Some(Holds::Type(QName::new(
                        choros_xml::schema::XSD,
                        "unsignedInt",
                    ))),
                };
            }
        }
        None
    }

    /// The port type of a partner link's role.
    pub(super) fn port_type(&self, link: Element<'a>, role: &str) -> Option<QName> {
        let kind = link.resolve(link.attribute("partnerLinkType")?).ok()?;
        let wanted = link.attribute(role)?;
        let declared = self.definitions.partner_link_types.get(&kind)?;
        let (_, port_type) = declared.roles.iter().find(|(it, _)| &**it == wanted)?;
        Some(port_type.clone())
    }

    /// The port type on whose side an activity communicates.
    pub(super) fn implied_port_type(&self, element: Element<'a>) -> Option<QName> {
        let name = element.attribute("partnerLink")?;
        let link = self.find(element, "partnerLinks", "partnerLink", name)?;
        let role = match element.local() {
            "invoke" => "partnerRole",
            _ => "myRole",
        };
        self.port_type(link, role)
    }

    /// The operation that an activity names.
    pub(super) fn operation(&self, element: Element<'a>) -> Option<&'a OperationDeclaration> {
        let port_type = self.implied_port_type(element)?;
        let definitions = self.definitions;
        definitions.operation(&port_type, element.attribute("operation")?)
    }
}

/// The schemas of an imported document.
pub(super) fn schemas(root: Element<'_>) -> Vec<Element<'_>> {
    use choros_xml::schema::XSD;
    use choros_xml::wsdl::WSDL;
    if root.is(XSD, "schema") {
        return vec![root];
    }
    let types = root.children().filter(|it| it.is(WSDL, "types"));
    types
        .flat_map(|it| it.children().filter(|it| it.is(XSD, "schema")))
        .collect()
}
