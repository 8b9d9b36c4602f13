//! The sorts of the data language.

use choros_base::Name;

/// A sort, interned in its [`Terms`](crate::Terms) store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sort(pub(crate) u32);

choros_base::indices!(Sort);

/// What a sort is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SortKind {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Exact rationals (the solver reads them as reals; every value we print or evaluate is rational).
    Real,
    /// Unicode strings.
    String,
    /// A countably infinite set of values about which only equality is known.
    ///
    /// Capitalised names without a declaration (`OK`) are pairwise distinct values of the one called `Symbol`.
    Uninterpreted(Name),
    /// Finitely many named values.
    Enumeration {
        /// Name of the sort.
        name: Name,
        /// Its values, in the order of declaration.
        constructors: Vec<Name>,
    },
    /// Labelled fields; two records are of the same sort iff they have the same fields in the same order.
    Record(Vec<(Name, Sort)>),
    /// Finite sequences.
    List(Sort),
}

impl Sort {
    /// Truth values.
    pub const BOOL: Sort = Sort(0);
    /// Unbounded integers.
    pub const INT: Sort = Sort(1);
    /// Exact rationals.
    pub const REAL: Sort = Sort(2);
    pub const STRING: Sort = Sort(3);
    /// The sort of capitalised names without a declaration.
    pub const SYMBOL: Sort = Sort(4);

    /// Whether arithmetic is defined on it.
    pub fn is_number(self) -> bool {
        self == Sort::INT || self == Sort::REAL
    }
}
