//! The tests of a model as an editor lists them, and where the model is covered by them.

use choros::base::Span;
use choros::report::Report;
use choros::report::answers::{PathTest, Tests, TestsOf};
use choros::verbs::{self, MachineTestOptions, SymbolicTestOptions, TestsRequest};
use choros::{Request, Settings, Workspace};
use serde_json::{Value, json};

use crate::commands::{Question, Tested};
use crate::findings::Places;

impl Question {
    /// The tests of a model, of each role where it is a choreography; each with its steps, and how many of them take
    /// each step of the model.
    pub(crate) fn tests(
        &self,
        workspace: &mut Workspace<'_>,
        settings: &Settings,
    ) -> (Report, Value) {
        let mut whole: Option<Report> = None;
        let (mut listed, mut covered) = (Vec::new(), Vec::new());
        let asked = self.text("role");
        let is_asked = |it: &&Tested| asked.is_none() || it.role.as_deref() == asked;
        for tested in self.tested.iter().filter(is_asked) {
            let role = &tested.role;
            let request = TestsRequest {
                model: Request {
                    component: tested.component.clone(),
                    ..self.request.clone()
                },
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
                self.listed(tests, tested, workspace, &mut listed, &mut covered);
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
        tested: &Tested,
        workspace: &Workspace<'_>,
        listed: &mut Vec<Value>,
        covered: &mut Vec<Value>,
    ) {
        let uri = |path: &str| self.uri(path);
        let path = &self.request.path;
        let mut places = Places::new(&workspace.sources, self.encoding, path, &uri);
        let own = workspace.sources.files().find(|it| it.1.name() == path);
        let place = tested.name.zip(own).map(|(name, (file, _))| {
            // The name was looked up in another reading: only its bytes count.
            let range = name.range();
            places.location(Span::new(file, range.start as u32, range.end as u32))
        });
        for component in &tests.components {
            match component {
                TestsOf::Machines { role, tests, .. } => {
                    let of_role = tests.iter().map(|it| {
                        json!({
                            "component": tested.component,
                            "role": tested.role,
                            "of": role,
                            "name": it.name,
                            "about": it.decisions,
                            "steps": [],
                            "location": place,
                        })
                    });
                    listed.extend(of_role);
                }
                TestsOf::Paths(of) => {
                    let of_name = tested.role.as_ref().unwrap_or(&of.name);
                    let one = |it: &PathTest, places: &mut Places<'_>| {
                        json!({
                            "component": tested.component,
                            "role": tested.role,
                            "of": of_name,
                            "name": it.name,
                            "location": place,
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
