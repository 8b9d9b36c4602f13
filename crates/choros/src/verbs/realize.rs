//! Can the roles realise it?

use choros_base::nearest;
use choros_many::{SessionsRealizability, realizability_of_sessions};
use choros_model::stg::{Sessions, Stg};
use choros_realize::{
    AnalysisStop, Criterion, Projection, ProjectionAnswer, Question, no_choreography, part_of,
    projections, realizability,
};
use choros_report::Rejection;
use choros_report::answers::{
    Answered, GraphRealizability, Parts, Realizability, RunNotes, Stop, one_role_keeps, one_stands,
    together,
};
use choros_smt::LazySolver;
pub use choros_workspace::{RealizeRequest, RealizeRules};
use choros_workspace::{SessionsAs, choreographies, realize_under_faults};

use super::gchor;
use super::project::ProjectRequest;
use crate::diagnostics::no_such_role;
use crate::{Component, Request, Settings, Workspace};

/// Judges every choreography that is asked for.
pub fn realize(
    workspace: &mut Workspace<'_>,
    request: &RealizeRequest,
    settings: &Settings,
) -> Answered<Parts<Realizability>> {
    let mut run = settings.run();
    if settings.faults.is_some() {
        let parts = realize_under_faults(workspace, request, settings, &mut run);
        run.interrupted = settings.is_cancelled();
        return Answered::new(Ok(Parts(parts)), run);
    }
    let files = request.files.iter().cloned();
    let (gchors, graphs): (Vec<Request>, Vec<Request>) = files.partition(Request::is_gchor);
    let mut parts = Vec::new();
    if !gchors.is_empty() {
        parts = gchor::realize(workspace, &gchors, request, settings, &mut run);
    }
    if !graphs.is_empty() {
        describe(&request.rules, &mut run);
        let alone = settings.with_sessions_as(SessionsAs::One);
        let components = choreographies(workspace, &graphs, &alone, &mut run);
        let mut judge = Judge::new(workspace, settings, &mut run);
        for component in components {
            let part = component.and_then(|it| judge.answer(it, request));
            judge.keep(&part);
            let is_last = matches!(part, Err(Stop::World(_))) || settings.is_cancelled();
            parts.push(part);
            if is_last {
                break;
            }
        }
    }
    run.interrupted = settings.is_cancelled();
    Answered::new(Ok(Parts(parts)), run)
}

/// Says what was asked.
fn describe(rules: &RealizeRules, run: &mut RunNotes) {
    let criterion = match rules.criterion() {
        Criterion::Conditions => "conditions on ordering, data and branching",
        Criterion::Semantic => {
            "the projections, put together, conform to the choreography, and neither a message nor a role is left waiting forever"
        }
    };
    run.semantics.relation = Some(format!("realizability: {criterion}"));
    run.semantics.channels = Some(rules.mode.unwrap_or_default().words().to_owned());
}

/// What a judgement rests on.
pub(super) struct Judge<'a, 's> {
    pub(super) workspace: &'a mut Workspace<'s>,
    pub(super) settings: &'a Settings,
    pub(super) solver: LazySolver,
    pub(super) run: &'a mut RunNotes,
}

impl<'a, 's> Judge<'a, 's> {
    pub(super) fn new(
        workspace: &'a mut Workspace<'s>,
        settings: &'a Settings,
        run: &'a mut RunNotes,
    ) -> Judge<'a, 's> {
        Judge {
            workspace,
            settings,
            solver: settings.solver(),
            run,
        }
    }

    fn answer(
        &mut self,
        mut component: Component,
        request: &RealizeRequest,
    ) -> Result<Realizability, Stop> {
        if let Some(sessions) = component.sessions.clone() {
            return self.sessions(component, &sessions, request);
        }
        let services = std::mem::take(&mut component.services);
        self.workspace.terms.notation = component.notation;
        let stg = component.built(self.settings, self.run)?;
        let name = stg.name().to_owned();
        self.settings.events.doing(format!("judging `{name}`"));
        self.know_services(&stg, &request.rules)?;
        let judged = self.realizability(&stg, &services, &request.rules, request.repair);
        let judged = judged.map_err(|stopped| self.stop(stopped, name))?;
        Ok(Realizability::Graph(Box::new(judged)))
    }

