//! Declarations: imports, partner links, variables, correlation sets.

use std::sync::Arc;

use choros_base::Span;
use choros_data::Term;
use choros_model::interface::Side;
use choros_model::stg::Update;

use super::diagnostics::unknown_partner_link;
use super::reader::{Reader, Variable, child, children};
use super::reference::SERVICE_REF;
use choros_xml::diagnostics::{
    declared_twice, misplaced_element, unresolved_name, unsupported_construct,
};
use choros_xml::document::{Document, Element, QName};
use choros_xml::schema::XSD;
use choros_xml::wsdl::{MessageShape, Partner, PartnerLinkType, WSDL};
use choros_xml::xpath::VariableType;

impl Reader<'_, '_> {
    /// Reads the documents that the process imports.
    pub(super) fn imports(&mut self, document: &Arc<Document>) {
        for import in children(document.root(), "import") {
            let kind = import.attribute("importType").unwrap_or(WSDL);
            let Some(location) = import.attribute("location") else {
                continue;
            };
            if kind != WSDL && kind != XSD {
                self.library.report(unsupported_construct::diagnostic(
                    &format!("an import of type `{kind}`"),
                    "left out",
                    import.span(),
                ));
                continue;
            }
            let span = import.attribute_span("location");
            let Some(found) = self.library.load_relative(document, location, span) else {
                continue;
            };
            self.definitions.read_document(self.library, &found);
        }
    }

    /// Documents next to a process that names none: `p.wsdl` of `p.bpel`, and that of its name.
    ///
    /// BPEL4WS 1.1 leaves to deployment where the definitions are.
    pub(super) fn neighbours(&mut self, document: &Arc<Document>) {
        let root = document.root();
        if !children(root, "import").is_empty() {
            return;
        }
        let path = document.path();
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let stem = stem.rsplit('/').next().unwrap_or(stem);
        for name in [stem, root.attribute("name").unwrap_or(stem)] {
            let known = self.library.diagnostics.len();
            let location = format!("{name}.wsdl");
            match self.library.load_relative(document, &location, root.span()) {
                Some(found) => self.definitions.read_document(self.library, &found),
                None => self.library.diagnostics.truncate(known),
            }
        }
    }

    pub(super) fn message(&mut self, name: &QName, span: Span) -> Option<Arc<MessageShape>> {
        self.definitions
            .message(self.library, self.terms, name, span)
    }

    /// Everything that an element declares; the assignments with which it begins.
    pub(super) fn declare(&mut self, element: Element<'_>) -> Vec<Update> {
        let mut begin = Vec::new();
        if let Some(links) = child(element, "partnerLinks") {
            for link in children(links, "partnerLink") {
                self.partner_link(link);
                begin.extend(self.declare_callee(link));
            }
        }
        if let Some(variables) = child(element, "variables") {
            let mut names: Vec<(Arc<str>, Span)> = Vec::new();
            for variable in children(variables, "variable") {
                let Some(name) = variable.attribute("name").map(Arc::<str>::from) else {
                    let finding = misplaced_element::lacking("variable", "name", variable.span());
                    self.library.report(finding);
                    continue;
                };
                if let Some((_, first)) = names.iter().find(|(known, _)| *known == name) {
                    let span = variable.attribute_span("name");
                    let finding = declared_twice::diagnostic("variable", &name, *first, span);
                    self.library.report(finding);
                    continue;
                }
                names.push((name.clone(), variable.attribute_span("name")));
                self.declare_variable(variable, &name);
            }
            // What a variable begins with may speak of those declared with it.
            for variable in children(variables, "variable") {
                let (Some(from), Some(name)) =
                    (child(variable, "from"), variable.attribute("name"))
                else {
                    continue;
                };
                if let Some(known) = self.around.variables.get(name).cloned() {
                    let update = self.initial(from, &known);
                    begin.extend(update);
                }
            }
        }
        if let Some(sets) = child(element, "correlationSets") {
            for set in children(sets, "correlationSet") {
                if let Some(initiated) = self.correlation_set(set) {
                    begin.push(self.set(initiated, Term::FALSE));
                }
            }
        }
        begin
    }

