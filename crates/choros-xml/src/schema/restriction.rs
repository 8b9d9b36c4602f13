//! Simple types: restrictions of others by facets.

use choros_base::Span;
use choros_data::{Sort, Value};

use super::resolve::{Builder, Unbuilt};
use super::simple::{SimpleType, Whitespace};
use super::types::{Shape, TypeId};
use super::{Kind, Pattern, facets};
use crate::diagnostics::{endless_type, misplaced_element, unusable_facet};
use crate::document::Element;

impl Builder<'_, '_> {
    /// A `simpleType` element.
    pub(super) fn simple(&mut self, element: Element<'_>) -> Result<SimpleType, Unbuilt> {
        for child in element.children() {
            match child.local() {
                "restriction" => {
                    let mut simple = self.simple_base(child)?;
                    self.restrict(child, &mut simple);
                    return Ok(simple);
                }
                "list" | "union" => {
                    self.unsupported(
                        &format!("`xs:{}`", child.local()),
                        "treated as a text",
                        child.span(),
                    );
                    let mut simple = any_text();
                    let what = format!("xs:{}", child.local());
                    simple
                        .facets
                        .patterns
                        .push(Pattern::unchecked("type", &what));
                    return Ok(simple);
                }
                _ => {}
            }
        }
        self.library.report(misplaced_element::diagnostic(
            "the simple type says nothing",
            element.span(),
        ));
        Err(Unbuilt::Reported)
    }

    fn simple_base(&mut self, element: Element<'_>) -> Result<SimpleType, Unbuilt> {
        if element.attribute("base").is_none() {
            let inner = element
                .children()
                .find(|child| child.local() == "simpleType");
            return match inner {
                Some(inner) => self.deeper(inner, |builder| builder.simple(inner)),
                None => {
                    self.library.report(misplaced_element::lacking(
                        "restriction",
                        "base",
                        element.span(),
                    ));
                    Err(Unbuilt::Reported)
                }
            };
        }
        let base = match self.reference(element, "base", Kind::Type) {
            // A simple type has no optional place for itself.
            Err(Unbuilt::TooDeep) => {
                self.library.report(endless_type::diagnostic(
                    element.attribute("base").unwrap_or_default(),
                    element.attribute_span("base"),
                ));
                return Err(Unbuilt::Reported);
            }
            other => other?,
        };
        match &self.schema.get(base).shape {
            Shape::Simple(simple) => Ok(simple.clone()),
            Shape::Complex(_) => {
                self.library.report(misplaced_element::diagnostic(
                    "the base of a simple type is not simple",
                    element.attribute_span("base"),
                ));
                Err(Unbuilt::Reported)
            }
        }
    }

