//! The tests of a model as an editor lists them, and where the model is covered by them.

use choros::report::Report;
use choros::report::answers::{PathTest, Tests, TestsOf};
use choros::verbs::{self, MachineTestOptions, SymbolicTestOptions, TestsRequest};
use choros::{Settings, Workspace};
use serde_json::{Value, json};

use crate::commands::Question;
use crate::findings::Places;

impl Question {
    /// The tests of a model, of each role where it is a choreography; each with its steps, and how many of them take
    /// each step of the model.
    pub(crate) fn tests(
        &self,
        workspace: &mut Workspace<'_>,
        settings: &Settings,
    ) -> (Report, Value) {
        let mut roles: Vec<Option<String>> = match self.text("role") {
            Some(role) => vec![Some(role.to_owned())],
            None => self.roles.iter().cloned().map(Some).collect(),
        };
        if roles.is_empty() {
            roles.push(None);
        }
        let mut whole: Option<Report> = None;
        let (mut listed, mut covered) = (Vec::new(), Vec::new());
        for role in roles {
            let request = TestsRequest {
                model: self.request.clone(),
                machines: MachineTestOptions {
                    role: role.clone(),
                    ..MachineTestOptions::default()
                },
                symbolic: SymbolicTestOptions {
                    role: role.clone(),
                    ..SymbolicTestOptions::default()
                },
                is_concrete: true,
                ..TestsRequest::default()
            };
            let answered = verbs::tests(workspace, &request, settings);
            if let Ok(tests) = &answered.answer {
                self.listed(tests, role.as_deref(), workspace, &mut listed, &mut covered);
            }
            let report = answered.report(&workspace.terms);
            match &mut whole {
                None => whole = Some(report),
                Some(whole) => {
                    let new = report.diagnostics.into_iter();
                    let new = new.filter(|it| !whole.diagnostics.contains(it));
                    let new: Vec<_> = new.collect();
                    whole.diagnostics.extend(new);
                    whole.outcomes.extend(report.outcomes);
                    whole.interrupted |= report.interrupted;
                }
            }
        }
        let more = json!({"tests": listed, "coverage": covered});
        (whole.unwrap_or_default(), more)
    }

    fn listed(
        &self,
        tests: &Tests,
        role: Option<&str>,
        workspace: &Workspace<'_>,
        listed: &mut Vec<Value>,
        covered: &mut Vec<Value>,
    ) {
        let uri = |path: &str| self.uri(path);
        let path = &self.request.path;
        let mut places = Places::new(&workspace.sources, self.encoding, path, &uri);
        for component in &tests.components {
            match component {
                TestsOf::Machines { role, tests, .. } => {
                    let of_role = tests.iter().map(|it| {
                        json!({"of": role, "name": it.name, "about": it.decisions, "steps": []})
                    });
                    listed.extend(of_role);
                }
                TestsOf::Paths(of) => {
                    let of_name = role.unwrap_or(&of.name);
                    let one = |it: &PathTest, places: &mut Places<'_>| {
                        json!({
                            "of": of_name,
                            "name": it.name,
                            "about": it.events.join(" "),
                            "steps": places.steps(&it.run),
                        })
                    };
                    listed.extend(of.tests.iter().map(|it| one(it, &mut places)));
                    for &(span, tests) in &of.covered.places {
                        covered.push(json!({
                            "of": of_name,
                            "location": places.location(span),
                            "tests": tests,
                        }));
                    }
                }
            }
        }
    }
}
