//! The files that a run writes, and what a run before has left in them.

use choros_exec::state_file;
use thiserror::Error;

use crate::record::{FinishedTest, LineFile, read_done, suite_line};
use crate::secrets::Secrets;

/// The files that are written to.
#[derive(Debug, Default)]
pub struct Files {
    /// What is done already.
    pub resume: Option<LineFile>,
    /// Everything that happens.
    pub transcript: Option<LineFile>,
}

/// Why a run cannot begin.
#[derive(Debug, Error)]
pub enum NotOpened {
    /// What is done in the file is not of this suite.
    #[error("`{path}`: {reason}")]
    OtherSuite {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The disk refused.
    #[error("{0}")]
    World(String),
}

impl Files {
    /// Opens the files of a suite, and says which of its tests are done already.
    pub fn open(
        resume: Option<&str>,
        transcript: Option<&str>,
        fingerprint: &str,
        secrets: &Secrets,
    ) -> Result<(Files, Vec<FinishedTest>), NotOpened> {
        let open = |path: &str, goes_on: bool| {
            LineFile::open(path, goes_on, secrets.clone()).map_err(|error| refused(path, &error))
        };
        let mut files = Files::default();
        let mut done = Vec::new();
        if let Some(path) = resume {
            let known = whole_lines(path)?;
            if let Some(text) = &known {
                done = done_of(path, text, fingerprint)?;
            }
            let mut file = open(path, known.is_some())?;
            if known.is_none() {
                file.add(&[suite_line(fingerprint)])
                    .map_err(|error| refused(path, &error))?;
            }
            files.resume = Some(file);
        }
        if let Some(path) = transcript {
            files.transcript = Some(open(path, !done.is_empty())?);
        }
        Ok((files, done))
    }
}

/// What a file has, without a line that was cut off when the run was killed, so that the next one is whole.
fn whole_lines(path: &str) -> Result<Option<String>, NotOpened> {
    let known = state_file::load(path).ok().flatten();
    let Some(mut text) = known.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    if !text.ends_with('\n') {
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        state_file::save(path, &text).map_err(|error| refused(path, &error))?;
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

fn done_of(path: &str, text: &str, fingerprint: &str) -> Result<Vec<FinishedTest>, NotOpened> {
    let reason = match read_done(text) {
        Ok((of, done)) if of == fingerprint => return Ok(done),
        Ok(_) => "it belongs to another suite".to_owned(),
        Err(reason) => reason,
    };
    Err(NotOpened::OtherSuite {
        path: path.to_owned(),
        reason,
    })
}

fn refused(path: &str, error: &dyn std::fmt::Display) -> NotOpened {
    NotOpened::World(format!("cannot write `{path}`: {error}"))
}