    /// Adds the facets of a restriction.
    pub(super) fn restrict(&mut self, element: Element<'_>, simple: &mut SimpleType) {
        let mut listed = Vec::new();
        let mut patterns: Vec<(String, Span)> = Vec::new();
        for facet in element.children() {
            let Some(value) = facet.attribute("value") else {
                continue;
            };
            let span = facet.attribute_span("value");
            let mut problem = |expected: &str| {
                self.library.report(unusable_facet::diagnostic(
                    facet.local(),
                    value,
                    expected,
                    span,
                ));
            };
            let number = super::read_decimal(value.trim());
            let size = number.as_ref().and_then(facets::count);
            match facet.local() {
                "enumeration" => match simple.read(value) {
                    Ok(value) => listed.push(value),
                    Err(_) => problem(&format!("a value of `{}`", simple.builtin)),
                },
                "minInclusive" | "minExclusive" | "maxInclusive" | "maxExclusive" => {
                    if !simple.sort().is_number() {
                        self.unsupported(
                            &format!("a range of `{}`", simple.builtin),
                            "left out",
                            facet.span(),
                        );
                        simple
                            .facets
                            .patterns
                            .push(Pattern::unchecked("facet", facet.local()));
                        continue;
                    }
                    let Some(number) = number else {
                        problem("a number");
                        continue;
                    };
                    match facet.local() {
                        "minInclusive" => simple.facets.above(number, true),
                        "minExclusive" => simple.facets.above(number, false),
                        "maxInclusive" => simple.facets.below(number, true),
                        _ => simple.facets.below(number, false),
                    }
                }
                "length" | "minLength" | "maxLength" => match size {
                    None => problem("a count"),
                    // Octets are counted, and how many characters they take depends on blanks.
                    Some(_) if &*simple.builtin == "base64Binary" => {
                        self.unsupported("a length in octets", "left out", facet.span());
                        simple
                            .facets
                            .patterns
                            .push(Pattern::unchecked("facet", facet.local()));
                    }
                    Some(size) => {
                        let size = match &*simple.builtin {
                            "hexBinary" => size.saturating_mul(2),
                            _ => size,
                        };
                        let known = &mut simple.facets;
                        if facet.local() != "maxLength" {
                            known.min_length = known.min_length.max(Some(size));
                        }
                        if facet.local() != "minLength" {
                            known.max_length =
                                Some(known.max_length.map_or(size, |old| old.min(size)));
                        }
                    }
                },
                "totalDigits" | "fractionDigits" => match size {
                    Some(size) if size <= 1000 => match facet.local() {
                        "totalDigits" => simple.facets.total_digits = Some(size as u32),
                        _ => simple.facets.fraction_digits = Some(size as u32),
                    },
                    _ => problem("a count up to 1000"),
                },
                "pattern" => patterns.push((value.to_owned(), facet.span())),
                "whiteSpace" => match value {
                    "preserve" => simple.whitespace = Whitespace::Preserve,
                    "replace" => simple.whitespace = Whitespace::Replace,
                    "collapse" => simple.whitespace = Whitespace::Collapse,
                    _ => problem("`preserve`, `replace` or `collapse`"),
                },
                other => {
                    self.unsupported(&format!("the facet `{other}`"), "left out", facet.span());
                    simple
                        .facets
                        .patterns
                        .push(Pattern::unchecked("facet", other));
                }
            }
        }
        if let Some(&(_, span)) = patterns.first() {
            let texts = patterns.into_iter().map(|(text, _)| text).collect();
            let pattern = Pattern::new(texts);
            let is_text = simple.sort() == Sort::STRING;
            if !is_text || pattern.matches("").is_none() {
                self.unsupported(
                    "such a pattern",
                    "left out: its values are not checked",
                    span,
                );
            } else if let Some(words) = pattern.words() {
                let words = words.iter().filter_map(|word| simple.read(word).ok());
                let mut words: Vec<Value> = words.collect();
                if let Some(old) = &simple.facets.enumeration {
                    words.retain(|value| old.contains(value));
                }
                simple.facets.enumeration = Some(words);
            }
            simple.facets.patterns.push(pattern);
        }
        if !listed.is_empty() {
            if let Some(old) = &simple.facets.enumeration {
                listed.retain(|value| old.contains(value));
            }
            simple.facets.enumeration = Some(listed);
        }
    }
}

impl Builder<'_, '_> {
    /// The type with `fixed` of an element or attribute as its only value; what holds elements has none.
    pub(super) fn fixed(&mut self, element: Element<'_>, holds: TypeId) -> TypeId {
        let (Some(text), Shape::Simple(simple)) =
            (element.attribute("fixed"), &self.schema.get(holds).shape)
        else {
            return holds;
        };
        let mut simple = simple.clone();
        match simple.read(text) {
            Ok(value) => {
                simple.facets.enumeration = Some(vec![value]);
                let sort = simple.sort();
                self.add(None, Some(element.span()), Shape::Simple(simple), sort)
            }
            Err(_) => {
                let expected = format!("a value of `{}`", simple.builtin);
                self.library.report(unusable_facet::diagnostic(
                    "fixed",
                    text,
                    &expected,
                    element.attribute_span("fixed"),
                ));
                holds
            }
        }
    }
}

/// A text of which nothing is known.
pub(super) fn any_text() -> SimpleType {
    SimpleType {
        builtin: "string".into(),
        primitive: super::Primitive::Text,
        whitespace: Whitespace::Preserve,
        facets: super::Facets::default(),
    }
}
