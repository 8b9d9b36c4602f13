//! What does it look like?

mod evidence;

use choros_base::{Diagnostic, has_errors, nearest};
use choros_model::cfsm::Cfsm;
use choros_model::diagram::Diagram;
use choros_model::lts::explore;
use choros_report::answers::{Answered, Drawn, Parts, RunNotes, Stop};
use choros_report::{Form, GraphDrawing, Part, cut_text};
use choros_workspace::{diagram_block, drawing_block, graph_block, plain_block, system_block};

use super::explore::relation_of_services;
use crate::Service;
use crate::diagnostics::{no_such_component, no_such_form, nothing_around, state_bound};
use crate::{Component, Model, PictureStyle, Request, Settings, Workspace};

/// What is drawn, and in which form.
#[derive(Debug, Clone, Default)]
pub struct DrawRequest {
    /// The model, or a saved report.
    pub file: Request,
    /// The form, and the part that is drawn.
    pub form: Form,
    /// As a sequence diagram or as a graph.
    pub style: PictureStyle,
}

/// Longer diagrams are not examined: an unfolded loop may have many copies of its body.
const MAX_ROWS: usize = 2_000;

/// What was drawn of a file.
type Found = Result<Vec<Result<Drawn, Stop>>, Stop>;

/// Draws every component that is asked for, or the evidence of a saved report.
pub fn draw(
    workspace: &mut Workspace<'_>,
    request: &DrawRequest,
    settings: &Settings,
) -> Answered<Parts<Drawn>> {
    let mut run = settings.run();
    let mut pen = Pen {
        workspace,
        file: &request.file,
        form: &request.form,
        look: request.style,
        settings,
        run: &mut run,
    };
    let is_report = request.file.kind.is_none() && request.file.path.ends_with(".json");
    let found = if is_report {
        pen.evidence()
    } else {
        let found = pen.model();
        pen.run.interrupted = settings.is_cancelled();
        found
    };
    Answered::new(found.map(Parts), run)
}

/// Drawing one file.
struct Pen<'e, 's> {
    workspace: &'e mut Workspace<'s>,
    file: &'e Request,
    form: &'e Form,
    look: PictureStyle,
    settings: &'e Settings,
    run: &'e mut RunNotes,
}

impl Pen<'_, '_> {
    fn model(&mut self) -> Found {
        let loaded = self.workspace.model(self.file, self.settings, self.run);
        let loaded = loaded.filter(|_| !has_errors(&self.run.findings));
        let (_, model) = loaded.ok_or(Stop::Mistakes)?;
        let (path, names) = (&self.file.path, &self.workspace.terms.names);
        let findings = &mut self.run.findings;
        let picture = match model {
            Model::Graphs(components, _) => {
                let drawn = components.into_iter().map(|it| self.graph(it)).collect();
                return Ok(self.where_it_is(drawn));
            }
            Model::Machines(machines) => {
                let drawn = self.machines(&machines);
                return Ok(self.where_it_is(drawn.into_iter().map(Ok).collect()));
            }
            Model::Service(service) => return Ok(vec![Ok(self.service(&service)?)]),
            Model::Gchor(gchor) => {
                let diagram = gchor.diagram(path, names, MAX_ROWS);
                if let Some(drawn) = self.diagram(path, diagram.as_ref()) {
                    return Ok(vec![drawn]);
                }
                let names = &self.workspace.terms.names;
                let findings = &mut self.run.findings;
                let drawing = GraphDrawing::of_gchor(path, &gchor, names);
                plain_block(drawing, "a g-choreography", self.form.clone(), findings)
            }
            Model::System(system) => system_block(path, &system, self.form.clone(), findings),
        };
        Ok(vec![Ok(Drawn::whole(path.clone(), picture))])
    }

