//! `bpel:doXslTransform`: what it gives is unknown, but some of its faults are known (WS-BPEL 2.0, 8.4).

use choros_base::Span;
use choros_xml::document::WrittenExpression;
use choros_xml::schema::Shape;
use choros_xml::xpath::{CalledFunction, Outline, OutlineForm, VariableType};

use super::assign::{CopyFault, When};
use super::reader::Reader;

impl Reader<'_, '_> {
    /// Takes note of the faults of the transformations in an expression; whether one of them is always raised.
    pub(super) fn transforms(&mut self, written: &WrittenExpression) -> bool {
        let calls = Outline::of(written).map(|it| it.calls).unwrap_or_default();
        let mut always_fails = false;
        for call in calls.iter().filter(|it| it.local() == "doXslTransform") {
            let found = [
                ("xsltInvalidSource", self.invalid_source(call, written)),
                ("xsltStylesheetNotFound", self.missing_sheet(call)),
            ];
            for (fault, when) in found {
                let Some(when) = when else { continue };
                always_fails |= matches!(when, When::Always);
                self.copy_faults.push(CopyFault { fault, when });
            }
        }
        always_fails
    }

    /// Only an element can be transformed.
    fn invalid_source(&self, call: &CalledFunction, whole: &WrittenExpression) -> Option<When> {
        let &(_, span) = call.arguments.get(1)?;
        let form = self.form_of(span, whole)?;
        let is_wrong = match form {
            OutlineForm::Number(_) | OutlineForm::Text(_) | OutlineForm::TextOfVariable => true,
            OutlineForm::Variable(name) => self.is_simple(&name),
            OutlineForm::PathOfVariable | OutlineForm::Other => false,
        };
        is_wrong.then_some(When::Always)
    }

    fn form_of(&self, span: Span, whole: &WrittenExpression) -> Option<OutlineForm> {
        let argument = WrittenExpression {
            text: self.library.sources.text_of(span).into(),
            span,
            namespaces: whole.namespaces.clone(),
        };
        Some(Outline::of(&argument)?.form)
    }

    /// Whether a variable is a part with a simple type, which is no element.
    fn is_simple(&self, name: &str) -> bool {
        let (name, part) = name.split_once('.').unwrap_or((name, ""));
        let Some(VariableType::Message(shape)) =
            self.around.variables.get(name).map(|it| &it.holds)
        else {
            return false;
        };
        let part = shape.parts.iter().find(|it| &*it.name == part);
        part.is_some_and(|it| {
            let shape = &self.definitions.schema.get(it.holds).shape;
            it.element.is_none() && matches!(shape, Shape::Simple(_))
        })
    }

    /// A style sheet in a file is there or not; of others only the engine knows.
    fn missing_sheet(&mut self, call: &CalledFunction) -> Option<When> {
        let (Some(location), span) = call.arguments.first()? else {
            return None;
        };
        if location.contains("://") || location.starts_with("urn:") {
            return Some(When::Perhaps);
        }
        let document = self.document.clone();
        let known = self.library.diagnostics.len();
        let found = self.library.load_relative(&document, location, *span);
        self.library.diagnostics.truncate(known);
        if found.is_some() {
            return None;
        }
        // An engine may have it all the same.
        let what = format!("the style sheet `{location}`, which cannot be read here,");
        let instead = "`bpel:xsltStylesheetNotFound` is raised";
        self.not_followed(&what, instead, *span);
        Some(When::Always)
    }
}
