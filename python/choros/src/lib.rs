//! Choros as a Python module: a shell of its own, beside the command line.
//!
//! Everything here translates: questions into requests, answers into Python objects. No answer is computed here.

mod answers;
mod command;
mod condition;
mod failure;
mod finding;
mod model;
mod monitor;
mod tests;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<model::Model>()?;
    module.add_class::<answers::Answers>()?;
    module.add_class::<answers::Answer>()?;
    module.add_class::<condition::Condition>()?;
    module.add_class::<finding::Finding>()?;
    module.add_class::<monitor::Monitor>()?;
    module.add_class::<monitor::Judgement>()?;
    module.add_class::<tests::Tests>()?;
    module.add("Error", module.py().get_type::<failure::Error>())?;
    module.add("Mistakes", module.py().get_type::<failure::Mistakes>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(model::open, module)?)?;
    module.add_function(wrap_pyfunction!(model::read, module)?)?;
    module.add_function(wrap_pyfunction!(command::run, module)?)?;
    Ok(())
}