    /// Judges one of many sessions where it stands for all, and all of them otherwise.
    fn sessions(
        &mut self,
        mut component: Component,
        sessions: &Sessions,
        request: &RealizeRequest,
    ) -> Result<Realizability, Stop> {
        let name = component.name.clone();
        self.workspace.terms.notation = component.notation;
        let stg = component.require_graph(self.settings, self.run)?.clone();
        self.know_services(&stg, &request.rules)?;
        let names = &mut self.workspace.terms.names;
        let services = &component.services;
        let question =
            (request.rules).question(&stg, services, request.repair, self.settings, names);
        let budget = self.settings.until_cancelled();
        let (terms, solver) = (&mut self.workspace.terms, &mut self.solver);
        let found = realizability_of_sessions(&stg, sessions, &question, terms, solver, &budget);
        let (found, note) = match found.map_err(|stopped| self.stop(stopped, name.clone()))? {
            SessionsRealizability::Kept(found) => (found, one_role_keeps(&name, sessions)),
            SessionsRealizability::Any(found) => (found, one_stands(&name, sessions)),
            SessionsRealizability::Together(reason) => {
                together(&name, sessions, &reason, self.run)?;
                let mut request = request.clone();
                component.services.append(&mut request.rules.services);
                let (settings, run) = (self.settings, &mut *self.run);
                let told = sessions.told();
                let all = self.workspace.together(component, told, settings, run)?;
                return self.answer(all, &request);
            }
        };
        self.run.note(note);
        let renamed = stg.renamed(name.clone());
        let judged = self.judged(&renamed, question, *found, &request.rules);
        let judged = judged.map_err(|stopped| self.stop(stopped, name))?;
        Ok(Realizability::Graph(Box::new(judged)))
    }

    /// Judges a choreography; `declared` are the services that the model names.
    pub(super) fn realizability(
        &mut self,
        stg: &Stg,
        declared: &[String],
        rules: &RealizeRules,
        repair: bool,
    ) -> Result<GraphRealizability, AnalysisStop> {
        let names = &mut self.workspace.terms.names;
        let question = rules.question(stg, declared, repair, self.settings, names);
        self.run.semantics.channels = Some(question.mode.words().to_owned());
        let budget = self.settings.until_cancelled();
        let terms = &mut self.workspace.terms;
        let found = realizability(stg, &question, terms, &mut self.solver, &budget);
        self.judged(stg, question, found?, rules)
    }

    /// The answer, with what is to be said of it.
    fn judged(
        &mut self,
        stg: &Stg,
        question: Question,
        found: choros_realize::Realizability,
        rules: &RealizeRules,
    ) -> Result<GraphRealizability, AnalysisStop> {
        self.name_solver();
        if found.conditions.interleaves {
            let note = "the steps of a parallel are not treated as branches of a choice";
            self.run.note(note);
        }
        let workspace = &mut *self.workspace;
        let (name, solver) = (stg.name(), &mut self.solver);
        let budget = self.settings.until_cancelled();
        // With values of parameters, the changed text would be about all values.
        let late = if self.settings.parameters.is_empty() {
            workspace.late_repair(name, &found, &question, solver, &budget)?
        } else {
            None
        };
        Ok(GraphRealizability {
            late,
            graph: stg.clone(),
            question,
            edits: self.workspace.edits(&found),
            found,
            compares_criteria: rules.criterion.is_some(),
            is_about_nothing: false,
        })
    }

