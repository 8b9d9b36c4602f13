//! The answers of a verb.

use std::collections::BTreeMap;

use choros::base::SourceMap;
use choros::data::Term;
use choros::report::{NamedResult, Report, Style, evidence_text, to_html, to_json, to_text};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::condition::Condition;
use crate::finding::Finding;
use crate::model::Shared;

/// How text is drawn: as it is in a notebook, without colours.
pub(crate) const PLAIN: Style = Style {
    colour: false,
    unicode: true,
    width: 100,
};

/// What a verb answered: one answer for each question, and what was found on the way.
#[pyclass(unsendable, frozen, module = "choros")]
pub(crate) struct Answers {
    report: Report,
    sources: SourceMap,
    workspace: Shared,
    /// The condition of each answer, where there is one.
    conditions: Vec<Option<Term>>,
}

impl Answers {
    pub(crate) fn new(
        report: Report,
        workspace: &Shared,
        conditions: Vec<Option<Term>>,
    ) -> Answers {
        Answers {
            sources: workspace.borrow().sources.clone(),
            report,
            workspace: workspace.clone(),
            conditions,
        }
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let outcomes = self.report.outcomes.iter();
        outcomes.map(|it| it.name.clone()).collect()
    }

    pub(crate) fn text(&self) -> String {
        to_text(&self.report, &self.sources, &PLAIN)
    }

    pub(crate) fn html(&self) -> String {
        // The page stands alone; a notebook needs a frame, so that its styles stay inside.
        let page = to_html(&self.report, &self.sources);
        let page = page.replace('&', "&amp;").replace('"', "&quot;");
        format!(
            "<iframe srcdoc=\"{page}\" width=\"100%\" height=\"480\" frameborder=\"0\"></iframe>"
        )
    }

    fn answer(&self, position: usize) -> Option<Answer> {
        let outcome = self.report.outcomes.get(position)?;
        let condition = self.conditions.get(position).copied().flatten();
        let condition = condition.map(|term| Condition::new(self.workspace.clone(), term));
        Some(Answer::of(outcome, condition, &self.sources))
    }
}

#[pymethods]
impl Answers {
    /// `holds`, `conditional`, `fails` or `unknown`, of all together: the worst; `None` where nothing was asked.
    #[getter]
    fn verdict(&self) -> Option<&'static str> {
        self.report.answer().map(|answer| answer.word.text())
    }

    /// Mistakes, warnings and remarks.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        let found = self.report.diagnostics.iter();
        found.map(|it| Finding::of(it, &self.sources)).collect()
    }

    /// Under which rules the answers hold.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.report.semantics.notes.clone()
    }

    /// The report that `--format json` prints.
    fn to_json(&self) -> String {
        to_json(&self.report, &self.sources)
    }

    /// The page that `--format html` prints.
    fn to_html(&self) -> String {
        to_html(&self.report, &self.sources)
    }

    fn __len__(&self) -> usize {
        self.report.outcomes.len()
    }

    fn __getitem__(&self, position: isize) -> PyResult<Answer> {
        let length = self.report.outcomes.len();
        let from_end = length.checked_sub(position.unsigned_abs());
        let position = if position < 0 {
            from_end
        } else {
            Some(position.unsigned_abs())
        };
        let answer = position.and_then(|position| self.answer(position));
        answer.ok_or_else(|| PyIndexError::new_err(format!("there are {length} answers")))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let verdict = self.verdict().unwrap_or("no question");
        format!("<Answers of {}: {verdict}>", self.report.verb)
    }

    /// What a notebook shows.
    fn _repr_html_(&self) -> String {
        self.html()
    }
}

/// The answer to one question.
#[pyclass(unsendable, frozen, module = "choros")]
pub(crate) struct Answer {
    /// What it is about.
    #[pyo3(get)]
    name: String,
    /// `holds`, `conditional`, `fails` or `unknown`; `None` where nothing was asked.
    #[pyo3(get)]
    verdict: Option<&'static str>,
    /// For which data it holds.
    condition: Option<Py<Condition>>,
    /// With *unknown*: why, and which bound would help.
    #[pyo3(get)]
    reason: Option<String>,
    /// What it rests on: a run, a relation, a proof.
    #[pyo3(get)]
    evidence: Option<String>,
    /// Sizes by name.
    #[pyo3(get)]
    sizes: BTreeMap<String, u64>,
}

impl Answer {
    fn of(outcome: &NamedResult, condition: Option<Condition>, sources: &SourceMap) -> Answer {
        let answer = outcome.answer.as_ref();
        let evidence = answer.and_then(|it| it.evidence.as_ref());
        Answer {
            name: outcome.name.clone(),
            verdict: answer.map(|it| it.word.text()),
            condition: Python::attach(|py| condition.and_then(|it| Py::new(py, it).ok())),
            reason: answer.and_then(|it| it.reason.clone()),
            evidence: evidence.map(|it| evidence_text(it, sources, &PLAIN)),
            sizes: outcome
                .sizes
                .stats
                .iter()
                .map(|(stat, count)| (stat.word().to_owned(), count))
                .collect(),
        }
    }
}

#[pymethods]
impl Answer {
    /// For which data it holds; only answers of `conform` have one.
    #[getter]
    fn condition(&self, py: Python<'_>) -> Option<Py<Condition>> {
        self.condition.as_ref().map(|it| it.clone_ref(py))
    }

    fn __repr__(&self) -> String {
        let verdict = self.verdict.unwrap_or("no question");
        format!("<Answer {}: {verdict}>", self.name)
    }
}
