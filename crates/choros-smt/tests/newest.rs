//! The case table on the Z3 of a Python package, usually a much newer one than the system's.
//!
//! In a process of its own: two versions of one C++ library do not live well together.

mod solvers;
mod table;

use choros_smt::{Candidate, Places};

#[test]
fn z3_of_a_python_package() {
    let mut places = Places::from_environment();
    places.named = None;
    places.data.clear();
    places.system = false;
    places.programs.clear();
    // `make test` does not install one where the system has a library, so its absence is not a failure.
    match places.candidates().first() {
        Some(candidate @ Candidate::Library(_)) => table::run(&mut || {
            candidate
                .open()
                .expect("the library of the package can be loaded")
        }),
        _ => solvers::note("skipped: no Python package z3-solver is there"),
    }
}
