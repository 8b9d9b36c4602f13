//! What a JSON Schema says about a value, as far as messages can carry it.
//!
//! A schema, what it refers to and the parts of its `allOf` are one set of [`Facets`]; a [`Shape`] is what remains of
//! them.
//! Optional properties are not unfolded, and a schema that contains itself is cut, so that every shape is finite.

mod facets;

use crate::library::{At, Library};
use crate::lost::{LostList, Reason};
pub(crate) use facets::FORMATS;
use facets::Facets;

/// Which way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// To the service.
    Request,
    /// From the service.
    Response,
}

/// The values of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Scalar(Scalar),
    /// An object with these properties.
    Object(Vec<Property>),
    List(ListShape),
    /// Nothing that a message can carry; the reason was noted.
    Unknown,
}

impl Shape {
    /// A scalar of which nothing is known.
    pub(crate) fn text() -> Shape {
        Shape::Scalar(Scalar {
            basic: Basic::String,
            values: Vec::new(),
            limits: Vec::new(),
            format: None,
            pattern: None,
            examples: Vec::new(),
            name: None,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) basic: Basic,
    /// The only values, if the schema lists them.
    pub(crate) values: Vec<Literal>,
    pub(crate) limits: Vec<Limit>,
    pub(crate) format: Option<String>,
    /// A regular expression, and where it is.
    pub(crate) pattern: Option<(String, At)>,
    pub(crate) examples: Vec<String>,
    /// The name under which the description declares the schema.
    pub(crate) name: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) at: At,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListShape {
    pub(crate) item: Box<Shape>,
    pub(crate) least: Option<u64>,
    pub(crate) most: Option<u64>,
}

/// A type without parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basic {
    Bool,
    Int,
    Real,
    String,
}

/// A value that a schema writes down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
}

/// A bound of a number or of the length of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Limit {
    AtLeast(String),
    Above(String),
    AtMost(String),
    Below(String),
    MultipleOf(String),
    LengthAtLeast(u64),
    LengthAtMost(u64),
}

/// How deep the schemas of one message are unfolded.
const DEEPEST: usize = 12;

/// How many schemas are unfolded for one message.
const MOST_VISITS: usize = 5_000;

/// Reads the schemas of one message.
pub(crate) struct Schemas<'l, 'a> {
    pub(crate) library: &'l mut Library<'a>,
    pub(crate) lost: &'l mut LostList,
    pub(crate) way: Way,
    /// Optional properties are taken along.
    pub(crate) optional: bool,
    /// The schemas around the one that is read.
    around: Vec<At>,
    visits: usize,
}

impl<'l, 'a> Schemas<'l, 'a> {
    pub(crate) fn new(
        library: &'l mut Library<'a>,
        lost: &'l mut LostList,
        way: Way,
        optional: bool,
    ) -> Schemas<'l, 'a> {
        Schemas {
            library,
            lost,
            way,
            optional,
            around: Vec::new(),
            visits: 0,
        }
    }

    pub(crate) fn shape(&mut self, at: At, name: &str) -> Shape {
        self.visits += 1;
        let Some(target) = self.library.follow(at) else {
            return Shape::Unknown;
        };
        let why = if self.around.contains(&target) {
            Some(Reason::ContainsItself)
        } else if self.around.len() >= DEEPEST {
            Some(Reason::TooDeep)
        } else if self.visits > MOST_VISITS {
            Some(Reason::TooLarge)
        } else {
            None
        };
        if let Some(why) = why {
            self.lost.note(at, name, why);
            return Shape::Unknown;
        }
        self.around.push(target);
        let facets = Facets::of(self, at, name);
        let shape = self.shape_of(facets, at, name);
        self.around.pop();
        shape
    }

    fn shape_of(&mut self, facets: Facets, at: At, name: &str) -> Shape {
        match facets.kind().as_deref() {
            Some("object") => self.object(facets, name),
            Some("array") => match facets.items {
                Some(items) => Shape::List(ListShape {
                    item: Box::new(self.shape(items, &format!("{name}[]"))),
                    least: facets.least,
                    most: facets.most,
                }),
                None => {
                    self.lost.note(at, name, Reason::AnyItems);
                    Shape::Unknown
                }
            },
            Some("boolean") => facets.scalar(Basic::Bool),
            Some("integer") => facets.scalar(Basic::Int),
            Some("number") => facets.scalar(Basic::Real),
            Some("string") => facets.scalar(Basic::String),
            _ => {
                if let Some(common) = facets.common {
                    return common;
                }
                let why = match facets.types.as_deref() {
                    Some([_, _, ..]) => Reason::SeveralTypes,
                    _ => Reason::AnyValue,
                };
                self.lost.note(at, name, why);
                Shape::Unknown
            }
        }
    }

