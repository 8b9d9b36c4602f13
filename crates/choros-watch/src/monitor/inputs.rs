//! What is read, and how.

use std::sync::Arc;

use choros_bind::Binder;
use choros_exec::feed::{FileProgress, FileSource, LiveFeed, SourceSpec, listen, standard_input};
use choros_exec::log::{LogFormat, LogOptions, WantedValues, can_be_read_again, open_log};
use choros_report::SavedMonitor;
use choros_report::answers::{RunNotes, Stop};

use super::{WatchRequest, saved_state};
use crate::WatchContext;
use crate::mapping::bound;
use choros_codes::diagnostics::unreadable_log;

/// What is read, and how.
pub(super) struct Inputs<'i> {
    pub(super) request: &'i WatchRequest,
    pub(super) binder: Arc<Binder>,
    /// Which values are wanted.
    pub(super) wanted: WantedValues,
    /// The state of an earlier run.
    pub(super) saved: Option<&'i SavedMonitor>,
}

impl Inputs<'_> {
    /// The form of a log as the request, the binding, its beginning or its name say, and how it is wrapped.
    fn form(&self, path: &str) -> (LogFormat, String) {
        let rules = self.binder.binding.log_rules(path);
        let named = rules.and_then(|it| LogFormat::named(it.form.as_deref()?));
        let given = self.request.format.or(named);
        // What grows may be empty now, and a pipe can be read once only.
        let opened = if self.request.follow || !can_be_read_again(path) {
            None
        } else {
            open_log(path, given).ok().flatten()
        };
        match opened {
            Some(opened) => (opened.form, opened.description),
            None => {
                let format = given
                    .or_else(|| LogFormat::of_path(path))
                    .unwrap_or(LogFormat::JsonLines);
                (format, format.name().to_owned())
            }
        }
    }

    fn options(
        &self,
        service: Option<&String>,
        path: &str,
        format: LogFormat,
        world: WatchContext<'_>,
    ) -> LogOptions {
        LogOptions {
            binding: bound(&self.binder, path, format, world),
            format,
            service: service.cloned(),
            names: self.request.names.clone(),
            wanted: self.wanted.clone(),
            longest: self.request.longest,
            grows: self.request.follow,
            reads_ahead: false,
        }
    }

    /// Opens the logs, and listens where that was asked for.
    pub(super) fn open(
        &self,
        world: WatchContext<'_>,
        run: &mut RunNotes,
    ) -> Result<(Vec<FileSource>, Option<LiveFeed>), Stop> {
        let mut files = Vec::new();
        let mut live: Option<LiveFeed> = None;
        for (service, path) in &self.request.logs {
            if path == "-" {
                let (format, _) = self.form(path);
                let options = self.options(service.as_ref(), path, format, world);
                live = Some(standard_input(options));
                continue;
            }
            let (format, description) = self.form(path);
            let spec = SourceSpec {
                path: path.clone(),
                options: self.options(service.as_ref(), path, format, world),
                from: reached(self.saved, path),
            };
            run.semantics.inputs.insert(path.clone(), description);
            match FileSource::open(spec) {
                Ok((file, renewal)) => {
                    let is_missed = renewal.and_then(|renewal| renewal.diagnostic(path));
                    run.findings.extend(is_missed);
                    files.push(file);
                }
                Err(error) => {
                    let reason = error.to_string();
                    run.findings.push(unreadable_log::diagnostic(path, &reason));
                    if self.request.strict {
                        return Err(Stop::Mistakes);
                    }
                }
            }
        }
        if let Some(address) = &self.request.listen {
            let (format, _) = self.form("");
            let options = self.options(None, "", format, world);
            let listener = listen(address, options, self.request.connections)
                .map_err(|error| Stop::World(format!("cannot listen on `{address}`: {error}")))?;
            if let Some(address) = &listener.address {
                world.events.listening(format!("listening on {address}"));
            }
            live = Some(listener);
        }
        Ok((files, live))
    }
}

fn reached(saved: Option<&SavedMonitor>, path: &str) -> FileProgress {
    let inputs = saved.map_or(&[][..], |saved| &saved.inputs);
    inputs
        .iter()
        .find(|input| input.path == path)
        .map_or(FileProgress::default(), saved_state::reached)
}
