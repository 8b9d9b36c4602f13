//! Z3's objects with their lifetimes: what the compiler can check from here on, it checks.
//!
//! Every object holds the context, which is deleted after the last of them.
//! Reference counts are ours to keep (`Z3_mk_context_rc`): a context that keeps everything by itself grows without
//! bound in a long run.
//! A new object has no reference and dies with the next call, so each one is referenced at once.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_uint};
use std::path::Path;
use std::ptr::null;
use std::rc::Rc;

use super::library::{Functions, Pointer};
use crate::SolverError;

/// A context: all other objects belong to one.
pub(super) struct Context {
    functions: Rc<Functions>,
    pointer: Pointer,
    /// `z3 4.8.12`.
    pub(super) name: String,
    /// Whether strategies can be used: they set timers, and those of 4.8.12 may lock up.
    pub(super) has_safe_timers: bool,
}

/// Which reference count an object has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// Expressions, sorts and functions.
    Ast,
    Solver,
    Model,
    Parameters,
    Vector,
}

/// Something that Z3 made, referenced as long as this lives.
pub(super) struct Object {
    context: Rc<Context>,
    pointer: Pointer,
    counted: Counted,
}

/// Z3's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Satisfiable {
    Yes,
    No,
    Unknown,
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
    fn checked(&self) -> Result<(), SolverError> {
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
    fn make(
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
    fn referenced(self: &Rc<Self>, counted: Counted, pointer: Pointer) -> Object {
        let functions = &self.functions;
        // SAFETY: the object belongs to this context, is of this kind, and is still alive: no call came between.
        unsafe {
            match counted {
                Counted::Ast => (functions.Z3_inc_ref)(self.pointer, pointer),
                Counted::Solver => (functions.Z3_solver_inc_ref)(self.pointer, pointer),
                Counted::Model => (functions.Z3_model_inc_ref)(self.pointer, pointer),
                Counted::Parameters => (functions.Z3_params_inc_ref)(self.pointer, pointer),
                Counted::Vector => (functions.Z3_ast_vector_inc_ref)(self.pointer, pointer),
            }
        }
        Object {
            context: self.clone(),
            pointer,
            counted,
        }
    }

    /// The pointers of objects that belong to this context.
    fn pointers(&self, objects: &[&Object]) -> Vec<Pointer> {
        objects.iter().map(|object| self.own(object)).collect()
    }

    /// The pointer of an expression, sort or function of this context.
    fn own(&self, object: &Object) -> Pointer {
        assert!(
            std::ptr::eq(&*object.context, self) && object.counted == Counted::Ast,
            "an object of another context or kind"
        );
        object.pointer
    }

    fn symbol(&self, text: &str) -> Pointer {
        let text = terminated(text);
        // SAFETY: the context and the string are alive; symbols are interned and live as long as the context.
        unsafe { (self.functions.Z3_mk_string_symbol)(self.pointer, text.as_ptr()) }
    }

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

    /// The sort of sequences.
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
            match value {
                true => (z3.Z3_mk_true)(context),
                false => (z3.Z3_mk_false)(context),
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
            };
            // SAFETY: everything is alive and of this context; our sort checker has accepted the arguments.
            unsafe { function(context, arguments.len() as c_uint, arguments.as_ptr()) }
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
            let function = match universal {
                true => z3.Z3_mk_forall_const,
                false => z3.Z3_mk_exists_const,
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

    /// A solver: incremental, or one that chooses its strategy by looking at all that is asserted.
    pub(super) fn solver(self: &Rc<Self>, incremental: bool) -> Result<Object, SolverError> {
        // SAFETY: the context is alive.
        self.make(Counted::Solver, |z3, context| unsafe {
            match incremental {
                true => (z3.Z3_mk_simple_solver)(context),
                false => (z3.Z3_mk_solver)(context),
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

    /// Whether a backslash is printed as it is, and not escaped as SMT-LIB asks for.
    pub(super) fn prints_raw_backslashes(self: &Rc<Self>) -> Result<bool, SolverError> {
        // Newer versions escape it only where it would begin an escape.
        Ok(self.string("\\u{5c}u{41}")?.text()? == "\"\\u{41}\"")
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: every object holds the context, so none is left; nobody uses the pointer afterwards.
        unsafe { (self.functions.Z3_del_context)(self.pointer) }
    }
}

/// What can be done with a solver.
impl Object {
    fn of_kind(&self, counted: Counted) -> (&Functions, Pointer, Pointer) {
        assert!(self.counted == counted, "an object of another kind");
        (&self.context.functions, self.context.pointer, self.pointer)
    }

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

    /// Why the last check was *unknown*.
    pub(super) fn reason_unknown(&self) -> Result<String, SolverError> {
        let (z3, context, solver) = self.of_kind(Counted::Solver);
        // SAFETY: both are alive and belong together; the string is copied at once.
        let text = unsafe { owned_text((z3.Z3_solver_get_reason_unknown)(context, solver)) };
        self.context.checked()?;
        Ok(text)
    }

    /// The value of an expression in this model; what the model leaves open gets some value.
    pub(super) fn evaluate(&self, expression: &Object) -> Result<Object, SolverError> {
        let (_, _, model) = self.of_kind(Counted::Model);
        let expression = self.context.own(expression);
        let mut value = std::ptr::null_mut();
        self.context.make(Counted::Ast, |z3, context| {
            // SAFETY: all are alive and of one context; `value` is written only when the result is true.
            match unsafe { (z3.Z3_model_eval)(context, model, expression, true, &mut value) } {
                true => value,
                false => std::ptr::null_mut(),
            }
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
            }
        }
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
}

fn terminated(text: &str) -> CString {
    // Symbols, escaped strings, numerals and scripts of ours hold no NUL; if one did, it would be cut, and the
    // solution would not pass our evaluator.
    let text = text.split('\0').next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

/// # Safety
/// `text` is null or a string that ends with NUL.
unsafe fn owned_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as promised by the caller.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
