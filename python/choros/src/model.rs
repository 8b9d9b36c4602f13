//! A model that was opened, and the questions to it.

use std::cell::{RefCell, RefMut};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use choros::base::Choice;
use choros::model::observation::Correlation;
use choros::report::{Block, Report};
use choros::verbs::{
    self, AuditRequest, Auditing, CheckRequest, ComparisonRules, ConformRequest, DrawRequest,
    ExploreRequest, LogsRequest, QuestionSource, RealizeRequest, RealizeRules, Runs, Sessions,
    TestForm, TestsRequest, VerifyRequest,
};
use choros::{Disk, FileKind, Mode, Picture, Request, Settings, TargetLanguage, Workspace};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answers::Answers;
use crate::failure::{Error, raise_failure};
use crate::tests::Tests;

/// The texts and terms that models share.
#[derive(Clone)]
pub(crate) struct Shared(Rc<RefCell<Workspace<'static>>>);

impl Shared {
    fn new(includes: Vec<PathBuf>) -> Shared {
        // As long as the module: a workspace is opened a few times in a program, and what it lent must stay.
        let disk: &'static Disk = Box::leak(Box::new(Disk::new(includes)));
        Shared(Rc::new(RefCell::new(Workspace::new(disk))))
    }

    pub(crate) fn borrow(&self) -> RefMut<'_, Workspace<'static>> {
        self.0.borrow_mut()
    }

    pub(crate) fn is(&self, other: &Shared) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Opens a file, or one component of it: `shop.chor`, `shop.chor#Shop`.
#[pyfunction]
#[pyo3(signature = (path, *, kind=None, include=Vec::new()))]
pub(crate) fn open(path: &str, kind: Option<&str>, include: Vec<PathBuf>) -> PyResult<Model> {
    let request = Request::parse(path, known_kind(kind)?);
    let workspace = Shared::new(include);
    if let Err(error) = std::fs::metadata(&request.path) {
        return Err(Error::new_err(format!(
            "cannot read `{}`: {error}",
            request.path
        )));
    }
    Ok(Model::new(workspace, request))
}

/// Reads a text that is in no file, written in the language of this kind.
#[pyfunction]
#[pyo3(signature = (text, *, kind="chor", name=None))]
pub(crate) fn read(text: &str, kind: &str, name: Option<String>) -> PyResult<Model> {
    known_kind(Some(kind))?;
    let path = name.unwrap_or_else(|| format!("text.{kind}"));
    let workspace = Shared::new(Vec::new());
    workspace.borrow().set_text(path.clone(), text);
    Ok(Model::new(
        workspace,
        Request::parse(&path, known_kind(Some(kind))?),
    ))
}

fn known_kind(name: Option<&str>) -> PyResult<Option<FileKind>> {
    let Some(name) = name else { return Ok(None) };
    let known = FileKind::named(name);
    known.map(Some).ok_or_else(|| {
        let names: Vec<&str> = FileKind::ALL.into_iter().map(FileKind::name).collect();
        PyValueError::new_err(format!("kind is one of {}", names.join(", ")))
    })
}

/// A model.
#[pyclass(unsendable, frozen, module = "choros")]
pub(crate) struct Model {
    workspace: Shared,
    request: Request,
    settings: Settings,
}

impl Model {
    fn new(workspace: Shared, request: Request) -> Model {
        Model {
            workspace,
            request,
            settings: Settings::default(),
        }
    }

    /// The answers of a report; what has none is raised.
    fn answers(&self, py: Python<'_>, report: Report) -> PyResult<Answers> {
        raise_failure(py, &report, &self.workspace.borrow())?;
        Ok(Answers::new(report, &self.workspace, Vec::new()))
    }
}

#[pymethods]
impl Model {
    /// The file.
    #[getter]
    fn path(&self) -> &str {
        &self.request.path
    }

    /// The component after `#`.
    #[getter]
    fn component(&self) -> Option<&str> {
        self.request.component.as_deref()
    }

    /// The names of the components of the file.
    #[getter]
    fn components(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let whole = Request {
            component: None,
            ..self.request.clone()
        };
        let request = ExploreRequest::of(whole);
        let mut workspace = self.workspace.borrow();
        let answered = verbs::explore(&mut workspace, &request, &self.settings);
        let report = answered.report(&workspace.terms);
        drop(workspace);
        let answers = self.answers(py, report)?;
        Ok(answers.names())
    }

    /// One component of the file.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Model> {
        if !self.components(py)?.iter().any(|it| it == name) {
            return Err(PyKeyError::new_err(name.to_owned()));
        }
        Ok(Model {
            request: Request {
                component: Some(name.to_owned()),
                ..self.request.clone()
            },
            ..self.copied()
        })
    }

    /// Another file in the same workspace, so that conditions on both can be combined.
    fn beside(&self, path: &str) -> Model {
        Model {
            request: Request::parse(path, None),
            ..self.copied()
        }
    }

    /// The same model with parameters fixed and other bounds.
    #[pyo3(signature = (*, max_states=None, **parameters))]
    fn with_settings(
        &self,
        max_states: Option<u64>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Model> {
        let mut model = self.copied();
        if let Some(most) = max_states {
            model.settings.max_states = most;
        }
        for (name, value) in parameters.iter().flat_map(|it| it.iter()) {
            let pair = (name.extract()?, value.str()?.to_string());
            model.settings.parameters.push(pair);
        }
        Ok(model)
    }

    /// Is the model sound? Mistakes, types of data, parameters, steps that can never happen.
    ///
    /// Mistakes are findings here and raise nothing.
    fn check(&self) -> Answers {
        let request = CheckRequest {
            files: vec![self.request.clone()],
            ..CheckRequest::default()
        };
        let mut workspace = self.workspace.borrow();
        let answered = verbs::check(&mut workspace, &request, &self.settings);
        let report = answered.report(&workspace.terms);
        drop(workspace);
        Answers::new(report, &self.workspace, Vec::new())
    }

    /// Does it conform to the specification, and for which data?
    #[pyo3(signature = (specification, *, role=None, roles=BTreeMap::new(), share=Vec::new(), allow_fixed=false))]
    fn conform(
        &self,
        py: Python<'_>,
        specification: &Model,
        role: Option<String>,
        roles: BTreeMap<String, String>,
        share: Vec<String>,
        allow_fixed: bool,
    ) -> PyResult<Answers> {
        let request = ConformRequest {
            implementation: vec![self.request.clone()],
            specification: specification.request.clone(),
            roles: roles.into_iter().collect(),
            role,
            rules: ComparisonRules {
                shared: share,
                allow_fixed,
                ..ComparisonRules::default()
            },
        };
        let (report, condition) = {
            let mut workspace = self.workspace.borrow();
            let answered = verbs::conform(&mut workspace, &request, &self.settings);
            let condition = answered.answer.as_ref().ok().and_then(|it| it.condition());
            (answered.report(&workspace.terms), condition)
        };
        raise_failure(py, &report, &self.workspace.borrow())?;
        Ok(Answers::new(report, &self.workspace, vec![condition]))
    }

    /// Do these formulas hold?
    #[pyo3(signature = (*formulas, rules=Vec::new(), domains=BTreeMap::new(), depth=None))]
    fn verify(
        &self,
        py: Python<'_>,
        formulas: Vec<String>,
        rules: Vec<String>,
        domains: BTreeMap<String, String>,
        depth: Option<u32>,
    ) -> PyResult<Answers> {
        if formulas.is_empty() {
            return Err(PyValueError::new_err("give a formula, or several"));
        }
        let questions = formulas.into_iter().map(|it| {
            if it.ends_with(".socl") {
                QuestionSource::File(it)
            } else {
                QuestionSource::Formula(it)
            }
        });
        let request = VerifyRequest {
            model: self.request.clone(),
            rules,
            questions: questions.collect(),
            domains: domains.into_iter().collect(),
            depth,
            ..VerifyRequest::default()
        };
        let report = {
            let mut workspace = self.workspace.borrow();
            let answered = verbs::verify(&mut workspace, &request, &self.settings);
            answered.report(&workspace.terms)
        };
        self.answers(py, report)
    }

    /// Will services, each doing its part, do this and nothing else?
    #[pyo3(signature = (*, mode=None, services=Vec::new(), repair=false))]
    fn realize(
        &self,
        py: Python<'_>,
        mode: Option<&str>,
        services: Vec<String>,
        repair: bool,
    ) -> PyResult<Answers> {
        let chosen = mode.map(Mode::chosen);
        if chosen == Some(None) {
            let words: Vec<&str> = Mode::CHOICES.iter().map(|(word, ..)| *word).collect();
            let message = format!("mode is one of {}", words.join(", "));
            return Err(PyValueError::new_err(message));
        }
        let request = RealizeRequest {
            files: vec![self.request.clone()],
            rules: RealizeRules {
                mode: chosen.flatten(),
                services,
                ..RealizeRules::default()
            },
            repair,
            ..RealizeRequest::default()
        };
        let report = {
            let mut workspace = self.workspace.borrow();
            let answered = verbs::realize(&mut workspace, &request, &self.settings);
            answered.report(&workspace.terms)
        };
        self.answers(py, report)
    }

    /// The tests of one service: a suite, and with `emit="python"` a file for pytest.
    #[pyo3(signature = (*, role=None, emit=None, mapping=None, depth=None))]
    fn tests(
        &self,
        py: Python<'_>,
        role: Option<String>,
        emit: Option<&str>,
        mapping: Option<String>,
        depth: Option<u32>,
    ) -> PyResult<Tests> {
        let is_python = match emit {
            None | Some("json") => false,
            Some("python") => true,
            Some(_) => return Err(PyValueError::new_err("emit is json or python")),
        };
        let mut workspace = self.workspace.borrow();
        let mut request = TestsRequest {
            model: self.request.clone(),
            form: Some(if is_python {
                TestForm::Code(TargetLanguage::Python)
            } else {
                TestForm::Json
            }),
            mapping,
            ..TestsRequest::default()
        };
        request.machines.role = role.clone();
        request.symbolic.role = role;
        let derivation = &mut request.symbolic.derivation;
        derivation.depth = depth.unwrap_or(derivation.depth);
        let mut answered = verbs::tests(&mut workspace, &request, &self.settings);
        let files = answered
            .answer
            .as_mut()
            .map(|it| std::mem::take(&mut it.files.suite));
        let files = files.unwrap_or_default();
        let report = answered.report(&workspace.terms);
        drop(workspace);
        Ok(Tests::new(self.answers(py, report)?, &files))
    }

    /// Do these logs follow the choreography? `{"order": "order.jsonl"}`, or one file that says whose line is whose.
    #[pyo3(signature = (logs, *, mapping=None, correlate=None, require_complete=false))]
    fn audit(
        &self,
        py: Python<'_>,
        logs: Logs,
        mapping: Option<String>,
        correlate: Option<String>,
        require_complete: bool,
    ) -> PyResult<Answers> {
        let files = match logs {
            Logs::One(path) => vec![(None, path)],
            Logs::ByRole(logs) => logs
                .into_iter()
                .map(|(role, it)| (Some(role), it))
                .collect(),
        };
        let request = AuditRequest {
            model: self.request.clone(),
            logs: LogsRequest {
                files,
                mapping,
                ..LogsRequest::default()
            },
            auditing: Auditing {
                sessions: correlate
                    .map_or(Sessions::Found, |by| Sessions::By(Correlation::named(&by))),
                runs: if require_complete {
                    Runs::MustBeFinished
                } else {
                    Runs::MayBeUnfinished
                },
                ..Auditing::default()
            },
        };
        let report = {
            let mut workspace = self.workspace.borrow();
            let answered = verbs::audit(&mut workspace, &request, &self.settings);
            answered.report(&workspace.terms)
        };
        self.answers(py, report)
    }

    /// A picture, as SVG.
    fn draw(&self, py: Python<'_>) -> PyResult<String> {
        let settings = &self.settings;
        let mut workspace = self.workspace.borrow();
        let request = DrawRequest {
            file: self.request.clone(),
            form: Picture::Svg.into(),
            ..DrawRequest::default()
        };
        let answered = verbs::draw(&mut workspace, &request, settings);
        let report = answered.report(&workspace.terms);
        raise_failure(py, &report, &workspace)?;
        let blocks = report.outcomes.into_iter().flat_map(|it| it.blocks);
        let pictures = blocks.filter_map(|block| match block {
            Block::Picture { text, .. } => Some(text),
            _ => None,
        });
        Ok(pictures.collect::<Vec<String>>().join("\n"))
    }

    /// What a notebook shows.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.draw(py)
    }

    fn __repr__(&self) -> String {
        match &self.request.component {
            Some(component) => format!("<Model {}#{component}>", self.request.path),
            None => format!("<Model {}>", self.request.path),
        }
    }
}

impl Model {
    fn copied(&self) -> Model {
        Model {
            workspace: self.workspace.clone(),
            request: self.request.clone(),
            settings: self.settings.clone(),
        }
    }
}

/// One log, or one for each role.
#[derive(FromPyObject)]
enum Logs {
    One(String),
    ByRole(BTreeMap<String, String>),
}
