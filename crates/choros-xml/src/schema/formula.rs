//! What the values of a type obey, as a formula.
//!
//! Lists are unfolded to [`UNFOLDED`] elements: of the elements beyond, the formula says nothing.
//! So it never excludes a value that the schema allows; that it may allow a long list with a bad element at its end is
//! caught by the computation on values (`check`) before anything is sent.

use choros_data::{Op, Sort, SortKind, Term, Terms, Value, Var};

use super::Schema;
use super::types::{
    ComplexType, Content, ElementField, GroupKind, Occurs, Particle, Shape, TypeId,
};

/// How many elements of a list formulas speak of, one by one.
pub const UNFOLDED: usize = 4;

impl Schema {
    /// The formula that says of a term of the type's sort what its values obey; `true` when the sort says it all.
    pub fn formula(&self, terms: &mut Terms, id: TypeId, subject: Term) -> Term {
        match &self.get(id).shape {
            Shape::Simple(simple) => simple.facets.formula(terms, subject),
            Shape::Complex(complex) => self.complex_formula(terms, complex, subject),
        }
    }

    /// The same as a variable and a closed formula over it alone; `None` when the sort says it all.
    pub fn constraint(&self, terms: &mut Terms, id: TypeId, variable: &str) -> Option<(Var, Term)> {
        let name = terms.names.intern(variable);
        let variable = terms.variable(name, self.get(id).sort);
        let subject = terms.var(variable);
        let formula = self.formula(terms, id, subject);
        let formula = terms.close(formula);
        (formula != Term::TRUE).then_some((variable, formula))
    }

    fn complex_formula(&self, terms: &mut Terms, complex: &ComplexType, subject: Term) -> Term {
        let mut parts = Vec::new();
        for attribute in &complex.attributes {
            let field = field_at(terms, subject, attribute.position);
            if attribute.is_required {
                parts.push(self.formula(terms, attribute.holds, field))
            } else {
                let at_most_one = Occurs {
                    min: 0,
                    max: Some(1),
                };
                parts.push(occurrences(terms, field, at_most_one));
                parts.push(self.each(terms, attribute.holds, field, Some(1)));
            }
        }
        match &complex.content {
            Content::Text(simple) => {
                let field = field_at(terms, subject, complex.attributes.len());
                parts.push(simple.facets.formula(terms, field));
            }
            Content::Elements { fields, particle } => {
                parts.push(valid(terms, fields, particle, subject));
                for element in fields {
                    let field = field_at(terms, subject, element.position);
                    parts.push(if element.is_list {
                        self.each(terms, element.holds, field, element.occurs.max)
                    } else {
                        self.formula(terms, element.holds, field)
                    });
                }
            }
        }
        terms.and(parts)
    }

    /// What each of the first elements of a list obeys.
    fn each(&self, terms: &mut Terms, holds: TypeId, list: Term, most: Option<u32>) -> Term {
        let most = most.map_or(UNFOLDED, |most| (most as usize).min(UNFOLDED));
        let length = terms.length(list);
        let mut parts = Vec::new();
        for index in 0..most {
            let position = terms.constant(Value::int(index));
            let item = terms.index(list, position);
            let obeys = self.formula(terms, holds, item);
            if obeys == Term::TRUE {
                // The others obey nothing either.
                return Term::TRUE;
            }
            let is_there = terms.compare(Op::Less, position, length);
            // A branch that is not taken need not be defined.
            parts.push(terms.if_then_else(is_there, obeys, Term::TRUE));
        }
        terms.and(parts)
    }
}

/// The field of a record term by position.
pub fn field_at(terms: &mut Terms, record: Term, position: usize) -> Term {
    let SortKind::Record(fields) = terms.sort_kind(terms.sort_of(record)) else {
        return record;
    };
    match fields.get(position) {
        Some(&(label, _)) => terms.field(record, label).unwrap_or(record),
        None => record,
    }
}

/// `min <= length(list) <= max`.
fn occurrences(terms: &mut Terms, list: Term, occurs: Occurs) -> Term {
    let length = terms.length(list);
    bounds(terms, length, occurs)
}