    fn partner_link(&mut self, link: Element<'_>) {
        let (Some(name), Some(kind)) = (
            link.attribute("name"),
            self.library.name_in_attribute(link, "partnerLinkType"),
        ) else {
            let missing = match link.attribute("name") {
                None => "name",
                Some(_) => "partnerLinkType",
            };
            self.library.report(misplaced_element::lacking(
                "partnerLink",
                missing,
                link.span(),
            ));
            return;
        };
        let Some(declared) = self.definitions.partner_link_types.get(&kind).cloned() else {
            let known: Vec<QName> = self
                .definitions
                .partner_link_types
                .keys()
                .cloned()
                .collect();
            let span = link.attribute_span("partnerLinkType");
            self.library.report(unresolved_name::diagnostic(
                "partner link type",
                &kind,
                known,
                span,
            ));
            return;
        };
        let offers = self.role(link, "myRole", &declared);
        let uses = self.role(link, "partnerRole", &declared);
        if let Some(port_type) = &offers {
            self.add_operations(link, name, port_type, Side::Provided);
        }
        if let Some(port_type) = &uses {
            self.add_operations(link, name, port_type, Side::Used);
        }
        let partner = Partner {
            name: name.into(),
            offers,
            uses,
        };
        self.partners.push(partner.clone());
        self.around.partner_links.insert(name.into(), partner);
    }

    fn role(
        &mut self,
        link: Element<'_>,
        attribute: &str,
        declared: &PartnerLinkType,
    ) -> Option<QName> {
        let role = link.attribute(attribute)?;
        match declared.roles.iter().find(|(name, _)| &**name == role) {
            Some((_, port_type)) => Some(port_type.clone()),
            None => {
                let known = declared.roles.iter().map(|(name, _)| &**name);
                let span = link.attribute_span(attribute);
                self.library
                    .report(unknown_partner_link::unknown_role(role, known, span));
                None
            }
        }
    }

    /// Declares a variable with the type that `messageType`, `element` or `type` gives it.
    pub(super) fn declare_variable(&mut self, element: Element<'_>, name: &Arc<str>) {
        match self.type_of(element, "messageType", "element", "type") {
            Some(holds) => self.declare_typed(name, holds, element.span()),
            None => {
                self.untyped.insert(name.to_string());
            }
        }
    }

    pub(super) fn declare_typed(&mut self, name: &Arc<str>, holds: VariableType, span: Span) {
        let sort = self.sort_of(&holds);
        let var = self.new_variable(name, sort);
        self.declared.push(var);
        if let VariableType::Message(shape) = &holds
            && shape.parts.len() > 1
        {
            self.in_parts.push((var, shape.parts.len()));
        }
        self.around
            .variables
            .insert(name.clone(), Variable { holds, var, span });
    }

    /// What the attributes of an element say that a variable holds.
    pub(super) fn type_of(
        &mut self,
        element: Element<'_>,
        message: &str,
        of_element: &str,
        of_type: &str,
    ) -> Option<VariableType> {
        if element.attribute(message).is_some() {
            let name = self.library.name_in_attribute(element, message)?;
            let shape = self.message(&name, element.attribute_span(message))?;
            return Some(VariableType::Message(shape));
        }
        if element.attribute(of_element).is_some() {
            let name = self.library.name_in_attribute(element, of_element)?;
            let span = element.attribute_span(of_element);
            let schema = &mut self.definitions.schema;
            // Every engine knows references; what is in them is not followed.
            let is_reference = name == QName::new(SERVICE_REF, "service-ref");
            if is_reference && !schema.has_element(&name) {
                return self.built_in("string", span).map(VariableType::Holds);
            }
            let id = schema.element_type(self.library, self.terms, &name, span)?;
            return Some(VariableType::Holds(id));
        }
        if element.attribute(of_type).is_some() {
            let name = self.library.name_in_attribute(element, of_type)?;
            let span = element.attribute_span(of_type);
            let schema = &mut self.definitions.schema;
            let id = schema.named_type(self.library, self.terms, &name, span)?;
            return Some(VariableType::Holds(id));
        }
        self.library.report(misplaced_element::lacking(
            element.local(),
            message,
            element.span(),
        ));
        None
    }
}
