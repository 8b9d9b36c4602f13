//! Making sorts and expressions.
#![allow(unsafe_code)]

use std::ffi::c_uint;
use std::ptr::null;
use std::rc::Rc;

use super::context::{Context, terminated};
use super::library::Pointer;
use super::object::{Counted, Object};
use crate::SolverError;

impl Context {
    /// A built-in sort.
    pub(super) fn basic_sort(self: &Rc<Self>, sort: BasicSort) -> Result<Object, SolverError> {
        self.make(Counted::Ast, |z3, context| {
            let function = match sort {
                BasicSort::Bool => z3.Z3_mk_bool_sort,
                BasicSort::Int => z3.Z3_mk_int_sort,
                BasicSort::Real => z3.Z3_mk_real_sort,
                BasicSort::String => z3.Z3_mk_string_sort,
            };
            // SAFETY: the context is alive.
            unsafe { function(context) }
        })
    }

    pub(super) fn sequence_sort(self: &Rc<Self>, element: &Object) -> Result<Object, SolverError> {
        let element = self.own(element);
        // SAFETY: context and sort are alive and belong together.
        self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_seq_sort)(context, element)
        })
    }

    /// A sort of named values, and the values.
    pub(super) fn enumeration_sort(
        self: &Rc<Self>,
        name: &str,
        constructors: &[&str],
    ) -> Result<(Object, Vec<Object>), SolverError> {
        let name = self.symbol(name);
        let names: Vec<Pointer> = constructors.iter().map(|text| self.symbol(text)).collect();
        let mut made = vec![std::ptr::null_mut(); names.len()];
        let mut testers = made.clone();
        // SAFETY: the arrays have as many elements as is said; Z3 fills the last two.
        let sort = self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_enumeration_sort)(
                context,
                name,
                names.len() as c_uint,
                names.as_ptr(),
                made.as_mut_ptr(),
                testers.as_mut_ptr(),
            )
        })?;
        // The sort, which is alive, keeps its functions alive until they have references of their own.
        let functions: Vec<Object> = made
            .into_iter()
            .map(|function| self.referenced(Counted::Ast, function))
            .collect();
        let values = functions
            .iter()
            .map(|function| self.apply(function, &[]))
            .collect::<Result<_, _>>()?;
        Ok((sort, values))
    }

    /// A sort of labelled tuples, its constructor and its selectors; Z3 gives the sort the constructor's name.
    pub(super) fn tuple_sort(
        self: &Rc<Self>,
        constructor: &str,
        fields: &[(&str, &Object)],
    ) -> Result<(Object, Object, Vec<Object>), SolverError> {
        let name = self.symbol(constructor);
        let labels: Vec<Pointer> = fields.iter().map(|(label, _)| self.symbol(label)).collect();
        let sorts: Vec<Pointer> = fields.iter().map(|(_, sort)| self.own(sort)).collect();
        let mut made = std::ptr::null_mut();
        let mut selectors = vec![std::ptr::null_mut(); fields.len()];
        // SAFETY: the arrays have as many elements as is said; Z3 fills the last one and `made`.
        let sort = self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_tuple_sort)(
                context,
                name,
                labels.len() as c_uint,
                labels.as_ptr(),
                sorts.as_ptr(),
                &mut made,
                selectors.as_mut_ptr(),
            )
        })?;
        let constructor = self.referenced(Counted::Ast, made);
        let selectors = selectors
            .into_iter()
            .map(|selector| self.referenced(Counted::Ast, selector))
            .collect();
        Ok((sort, constructor, selectors))
    }

    /// A constant of a sort.
    pub(super) fn constant(
        self: &Rc<Self>,
        name: &str,
        sort: &Object,
    ) -> Result<Object, SolverError> {
        let name = self.symbol(name);
        let sort = self.own(sort);
        // SAFETY: context, symbol and sort are alive and belong together.
        self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_const)(context, name, sort)
        })
    }

    /// A truth value.
    pub(super) fn truth(self: &Rc<Self>, value: bool) -> Result<Object, SolverError> {
        // SAFETY: the context is alive.
        self.make(Counted::Ast, |z3, context| unsafe {
            if value {
                (z3.Z3_mk_true)(context)
            } else {
                (z3.Z3_mk_false)(context)
            }
        })
    }

    /// A number, written `-5` or `1/3`.
    pub(super) fn numeral(
        self: &Rc<Self>,
        text: &str,
        sort: &Object,
    ) -> Result<Object, SolverError> {
        let text = terminated(text);
        let sort = self.own(sort);
        // SAFETY: context, string and sort are alive; the sort is one of numbers.
        self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_numeral)(context, text.as_ptr(), sort)
        })
    }

    /// A string literal from its escaped text.
    pub(super) fn string(self: &Rc<Self>, escaped: &str) -> Result<Object, SolverError> {
        let text = terminated(escaped);
        // SAFETY: the context and the string are alive.
        self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_string)(context, text.as_ptr())
        })
    }

    /// A function on arguments.
    pub(super) fn apply(
        self: &Rc<Self>,
        function: &Object,
        arguments: &[&Object],
    ) -> Result<Object, SolverError> {
        let function = self.own(function);
        let arguments = self.pointers(arguments);
        // SAFETY: everything is alive and of this context; our sort checker has accepted the arguments.
        self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_app)(
                context,
                function,
                arguments.len() as c_uint,
                arguments.as_ptr(),
            )
        })
    }

    /// An operator on one argument.
    pub(super) fn unary(self: &Rc<Self>, op: Unary, a: &Object) -> Result<Object, SolverError> {
        let a = self.own(a);
        self.make(Counted::Ast, |z3, context| {
            let function = match op {
                Unary::Not => z3.Z3_mk_not,
                Unary::Minus => z3.Z3_mk_unary_minus,
                Unary::EmptyOf => z3.Z3_mk_seq_empty,
                Unary::Unit => z3.Z3_mk_seq_unit,
                Unary::Length => z3.Z3_mk_seq_length,
                Unary::ExpressionsOf => z3.Z3_mk_re_sort,
                Unary::NoText => z3.Z3_mk_re_empty,
                Unary::JustText => z3.Z3_mk_seq_to_re,
                Unary::Star => z3.Z3_mk_re_star,
            };
            // SAFETY: everything is alive and of this context; our sort checker has accepted the argument.
            unsafe { function(context, a) }
        })
    }

    /// An operator on two arguments.
    pub(super) fn binary(
        self: &Rc<Self>,
        op: Binary,
        a: &Object,
        b: &Object,
    ) -> Result<Object, SolverError> {
        let (a, b) = (self.own(a), self.own(b));
        self.make(Counted::Ast, |z3, context| {
            let function = match op {
                Binary::Implies => z3.Z3_mk_implies,
                Binary::Equal => z3.Z3_mk_eq,
                Binary::Less => z3.Z3_mk_lt,
                Binary::LessEqual => z3.Z3_mk_le,
                Binary::Greater => z3.Z3_mk_gt,
                Binary::GreaterEqual => z3.Z3_mk_ge,
                Binary::Divide => z3.Z3_mk_div,
                Binary::Modulo => z3.Z3_mk_mod,
                Binary::Nth => z3.Z3_mk_seq_nth,
                Binary::Prefix => z3.Z3_mk_seq_prefix,
                Binary::Contains => z3.Z3_mk_seq_contains,
                Binary::InExpression => z3.Z3_mk_seq_in_re,
                Binary::CharacterRange => z3.Z3_mk_re_range,
            };
            // SAFETY: everything is alive and of this context; our sort checker has accepted the arguments.
            unsafe { function(context, a, b) }
        })
    }

    /// An operator on one or more arguments.
    pub(super) fn many(
        self: &Rc<Self>,
        op: Many,
        arguments: &[&Object],
    ) -> Result<Object, SolverError> {
        let arguments = self.pointers(arguments);
        self.make(Counted::Ast, |z3, context| {
            let function = match op {
                Many::And => z3.Z3_mk_and,
                Many::Or => z3.Z3_mk_or,
                Many::Add => z3.Z3_mk_add,
                Many::Subtract => z3.Z3_mk_sub,
                Many::Multiply => z3.Z3_mk_mul,
                Many::Concat => z3.Z3_mk_seq_concat,
                Many::Sequence => z3.Z3_mk_re_concat,
                Many::Either => z3.Z3_mk_re_union,
            };
            // SAFETY: everything is alive and of this context; our sort checker has accepted the arguments.
            unsafe { function(context, arguments.len() as c_uint, arguments.as_ptr()) }
        })
    }

    /// A regular expression this many times; the greater number is not 0, which Z3 takes for no bound.
    pub(super) fn repeated(
        self: &Rc<Self>,
        expression: &Object,
        least: u32,
        most: u32,
    ) -> Result<Object, SolverError> {
        let expression = self.own(expression);
        // SAFETY: context and expression are alive and belong together.
        self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_re_loop)(context, expression, least, most)
        })
    }

    /// `if a then b else c`.
    pub(super) fn if_then_else(
        self: &Rc<Self>,
        a: &Object,
        b: &Object,
        c: &Object,
    ) -> Result<Object, SolverError> {
        let (a, b, c) = (self.own(a), self.own(b), self.own(c));
        // SAFETY: everything is alive and of this context; our sort checker has accepted the arguments.
        self.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_mk_ite)(context, a, b, c)
        })
    }

    /// A quantified formula; `bound` are constants.
    pub(super) fn quantified(
        self: &Rc<Self>,
        universal: bool,
        bound: &[&Object],
        body: &Object,
    ) -> Result<Object, SolverError> {
        let bound = self.pointers(bound);
        let body = self.own(body);
        self.make(Counted::Ast, |z3, context| {
            let function = if universal {
                z3.Z3_mk_forall_const
            } else {
                z3.Z3_mk_exists_const
            };
            // SAFETY: everything is alive and of this context; the bound terms are constants; there are no patterns.
            unsafe {
                function(
                    context,
                    0,
                    bound.len() as c_uint,
                    bound.as_ptr(),
                    0,
                    null(),
                    body,
                )
            }
        })
    }

    /// Whether a backslash is printed as it is, and not escaped as SMT-LIB asks for.
    pub(super) fn prints_raw_backslashes(self: &Rc<Self>) -> Result<bool, SolverError> {
        // Newer versions escape it only where it would begin an escape.
        Ok(self.string("\\u{5c}u{41}")?.text()? == "\"\\u{41}\"")
    }
}

/// Built-in sorts.
#[derive(Clone, Copy)]
pub(super) enum BasicSort {
    Bool,
    Int,
    Real,
    String,
}

/// Operators on one argument.
#[derive(Clone, Copy)]
pub(super) enum Unary {
    Not,
    Minus,
    /// The empty sequence of a sort.
    EmptyOf,
    Unit,
    Length,
    /// The sort of regular expressions over a sort of sequences.
    ExpressionsOf,
    /// The expression of a sort that no text has.
    NoText,
    /// The expression that one text has.
    JustText,
    Star,
}

/// Operators on two arguments.
#[derive(Clone, Copy)]
pub(super) enum Binary {
    Implies,
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Exact on reals, Euclidean on integers.
    Divide,
    Modulo,
    Nth,
    Prefix,
    Contains,
    /// Whether a text is one of an expression.
    InExpression,
    /// One character between two.
    CharacterRange,
}

/// Operators on one or more arguments.
#[derive(Clone, Copy)]
pub(super) enum Many {
    And,
    Or,
    Add,
    Subtract,
    Multiply,
    Concat,
    /// Expressions one after the other.
    Sequence,
    /// One of several expressions.
    Either,
}
