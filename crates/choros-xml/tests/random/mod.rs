//! Random schemas, values of their types, and expressions over them.

#![allow(dead_code, reason = "each test file uses some of it")]

pub(crate) mod expressions;

use std::fmt::Write as _;
use std::sync::Arc;

use choros_base::{MemorySources, SourceMap};
use choros_data::{Sort, SortKind, Terms, Value};
use choros_testkit::Random;
use choros_xml::document::{Library, QName};
use choros_xml::schema::{
    Content, ElementField, GroupKind, Particle, Schema, Shape, SimpleType, TypeId,
};
use choros_xml::wsdl::Definitions;
use num_rational::BigRational;

/// A schema with one element `root`, and its type.
pub(crate) struct World {
    pub(crate) text: String,
    pub(crate) terms: Terms,
    pub(crate) definitions: Definitions,
    pub(crate) root: QName,
    pub(crate) holds: TypeId,
}

/// Draws a schema; `None` when the drawn one has a mistake, which is not what is tested here.
pub(crate) fn world(random: &mut Random) -> Option<World> {
    world_of(schema_text(random))
}

/// The same for a schema that is given.
pub(crate) fn world_of(text: String) -> Option<World> {
    let mut files = MemorySources::default();
    files.add("s.xsd", text.as_str());
    let mut sources = SourceMap::new();
    let mut library = Library::new(&files, &mut sources);
    let mut terms = Terms::new();
    let mut definitions = Definitions::default();
    definitions.read(&mut library, "s.xsd", None);
    let root = QName::new("urn:s", "root");
    let place = library.load("s.xsd", None)?.root().span();
    let holds = definitions
        .schema
        .element_type(&mut library, &mut terms, &root, place);
    if choros_base::has_errors(&library.diagnostics) {
        panic!("{text}\n{:#?}", library.diagnostics);
    }
    Some(World {
        holds: holds?,
        text,
        terms,
        definitions,
        root,
    })
}

const SIMPLE: [&str; 9] = [
    "xs:string",
    "xs:int",
    "xs:boolean",
    "xs:decimal",
    "xs:double",
    "xs:token",
    "t:Colour",
    "t:Small",
    "t:Code",
];

fn schema_text(random: &mut Random) -> String {
    let form = *random.pick(&["qualified", "unqualified"]);
    let mut text = format!(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:t='urn:s' \
         targetNamespace='urn:s' elementFormDefault='{form}'>\n\
         <xs:simpleType name='Colour'><xs:restriction base='xs:string'>\
         <xs:enumeration value='red'/><xs:enumeration value='green'/></xs:restriction></xs:simpleType>\n\
         <xs:simpleType name='Small'><xs:restriction base='xs:int'><xs:minInclusive value='-2'/>\
         <xs:maxExclusive value='6'/></xs:restriction></xs:simpleType>\n\
         <xs:simpleType name='Code'><xs:restriction base='xs:string'><xs:minLength value='1'/>\
         <xs:maxLength value='3'/></xs:restriction></xs:simpleType>\n\
         <xs:complexType name='Price'><xs:simpleContent><xs:extension base='xs:decimal'>\
         <xs:attribute name='unit' type='xs:string' use='required'/></xs:extension></xs:simpleContent></xs:complexType>\n\
         <xs:element name='root'>"
    );
    let mut names = 0;
    complex(random, &mut text, 2, &mut names);
    text.push_str("</xs:element>\n</xs:schema>\n");
    text
}

fn complex(random: &mut Random, text: &mut String, depth: usize, names: &mut usize) {
    text.push_str("<xs:complexType>");
    group(random, text, depth, names, true);
    for _ in 0..random.below(3) {
        *names += 1;
        let _ = write!(
            text,
            "<xs:attribute name='n{names}' type='{}'{}/>",
            random.pick(&SIMPLE),
            random.pick(&["", " use='required'"])
        );
    }
    text.push_str("</xs:complexType>");
}

fn group(random: &mut Random, text: &mut String, depth: usize, names: &mut usize, is_outer: bool) {
    let kind = match (is_outer, random.below(5)) {
        (true, 0) => "all",
        (_, 1) => "choice",
        _ => "sequence",
    };
    let occurs = match random.below(6) {
        0 => " minOccurs='0'",
        1 if kind == "sequence" => " maxOccurs='3'",
        _ => "",
    };
    let _ = write!(text, "<xs:{kind}{occurs}>");
    for _ in 0..1 + random.below(3) {
        if depth > 0 && kind != "all" && occurs != " maxOccurs='3'" && random.percent(20) {
            group(random, text, depth - 1, names, false);
            continue;
        }
        *names += 1;
        let occurs = match (kind, occurs) {
            (_, " maxOccurs='3'") => "",
            ("all", _) => *random.pick(&["", " minOccurs='0'", " nillable='true'"]),
            _ => *random.pick(&[
                "",
                "",
                " minOccurs='0'",
                " maxOccurs='unbounded'",
                " minOccurs='2' maxOccurs='3'",
                " nillable='true'",
            ]),
        };
        if depth > 0 && random.percent(35) {
            let _ = write!(text, "<xs:element name='n{names}'{occurs}>");
            complex(random, text, depth - 1, names);
            text.push_str("</xs:element>");
        } else {
            let simple = if random.percent(15) {
                "t:Price"
            } else {
                random.pick(&SIMPLE)
            };
            let _ = write!(
                text,
                "<xs:element name='n{names}' type='{simple}'{occurs}/>"
            );
        }
    }
    let _ = write!(text, "</xs:{kind}>");
}