    fn object(&mut self, facets: Facets, name: &str) -> Shape {
        let mut found: Vec<Property> = Vec::new();
        for (property, at) in &facets.properties {
            let below = format!("{name}.{property}");
            let Some(target) = self.library.follow(*at) else {
                continue;
            };
            let is_foreign = match self.way {
                Way::Request => self.library.is_true(target, "readOnly"),
                Way::Response => self.library.is_true(target, "writeOnly"),
            };
            if is_foreign || found.iter().any(|it| it.name == *property) {
                continue;
            }
            if !facets.required.contains(property) && !self.optional {
                self.lost.note(*at, &below, Reason::Optional);
                continue;
            }
            if self.way == Way::Response && self.may_be_null(target) {
                self.lost.note(*at, &below, Reason::Nullable);
                continue;
            }
            found.push(Property {
                name: property.clone(),
                shape: self.shape(*at, &below),
                at: *at,
            });
        }
        for property in &facets.required {
            if !facets.properties.iter().any(|(it, _)| it == property)
                && let Some(at) = facets.at
            {
                self.lost
                    .note(at, &format!("{name}.{property}"), Reason::NotDescribed);
            }
        }
        if let Some(Shape::Object(common)) = facets.common {
            for property in common {
                if !found.iter().any(|it| it.name == property.name) {
                    found.push(property);
                }
            }
        }
        Shape::Object(found)
    }

    /// `nullable`, or a type or an alternative that is `null`.
    fn may_be_null(&mut self, at: At) -> bool {
        if self.library.is_true(at, "nullable") {
            return true;
        }
        let is_null = |library: &Library<'_>, at: At| {
            let named = library.raw(at, "type");
            named.is_some_and(|it| {
                let mut names = library.items(it);
                names.push(it);
                names.iter().any(|it| library.text(*it) == Some("null"))
            })
        };
        if is_null(self.library, at) {
            return true;
        }
        let alternatives = ["oneOf", "anyOf"].map(|key| self.library.raw(at, key));
        let alternatives: Vec<At> = alternatives
            .into_iter()
            .flatten()
            .flat_map(|it| self.library.items(it))
            .collect();
        alternatives.iter().any(|it| is_null(self.library, *it))
    }

    /// What all alternatives have in common, which is what one can rely on.
    fn common(&mut self, alternatives: &[At], name: &str) -> Option<Shape> {
        let mut shapes = Vec::new();
        for alternative in alternatives {
            shapes.push(self.shape(*alternative, name));
        }
        let mut shapes = shapes.into_iter();
        let first = shapes.next()?;
        shapes.try_fold(first, |left, right| match (left, right) {
            (Shape::Object(left), Shape::Object(right)) => {
                let shared = left.into_iter().filter_map(|property| {
                    let other = right.iter().find(|it| it.name == property.name)?;
                    let shape = widened(property.shape, other.shape.clone())?;
                    Some(Property { shape, ..property })
                });
                Some(Shape::Object(shared.collect()))
            }
            (left, right) => widened(left, right),
        })
    }
}

/// The values of both.
fn widened(left: Shape, right: Shape) -> Option<Shape> {
    match (left, right) {
        (Shape::Scalar(left), Shape::Scalar(right)) if left.basic == right.basic => {
            let mut values = left.values;
            if values.is_empty() || right.values.is_empty() {
                values.clear();
            } else {
                values.extend(
                    right
                        .values
                        .into_iter()
                        .filter(|it| !values.contains(it))
                        .collect::<Vec<_>>(),
                );
            }
            Some(Shape::Scalar(Scalar {
                basic: left.basic,
                values,
                limits: Vec::new(),
                format: left.format.filter(|it| right.format.as_ref() == Some(it)),
                pattern: None,
                examples: left.examples,
                name: None,
            }))
        }
        (left, right) => (left == right).then_some(left),
    }
}