    /// Of several models, only those that have the name around which they are drawn.
    fn where_it_is(&mut self, mut drawn: Vec<Result<Drawn, Stop>>) -> Vec<Result<Drawn, Stop>> {
        let is_there =
            |it: &Result<Drawn, Stop>| it.as_ref().is_ok_and(|it| !it.picture.is_empty());
        if matches!(self.form.part, Part::Around(_)) && drawn.iter().any(is_there) {
            drawn.retain(is_there);
            let elsewhere = |it: &Diagnostic| it.code.code == nothing_around::CODE.code;
            self.run.findings.retain(|it| !elsewhere(it));
        }
        drawn
    }

    /// The sequence diagram, where one is to be drawn.
    fn diagram(&mut self, name: &str, diagram: Option<&Diagram>) -> Option<Result<Drawn, Stop>> {
        match (self.look, diagram) {
            (PictureStyle::Graph, _) | (PictureStyle::Natural, None) => None,
            (PictureStyle::Sequence, None) => {
                let what = "a single role or a graph";
                let finding = no_such_form::diagnostic(name, what, "sequence-diagram");
                self.run.findings.push(finding);
                Some(Err(Stop::Mistakes))
            }
            (_, Some(diagram)) => {
                let blocks = diagram_block(diagram, self.form, &mut self.run.findings)?;
                Some(Ok(Drawn::whole(name.to_owned(), blocks)))
            }
        }
    }

    fn graph(&mut self, component: Component) -> Result<Drawn, Stop> {
        let name = component.name.clone();
        if let Some(drawn) = self.diagram(&name, component.diagram.as_deref()) {
            return drawn;
        }
        self.settings.events.doing(format!("drawing `{name}`"));
        let stg = component.built(self.settings, self.run);
        let stg = stg.map_err(Stop::without_question)?;
        let (terms, findings) = (&mut self.workspace.terms, &mut self.run.findings);
        let form = self.form.clone();
        Ok(Drawn::whole(name, graph_block(&stg, terms, form, findings)))
    }

    /// Each machine, or the one after `#`.
    fn machines(&mut self, machines: &[Cfsm]) -> Vec<Drawn> {
        let names = &self.workspace.terms.names;
        let wanted = |machine: &&Cfsm| match &self.file.component {
            Some(name) => names.text(machine.participant()) == name,
            None => true,
        };
        let chosen: Vec<&Cfsm> = machines.iter().filter(wanted).collect();
        if let (true, Some(name)) = (chosen.is_empty(), &self.file.component) {
            let known = machines.iter().map(|it| names.text(it.participant()));
            let similar = nearest(name, known);
            let finding = no_such_component::diagnostic(&self.file.path, name, similar);
            self.run.findings.push(finding);
        }
        let mut drawn = Vec::new();
        for machine in chosen {
            let name = names.text(machine.participant()).to_owned();
            if let Some(form) = self.form.picture.language() {
                let finding = no_such_form::diagnostic(&name, "a machine", form);
                self.run.findings.push(finding);
                continue;
            }
            let drawing = GraphDrawing::of_machine(machine, names);
            let picture = drawing_block(drawing, self.form.clone(), &mut self.run.findings);
            drawn.push(Drawn::whole(name, picture));
        }
        drawn
    }

    /// The graph of all states.
    fn service(&mut self, service: &Service) -> Result<Drawn, Stop> {
        let (path, settings) = (&self.file.path, self.settings);
        let relation = relation_of_services(settings).to_owned();
        self.run.semantics.relation = Some(relation);
        let mut system = service.system(settings).ok_or(Stop::Mistakes)?;
        settings.events.doing(format!("exploring `{path}`"));
        let found = explore(&mut system, &settings.states());
        if let Some(cut) = found.lts.extent().cut_by() {
            let finding = state_bound::cut(path, &cut_text(cut));
            self.run.findings.push(finding);
        }
        Ok(Drawn {
            name: path.clone(),
            picture: system_block(path, &found.lts, self.form.clone(), &mut self.run.findings),
            is_cut: !found.complete(),
        })
    }
}
