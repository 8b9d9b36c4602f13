//! Correlation: sets of properties, their violation `G` and what they record `A`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use choros_base::Span;
use choros_data::{Sort, SortKind, Term, Var};
use choros_model::stg::Update;

use super::diagnostics::{lacking_alias, unknown_correlation_set};
use super::reader::{Reader, child, children};
use crate::calculus::{Correlation, Delivery, Process};
use choros_xml::diagnostics::{misplaced_element, unresolved_name, unsupported_construct};
use choros_xml::document::{Element, QName};
use choros_xml::wsdl::{AliasOf, MessageShape, PartHolds};
use choros_xml::xpath::{ExpressionPurpose, Scope, VariableType, WrittenExpression, Xpath};

/// One set of an activity, for the message that it receives or sends.
struct Checked {
    initiate: Initiate,
    /// Whether the set has values.
    initiated: Term,
    /// Whether the message carries them.
    consistent: Term,
    /// What records them.
    record: Vec<Update>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Initiate {
    Yes,
    Join,
    No,
}

#[derive(Debug, Clone)]
pub(super) struct CorrelationSet {
    /// Its properties with their sorts.
    properties: Vec<(QName, Sort)>,
    /// `vcs`: a record with one field per property.
    values: Var,
    /// `vcs_init`: whether the set has values.
    initiated: Var,
}

impl CorrelationSet {
    /// What it remembers its values by, and whether it has some.
    pub(super) fn variables(&self) -> [Var; 2] {
        [self.values, self.initiated]
    }
}

impl Reader<'_, '_> {
    /// Declares a correlation set; the variable that says whether it has values.
    pub(super) fn correlation_set(&mut self, element: Element<'_>) -> Option<Var> {
        let Some(name) = element.attribute("name") else {
            let finding = misplaced_element::lacking("correlationSet", "name", element.span());
            self.library.report(finding);
            return None;
        };
        let span = element.attribute_span("properties");
        let mut properties = Vec::new();
        for text in element
            .attribute("properties")
            .unwrap_or("")
            .split_whitespace()
        {
            let property = self.library.name_in(element, text, span)?;
            let sort = self.property_sort(&property, span)?;
            properties.push((property, sort));
        }
        let fields = properties
            .iter()
            .map(|(property, sort)| (self.terms.names.intern(&property.local), *sort))
            .collect();
        let record = self.terms.sort(SortKind::Record(fields));
        let values = self.new_variable(&format!("vcs_{name}"), record);
        let initiated = self.new_variable(&format!("vcs_{name}_init"), Sort::BOOL);
        let set = CorrelationSet {
            properties,
            values,
            initiated,
        };
        self.around
            .correlation_sets
            .insert(name.into(), Arc::new(set));
        Some(initiated)
    }

    fn property_sort(&mut self, property: &QName, span: Span) -> Option<Sort> {
        let Some(declared) = self.definitions.properties.get(property).cloned() else {
            let known: Vec<QName> = self.definitions.properties.keys().cloned().collect();
            self.library.report(unresolved_name::diagnostic(
                "property", property, known, span,
            ));
            return None;
        };
        let schema = &mut self.definitions.schema;
        let id = match &declared.holds {
            PartHolds::Element(name) => {
                schema.element_type(self.library, self.terms, name, declared.span)?
            }
            PartHolds::Type(name) => {
                schema.named_type(self.library, self.terms, name, declared.span)?
            }
        };
        Some(schema.get(id).sort)
    }

    /// The correlations of an activity for the message that it sends, or that answers its call.
    ///
    /// `response` says which of the two messages of an invocation it is; several sets are checked together.
    pub(super) fn correlations(
        &mut self,
        element: Element<'_>,
        shape: &Arc<MessageShape>,
        wire: Option<Var>,
        response: Option<bool>,
    ) -> Option<Correlation> {
        let mut violations = Vec::new();
        let mut updates = Vec::new();
        for set in self.checked(element, shape, wire, response) {
            let differs = self.terms.complement(set.consistent);
            violations.push(match set.initiate {
                Initiate::Yes => set.initiated,
                Initiate::Join => self.terms.and([set.initiated, differs]),
                Initiate::No => {
                    let not_initiated = self.terms.complement(set.initiated);
                    self.terms.or([not_initiated, differs])
                }
            });
            updates.extend(set.record);
        }
        (!violations.is_empty()).then(|| Correlation {
            violation: self.terms.or(violations),
            updates,
        })
    }

    /// Which calls a reception takes: those whose properties are the values of its sets.
    pub(super) fn delivery(
        &mut self,
        element: Element<'_>,
        shape: &Arc<MessageShape>,
        wire: Option<Var>,
    ) -> Option<Delivery> {
        let sets = self.checked(element, shape, wire, None);
        if sets.is_empty() {
            return None;
        }
        let (mut unready, mut refused, mut matches) = (Vec::new(), Vec::new(), Vec::new());
        let mut updates = Vec::new();
        for set in sets {
            let fresh = self.terms.complement(set.initiated);
            match set.initiate {
                Initiate::Yes => refused.push((set.initiated, self.process.violation)),
                Initiate::Join => matches.push(self.terms.or([fresh, set.consistent])),
                Initiate::No => {
                    unready.push(fresh);
                    matches.push(set.consistent);
                }
            }
            updates.extend(set.record);
        }
        let all_match = matches.is_empty();
        let matches = self.terms.and(matches);
        if !all_match {
            let update = self.accept(matches);
            // It speaks of the values before they are recorded.
            updates.insert(0, update);
        }
        Some(Delivery {
            unready: self.terms.or(unready),
            refused,
            matches,
            updates,
            is_correlated: true,
        })
    }

