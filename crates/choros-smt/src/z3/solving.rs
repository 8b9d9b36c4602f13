//! What can be done with a solver and with its models.
#![allow(unsafe_code)]

use std::ffi::c_uint;

use super::context::owned_text;
use super::object::{Counted, Object};
use crate::SolverError;

/// Z3's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Satisfiable {
    Yes,
    No,
    Unknown,
}

/// Of solvers.
impl Object {
    /// Bounds each check, in Z3's units.
    ///
    /// Z3 can bound the time too, with timers of its own; those of 4.8.12 may lock up, so we watch the time ourselves.
    pub(super) fn set_bound(&self, resources: u32) -> Result<(), SolverError> {
        let context = &self.context;
        // SAFETY: the context is alive.
        let parameters = context.make(Counted::Parameters, |z3, context| unsafe {
            (z3.Z3_mk_params)(context)
        })?;
        let (z3, pointer, solver) = self.of_kind(Counted::Solver);
        let rlimit = context.symbol("rlimit");
        // SAFETY: all four are alive and of one context.
        unsafe {
            (z3.Z3_params_set_uint)(pointer, parameters.pointer, rlimit, resources);
            (z3.Z3_solver_set_params)(pointer, solver, parameters.pointer);
        }
        context.checked()
    }

    /// Opens a level.
    pub(super) fn push(&self) -> Result<(), SolverError> {
        let (z3, context, solver) = self.of_kind(Counted::Solver);
        // SAFETY: both are alive and belong together.
        unsafe { (z3.Z3_solver_push)(context, solver) };
        self.context.checked()
    }

    /// Closes levels, as many as are open at most.
    pub(super) fn pop(&self, levels: usize) -> Result<(), SolverError> {
        let (z3, context, solver) = self.of_kind(Counted::Solver);
        // SAFETY: both are alive and belong together; too many levels are an error that Z3 reports.
        unsafe { (z3.Z3_solver_pop)(context, solver, levels as c_uint) };
        self.context.checked()
    }

    /// Adds a formula.
    pub(super) fn assert(&self, formula: &Object) -> Result<(), SolverError> {
        let (z3, context, solver) = self.of_kind(Counted::Solver);
        let formula = self.context.own(formula);
        // SAFETY: all are alive and of one context; our sort checker has accepted the formula.
        unsafe { (z3.Z3_solver_assert)(context, solver, formula) };
        self.context.checked()
    }

    /// Decides, under assumptions that are constants.
    pub(super) fn check(&self, assumptions: &[&Object]) -> Result<Satisfiable, SolverError> {
        let (z3, context, solver) = self.of_kind(Counted::Solver);
        let assumptions = self.context.pointers(assumptions);
        // SAFETY: all are alive and of one context; the assumptions are Boolean constants.
        let answer = unsafe {
            (z3.Z3_solver_check_assumptions)(
                context,
                solver,
                assumptions.len() as c_uint,
                assumptions.as_ptr(),
            )
        };
        self.context.checked()?;
        Ok(match answer {
            1 => Satisfiable::Yes,
            -1 => Satisfiable::No,
            _ => Satisfiable::Unknown,
        })
    }

    /// The model of the last check.
    pub(super) fn model(&self) -> Result<Object, SolverError> {
        let (_, _, solver) = self.of_kind(Counted::Solver);
        // SAFETY: both are alive and belong together; without a model Z3 reports an error.
        self.context.make(Counted::Model, |z3, context| unsafe {
            (z3.Z3_solver_get_model)(context, solver)
        })
    }

    /// The assumptions that were needed for the contradiction.
    pub(super) fn unsat_core(&self) -> Result<Vec<Object>, SolverError> {
        let (z3, pointer, solver) = self.of_kind(Counted::Solver);
        let context = &self.context;
        // SAFETY: both are alive and belong together.
        let vector = context.make(Counted::Vector, |z3, context| unsafe {
            (z3.Z3_solver_get_unsat_core)(context, solver)
        })?;
        // SAFETY: the vector is alive.
        let size = unsafe { (z3.Z3_ast_vector_size)(pointer, vector.pointer) };
        (0..size)
            .map(|position| {
                // SAFETY: the vector is alive and has that many elements.
                context.make(Counted::Ast, |z3, context| unsafe {
                    (z3.Z3_ast_vector_get)(context, vector.pointer, position)
                })
            })
            .collect()
    }

    /// The resource units that its context has used so far, as a number that starts again at 2^32.
    pub(super) fn used(&self) -> Result<u32, SolverError> {
        let (z3, pointer, solver) = self.of_kind(Counted::Solver);
        let context = &self.context;
        // SAFETY: both are alive and belong together.
        let numbers = context.make(Counted::Statistics, |z3, context| unsafe {
            (z3.Z3_solver_get_statistics)(context, solver)
        })?;
        let (statistics, mut used) = (numbers.pointer, 0);
        // SAFETY: the statistics are alive until `numbers` is dropped, each place is below their size and its kind is
        // asked before its value; the texts are copied at once.
        unsafe {
            for place in 0..(z3.Z3_stats_size)(pointer, statistics) {
                let key = owned_text((z3.Z3_stats_get_key)(pointer, statistics, place));
                if key == "rlimit count" && (z3.Z3_stats_is_uint)(pointer, statistics, place) {
                    used = (z3.Z3_stats_get_uint_value)(pointer, statistics, place);
                }
            }
        }
        context.checked()?;
        Ok(used)
    }

    /// Why the last check was *unknown*.
    pub(super) fn reason_unknown(&self) -> Result<String, SolverError> {
        let (z3, context, solver) = self.of_kind(Counted::Solver);
        // SAFETY: both are alive and belong together; the string is copied at once.
        let text = unsafe { owned_text((z3.Z3_solver_get_reason_unknown)(context, solver)) };
        self.context.checked()?;
        Ok(text)
    }
}

/// Of models.
impl Object {
    /// The value that this model stores for a constant, by its function; nothing when the model leaves it open.
    ///
    /// Much cheaper than [`Object::evaluate`], which sets up a rewriter each time.
    pub(super) fn stored(&self, function: &Object) -> Result<Option<Object>, SolverError> {
        let (z3, context, model) = self.of_kind(Counted::Model);
        let function = self.context.own(function);
        // SAFETY: all are alive and of one context; the function has no arguments.
        let value = unsafe { (z3.Z3_model_get_const_interp)(context, model, function) };
        self.context.checked()?;
        Ok((!value.is_null()).then(|| self.context.referenced(Counted::Ast, value)))
    }

    /// The value of an expression in this model; what the model leaves open gets some value.
    pub(super) fn evaluate(&self, expression: &Object) -> Result<Object, SolverError> {
        let (_, _, model) = self.of_kind(Counted::Model);
        let expression = self.context.own(expression);
        let mut value = std::ptr::null_mut();
        self.context.make(Counted::Ast, |z3, context| {
            // SAFETY: all are alive and of one context; `value` is written only when the result is true.
            let found = unsafe { (z3.Z3_model_eval)(context, model, expression, true, &mut value) };
            if found { value } else { std::ptr::null_mut() }
        })
    }
}
