//! Logs that are too long to be held: read once to learn what they are, and again to judge their sessions as they end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use choros_base::Budget;
use choros_bind::{Binder, Part, Vocabulary};
use choros_codes::diagnostics::too_many_observations;
use choros_data::Terms;
use choros_exec::log::LogRecords;
use choros_model::observation::{Number, Observation};
use choros_model::stg::{DotMarks, Stg};
use choros_monitor::audit::{
    Audit as Found, Auditing, Log, Quiet, SessionStream, Streamed, Survey,
};
use choros_report::GraphDrawing;
use choros_report::answers::{Audit, RunNotes, Stop};

use super::doubts::Doubts;
use super::found::{found_answer, left_open};
use super::logs::{
    Nature, PartPresence, SplitSession, complaints, failed, open_or_tell, open_role_log,
    strange_roles, stranger_words,
};
use super::solvers::Solvers;
use super::{LogsRequest, lacking_notes, not_audited, split_sessions};
use crate::WatchContext;
use crate::mapping::{binder, only_path, tell_tally};

/// What was learnt of the logs when they were read first.
struct Surveyed {
    survey: Survey,
    /// The logs of roles, without observations.
    heads: Vec<Log>,
    files: Vec<SurveyedFile>,
    torn: Vec<SplitSession>,
}

/// A file, and for each role the number of its log in it.
struct SurveyedFile {
    role: Option<String>,
    path: String,
    logs: Vec<Option<usize>>,
}

/// An audit of long logs.
pub(super) struct LongLogs<'l> {
    pub(super) request: &'l LogsRequest,
    pub(super) stg: &'l Stg,
    pub(super) roles: &'l [String],
    pub(super) how: &'l Auditing,
    pub(super) world: WatchContext<'l>,
    pub(super) budget: &'l Budget,
}

