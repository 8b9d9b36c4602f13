//! What a schema, its reference and its parts say together.

use super::{Basic, Limit, Literal, Scalar, Schemas, Shape, Way};
use crate::library::{At, Library};
use crate::lost::Reason;

#[derive(Debug, Default)]
pub(super) struct Facets {
    /// Where the schema is.
    pub(super) at: Option<At>,
    /// The types that all parts allow, without `null`; none if no part says.
    pub(super) types: Option<Vec<String>>,
    pub(super) properties: Vec<(String, At)>,
    pub(super) required: Vec<String>,
    pub(super) items: Option<At>,
    pub(super) least: Option<u64>,
    pub(super) most: Option<u64>,
    /// What the alternatives of a response share.
    pub(super) common: Option<Shape>,
    values: Option<Vec<Literal>>,
    limits: Vec<Limit>,
    format: Option<String>,
    pattern: Option<(String, At)>,
    examples: Vec<String>,
    name: Option<String>,
}

/// Keys that say nothing about values, or that are read elsewhere.
const HARMLESS: &[&str] = &[
    "$ref",
    "$schema",
    "$id",
    "$anchor",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "summary",
    "default",
    "deprecated",
    "nullable",
    "readOnly",
    "writeOnly",
    "externalDocs",
    "xml",
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "format",
    "example",
    "examples",
    "allOf",
    "oneOf",
    "anyOf",
    "discriminator",
    "additionalProperties",
    "unevaluatedProperties",
];

impl Facets {
    /// All that is said about a value.
    pub(super) fn of(schemas: &mut Schemas<'_, '_>, at: At, name: &str) -> Facets {
        let mut facets = Facets {
            at: Some(at),
            ..Facets::default()
        };
        let mut open = vec![at];
        let mut seen: Vec<At> = Vec::new();
        while let Some(part) = open.pop() {
            if seen.contains(&part) {
                continue;
            }
            seen.push(part);
            schemas.visits += 1;
            if let Some(reference) = schemas.library.text_at(part, "$ref") {
                let last = reference.rsplit('/').next().unwrap_or_default();
                facets.name.get_or_insert_with(|| last.to_owned());
                open.extend(schemas.library.follow(part));
            }
            facets.absorb(schemas, part, name);
            let parts = schemas.library.raw(part, "allOf");
            let mut parts = parts.map_or_else(Vec::new, |it| schemas.library.items(it));
            parts.reverse();
            open.extend(parts);
            for key in ["oneOf", "anyOf"] {
                let Some(list) = schemas.library.raw(part, key) else {
                    continue;
                };
                open.extend(facets.alternative(schemas, list, key, name));
            }
        }
        facets
    }

    /// What is taken of several alternatives: the only one; the first of a request; the common part of a response.
    fn alternative(
        &mut self,
        schemas: &mut Schemas<'_, '_>,
        list: At,
        key: &str,
        name: &str,
    ) -> Option<At> {
        let mut alternatives = schemas.library.items(list);
        alternatives.retain(|it| schemas.library.text_at(*it, "type").as_deref() != Some("null"));
        match (alternatives.as_slice(), schemas.way) {
            ([], _) => None,
            ([only], _) => Some(*only),
            ([first, ..], Way::Request) => {
                schemas
                    .lost
                    .note(list, &format!("{key} of {name}"), Reason::FirstAlternative);
                Some(*first)
            }
            (several, Way::Response) => {
                schemas
                    .lost
                    .note(list, &format!("{key} of {name}"), Reason::CommonPart);
                self.common = schemas.common(several, name);
                if let Some(Shape::Object(_)) = self.common {
                    self.restrict(vec!["object".to_owned()]);
                }
                None
            }
        }
    }

    fn absorb(&mut self, schemas: &mut Schemas<'_, '_>, at: At, name: &str) {
        let library = &*schemas.library;
        for (key, value) in library.entries(at) {
            match key.as_str() {
                "type" => {
                    let mut names: Vec<String> = library
                        .items(value)
                        .iter()
                        .filter_map(|it| library.text(*it))
                        .map(str::to_owned)
                        .collect();
                    names.extend(library.text(value).map(str::to_owned));
                    names.retain(|it| it != "null");
                    self.restrict(names);
                }
                "properties" => self.properties.extend(library.entries(value)),
                "required" => self.required.extend(
                    library
                        .items(value)
                        .iter()
                        .filter_map(|it| library.text(*it))
                        .map(str::to_owned),
                ),
                "items" if library.is_map(value) => self.items = Some(value),
                "enum" => self.narrow(literals(library, &library.items(value))),
                "const" => self.narrow(literals(library, &[value])),
                "minLength" => self.limits.extend(
                    count(library, value)
                        .filter(|it| *it > 0)
                        .map(Limit::LengthAtLeast),
                ),
                "maxLength" => self
                    .limits
                    .extend(count(library, value).map(Limit::LengthAtMost)),
                "minItems" => self.least = count(library, value),
                "maxItems" => self.most = count(library, value),
                "multipleOf" => self.limits.extend(
                    library
                        .number(value)
                        .map(|it| Limit::MultipleOf(it.to_owned())),
                ),
                "format" => self.format = library.text(value).map(str::to_owned),
                "pattern" if self.pattern.is_none() => {
                    let text = library.text(value).map(str::to_owned);
                    self.pattern = text.map(|text| (text, value));
                }
                "example" => self.examples.extend(library.text(value).map(str::to_owned)),
                "examples" => self.examples.extend(
                    library
                        .items(value)
                        .iter()
                        .filter_map(|it| library.text(*it))
                        .map(str::to_owned),
                ),
                _ => {}
            }
        }
        self.bounds(library, at);
        for (key, value) in library.entries(at) {
            let why = match key.as_str() {
                // Two patterns together are more than is understood.
                "pattern" if self.pattern.as_ref().is_some_and(|it| it.1 != value) => {
                    Reason::Pattern
                }
                "pattern" => continue,
                "uniqueItems" if library.truth(value) == Some(true) => Reason::UniqueItems,
                "uniqueItems" => continue,
                "additionalProperties"
                    if library.is_map(value) && !library.entries(value).is_empty() =>
                {
                    Reason::FreeKeys
                }
                "patternProperties" => Reason::FreeKeys,
                key if HARMLESS.contains(&key) || key.starts_with("x-") => continue,
                _ => Reason::Keyword,
            };
            schemas.lost.note(value, &format!("{key} of {name}"), why);
        }
    }

