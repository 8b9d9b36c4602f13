//! What the programs of all roles share: roles, types and messages, with their names in the program.

use choros_base::Name;
use choros_data::{Sort, SortKind, Terms};
use choros_model::stg::{Field, FieldValue, Message, Operation, Role, Stg};

use crate::{Identifiers, NamingCase, TargetLanguage};

/// Names that the programs declare or import themselves.
const TYPES: [&str; 19] = [
    "ABC",
    "Default",
    "Endpoint",
    "Enum",
    "Failure",
    "Fraction",
    "Known",
    "Memory",
    "Message",
    "Network",
    "Payload",
    "Real",
    "Role",
    "Silence",
    "State",
    "Stuck",
    "Unexpected",
    "auto",
    "dataclass",
];

/// Names that are in use where the data of a message are taken apart.
pub(super) const LOCALS: [&str; 8] = [
    "chosen", "known", "message", "network", "options", "payload", "service", "state",
];

pub(super) struct Vocabulary {
    pub(super) language: TargetLanguage,
    pub(super) roles: Vec<RoleName>,
    /// Types that the program declares; a type follows those it is made of.
    pub(super) types: Vec<Type>,
    pub(super) payloads: Vec<Payload>,
    /// Whether there are numbers with fractions.
    pub(super) has_reals: bool,
    /// Sorts of lists and of their elements.
    lists: Vec<(Sort, Sort)>,
}

pub(super) struct RoleName {
    role: Role,
    /// As it is written in the model.
    pub(super) text: String,
    /// `BestBuyer`
    pub(super) name: String,
    /// `best_buyer`
    pub(super) module: String,
}

pub(super) struct Type {
    sort: Sort,
    pub(super) name: String,
    /// As it is written in the model.
    pub(super) text: String,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    /// Values about which only equality is known.
    Opaque,
    /// Named values: their name in the program and in the model.
    Enumeration(Vec<(String, String)>),
    Record(Vec<(String, Sort)>),
}

/// The data of a message.
pub(super) struct Payload {
    key: (Operation, Role, Role, Option<Name>, Vec<Sort>),
    pub(super) name: String,
    /// As it is written in the model.
    pub(super) text: String,
    pub(super) fields: Vec<(String, Sort)>,
}