fn bounds(terms: &mut Terms, count: Term, occurs: Occurs) -> Term {
    let (min, max) = (occurs.min, occurs.max);
    if max == Some(min) {
        let exactly = terms.constant(Value::int(min));
        return terms.equal(count, exactly);
    }
    let mut parts = Vec::new();
    if min > 0 {
        let min = terms.constant(Value::int(min));
        parts.push(terms.compare(Op::GreaterEqual, count, min));
    }
    if let Some(max) = max {
        let max = terms.constant(Value::int(max));
        parts.push(terms.compare(Op::LessEqual, count, max));
    }
    terms.and(parts)
}

/// Whether the elements occur as often as a particle allows.
fn valid(terms: &mut Terms, fields: &[ElementField], particle: &Particle, subject: Term) -> Term {
    match particle {
        Particle::Element(index) => {
            let element = &fields[*index];
            if !element.is_list {
                return Term::TRUE;
            }
            let list = field_at(terms, subject, element.position);
            let occurs = if element.is_nillable {
                Occurs {
                    min: 0,
                    ..element.occurs
                }
            } else {
                element.occurs
            };
            occurrences(terms, list, occurs)
        }
        Particle::Group {
            kind,
            occurs,
            parts,
        } if occurs.max != Some(1) => {
            let lengths: Vec<Term> = parts
                .iter()
                .flat_map(|part| positions(part, fields))
                .map(|position| {
                    let list = field_at(terms, subject, position);
                    terms.length(list)
                })
                .collect();
            match (kind, &lengths[..]) {
                (_, []) => Term::TRUE,
                (GroupKind::Choice, all) => {
                    let sum = terms.arithmetic_of_many(Op::Add, all);
                    bounds(terms, sum, *occurs)
                }
                (_, [first, others @ ..]) => {
                    let mut formulas = vec![bounds(terms, *first, *occurs)];
                    for &other in others {
                        formulas.push(terms.equal(*first, other));
                    }
                    terms.and(formulas)
                }
            }
        }
        Particle::Group {
            kind,
            occurs,
            parts,
        } => {
            let once = match kind {
                GroupKind::Sequence | GroupKind::All => {
                    let parts: Vec<Term> = parts
                        .iter()
                        .map(|part| valid(terms, fields, part, subject))
                        .collect();
                    terms.and(parts)
                }
                GroupKind::Choice if parts.is_empty() => Term::TRUE,
                GroupKind::Choice => {
                    let alternatives: Vec<Term> = (0..parts.len())
                        .map(|chosen| {
                            let mut formulas = vec![valid(terms, fields, &parts[chosen], subject)];
                            for (index, other) in parts.iter().enumerate() {
                                if index != chosen {
                                    formulas.push(absent(terms, fields, other, subject));
                                }
                            }
                            terms.and(formulas)
                        })
                        .collect();
                    terms.or(alternatives)
                }
            };
            if occurs.min > 0 || once == Term::TRUE {
                return once;
            }
            let none = absent(terms, fields, particle, subject);
            terms.or([none, once])
        }
    }
}

/// No element of the particle occurs.
fn absent(terms: &mut Terms, fields: &[ElementField], particle: &Particle, subject: Term) -> Term {
    let parts: Vec<Term> = positions(particle, fields)
        .into_iter()
        .map(|position| {
            let list = field_at(terms, subject, position);
            match terms.sort_kind(terms.sort_of(list)) {
                SortKind::List(_) => {
                    let length = terms.length(list);
                    let zero = terms.int(0);
                    terms.equal(length, zero)
                }
                _ => Term::FALSE,
            }
        })
        .collect();
    debug_assert!(parts.iter().all(|&part| terms.sort_of(part) == Sort::BOOL));
    terms.and(parts)
}

/// The positions in the record of the elements of a particle.
fn positions(particle: &Particle, fields: &[ElementField]) -> Vec<usize> {
    match particle {
        Particle::Element(index) => vec![fields[*index].position],
        Particle::Group { parts, .. } => parts
            .iter()
            .flat_map(|part| positions(part, fields))
            .collect(),
    }
}
