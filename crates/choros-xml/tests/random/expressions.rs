//! Random expressions over a type.

use choros_data::Sort;
use choros_testkit::Random;
use choros_xml::schema::{Schema, Shape, TypeId};

/// A path from a type, its text, and the sort of the text at its end (`None` when it holds elements).
fn path(random: &mut Random, schema: &Schema, from: TypeId) -> (String, Option<Sort>) {
    let mut text = String::new();
    let mut at = from;
    loop {
        match &schema.get(at).shape {
            Shape::Simple(simple) => return (text, Some(simple.sort())),
            Shape::Complex(complex) => {
                if let (Some((simple, _)), true) = (complex.text(), random.percent(50)) {
                    if random.percent(50) {
                        text.push_str("/text()");
                    }
                    return (text, Some(simple.sort()));
                }
                let (elements, attributes) = (complex.elements(), &complex.attributes);
                if elements.is_empty() && attributes.is_empty() || random.percent(8) {
                    let sort = complex.text().map(|(simple, _)| simple.sort());
                    return (text, sort);
                }
                let chosen = random.below(elements.len() + attributes.len());
                match elements.get(chosen) {
                    Some(element) => {
                        let prefix = match &*element.name.namespace {
                            "" => "",
                            _ => "t:",
                        };
                        text.push_str(&format!("/{prefix}{}", element.name.local));
                        at = element.holds;
                        text.push_str(random.pick::<&str>(&[
                            "",
                            "",
                            "",
                            "",
                            "[1]",
                            "[2]",
                            "[last()]",
                            "[position() < 3]",
                            "[position() = last()]",
                        ]));
                        if random.percent(10) {
                            let inner = relative(random, schema, at);
                            text.push_str(&inner);
                        }
                    }
                    None => {
                        let attribute = &attributes[chosen - elements.len()];
                        text.push_str(&format!("/@{}", attribute.name.local));
                        at = attribute.holds;
                    }
                }
            }
        }
    }
}

/// A predicate that compares something inside a node.
fn relative(random: &mut Random, schema: &Schema, at: TypeId) -> String {
    let (inner, sort) = path(random, schema, at);
    let inner = inner.strip_prefix('/').unwrap_or(".");
    match literal(random, sort) {
        Some(literal) => format!("[{inner} {} {literal}]", comparison(random)),
        None => format!("[{inner}]"),
    }
}

fn literal(random: &mut Random, sort: Option<Sort>) -> Option<String> {
    Some(match sort? {
        Sort::STRING => (*random.pick(&["'a'", "'red'", "''", "'1'"])).to_owned(),
        Sort::BOOL => (*random.pick(&["'true'", "'false'", "true()", "'x'"])).to_owned(),
        Sort::INT => match random.below(4) {
            0 => format!("'{}'", random.between(-3, 6)),
            1 => "2.5".to_owned(),
            _ => random.between(-3, 6).to_string(),
        },
        _ => (*random.pick(&["2.5", "0", "-3", "'1'", "0.125"])).to_owned(),
    })
}

fn comparison(random: &mut Random) -> &'static str {
    random.pick::<&str>(&["=", "!=", "<", "<=", ">", ">="])
}

/// A condition over `$x`.
pub(crate) fn condition(
    random: &mut Random,
    schema: &Schema,
    holds: TypeId,
    depth: usize,
) -> String {
    if depth > 0 && random.percent(40) {
        let one = condition(random, schema, holds, depth - 1);
        let two = condition(random, schema, holds, depth - 1);
        return match random.below(3) {
            0 => format!("({one} and {two})"),
            1 => format!("({one} or {two})"),
            _ => format!("not({one})"),
        };
    }
    let (inner, sort) = path(random, schema, holds);
    let (other, _) = path(random, schema, holds);
    let (inner, other) = (format!("$x{inner}"), format!("$x{other}"));
    let op = comparison(random);
    let number = random.between(-3, 6);
    match random.below(9) {
        0 => format!("count({inner}) {op} {}", random.below(4)),
        1 => inner,
        2 => format!("{inner} {op} {other}"),
        3 => match sort {
            Some(sort) if sort.is_number() => {
                let arithmetic = random.pick(&["+ 1", "- 2", "* 3", "div 2", "mod 3", "div 0"]);
                format!("{inner} {arithmetic} {op} {number}")
            }
            Some(Sort::STRING) => format!("string-length({inner}) {op} {number}"),
            _ => format!("boolean({inner})"),
        },
        4 => match sort {
            Some(Sort::STRING) => format!("starts-with({inner}, 'a')"),
            Some(sort) if sort.is_number() => format!("sum({inner}) {op} {number}"),
            _ => format!("not({inner})"),
        },
        5 => match sort {
            Some(Sort::STRING) => format!("contains(concat({inner}, 'a'), '1')"),
            Some(Sort::INT) => format!(
                "{}({inner} div 4) {op} {number}",
                random.pick(&["floor", "ceiling", "round"])
            ),
            _ => format!("string({inner}) = 'true'"),
        },
        _ => match literal(random, sort) {
            Some(literal) => {
                if random.percent(50) {
                    format!("{inner} {op} {literal}")
                } else {
                    format!("{literal} {op} {inner}")
                }
            }
            None => inner,
        },
    }
}