/// How values are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obedience {
    /// They obey the schema.
    Valid,
    /// They have the sort, and obey or not.
    Any,
}

/// A value of a type.
pub(crate) fn value(
    random: &mut Random,
    schema: &Schema,
    terms: &Terms,
    id: TypeId,
    obedience: Obedience,
) -> Value {
    let held = schema.get(id);
    match &held.shape {
        Shape::Simple(simple) => leaf(random, simple, obedience),
        Shape::Complex(complex) => {
            let SortKind::Record(sorts) = terms.sort_kind(held.sort) else {
                unreachable!("a complex type has a record sort");
            };
            let mut fields: Vec<Option<Value>> = vec![None; sorts.len()];
            for attribute in &complex.attributes {
                let mut one = || value(random, schema, terms, attribute.holds, obedience);
                fields[attribute.position] = Some(if attribute.is_required {
                    one()
                } else {
                    let first = one();
                    Value::List {
                        sort: sorts[attribute.position].1,
                        items: match random.below(2) {
                            0 => vec![],
                            _ => vec![first],
                        },
                    }
                });
            }
            match &complex.content {
                Content::Text(simple) => {
                    fields[complex.attributes.len()] = Some(leaf(random, simple, obedience));
                }
                Content::Elements {
                    fields: elements,
                    particle,
                } => {
                    let mut counts = vec![0; elements.len()];
                    match obedience {
                        Obedience::Valid => count(random, elements, particle, true, &mut counts),
                        Obedience::Any => {
                            counts.iter_mut().for_each(|it| *it = random.below(4));
                        }
                    }
                    for (element, &count) in elements.iter().zip(&counts) {
                        let one = |random: &mut Random| {
                            value(random, schema, terms, element.holds, obedience)
                        };
                        fields[element.position] = Some(if element.is_list {
                            Value::List {
                                sort: sorts[element.position].1,
                                items: (0..count).map(|_| one(random)).collect(),
                            }
                        } else {
                            one(random)
                        });
                    }
                }
            }
            Value::Record {
                sort: held.sort,
                fields: fields.into_iter().flatten().collect(),
            }
        }
    }
}

/// How often elements occur in a valid value.
fn count(
    random: &mut Random,
    fields: &[ElementField],
    particle: &Particle,
    is_there: bool,
    counts: &mut [usize],
) {
    match particle {
        Particle::Element(index) if is_there => {
            let field = &fields[*index];
            let least = if field.is_nillable {
                0
            } else {
                field.occurs.min as usize
            };
            let most = field
                .occurs
                .max
                .map_or(least + 2, |it| it as usize)
                .min(least + 2);
            counts[*index] = least + random.below(most - least + 1);
        }
        Particle::Element(_) => {}
        Particle::Group {
            occurs,
            parts,
            kind,
        } if occurs.max != Some(1) => {
            let least = occurs.min as usize;
            let most = occurs.max.map_or(least + 2, |it| it as usize);
            let times = if is_there {
                least + random.below(most - least + 1)
            } else {
                0
            };
            for part in parts {
                if let (Particle::Element(index), GroupKind::Sequence | GroupKind::All) =
                    (part, kind)
                {
                    counts[*index] = times;
                }
            }
        }
        Particle::Group {
            kind,
            occurs,
            parts,
        } => {
            let is_there = is_there && (occurs.min > 0 || random.percent(50));
            let chosen = random.below(parts.len().max(1));
            for (index, part) in parts.iter().enumerate() {
                let chosen = *kind != GroupKind::Choice || index == chosen;
                count(random, fields, part, is_there && chosen, counts);
            }
        }
    }
}

fn leaf(random: &mut Random, simple: &SimpleType, obedience: Obedience) -> Value {
    if let (Some(allowed), true) = (
        &simple.facets.enumeration,
        obedience == Obedience::Valid || random.percent(70),
    ) {
        return random.pick(allowed).clone();
    }
    match simple.sort() {
        Sort::BOOL => Value::Bool(random.percent(50)),
        Sort::INT if obedience == Obedience::Valid => Value::int(random.between(-2, 5)),
        Sort::INT => Value::int(random.between(-4, 8)),
        Sort::REAL => Value::Real(BigRational::new(
            random.between(-20, 20).into(),
            (*random.pick(&[1i64, 2, 5, 8])).into(),
        )),
        _ => {
            let longest = match obedience {
                Obedience::Valid => 3,
                Obedience::Any => 5,
            };
            let least = match obedience {
                Obedience::Valid => 1,
                Obedience::Any => 0,
            };
            let characters: &[char] = match &*simple.builtin {
                "token" => &['a', 'b', '<', '&', '"', 'é'],
                _ => &[
                    'a', '1', '<', '&', '"', ' ', '\n', '\r', '\t', 'é', ']', '>',
                ],
            };
            let length = least + random.below(longest - least + 1);
            let text: String = (0..length).map(|_| *random.pick(characters)).collect();
            Value::String(Arc::from(text))
        }
    }
}