impl LongLogs<'_> {
    /// Judges the logs; none if they must be judged as wholes.
    pub(super) fn judge(
        &self,
        terms: &mut Terms,
        solvers: &mut Solvers<'_>,
        run: &mut RunNotes,
    ) -> Result<Option<Audit>, Stop> {
        let words = Vocabulary::of(self.stg, terms);
        let binder = binder(self.world.binding, &self.request.names, words);
        let mut kept = BTreeSet::new();
        loop {
            // What is found wrong with the logs is the same each time.
            let mut notes = run.clone();
            let surveyed = match self.survey(&binder, terms, &mut notes) {
                Ok(Some(surveyed)) => surveyed,
                Ok(None) => return Ok(None),
                Err(stop) => {
                    *run = notes;
                    return Err(stop);
                }
            };
            let files = &surveyed.files;
            let quiet = self.request.quiet_after.map(|seconds| Quiet {
                after: Number::from(
                    i64::try_from(seconds)
                        .unwrap_or(i64::MAX)
                        .saturating_mul(1000),
                ),
                words: format!("{seconds} s"),
            });
            let stream = SessionStream::new(
                self.stg,
                surveyed.survey,
                surveyed.heads,
                self.how,
                (quiet, kept.clone()),
                terms,
            );
            match self.feed(stream, files, &binder, terms, (&mut *solvers, &mut notes)) {
                Ok(Streamed::Found(found)) => {
                    *run = notes;
                    return Ok(Some(self.answer(
                        *found,
                        &surveyed.torn,
                        &binder,
                        terms,
                        run,
                    )));
                }
                Ok(Streamed::Late(sessions)) => kept.extend(sessions),
                Err(stop) => {
                    *run = notes;
                    return Err(stop);
                }
            }
        }
    }

    fn answer(
        &self,
        found: Found,
        torn: &[SplitSession],
        binder: &Binder,
        terms: &Terms,
        run: &mut RunNotes,
    ) -> Audit {
        run.findings.extend(split_sessions(&found));
        let drawings = GraphDrawing::pictures(&[(self.stg, DotMarks::default())], terms);
        let mut answer = found_answer(found, torn, drawings);
        if binder.binding.draft {
            left_open(&mut answer);
        }
        answer
    }

    /// Reads the logs once, and holds nothing of them; none if they must be judged as wholes.
    fn survey(
        &self,
        binder: &Arc<Binder>,
        terms: &mut Terms,
        run: &mut RunNotes,
    ) -> Result<Option<Surveyed>, Stop> {
        let request = self.request;
        let mut survey = Survey::new(self.stg, self.how, terms);
        let strange = strange_roles(request, self.roles, run);
        let mut sound = strange.is_empty();
        let (mut heads, mut files, mut torn) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (role, path)) in request.different_files().enumerate() {
            if role.as_ref().is_some_and(|role| strange.contains(role)) {
                continue;
            }
            self.world.events.doing(format!("reading `{path}`"));
            let told = (&mut *run, &mut sound);
            let Some(opened) = open_or_tell(request, (role, path), binder, self.world, told) else {
                continue;
            };
            let kind = opened.kind(binder);
            let rules = binder.binding.log_rules(path);
            let is_promised = only_path(rules, Part::Body).is_some();
            let mut records = LogRecords::new(opened.input, opened.options);
            let (mut doubts, mut presence) = (Doubts::default(), PartPresence::default());
            let mut counts = vec![0; self.roles.len()];
            let mut strangers: BTreeMap<String, usize> = BTreeMap::new();
            let mut failure = None;
            loop {
                let seen = match records.next() {
                    Ok(Some(seen)) => seen,
                    Ok(None) => break,
                    Err(error) => {
                        failure = Some(failed(path, &error));
                        break;
                    }
                };
                self.go_on(run)?;
                doubts.see(&seen);
                presence.see(&seen);
                let known = role.as_deref().unwrap_or(&seen.by);
                match self.roles.iter().position(|it| it == known) {
                    Some(index) => {
                        counts[index] += 1;
                        let by = (known, is_promised);
                        survey.see((number, index), by, &seen, terms);
                    }
                    None => *strangers.entry(seen.by.to_string()).or_default() += 1,
                }
            }
            if let Some(finding) = failure {
                run.findings.push(finding);
                continue;
            }
            let whole = records.into_rest();
            let inputs = &mut run.semantics.inputs;
            inputs.insert(path.clone(), opened.description);
            if let Some(tally) = &whole.tally {
                tell_tally(path, tally, run);
            }
            // Both ends of a message stand where one is: which, is known only when all is read.
            let nature = Nature::of(&whole, kind, false);
            if nature.is_one_sided {
                return Ok(None);
            }
            let is_empty = presence.is_empty();
            sound &= complaints(path, (&whole, is_empty), doubts, request.strict, run);
            if whole.left_out > 0 {
                torn.push(SplitSession {
                    role: role.clone(),
                    path: path.clone(),
                    left_out: whole.left_out,
                });
            }
            let promises_data = presence.absent_paths(path, rules, run);
            let mut logs = vec![None; self.roles.len()];
            for (index, name) in self.roles.iter().enumerate() {
                if role.as_ref() == Some(name) || role.is_none() && counts[index] > 0 {
                    logs[index] = Some(heads.len());
                    heads.push(Log {
                        hypothesis: nature.hypothesis(request, name),
                        role: name.clone(),
                        source: path.clone(),
                        promises_data,
                        observations: Vec::new(),
                    });
                }
            }
            for (name, count) in strangers {
                let words = stranger_words(count, path, &name);
                run.semantics.notes.push(words);
            }
            files.push(SurveyedFile {
                role: role.clone(),
                path: path.clone(),
                logs,
            });
        }
        if !sound {
            return Err(Stop::Mistakes);
        }
        if survey.needs_whole_logs().is_some() {
            return Ok(None);
        }
        lacking_notes(&heads, run);
        Ok(Some(Surveyed {
            survey,
            heads,
            files,
            torn,
        }))
    }

    /// Reads the logs again and judges their sessions.
    fn feed(
        &self,
        mut stream: SessionStream<'_>,
        files: &[SurveyedFile],
        binder: &Arc<Binder>,
        terms: &mut Terms,
        (solvers, run): (&mut Solvers<'_>, &mut RunNotes),
    ) -> Result<Streamed, Stop> {
        let mut feeds = Vec::new();
        for file in files {
            let opened = open_role_log(self.request, (&file.role, &file.path), binder, self.world);
            let Ok(opened) = opened else {
                return Err(changed(file));
            };
            let records = LogRecords::new(opened.input, opened.options);
            let mut feed = Feed {
                file,
                records,
                next: None,
                at: None,
                taken: 0,
            };
            feed.advance()?;
            feeds.push(feed);
        }
        let most = self.request.most_observations;
        // Of several logs the one that is behind is read next, so that sessions end in all of them.
        let behind = |feeds: &mut [Feed<'_>]| {
            let ready = (0..feeds.len()).filter(|&it| feeds[it].next.is_some());
            ready.min_by(|&left, &right| feeds[left].place().cmp(&feeds[right].place()))
        };
        while let Some(index) = behind(&mut feeds) {
            self.go_on(run)?;
            let feed = &mut feeds[index];
            let Some((log, observation)) = feed.take(self.roles)? else {
                continue;
            };
            stream.take(log, observation);
            if stream.is_due() || stream.held() > most {
                let judged = solvers.with(|it| stream.judge(it, self.budget));
                judged.map_err(|it| not_audited(it, run))?;
            }
            if stream.held() > most {
                let path = &feeds[index].file.path;
                let diagnostic = too_many_observations::diagnostic(path, most);
                run.findings.push(diagnostic);
                return Err(Stop::Mistakes);
            }
        }
        stream.close();
        while stream.is_due() {
            let judged = solvers.with(|it| stream.judge(it, self.budget));
            judged.map_err(|it| not_audited(it, run))?;
        }
        let concluded = solvers.with(|it| stream.conclude(it, self.budget, terms));
        concluded.map_err(|it| not_audited(it, run))
    }

    fn go_on(&self, run: &mut RunNotes) -> Result<(), Stop> {
        if self.world.cancel.load(Ordering::Relaxed) {
            run.interrupted = true;
            return Err(Stop::Mistakes);
        }
        Ok(())
    }
}