    /// The roles of a choreography, after additions where these are asked for.
    pub(super) fn projections(
        &mut self,
        stg: &Stg,
        declared: &[String],
        request: &ProjectRequest,
    ) -> Result<Vec<Projection>, Stop> {
        let rules = &request.rules;
        let mode = rules.mode_for(stg);
        self.run.semantics.channels = Some(mode.words().to_owned());
        let names = &mut self.workspace.terms.names;
        let question = || rules.question(stg, declared, true, self.settings, names);
        let question = request.repair.then(question);
        if request.repair {
            self.know_services(stg, rules)?;
        }
        let projected = projections(
            stg,
            (mode, request.memory),
            question.as_ref(),
            self.settings.max_states,
            &mut self.workspace.terms,
            &mut self.solver,
            &self.settings.until_cancelled(),
        );
        self.name_solver();
        let name = stg.name().to_owned();
        match projected.map_err(|stopped| self.stop(stopped, name.clone()))? {
            ProjectionAnswer::Roles(roles) => Ok(roles),
            ProjectionAnswer::NotMended(reason) => Err(Stop::Unsettled {
                name,
                reason: format!(
                    "no additions are known with which the roles do what the choreography says: {reason}"
                ),
            }),
        }
    }

    /// The part of a role: what one service does.
    pub(super) fn part(&mut self, choreography: &Stg, role: &str) -> Result<Projection, Stop> {
        let name = choreography.name();
        let known = self.names(choreography);
        let roles = choreography.roles();
        let is_choreography = no_choreography::diagnostic(choreography, &self.workspace.terms);
        let position = known.iter().position(|it| it == role);
        let part = match (is_choreography, position.and_then(|it| roles.get(it))) {
            (Some(found), _) => Err(AnalysisStop::Unfit(Box::new(found))),
            (None, None) => return Err(no_role(name, role, &known, role.to_owned())),
            (None, Some(&played)) => part_of(
                choreography,
                played,
                self.settings.max_states,
                &mut self.workspace.terms,
                &mut self.solver,
                &self.settings.until_cancelled(),
            ),
        };
        self.name_solver();
        part.map_err(|stopped| self.stop(stopped, name.to_owned()))
    }

    /// The services that are asked about take part.
    fn know_services(&self, stg: &Stg, rules: &RealizeRules) -> Result<(), Stop> {
        let roles = self.names(stg);
        let mut services = rules.services.iter();
        match services.find(|it| !roles.contains(it)) {
            Some(strange) => Err(no_role(stg.name(), strange, &roles, stg.name().to_owned())),
            None => Ok(()),
        }
    }

    /// Why an analysis ended without an answer.
    pub(super) fn stop(&mut self, stopped: AnalysisStop, name: String) -> Stop {
        match stopped {
            AnalysisStop::Solver(error) => Stop::World(error.to_string()),
            AnalysisStop::Spent(spent) => Stop::Unsettled {
                name,
                reason: spent.to_string(),
            },
            AnalysisStop::Unfit(found) => {
                self.run.findings.push(*found);
                Stop::Mistakes
            }
        }
    }

    /// Keeps an answer for the end of the run.
    fn keep(&self, part: &Result<Realizability, Stop>) {
        let (terms, sources) = (&self.workspace.terms, &self.workspace.sources);
        let part = Parts(vec![part.clone()]);
        let events = &self.settings.events;
        events.answer(part, self.run, terms, sources);
    }

    pub(super) fn name_solver(&mut self) {
        let semantics = &mut self.run.semantics;
        self.settings.name_solver(&self.solver, semantics);
    }

    fn names(&self, stg: &Stg) -> Vec<String> {
        let names = &self.workspace.terms.names;
        let roles = stg.roles().into_iter();
        roles.map(|role| names.text(role.0).to_owned()).collect()
    }
}

/// No one in a model is called so; `name` is what the question was about.
pub(super) fn no_role(model: &str, role: &str, known: &[String], name: String) -> Stop {
    let similar = nearest(role, known.iter().map(String::as_str));
    let rejection = Rejection {
        code: no_such_role::CODE.code,
        message: no_such_role::message(model, role, similar, known),
    };
    Stop::Rejected { name, rejection }
}