impl Type {
    /// What the fields of a record are called in the model.
    pub(super) fn labels<'t>(&self, terms: &'t Terms) -> Vec<&'t str> {
        match terms.sort_kind(self.sort) {
            SortKind::Record(fields) => {
                let labels = fields.iter().map(|(label, _)| terms.names.text(*label));
                labels.collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Payload {
    /// Whether it is what this message carries.
    pub(super) fn is(&self, operation: Operation, from: Role, to: Role, sorts: &[Sort]) -> bool {
        let (own, sender, receiver, fault, carried) = &self.key;
        (*own, *sender, *receiver, &carried[..]) == (operation, from, to, sorts) && fault.is_none()
    }
}

impl Vocabulary {
    pub(super) fn of(
        projections: &[(Role, &Stg)],
        language: TargetLanguage,
        terms: &Terms,
    ) -> Self {
        let mut types = Identifiers::new(language);
        types.reserve(&TYPES);
        let mut modules = Identifiers::new(language);
        modules.reserve(&[
            "alloc", "core", "main", "messages", "network", "outside", "real", "std",
        ]);
        let mut role_names = Identifiers::new(language);
        role_names.reserve(&TYPES);
        let roles: Vec<RoleName> = projections
            .iter()
            .map(|&(role, _)| {
                let text = terms.names.text(role.0).to_owned();
                let name = role_names.name(NamingCase::Camel, &text);
                types.reserve(&[&name, &format!("{name}Service")]);
                RoleName {
                    role,
                    name,
                    module: modules.name(NamingCase::Snake, &text),
                    text,
                }
            })
            .collect();
        let mut vocabulary = Vocabulary {
            language,
            roles,
            types: Vec::new(),
            payloads: Vec::new(),
            has_reals: false,
            lists: Vec::new(),
        };
        for (_, stg) in projections {
            for sort in sorts(stg, terms) {
                vocabulary.add_sort(sort, &mut types, terms);
            }
        }
        // Variants of an enumeration in Rust, classes beside the types in Python.
        let mut payloads = match language {
            TargetLanguage::Rust => Identifiers::new(language),
            TargetLanguage::Python => types,
        };
        for (_, stg) in projections {
            for message in stg.messages() {
                vocabulary.add_payload(message, &mut payloads, terms);
            }
        }
        vocabulary
    }

    pub(super) fn role(&self, role: Role) -> &RoleName {
        match self.roles.iter().find(|known| known.role == role) {
            Some(known) => known,
            None => unreachable!("every partner of a role is a role of the choreography"),
        }
    }

    /// The type that was declared for a sort, if it has one.
    pub(super) fn declared(&self, sort: Sort) -> Option<&Type> {
        self.types.iter().find(|known| known.sort == sort)
    }

    /// What a sort is made of: itself, or the elements of a list.
    pub(super) fn innermost(&self, sort: Sort) -> Sort {
        let mut inner = sort;
        while let Some(&(_, element)) = self.lists.iter().find(|(list, _)| *list == inner) {
            inner = element;
        }
        inner
    }

    pub(super) fn payload(&self, message: &Message, terms: &Terms) -> usize {
        let key = key(message, terms);
        match self.payloads.iter().position(|known| known.key == key) {
            Some(position) => position,
            None => unreachable!("the payloads were collected from the same graphs"),
        }
    }

    /// Sorts are finite trees whose depth their readers limit.
    fn add_sort(&mut self, sort: Sort, names: &mut Identifiers, terms: &Terms) {
        if self.declared(sort).is_some() {
            return;
        }
        let text = terms.sort_text(sort);
        let (stem, shape) = match terms.sort_kind(sort) {
            SortKind::Bool | SortKind::Int | SortKind::String => return,
            SortKind::Real => {
                self.has_reals = true;
                return;
            }
            SortKind::List(element) => {
                self.lists.push((sort, *element));
                return self.add_sort(*element, names, terms);
            }
            SortKind::Uninterpreted(_) => (text.clone(), Shape::Opaque),
            SortKind::Enumeration { constructors, .. } => {
                let mut values = Identifiers::new(self.language);
                let values = constructors
                    .iter()
                    .map(|&constructor| {
                        let text = terms.names.text(constructor);
                        (values.name(NamingCase::Camel, text), text.to_owned())
                    })
                    .collect();
                (text.clone(), Shape::Enumeration(values))
            }
            SortKind::Record(fields) => {
                let mut labels = Identifiers::new(self.language);
                let mut stem = "Record".to_owned();
                let mut typed = Vec::new();
                for &(label, sort) in fields {
                    self.add_sort(sort, names, terms);
                    let label = terms.names.text(label);
                    stem.push('_');
                    stem.push_str(label);
                    typed.push((labels.name(NamingCase::Snake, label), sort));
                }
                (stem, Shape::Record(typed))
            }
        };
        let name = names.name(NamingCase::Camel, &stem);
        self.types.push(Type {
            sort,
            name,
            text,
            shape,
        });
    }

    fn add_payload(&mut self, message: &Message, names: &mut Identifiers, terms: &Terms) {
        let key = key(message, terms);
        if self.payloads.iter().any(|known| known.key == key) {
            return;
        }
        let operation = terms.names.text(message.operation.0);
        // The same operation between other roles may carry other data.
        let alike = |known: &&Payload| known.key.0 == message.operation;
        let mut others = self.payloads.iter().filter(alike);
        let (from, to) = (message.from, message.to);
        let [sender, receiver] = [from, to].map(|role| terms.names.text(role.0));
        let mut stem = match others.clone().next() {
            None => operation.to_owned(),
            Some(_) if others.all(|known| known.key.2 != to) => {
                format!("{operation}_to_{receiver}")
            }
            Some(_) => format!("{operation}_from_{sender}_to_{receiver}"),
        };
        if let Some(fault) = message.fault {
            stem = format!("{stem}_{}", terms.names.text(fault));
        }
        let mut text = message.heading(terms);
        if let Some(fault) = message.fault {
            text.push('#');
            text.push_str(terms.names.text(fault));
        }
        let identifier = NamingCase::Camel.of(&stem);
        let mut labels = Identifiers::new(self.language);
        labels.reserve(&LOCALS);
        let fields = message
            .fields
            .iter()
            .map(|field| {
                (
                    field_name(field, &mut labels, terms),
                    field_sort(field, terms),
                )
            })
            .collect();
        self.payloads.push(Payload {
            name: names.fresh(&identifier),
            text,
            key,
            fields,
        });
    }
}

/// What a field is called: by its label, or else by what it carries.
pub(super) fn field_name(field: &Field, names: &mut Identifiers, terms: &Terms) -> String {
    let stem = match (field.label, field.value) {
        (Some(label), _) => terms.names.text(label),
        (None, FieldValue::Bind(variable)) => terms.variable_text(variable),
        (None, FieldValue::Free(term)) => match terms.as_variable(term) {
            Some(variable) => terms.variable_text(variable),
            None => "value",
        },
    };
    names.fresh(&NamingCase::Snake.of(stem))
}

pub(super) fn field_sort(field: &Field, terms: &Terms) -> Sort {
    match field.value {
        FieldValue::Bind(variable) => terms.variable_sort(variable),
        FieldValue::Free(term) => terms.sort_of(term),
    }
}

fn key(message: &Message, terms: &Terms) -> (Operation, Role, Role, Option<Name>, Vec<Sort>) {
    let sorts = message
        .fields
        .iter()
        .map(|field| field_sort(field, terms))
        .collect();
    (
        message.operation,
        message.from,
        message.to,
        message.fault,
        sorts,
    )
}

/// The sorts of all that a graph speaks of.
fn sorts(stg: &Stg, terms: &Terms) -> Vec<Sort> {
    let mut found = Vec::new();
    let mut add = |sort: Sort| {
        if !found.contains(&sort) {
            found.push(sort);
        }
    };
    for variable in stg.variables(terms) {
        add(terms.variable_sort(variable));
    }
    let ends = stg.nodes().iter().flat_map(|node| &node.terminations);
    let mut roots: Vec<_> = ends.map(|termination| termination.guard).collect();
    for edge in stg.edges() {
        roots.push(edge.guard);
        roots.extend(edge.event.free_terms());
        roots.extend(edge.updates.iter().map(|update| update.value));
    }
    for root in roots {
        for term in terms.postorder([root]) {
            add(terms.sort_of(term));
        }
    }
    found
}
