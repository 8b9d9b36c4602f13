//! What Z3 makes, with its reference count.
#![allow(unsafe_code)]

use std::rc::Rc;

use super::context::{Context, owned_text};
use super::library::{Functions, Pointer};
use crate::SolverError;

/// Which reference count an object has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// Expressions, sorts and functions.
    Ast,
    Solver,
    Model,
    Parameters,
    Vector,
    Statistics,
}

/// Something that Z3 made, referenced as long as this lives.
pub(super) struct Object {
    pub(super) context: Rc<Context>,
    pub(super) pointer: Pointer,
    pub(super) counted: Counted,
}

impl Object {
    /// Its context and itself, if it is of this kind; another kind is our bug.
    pub(super) fn of_kind(&self, counted: Counted) -> (&Functions, Pointer, Pointer) {
        assert!(self.counted == counted, "an object of another kind");
        (&self.context.functions, self.context.pointer, self.pointer)
    }

    /// The function of a constant.
    pub(super) fn function(&self) -> Result<Object, SolverError> {
        let (_, _, constant) = self.of_kind(Counted::Ast);
        // SAFETY: both are alive and belong together; what is not an application is an error that Z3 reports.
        self.context.make(Counted::Ast, |z3, context| unsafe {
            (z3.Z3_get_app_decl)(context, constant)
        })
    }

    /// The truth value, if it is one.
    pub(super) fn as_truth(&self) -> Option<bool> {
        let (z3, context, expression) = self.of_kind(Counted::Ast);
        // SAFETY: both are alive and belong together.
        match unsafe { (z3.Z3_get_bool_value)(context, expression) } {
            1 => Some(true),
            -1 => Some(false),
            _ => None,
        }
    }

    /// The text of a number: `-5`, `1/3`.
    pub(super) fn as_numeral(&self) -> Option<String> {
        let (z3, context, expression) = self.of_kind(Counted::Ast);
        // SAFETY: both are alive and belong together; the text is asked of numerals only, and copied at once.
        unsafe {
            (z3.Z3_is_numeral_ast)(context, expression)
                .then(|| owned_text((z3.Z3_get_numeral_string)(context, expression)))
        }
    }

    /// The expression in SMT-LIB.
    pub(super) fn text(&self) -> Result<String, SolverError> {
        let (z3, context, expression) = self.of_kind(Counted::Ast);
        // SAFETY: both are alive and belong together; the text is copied at once.
        let text = unsafe { owned_text((z3.Z3_ast_to_string)(context, expression)) };
        self.context.checked()?;
        Ok(text)
    }

    /// Whether both are the same expression: Z3 makes each only once.
    pub(super) fn is(&self, other: &Object) -> bool {
        self.pointer == other.pointer
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let z3 = &self.context.functions;
        let context = self.context.pointer;
        // SAFETY: the context is alive, and this is the reference taken in `referenced`.
        unsafe {
            match self.counted {
                Counted::Ast => (z3.Z3_dec_ref)(context, self.pointer),
                Counted::Solver => (z3.Z3_solver_dec_ref)(context, self.pointer),
                Counted::Model => (z3.Z3_model_dec_ref)(context, self.pointer),
                Counted::Parameters => (z3.Z3_params_dec_ref)(context, self.pointer),
                Counted::Vector => (z3.Z3_ast_vector_dec_ref)(context, self.pointer),
                Counted::Statistics => (z3.Z3_stats_dec_ref)(context, self.pointer),
            }
        }
    }
}