/// A log that is read while others are.
struct Feed<'f> {
    file: &'f SurveyedFile,
    records: LogRecords,
    next: Option<Observation<'static>>,
    /// The time of the latest observation that has one.
    at: Option<Number>,
    taken: u64,
}

impl Feed<'_> {
    /// Where it is: a log without times is as far as it is long.
    fn place(&self) -> (Option<&Number>, u64) {
        (self.at.as_ref(), self.taken)
    }

    fn advance(&mut self) -> Result<(), Stop> {
        match self.records.next() {
            Ok(next) => self.next = next,
            Err(_) => return Err(changed(self.file)),
        }
        if let Some(at) = self.next.as_ref().and_then(|it| it.at.as_ref()) {
            self.at = Some(at.clone());
        }
        Ok(())
    }

    /// The next observation and the number of its log; none if it is of no role of the model.
    fn take(&mut self, roles: &[String]) -> Result<Option<(usize, Observation<'static>)>, Stop> {
        let Some(seen) = self.next.take() else {
            return Ok(None);
        };
        self.taken += 1;
        self.advance()?;
        let role = self.file.role.as_deref().unwrap_or(&seen.by);
        let index = roles.iter().position(|it| it == role);
        let Some(index) = index else {
            return Ok(None);
        };
        match self.file.logs[index] {
            Some(log) => Ok(Some((log, seen))),
            None => Err(changed(self.file)),
        }
    }
}

/// A log is not what it was a moment ago.
fn changed(file: &SurveyedFile) -> Stop {
    Stop::World(format!(
        "`{}` cannot be read a second time, or has changed",
        file.path
    ))
}