    /// `minimum` and its kin, of 3.0 (where `exclusiveMinimum` is a switch) and of 3.1.
    fn bounds(&mut self, library: &Library<'_>, at: At) {
        let number = |key: &str| {
            let found = library.raw(at, key)?;
            library.number(found).map(str::to_owned)
        };
        let (least, most) = (number("minimum"), number("maximum"));
        self.limits.extend(least.map(|it| {
            if library.is_true(at, "exclusiveMinimum") {
                Limit::Above(it)
            } else {
                Limit::AtLeast(it)
            }
        }));
        self.limits
            .extend(number("exclusiveMinimum").map(Limit::Above));
        self.limits.extend(most.map(|it| {
            if library.is_true(at, "exclusiveMaximum") {
                Limit::Below(it)
            } else {
                Limit::AtMost(it)
            }
        }));
        self.limits
            .extend(number("exclusiveMaximum").map(Limit::Below));
    }

    fn restrict(&mut self, names: Vec<String>) {
        if names.is_empty() {
            return;
        }
        let Some(known) = &mut self.types else {
            self.types = Some(names);
            return;
        };
        // An integer is a number.
        let is_narrower = |it: &String| it == "number" && names.iter().any(|it| it == "integer");
        for it in known.iter_mut().filter(|it| is_narrower(it)) {
            *it = "integer".to_owned();
        }
        known.retain(|it| {
            names.contains(it) || it == "integer" && names.iter().any(|it| it == "number")
        });
    }

    fn narrow(&mut self, values: Vec<Literal>) {
        match &mut self.values {
            Some(known) => known.retain(|it| values.contains(it)),
            None => self.values = Some(values),
        }
    }

    /// The one type of the value, said or understood.
    pub(super) fn kind(&self) -> Option<String> {
        match self.types.as_deref() {
            Some([only]) => return Some(only.clone()),
            Some(_) => return None,
            None => {}
        }
        let values = self.values.as_deref().unwrap_or_default();
        let all = |is_one: fn(&Literal) -> bool| {
            !values.is_empty() && values.iter().all(|it| is_one(it) || *it == Literal::Null)
        };
        let kind = if !self.properties.is_empty() {
            "object"
        } else if self.items.is_some() {
            "array"
        } else if all(|it| matches!(it, Literal::Text(_)))
            || self.pattern.is_some()
            || self
                .limits
                .iter()
                .any(|it| matches!(it, Limit::LengthAtLeast(_) | Limit::LengthAtMost(_)))
            || self
                .format
                .as_deref()
                .is_some_and(|it| FORMATS.contains(&it))
        {
            "string"
        } else if all(|it| matches!(it, Literal::Bool(_))) {
            "boolean"
        } else if all(|it| matches!(it, Literal::Number(text) if !text.contains(['.', 'e', 'E']))) {
            "integer"
        } else if all(|it| matches!(it, Literal::Number(_))) || !self.limits.is_empty() {
            "number"
        } else {
            return None;
        };
        Some(kind.to_owned())
    }

    pub(super) fn scalar(self, basic: Basic) -> Shape {
        let mut values = self.values.unwrap_or_default();
        values.retain(|it| *it != Literal::Null);
        Shape::Scalar(Scalar {
            basic,
            values,
            limits: self.limits,
            format: self.format,
            pattern: self.pattern,
            examples: self.examples,
            name: self.name,
        })
    }
}

/// Formats of texts for which values can be made.
pub(crate) const FORMATS: &[&str] = &[
    "uuid",
    "date",
    "date-time",
    "time",
    "email",
    "uri",
    "hostname",
    "ipv4",
    "ipv6",
];

fn count(library: &Library<'_>, at: At) -> Option<u64> {
    library.number(at)?.parse().ok()
}

fn literals(library: &Library<'_>, items: &[At]) -> Vec<Literal> {
    let literal = |at: &At| {
        let text = library.text(*at).map(|it| Literal::Text(it.to_owned()));
        let number = || library.number(*at).map(|it| Literal::Number(it.to_owned()));
        let truth = || library.truth(*at).map(Literal::Bool);
        let null = || (!library.is_map(*at) && !library.is_list(*at)).then_some(Literal::Null);
        text.or_else(number).or_else(truth).or_else(null)
    };
    items.iter().filter_map(literal).collect()
}