    /// An assignment that is undefined unless a condition on the message holds.
    fn accept(&mut self, condition: Term) -> Update {
        let delivered = match self.process.delivered {
            Some(known) => known,
            None => {
                let new = self.new_variable("delivered", Sort::BOOL);
                self.process.delivered = Some(new);
                new
            }
        };
        Process::accepting(self.terms, delivered, condition)
    }

    /// The correlation sets that an activity names.
    pub(super) fn sets_of(&self, element: Element<'_>) -> Vec<Var> {
        let Some(correlations) = child(element, "correlations") else {
            return Vec::new();
        };
        let named: BTreeSet<&str> = children(correlations, "correlation")
            .into_iter()
            .filter_map(|it| it.attribute("set"))
            .collect();
        let known = named.into_iter();
        let known = known.filter_map(|it| self.around.correlation_sets.get(it));
        known.map(|it| it.initiated).collect()
    }

    /// The sets that concern one message of an activity.
    fn checked(
        &mut self,
        element: Element<'_>,
        shape: &Arc<MessageShape>,
        wire: Option<Var>,
        response: Option<bool>,
    ) -> Vec<Checked> {
        let mut found = Vec::new();
        let Some(correlations) = child(element, "correlations") else {
            return found;
        };
        for correlation in children(correlations, "correlation") {
            if let Some(response) = response {
                let pattern = correlation.attribute("pattern").unwrap_or("request");
                let concerns = if response {
                    matches!(pattern, "response" | "request-response")
                } else {
                    matches!(pattern, "request" | "request-response")
                };
                if !concerns {
                    continue;
                }
            }
            let name = correlation.attribute("set").unwrap_or("");
            let Some(set) = self.around.correlation_sets.get(name).cloned() else {
                let known = self.around.correlation_sets.keys().map(|it| &**it);
                let span = correlation.attribute_span("set");
                let finding = unknown_correlation_set::diagnostic(name, known, span);
                self.library.report(finding);
                continue;
            };
            let Some(wire) = wire else { continue };
            let initiate = correlation.attribute("initiate").unwrap_or("no");
            if !matches!(initiate, "yes" | "no" | "join") {
                self.library.report(unsupported_construct::diagnostic(
                    &format!("`initiate=\"{initiate}\"`"),
                    "read as `no`",
                    correlation.attribute_span("initiate"),
                ));
            }
            let initiate = match initiate {
                "yes" => Initiate::Yes,
                "join" => Initiate::Join,
                _ => Initiate::No,
            };
            found.extend(self.correlate(&set, shape, wire, initiate, correlation.span()));
        }
        found
    }

    fn correlate(
        &mut self,
        set: &CorrelationSet,
        shape: &Arc<MessageShape>,
        wire: Var,
        initiate: Initiate,
        span: Span,
    ) -> Option<Checked> {
        let mut carried = Vec::new();
        for (property, sort) in &set.properties {
            let value = self.property_of(property, shape, wire, *sort, span)?;
            carried.push((property.clone(), value));
        }
        let values = self.terms.var(set.values);
        let initiated = self.terms.var(set.initiated);
        let mut equal = Vec::new();
        for (property, value) in &carried {
            let label = self.terms.names.intern(&property.local);
            let known = self.terms.field(values, label)?;
            equal.push(self.terms.equal(*value, known));
        }
        let consistent = self.terms.and(equal);
        let record = match initiate {
            Initiate::Yes | Initiate::Join => {
                let parts: Vec<Term> = carried.iter().map(|(_, value)| *value).collect();
                let record = self.terms.record(self.terms.sort_of(values), &parts);
                vec![
                    self.set(set.values, record),
                    self.set(set.initiated, Term::TRUE),
                ]
            }
            Initiate::No => Vec::new(),
        };
        Some(Checked {
            initiate,
            initiated,
            consistent,
            record,
        })
    }

    /// `va_m/[m ↓ p]`: the property of a message.
    fn property_of(
        &mut self,
        property: &QName,
        shape: &Arc<MessageShape>,
        wire: Var,
        wanted: Sort,
        span: Span,
    ) -> Option<Term> {
        let Some(alias) = self.definitions.alias(property, &shape.name).cloned() else {
            let finding = lacking_alias::diagnostic(&property.local, &shape.name.local, span);
            self.library.report(finding);
            return None;
        };
        let written = self.alias_path("message", &alias);
        let name: Arc<str> = "message".into();
        let types = BTreeMap::from([(name.clone(), VariableType::Message(shape.clone()))]);
        let scope = Scope {
            definitions: &self.definitions,
            variables: &types,
            context: None,
        };
        let (xpath, findings) = Xpath::read(&written, scope, ExpressionPurpose::Value);
        self.library.diagnostics.extend(findings);
        let values = BTreeMap::from([(name, self.terms.var(wire))]);
        match xpath?.value(self.terms, &values, None, wanted) {
            Ok(value) => Some(value),
            Err(finding) => {
                self.library.report(*finding);
                None
            }
        }
    }

    /// The path of an alias in a variable: `$v.part/query`.
    pub(super) fn alias_path(
        &self,
        variable: &str,
        alias: &choros_xml::wsdl::PropertyAlias,
    ) -> WrittenExpression {
        let part = match &alias.of {
            AliasOf::Part {
                part: Some(part), ..
            } => format!(".{part}"),
            _ => String::new(),
        };
        let query = match &alias.query {
            Some(query) => format!("/{}", query.text.trim().trim_start_matches('/')),
            None => String::new(),
        };
        WrittenExpression {
            text: format!("${variable}{part}{query}").into(),
            span: alias.query.as_ref().map_or(alias.span, |query| query.span),
            namespaces: alias.namespaces().cloned().unwrap_or_default(),
        }
    }
}
