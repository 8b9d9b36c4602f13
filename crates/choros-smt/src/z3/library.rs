//! The functions of Z3's C interface that we call, found in a library at run time.
//!
//! All of them exist since 4.8.12; newer ones stay out, so that one binary runs with every version.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::Path;
use std::rc::Rc;

use libloading::Library;

use crate::SolverError;

/// A pointer that Z3 gave us.
pub(super) type Pointer = *mut c_void;

/// What Z3 calls when something goes wrong.
pub(super) type ErrorHandler = extern "C" fn(Pointer, c_uint);

macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Z3's functions, by their names.
        #[allow(non_snake_case)]
        pub(super) struct Functions {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            fn find(library: &Library) -> Result<Functions, libloading::Error> {
                Ok(Functions {
                    $($name: {
                        // SAFETY: the signature is the one `z3_api.h` declares under this name, unchanged since
                        // 4.8.12; the pointer stays valid because the library is never unloaded.
                        *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }?
                    },)*
                })
            }
        }
    };
}

functions! {
    Z3_get_version(*mut c_uint, *mut c_uint, *mut c_uint, *mut c_uint);
    Z3_global_param_set(*const c_char, *const c_char);
    Z3_mk_config() -> Pointer;
    Z3_del_config(Pointer);
    Z3_mk_context_rc(Pointer) -> Pointer;
    Z3_del_context(Pointer);
    Z3_set_error_handler(Pointer, Option<ErrorHandler>);
    Z3_get_error_code(Pointer) -> c_uint;
    Z3_get_error_msg(Pointer, c_uint) -> *const c_char;
    Z3_interrupt(Pointer);
    Z3_inc_ref(Pointer, Pointer);
    Z3_dec_ref(Pointer, Pointer);
    Z3_mk_string_symbol(Pointer, *const c_char) -> Pointer;
    Z3_mk_bool_sort(Pointer) -> Pointer;
    Z3_mk_int_sort(Pointer) -> Pointer;
    Z3_mk_real_sort(Pointer) -> Pointer;
    Z3_mk_string_sort(Pointer) -> Pointer;
    Z3_mk_seq_sort(Pointer, Pointer) -> Pointer;
    Z3_mk_enumeration_sort(Pointer, Pointer, c_uint, *const Pointer, *mut Pointer, *mut Pointer) -> Pointer;
    Z3_mk_tuple_sort(Pointer, Pointer, c_uint, *const Pointer, *const Pointer, *mut Pointer, *mut Pointer) -> Pointer;
    Z3_mk_app(Pointer, Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_const(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_true(Pointer) -> Pointer;
    Z3_mk_false(Pointer) -> Pointer;
    Z3_mk_numeral(Pointer, *const c_char, Pointer) -> Pointer;
    Z3_mk_string(Pointer, *const c_char) -> Pointer;
    Z3_mk_not(Pointer, Pointer) -> Pointer;
    Z3_mk_and(Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_or(Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_implies(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_ite(Pointer, Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_eq(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_lt(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_le(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_gt(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_ge(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_add(Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_sub(Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_mul(Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_div(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_mod(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_unary_minus(Pointer, Pointer) -> Pointer;
    Z3_mk_seq_empty(Pointer, Pointer) -> Pointer;
    Z3_mk_seq_unit(Pointer, Pointer) -> Pointer;
    Z3_mk_seq_concat(Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_seq_length(Pointer, Pointer) -> Pointer;
    Z3_mk_seq_nth(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_seq_prefix(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_seq_to_re(Pointer, Pointer) -> Pointer;
    Z3_mk_seq_in_re(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_re_sort(Pointer, Pointer) -> Pointer;
    Z3_mk_re_empty(Pointer, Pointer) -> Pointer;
    Z3_mk_re_range(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_re_star(Pointer, Pointer) -> Pointer;
    Z3_mk_re_loop(Pointer, Pointer, c_uint, c_uint) -> Pointer;
    Z3_mk_re_concat(Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_re_union(Pointer, c_uint, *const Pointer) -> Pointer;
    Z3_mk_seq_contains(Pointer, Pointer, Pointer) -> Pointer;
    Z3_mk_forall_const(Pointer, c_uint, c_uint, *const Pointer, c_uint, *const Pointer, Pointer) -> Pointer;
    Z3_mk_exists_const(Pointer, c_uint, c_uint, *const Pointer, c_uint, *const Pointer, Pointer) -> Pointer;
    Z3_mk_params(Pointer) -> Pointer;
    Z3_params_inc_ref(Pointer, Pointer);
    Z3_params_dec_ref(Pointer, Pointer);
    Z3_params_set_uint(Pointer, Pointer, Pointer, c_uint);
    Z3_mk_simple_solver(Pointer) -> Pointer;
    Z3_mk_solver(Pointer) -> Pointer;
    Z3_solver_inc_ref(Pointer, Pointer);
    Z3_solver_dec_ref(Pointer, Pointer);
    Z3_solver_set_params(Pointer, Pointer, Pointer);
    Z3_solver_push(Pointer, Pointer);
    Z3_solver_pop(Pointer, Pointer, c_uint);
    Z3_solver_assert(Pointer, Pointer, Pointer);
    Z3_solver_check_assumptions(Pointer, Pointer, c_uint, *const Pointer) -> c_int;
    Z3_solver_get_model(Pointer, Pointer) -> Pointer;
    Z3_solver_get_unsat_core(Pointer, Pointer) -> Pointer;
    Z3_solver_get_reason_unknown(Pointer, Pointer) -> *const c_char;
    Z3_solver_get_statistics(Pointer, Pointer) -> Pointer;
    Z3_stats_inc_ref(Pointer, Pointer);
    Z3_stats_dec_ref(Pointer, Pointer);
    Z3_stats_size(Pointer, Pointer) -> c_uint;
    Z3_stats_get_key(Pointer, Pointer, c_uint) -> *const c_char;
    Z3_stats_is_uint(Pointer, Pointer, c_uint) -> bool;
    Z3_stats_get_uint_value(Pointer, Pointer, c_uint) -> c_uint;
    Z3_model_inc_ref(Pointer, Pointer);
    Z3_model_dec_ref(Pointer, Pointer);
    Z3_get_app_decl(Pointer, Pointer) -> Pointer;
    Z3_model_get_const_interp(Pointer, Pointer, Pointer) -> Pointer;
    Z3_model_eval(Pointer, Pointer, Pointer, bool, *mut Pointer) -> bool;
    Z3_ast_vector_inc_ref(Pointer, Pointer);
    Z3_ast_vector_dec_ref(Pointer, Pointer);
    Z3_ast_vector_size(Pointer, Pointer) -> c_uint;
    Z3_ast_vector_get(Pointer, Pointer, c_uint) -> Pointer;
    Z3_get_bool_value(Pointer, Pointer) -> c_int;
    Z3_is_numeral_ast(Pointer, Pointer) -> bool;
    Z3_get_numeral_string(Pointer, Pointer) -> *const c_char;
    Z3_ast_to_string(Pointer, Pointer) -> *const c_char;
    Z3_eval_smtlib2_string(Pointer, *const c_char) -> *const c_char;
}

impl Functions {
    /// Loads a library and finds everything in it.
    pub(super) fn load(path: &Path) -> Result<Rc<Functions>, SolverError> {
        let broken = |error: libloading::Error| SolverError::Library {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        // SAFETY: loading runs the library's initialisers; the user, or the system, named it as Z3.
        let library = unsafe { Library::new(path) }.map_err(broken)?;
        let functions = Functions::find(&library).map_err(broken)?;
        // Z3 keeps timer threads of its own: unloading the code under them would crash.
        std::mem::forget(library);
        Ok(Rc::new(functions))
    }
}
