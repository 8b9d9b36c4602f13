//! Types, and the heads of choreographies and roles.

use choros_data::{Sort, SortKind, TermKind, Terms, Value};
use choros_model::stg::{Direction, Role, Stg};

use super::NotWritable;
use super::names::{VariableNames, fixed};

/// The types that graphs need.
#[derive(Default)]
pub(super) struct Declarations {
    types: Vec<Sort>,
}

impl Declarations {
    pub(super) fn collect(&mut self, stg: &Stg, terms: &Terms) -> Result<(), NotWritable> {
        let mut sorts: Vec<Sort> = stg
            .variables(terms)
            .into_iter()
            .map(|variable| terms.variable_sort(variable))
            .collect();
        let ends = stg.nodes().iter().flat_map(|node| &node.terminations);
        let mut roots: Vec<_> = ends.map(|termination| termination.guard).collect();
        for edge in stg.edges() {
            roots.push(edge.guard);
            roots.extend(edge.event.free_terms());
            roots.extend(edge.updates.iter().map(|update| update.value));
        }
        for root in roots {
            for term in terms.postorder([root]) {
                sorts.push(terms.sort_of(term));
                if let TermKind::Constant(Value::Atom { sort, .. }) = terms.kind(term)
                    && *sort != Sort::SYMBOL
                {
                    let sort = terms.sort_text(*sort);
                    let reason = format!("values of the type {sort} have no names in it");
                    return Err(NotWritable::because(reason));
                }
            }
        }
        for sort in sorts {
            self.add(sort, terms)?;
        }
        Ok(())
    }

    /// Sorts are finite trees whose depth their readers limit.
    fn add(&mut self, sort: Sort, terms: &Terms) -> Result<(), NotWritable> {
        if self.types.contains(&sort) || sort == Sort::SYMBOL {
            return Ok(());
        }
        match terms.sort_kind(sort) {
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::String => {}
            SortKind::List(element) => self.add(*element, terms)?,
            SortKind::Record(fields) => {
                for (_, field) in fields.clone() {
                    self.add(field, terms)?;
                }
            }
            SortKind::Uninterpreted(name) | SortKind::Enumeration { name, .. } => {
                fixed(*name, terms)?;
                self.types.push(sort);
            }
        }
        Ok(())
    }

    pub(super) fn text(&self, terms: &Terms) -> String {
        let mut text = String::new();
        for &sort in &self.types {
            text.push_str(&format!("type {}", terms.sort_text(sort)));
            if let SortKind::Enumeration { constructors, .. } = terms.sort_kind(sort) {
                let values: Vec<&str> = constructors
                    .iter()
                    .map(|&value| terms.names.text(value))
                    .collect();
                text.push_str(&format!(" = {}", values.join(" | ")));
            }
            text.push('\n');
        }
        text
    }
}

/// `choreography Shop[b, v](limit: Int)` or `role b[v]`.
pub(super) fn head(stg: &Stg, names: &VariableNames, terms: &Terms) -> Result<String, NotWritable> {
    let own = owner(stg, terms)?;
    let partners: Vec<&str> = stg
        .roles()
        .into_iter()
        .filter(|&role| Some(role) != own)
        .map(|role| fixed(role.0, terms))
        .collect::<Result<_, _>>()?;
    let name = terms.names.get(stg.name()).map(|name| fixed(name, terms));
    let name = match name {
        Some(Ok(name)) => name,
        _ => {
            let reason = format!("`{}` is not a valid name in it", stg.name());
            return Err(NotWritable::because(reason));
        }
    };
    let mut head = match own {
        None => format!("choreography {name}"),
        Some(role) => {
            let role = fixed(role.0, terms)?;
            if role == name {
                format!("role {name}")
            } else {
                format!("role {name} plays {role}")
            }
        }
    };
    head.push_str(&format!("[{}]", partners.join(", ")));
    let parameters: Vec<String> = stg
        .parameters(terms)
        .into_iter()
        .map(|variable| {
            let sort = terms.sort_text(terms.variable_sort(variable));
            format!("{}: {sort}", names.variable(variable, terms))
        })
        .collect();
    if !parameters.is_empty() {
        head.push_str(&format!("({})", parameters.join(", ")));
    }
    Ok(head)
}

/// The role whose view a graph is; `None` for a choreography.
fn owner(stg: &Stg, terms: &Terms) -> Result<Option<Role>, NotWritable> {
    let mut owners: Vec<Option<Role>> = Vec::new();
    for message in stg.messages() {
        let owner = match message.direction {
            Direction::Interaction => None,
            Direction::Send => Some(message.from),
            Direction::Receive => Some(message.to),
        };
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    match owners[..] {
        // A role that does nothing is called as it is.
        [] => Ok(terms.names.get(stg.name()).map(Role)),
        [only] => Ok(only),
        _ => Err(NotWritable::because("it holds the views of several roles")),
    }
}
