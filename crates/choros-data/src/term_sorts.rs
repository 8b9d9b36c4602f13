//! The sorts of a store of terms.

use choros_base::Name;

use crate::{Sort, SortKind, Terms};

impl Terms {
    /// The sort of this kind.
    pub fn sort(&mut self, kind: SortKind) -> Sort {
        if let Some(&sort) = self.sort_ids.get(&kind) {
            return sort;
        }
        let sort = Sort(self.sorts.len() as u32);
        if let SortKind::Enumeration { constructors, .. } = &kind {
            for (index, &constructor) in constructors.iter().enumerate() {
                self.constructors
                    .entry(constructor)
                    .or_insert((sort, index as u32));
            }
        }
        self.sorts.push(kind.clone());
        self.sort_ids.insert(kind, sort);
        sort
    }

    /// What a sort is made of.
    pub fn sort_kind(&self, sort: Sort) -> &SortKind {
        &self.sorts[sort.index()]
    }

    /// Lists of an element sort.
    pub fn list_sort(&mut self, element: Sort) -> Sort {
        self.sort(SortKind::List(element))
    }

    /// The enumeration that a constructor belongs to and its position there.
    pub fn constructor(&self, name: Name) -> Option<(Sort, u32)> {
        self.constructors.get(&name).copied()
    }

    /// The sort as it is written: `Int`, `List(Int)`, `{weight: Int}`, `Status`.
    pub fn sort_text(&self, sort: Sort) -> String {
        // Sorts are finite trees built bottom-up; their depth is that of a declaration or a document, both
        // limited by their readers.
        match self.sort_kind(sort) {
            SortKind::Bool => "Bool".to_owned(),
            SortKind::Int => "Int".to_owned(),
            SortKind::Real => "Real".to_owned(),
            SortKind::String => "String".to_owned(),
            SortKind::Uninterpreted(name) | SortKind::Enumeration { name, .. } => {
                self.names.text(*name).to_owned()
            }
            SortKind::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|&(label, sort)| {
                        format!("{}: {}", self.names.text(label), self.sort_text(sort))
                    })
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
            SortKind::List(element) => format!("List({})", self.sort_text(*element)),
        }
    }
}
