//! Z3's objects with their lifetimes: what the compiler can check from here on, it checks.
//!
//! Every object holds the context, which is deleted after the last of them.
//! Reference counts are ours to keep (`Z3_mk_context_rc`): a context that keeps everything by itself grows without
//! bound in a long run.
//! A new object has no reference and dies with the next call, so each one is referenced at once.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_uint};
use std::path::Path;
use std::rc::Rc;

use super::library::{Functions, Pointer};
use super::object::{Counted, Object};
use crate::SolverError;

/// A context: all other objects belong to one.
pub(super) struct Context {
    pub(super) functions: Rc<Functions>,
    pub(super) pointer: Pointer,
    /// `z3 4.8.12`.
    pub(super) name: String,
    /// Whether strategies can be used: they set timers, and those of 4.8.12 may lock up.
    pub(super) has_safe_timers: bool,
}

/// Does nothing: the default handler ends the process.
extern "C" fn ignore(_context: Pointer, _error: c_uint) {}

impl Context {
    /// A new context of the library at `path`.
    pub(super) fn new(path: &Path) -> Result<Rc<Context>, SolverError> {
        let functions = Functions::load(path)?;
        let mut version: [c_uint; 4] = [0; 4];
        let [major, minor, build, revision] = &mut version;
        // Values are read one by one; making the model as a whole small takes longer than that.
        let (parameter, no) = (c"model.compact", c"false");
        // SAFETY: the four pointers are valid for writing, the strings for reading; a configuration is used once and deleted; the context is
        // checked before it is used, and gets its error handler before anything can go wrong in it.
        let pointer = unsafe {
            (functions.Z3_get_version)(major, minor, build, revision);
            (functions.Z3_global_param_set)(parameter.as_ptr(), no.as_ptr());
            let config = (functions.Z3_mk_config)();
            let pointer = (functions.Z3_mk_context_rc)(config);
            (functions.Z3_del_config)(config);
            if !pointer.is_null() {
                (functions.Z3_set_error_handler)(pointer, Some(ignore));
            }
            pointer
        };
        if pointer.is_null() {
            return Err(SolverError::Library {
                path: path.to_owned(),
                reason: "it makes no context".to_owned(),
            });
        }
        let [major, minor, build, _] = version;
        Ok(Rc::new(Context {
            functions,
            pointer,
            name: format!("z3 {major}.{minor}.{build}"),
            has_safe_timers: (major, minor, build) > (4, 8, 12),
        }))
    }

    /// What Z3 says about the last call, if it failed.
    pub(super) fn checked(&self) -> Result<(), SolverError> {
        // SAFETY: the context is alive; the message is a string that lives until the next call and is copied.
        let message = unsafe {
            let code = (self.functions.Z3_get_error_code)(self.pointer);
            if code == 0 {
                return Ok(());
            }
            owned_text((self.functions.Z3_get_error_msg)(self.pointer, code))
        };
        Err(SolverError::Protocol {
            solver: self.name.clone(),
            message,
        })
    }

    /// Calls a function that makes an object.
    pub(super) fn make(
        self: &Rc<Self>,
        counted: Counted,
        call: impl FnOnce(&Functions, Pointer) -> Pointer,
    ) -> Result<Object, SolverError> {
        let pointer = call(&self.functions, self.pointer);
        // Before the reference is taken: that call would clear the error.
        self.checked()?;
        if pointer.is_null() {
            return Err(SolverError::Protocol {
                solver: self.name.clone(),
                message: "nothing was made".to_owned(),
            });
        }
        Ok(self.referenced(counted, pointer))
    }

    /// Takes a reference to an object that Z3 has just returned.
    pub(super) fn referenced(self: &Rc<Self>, counted: Counted, pointer: Pointer) -> Object {
        let functions = &self.functions;
        // SAFETY: the object belongs to this context, is of this kind, and is still alive: no call came between.
        unsafe {
            match counted {
                Counted::Ast => (functions.Z3_inc_ref)(self.pointer, pointer),
                Counted::Solver => (functions.Z3_solver_inc_ref)(self.pointer, pointer),
                Counted::Model => (functions.Z3_model_inc_ref)(self.pointer, pointer),
                Counted::Parameters => (functions.Z3_params_inc_ref)(self.pointer, pointer),
                Counted::Vector => (functions.Z3_ast_vector_inc_ref)(self.pointer, pointer),
                Counted::Statistics => (functions.Z3_stats_inc_ref)(self.pointer, pointer),
            }
        }
        Object {
            context: self.clone(),
            pointer,
            counted,
        }
    }

    /// The pointers of objects that belong to this context.
    pub(super) fn pointers(&self, objects: &[&Object]) -> Vec<Pointer> {
        objects.iter().map(|object| self.own(object)).collect()
    }

    /// The pointer of an expression, sort or function of this context.
    pub(super) fn own(&self, object: &Object) -> Pointer {
        assert!(
            std::ptr::eq(&*object.context, self) && object.counted == Counted::Ast,
            "an object of another context or kind"
        );
        object.pointer
    }

    /// A name.
    pub(super) fn symbol(&self, text: &str) -> Pointer {
        let text = terminated(text);
        // SAFETY: the context and the string are alive; symbols are interned and live as long as the context.
        unsafe { (self.functions.Z3_mk_string_symbol)(self.pointer, text.as_ptr()) }
    }

    /// A solver: incremental, or one that chooses its strategy by looking at all that is asserted.
    pub(super) fn solver(self: &Rc<Self>, incremental: bool) -> Result<Object, SolverError> {
        // SAFETY: the context is alive.
        self.make(Counted::Solver, |z3, context| unsafe {
            if incremental {
                (z3.Z3_mk_simple_solver)(context)
            } else {
                (z3.Z3_mk_solver)(context)
            }
        })
    }

    /// Runs commands of SMT-LIB in a world of their own and returns what they print.
    pub(super) fn script(&self, commands: &str) -> Result<String, SolverError> {
        let commands = terminated(commands);
        // SAFETY: context and string are alive; the result lives until the next call and is copied.
        let printed = unsafe {
            owned_text((self.functions.Z3_eval_smtlib2_string)(
                self.pointer,
                commands.as_ptr(),
            ))
        };
        self.checked()?;
        Ok(printed)
    }
}

impl Context {
    /// What stops a run in this context, and the context.
    pub(super) fn interruption(&self) -> (unsafe extern "C" fn(Pointer), Pointer) {
        (self.functions.Z3_interrupt, self.pointer)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: every object holds the context, so none is left; no one uses the pointer afterwards.
        unsafe { (self.functions.Z3_del_context)(self.pointer) }
    }
}

/// A string as C wants it.
pub(super) fn terminated(text: &str) -> CString {
    // Symbols, escaped strings, numerals and scripts of ours hold no NUL; if one did, it would be cut, and the
    // solution would not pass our evaluator.
    let text = text.split('\0').next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

/// A copy of a string that belongs to Z3.
///
/// # Safety
/// `text` is null or a string that ends with NUL.
pub(super) unsafe fn owned_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as promised by the caller.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
