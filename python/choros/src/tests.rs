//! The tests of a service.

use std::collections::BTreeMap;

use choros::FileSet;
use pyo3::prelude::*;

use crate::answers::Answers;

/// Tests, and the files that hold them.
#[pyclass(unsendable, frozen, module = "choros")]
pub(crate) struct Tests {
    /// What is said of the tests.
    #[pyo3(get)]
    answers: Py<Answers>,
    /// Texts by relative path: `suite.json`, or a file for pytest.
    #[pyo3(get)]
    files: BTreeMap<String, String>,
}

impl Tests {
    pub(crate) fn new(answers: Answers, files: &FileSet) -> Tests {
        let files = files.iter();
        Python::attach(|py| Tests {
            answers: Py::new(py, answers).expect("memory for one object"),
            files: files
                .map(|(path, text)| (path.to_owned(), text.to_owned()))
                .collect(),
        })
    }
}

#[pymethods]
impl Tests {
    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.files.keys().map(String::as_str).collect();
        format!("<Tests in {}>", names.join(", "))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        self.answers.borrow(py).text()
    }

    /// What a notebook shows.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        self.answers.borrow(py).html()
    }
}
