//! Expressions: conditions and values.

use std::collections::BTreeMap;
use std::sync::Arc;

use choros_base::{Diagnostic, Severity};
use choros_data::{Sort, Term};

use super::reader::Reader;
use choros_xml::document::Element;
use choros_xml::xpath::{
    ExpressionPurpose, Outline, Scope, VariableType, WrittenExpression, Xpath,
};

/// When something is done and when it is not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    pub(super) holds: Term,
    pub(super) fails: Term,
    /// When neither can be said, because the expression has no value; `None` where that cannot be.
    pub(super) undefined: Option<Term>,
}

impl Condition {
    /// Nothing is known: both may be.
    pub(super) const OPAQUE: Condition = Condition {
        holds: Term::TRUE,
        fails: Term::TRUE,
        undefined: None,
    };
}

/// The language of expressions and queries by default.
const XPATH: &str = "urn:oasis:names:tc:wsbpel:2.0:sublang:xpath1.0";

/// Whether a finding names something of XPath that has no counterpart here, or a function of someone else.
fn is_beyond_us(finding: &Diagnostic) -> bool {
    match finding.code.code {
        "CH1106" | "CH1119" => true,
        "CH1116" => finding.message.contains(':'),
        _ => finding.severity != Severity::Error,
    }
}

/// Whether an expression is left open, as in abstract processes.
pub(super) fn is_opaque(element: Element<'_>) -> bool {
    element.attribute("opaque") == Some("yes") || matches!(element.text().trim(), "##opaque")
}

impl Reader<'_, '_> {
    fn types(&self) -> BTreeMap<Arc<str>, VariableType> {
        let variables = self.around.variables.iter();
        variables
            .map(|(name, variable)| (name.clone(), variable.holds.clone()))
            .collect()
    }

    pub(super) fn values(&mut self) -> BTreeMap<Arc<str>, Term> {
        let mut values = BTreeMap::new();
        for (name, variable) in &self.around.variables {
            values.insert(name.clone(), self.terms.var(variable.var));
        }
        values
    }

    pub(super) fn xpath(
        &mut self,
        written: &WrittenExpression,
        purpose: ExpressionPurpose,
    ) -> Option<Xpath> {
        let types = self.types();
        let scope = Scope {
            definitions: &self.definitions,
            variables: &types,
            context: None,
        };
        let (found, findings) = Xpath::read(written, scope, purpose);
        let outline = Outline::of(written).unwrap_or_default();
        let is_untyped = |(name, _): &(String, _)| {
            let name = name.split('.').next().unwrap_or(name);
            self.untyped.contains(name)
        };
        if found.is_none() && outline.variables.iter().any(is_untyped) {
            return None;
        }
        let mut errors = findings.iter().filter(|it| it.severity == Severity::Error);
        if found.is_none() && written.text.contains("doXslTransform") {
            // Where it always fails, nothing depends on what it would give; only a copy raises what goes wrong in it.
            if self.in_copy && self.transforms(written) {
                return None;
            }
            self.not_followed("`bpel:doXslTransform`", "may be anything", written.span);
            return None;
        }
        // What XPath can do and we cannot is a value of which nothing is known; a mistake stays one.
        if found.is_none() && errors.next().is_some() && findings.iter().all(is_beyond_us) {
            for finding in findings {
                self.abstracted(&finding);
            }
            return None;
        }
        self.library.diagnostics.extend(findings);
        found
    }

    /// An expression that is not followed.
    fn abstracted(&mut self, finding: &Diagnostic) {
        let what = finding.message.clone();
        let Some(span) = finding.labels.first().map(|it| it.span) else {
            return;
        };
        self.left_open(&format!("an expression ({what})"), "may be anything", span);
    }

    /// Whether an expression is written in XPath 1.0; otherwise its language is named.
    pub(super) fn is_xpath(&mut self, element: Element<'_>) -> bool {
        let attribute = match element.local() {
            "query" => "queryLanguage",
            _ => "expressionLanguage",
        };
        let said = [element, element.document().root()]
            .into_iter()
            .find_map(|it| it.attribute(attribute));
        match said.map(str::trim) {
            None | Some(XPATH | "") => true,
            Some(language) => {
                let what = format!("an expression in `{language}`");
                self.left_open(&what, "may be anything", element.span());
                false
            }
        }
    }

    /// The value of an expression in an element.
    pub(super) fn value_in(&mut self, element: Element<'_>, wanted: Sort) -> Term {
        if !self.is_xpath(element) {
            return self.unknown_value(wanted);
        }
        self.value(&WrittenExpression::text_of(element), wanted)
    }

    /// The condition in an element.
    pub(super) fn condition(&mut self, element: Element<'_>) -> Condition {
        if is_opaque(element) {
            return Condition::OPAQUE;
        }
        if !self.is_xpath(element) {
            return Condition::OPAQUE;
        }
        let written = WrittenExpression::text_of(element);
        let Some(xpath) = self.xpath(&written, ExpressionPurpose::Condition) else {
            return Condition::OPAQUE;
        };
        let values = self.values();
        match xpath.condition(self.terms, &values, None) {
            Ok(holds) => self.decided(holds),
            Err(finding) => {
                self.abstracted(&finding);
                Condition::OPAQUE
            }
        }
    }

    /// A formula and its opposite.
    pub(super) fn decided(&mut self, holds: Term) -> Condition {
        let fails = self.terms.complement(holds);
        // Only the branch of an `if` that is taken must have a value; a simpler form may look at both.
        let fails = if self.terms.is_partial(holds) {
            fails
        } else {
            self.terms.simplify(fails)
        };
        let defined = self.terms.defined(holds);
        let defined = self.terms.simplify(defined);
        let undefined = (defined != Term::TRUE).then(|| {
            let undefined = self.terms.complement(defined);
            self.terms.simplify(undefined)
        });
        Condition {
            holds,
            fails,
            undefined,
        }
    }

    /// An expression as a term of a sort; what has none is reported, and nothing is known of the value then.
    pub(super) fn value(&mut self, written: &WrittenExpression, wanted: Sort) -> Term {
        let found = self
            .xpath(written, ExpressionPurpose::Value)
            .and_then(|xpath| {
                let values = self.values();
                match xpath.value(self.terms, &values, None, wanted) {
                    Ok(value) => Some(value),
                    Err(finding) => {
                        self.abstracted(&finding);
                        None
                    }
                }
            });
        match found {
            Some(value) => value,
            None => self.unknown_value(wanted),
        }
    }
}
