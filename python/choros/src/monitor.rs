//! Properties that are watched while messages come.

use std::io::Cursor;

use choros::base::{Severity, SourceMap};
use choros::data::Terms;
use choros::monitor::{self as engine, Config};
use choros::query::property::{self, MessageSchema};
use choros_exec::log::{LogFormat, LogOptions, LogReader, NextRecord};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Mistakes;

/// Watches properties, record by record.
#[pyclass(unsendable, module = "choros")]
pub(crate) struct Monitor {
    monitor: engine::Monitor,
    names: Vec<String>,
    service: Option<String>,
    /// How many verdicts were given out.
    told: u64,
}

/// The verdict on one window of messages.
#[pyclass(frozen, get_all, module = "choros")]
pub(crate) struct Judgement {
    /// The name of the property.
    name: String,
    /// The service whose messages it is about.
    service: String,
    /// `pass`, `fail` or `inconclusive`.
    outcome: &'static str,
    /// The session or key, where messages are correlated.
    key: Option<String>,
}

#[pymethods]
impl Monitor {
    /// The text of properties, as a `.prop` file holds it; `service` says whose messages they are.
    #[new]
    #[pyo3(signature = (properties, *, service=None))]
    fn new(properties: &str, service: Option<String>) -> PyResult<Monitor> {
        let (mut sources, mut terms) = (SourceMap::new(), Terms::new());
        let file = sources.add("properties", properties);
        let (read, found) = property::read(file, properties, &MessageSchema::default(), &mut terms);
        if let Some(mistake) = found.iter().find(|it| it.severity == Severity::Error) {
            let place = mistake.labels.first().map(|it| sources.locate(it.span));
            let place = place.unwrap_or_default();
            return Err(Mistakes::new_err(format!("{place}: {}", mistake.message)));
        }
        if read.local.is_empty() {
            return Err(Mistakes::new_err("there is no property in the text"));
        }
        let names = read.local.iter().map(|it| it.name.clone()).collect();
        let monitor = engine::Monitor::new(&read, &terms, Config::default())
            .map_err(|error| Mistakes::new_err(error.0))?;
        Ok(Monitor {
            monitor,
            names,
            service,
            told: 0,
        })
    }

    /// Takes one message, with the fields of a native log, and gives what it decided.
    fn observe(&mut self, py: Python<'_>, record: &Bound<'_, PyDict>) -> PyResult<Vec<Judgement>> {
        let json = py.import("json")?.getattr("dumps")?.call1((record,))?;
        let line: String = json.extract()?;
        let options = LogOptions {
            service: self.service.clone(),
            ..LogOptions::new(LogFormat::JsonLines)
        };
        let mut reader = LogReader::new(Box::new(Cursor::new(line.into_bytes())), options);
        match reader.next() {
            NextRecord::Observation(seen, None) => self.monitor.observe(&seen),
            NextRecord::Observation(_, Some(problem)) | NextRecord::Problem(problem) => {
                let message = problem.diagnostic("record").message;
                return Err(PyValueError::new_err(message));
            }
            NextRecord::Failed(error) => return Err(PyValueError::new_err(error.to_string())),
            NextRecord::End => return Err(PyValueError::new_err("the record is empty")),
        }
        Ok(self.news())
    }

    /// Nothing more comes: windows that are open are decided.
    fn finish(&mut self) -> Vec<Judgement> {
        self.monitor.finish();
        self.news()
    }

    /// How many messages were taken.
    #[getter]
    fn observed(&self) -> u64 {
        self.monitor.observations()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Monitor of {}, {} messages>",
            self.names.join(", "),
            self.monitor.observations()
        )
    }
}

impl Monitor {
    /// The verdicts that were not given out yet.
    fn news(&mut self) -> Vec<Judgement> {
        let told = self.told;
        let new = self.monitor.verdicts().iter();
        let new: Vec<&engine::WindowVerdict> = new.filter(|it| it.sequence > told).collect();
        let last = new.iter().map(|it| it.sequence).max();
        let judgements = new.iter().map(|it| Judgement {
            name: self.names.get(it.property).cloned().unwrap_or_default(),
            service: it.service.to_string(),
            outcome: it.outcome.word(),
            key: it.key.as_ref().map(ToString::to_string),
        });
        let judgements = judgements.collect();
        self.told = last.unwrap_or(told);
        judgements
    }
}
