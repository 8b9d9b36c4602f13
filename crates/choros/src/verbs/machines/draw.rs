//! What do machines look like?

use choros_base::nearest;
use choros_data::Terms;
use choros_model::cfsm::Cfsm;
use choros_report::{GraphDrawing, Outcome, Report};

use crate::Request;
use crate::diagnostics::{no_such_component, no_such_form};
use crate::verbs::Picture;
use crate::verbs::draw::drawing_block;

/// Draws each machine, or the one after `#`.
pub(in crate::verbs) fn draw(
    request: &Request,
    machines: &[Cfsm],
    picture: Picture,
    terms: &Terms,
    report: &mut Report,
) {
    let names = &terms.names;
    let form = match picture {
        Picture::Stg => Some(".stg"),
        Picture::Schora => Some(".schora"),
        Picture::Aut => Some(".aut"),
        Picture::Fsa => Some(".fsa"),
        Picture::Gc => Some(".gc"),
        _ => None,
    };
    let wanted = |machine: &&Cfsm| match &request.component {
        Some(name) => names.text(machine.participant()) == name,
        None => true,
    };
    if let Some(name) = &request.component
        && !machines.iter().any(|machine| wanted(&machine))
    {
        let known = machines.iter().map(|it| names.text(it.participant()));
        let finding = no_such_component::diagnostic(&request.path, name, nearest(name, known));
        report.diagnostics.push(finding);
    }
    for machine in machines.iter().filter(wanted) {
        let name = names.text(machine.participant()).to_owned();
        if let Some(form) = form {
            let finding = no_such_form::diagnostic(&name, "a machine", form);
            report.diagnostics.push(finding);
            continue;
        }
        let drawing = GraphDrawing::of_machine(machine, names);
        report.outcomes.push(Outcome {
            name,
            blocks: drawing_block(drawing, picture, &mut report.diagnostics),
            ..Outcome::default()
        });
    }
}
