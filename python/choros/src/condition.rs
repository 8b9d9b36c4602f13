//! For which data something holds.

use choros::Workspace;
use choros::data::{Assignment, Sort, Term, Terms, Value, read_term};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::model::Shared;

/// A condition on the parameters of a model: it can be evaluated and combined.
#[pyclass(unsendable, frozen, module = "choros")]
pub(crate) struct Condition {
    workspace: Shared,
    term: Term,
}

impl Condition {
    pub(crate) fn new(workspace: Shared, term: Term) -> Condition {
        Condition { workspace, term }
    }

    fn combined(
        &self,
        other: &Condition,
        combine: fn(&mut Terms, Term, Term) -> Term,
    ) -> PyResult<Condition> {
        if !self.workspace.is(&other.workspace) {
            let message = "the conditions are about models that were opened apart: open the second with `model.beside(path)`";
            return Err(PyValueError::new_err(message));
        }
        let term = combine(&mut self.workspace.borrow().terms, self.term, other.term);
        Ok(Condition::new(self.workspace.clone(), term))
    }
}

#[pymethods]
impl Condition {
    /// The names of the parameters that it speaks of.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        let workspace = self.workspace.borrow();
        let free = workspace.terms.free_variables(self.term);
        free.iter()
            .map(|&it| workspace.terms.variable_text(it).to_owned())
            .collect()
    }

    /// Whether it holds for these values, one for each parameter.
    #[pyo3(signature = (**values))]
    fn evaluate(&self, values: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
        let mut workspace = self.workspace.borrow();
        let mut assignment = Vec::new();
        for variable in workspace.terms.free_variables(self.term) {
            let name = workspace.terms.variable_text(variable).to_owned();
            let given = match values {
                Some(values) => values.get_item(&name)?,
                None => None,
            };
            let Some(given) = given else {
                return Err(PyKeyError::new_err(name));
            };
            let sort = workspace.terms.variable_sort(variable);
            assignment.push((variable, value(&name, &given, sort, &mut workspace)?));
        }
        let assignment = Assignment::from_iter(assignment);
        let answer = workspace.terms.evaluate_guard(self.term, &assignment);
        answer.map_err(|_| PyValueError::new_err("it has a quantifier that cannot be computed"))
    }

    fn __and__(&self, other: &Condition) -> PyResult<Condition> {
        self.combined(other, |terms, left, right| terms.and([left, right]))
    }

    fn __or__(&self, other: &Condition) -> PyResult<Condition> {
        self.combined(other, |terms, left, right| terms.or([left, right]))
    }

    fn __invert__(&self) -> Condition {
        let term = self.workspace.borrow().terms.not(self.term);
        Condition::new(self.workspace.clone(), term)
    }

    fn __str__(&self) -> String {
        self.workspace.borrow().terms.print(self.term)
    }

    fn __repr__(&self) -> String {
        format!("<Condition {}>", self.__str__())
    }
}

/// A value of Python as a value of a sort; it is read as models are.
fn value(
    name: &str,
    given: &Bound<'_, PyAny>,
    sort: Sort,
    workspace: &mut Workspace<'static>,
) -> PyResult<Value> {
    let text = given.str()?.to_string();
    let text = match sort {
        Sort::BOOL => text.to_lowercase(),
        Sort::STRING => quoted(&text),
        _ => text,
    };
    let terms = &mut workspace.terms;
    let read = read_term(terms, &mut workspace.sources, name, &text, &[], Some(sort));
    let value = read
        .ok()
        .and_then(|term| workspace.terms.evaluate(term, &Assignment::default()).ok());
    value.ok_or_else(|| {
        let sort = workspace.terms.sort_text(sort);
        PyTypeError::new_err(format!("{name}: {text} is not a value of sort {sort}"))
    })
}

/// A string literal of models, which has the escapes of JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
