//! From the words of a project file to requests.

use choros_base::{Choice, Diagnostic, nearest};
use choros_model::cfsm::{Channels, Discipline};
use choros_project::{Row, glob};
use choros_realize::{Criterion, Mode};

use super::CheckProject;
use crate::diagnostics::{nothing_named, unreadable};
use crate::verbs::check::CheckRequest;
use crate::verbs::conform::{ComparisonRules, ConformRequest};
use crate::verbs::realize::{RealizeRequest, RealizeRules};
use crate::verbs::verify::{QuestionSource, VerifyRequest};
use crate::{Request, Settings, Workspace};

/// From the words of the file to requests.
pub(super) struct Expander<'a> {
    request: &'a CheckProject<'a>,
    /// The files below the folder.
    listed: Option<Vec<String>>,
}

impl<'a> Expander<'a> {
    pub(super) fn new(request: &'a CheckProject<'a>) -> Expander<'a> {
        Expander {
            request,
            listed: None,
        }
    }

    fn path(&self, text: &str) -> String {
        format!("{}{text}", self.request.root)
    }

    fn request(&self, text: &str) -> Request {
        Request::parse(&self.path(text), None)
    }

    pub(super) fn check(&mut self, row: &Row) -> Result<CheckRequest, Vec<Diagnostic>> {
        let mut asked = CheckRequest {
            files: self.files(row)?,
            model: row.text("model").map(|it| self.request(it)),
            ..CheckRequest::default()
        };
        asked.depth = row.number("depth").map_or(asked.depth, |it| it as usize);
        Ok(asked)
    }

    pub(super) fn realize(&mut self, row: &Row) -> Result<RealizeRequest, Vec<Diagnostic>> {
        let mode = row.text("mode").and_then(Mode::chosen);
        let criterion = row.text("criterion").and_then(Criterion::chosen);
        let bound = row.number("bound").map(|it| it as usize);
        Ok(RealizeRequest {
            files: self.files(row)?,
            rules: RealizeRules {
                mode,
                criterion,
                bound: bound.unwrap_or(RealizeRules::BOUND),
                services: row.texts("service").to_vec(),
                joint_ending: row.flag("joint-ending"),
            },
            repair: false,
            channels: row.text("channels").map(|word| match word {
                "bag" => Channels::Bag,
                _ => Channels::Fifo,
            }),
        })
    }

    pub(super) fn conform(&self, row: &Row) -> ConformRequest {
        let services = row.texts("implementation").iter();
        let services = services.flat_map(|it| it.split('+'));
        ConformRequest {
            implementation: services.map(|it| self.request(it)).collect(),
            specification: self.request(row.text("specification").unwrap_or_default()),
            roles: row.pairs("map").to_vec(),
            role: row.text("role").map(str::to_owned),
            rules: ComparisonRules {
                shared: row.texts("share").to_vec(),
                allow_fixed: row.flag("allow-fixed"),
                ..ComparisonRules::default()
            },
        }
    }

    pub(super) fn verify(&self, row: &Row) -> Result<VerifyRequest, Vec<Diagnostic>> {
        let files = row.texts("formulas").iter();
        let mut questions: Vec<QuestionSource> = files
            .map(|it| QuestionSource::File(self.path(it)))
            .collect();
        let formulas = row.texts("formula").iter().cloned();
        questions.extend(formulas.map(QuestionSource::Formula));
        let patterns = row.texts("pattern").iter().cloned();
        questions.extend(patterns.map(QuestionSource::Pattern));
        if questions.is_empty() {
            return Err(vec![nothing_named::no_question(row.span)]);
        }
        let rules = row.texts("rules").iter();
        Ok(VerifyRequest {
            model: self.request(row.text("model").unwrap_or_default()),
            partners: Vec::new(),
            rules: rules.map(|it| self.path(it)).collect(),
            questions,
            domains: row.pairs("domain").to_vec(),
            strict: row.flag("strict"),
            depth: row.number("depth").and_then(|it| u32::try_from(it).ok()),
            per_session: row.flag("per-session"),
            ..VerifyRequest::default()
        })
    }

    /// Reads what an item names.
    ///
    /// The project file may come from elsewhere, as a model may: it refers to files, and it is not the user who names
    /// them, so that nothing outside its folder is read and quoted.
    pub(super) fn open(
        &mut self,
        workspace: &mut Workspace<'_>,
        row: &Row,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut paths: Vec<String> = Vec::new();
        for key in ["model", "implementation", "specification"] {
            let texts = row.texts(key).iter().flat_map(|it| it.split('+'));
            paths.extend(texts.map(|it| self.request(it).path));
        }
        for key in ["formulas", "rules"] {
            paths.extend(row.texts(key).iter().map(|it| self.path(it)));
        }
        if !row.texts("files").is_empty() {
            paths.extend(self.files(row)?.into_iter().map(|it| it.path));
        }
        let unread = paths.iter().filter_map(|it| workspace.referred(it).err());
        let found: Vec<Diagnostic> = unread.map(|it| unreadable::diagnostic(&it)).collect();
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    /// The files of an item, or that a pattern fits none.
    fn files(&mut self, row: &Row) -> Result<Vec<Request>, Vec<Diagnostic>> {
        if row.texts("files").is_empty() {
            return Err(vec![nothing_named::no_files(row.place("files"))]);
        }
        let mut requests = Vec::new();
        for text in row.texts("files") {
            let wanted = Request::parse(text, None);
            if !glob::is_pattern(&wanted.path) {
                requests.push(self.request(text));
                continue;
            }
            let listed = self.listed.get_or_insert_with(self.request.files);
            let fits = |path: &&String| glob::fits(&wanted.path, path);
            let mut found: Vec<&String> = listed.iter().filter(fits).collect();
            found.sort_unstable();
            if found.is_empty() {
                let similar = nearest(&wanted.path, listed.iter().map(String::as_str));
                let place = row.place("files");
                return Err(vec![nothing_named::no_file(text, similar, place)]);
            }
            requests.extend(found.into_iter().map(|path| Request {
                path: format!("{}{path}", self.request.root),
                component: wanted.component.clone(),
                kind: None,
            }));
        }
        Ok(requests)
    }
}

/// How machines talk, where an item says so.
pub(super) fn discipline(row: &Row) -> Option<Discipline> {
    let bound = row.number("bound");
    let known = bound.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    let usual = Settings::default().discipline.bound;
    let bound = known.unwrap_or(usual);
    match row.text("channels") {
        None if known.is_none() => None,
        Some("sync") => Some(Discipline::synchronous()),
        _ if bound == 0 => Some(Discipline::synchronous()),
        Some("bag") => Some(Discipline::bag(bound)),
        _ => Some(Discipline::fifo(bound)),
    }
}

/// Whether a file has no choreographies, of which there could be several sessions.
pub(super) fn has_no_graphs(text: &str) -> bool {
    let kind = Request::parse(text, None).known_kind();
    kind.is_some_and(|kind| !kind.has_graphs())
}
