//! What verification costs: the road assistance of Fantechi et al. with one and two cars, all 27 formulas of its
//! tables in one run, and each of the first twelve alone.
//!
//! The paper's tool took 4 min 51 s for the twelve patterns of Table III in one session, about 173 states per second.
//! Prints a table; nothing is asserted.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use choros::base::{SourceError, Sources};
use choros::verbs::{QuestionSource, VerifyRequest, verify};
use choros::{Request, Settings, Workspace};

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("verification of the road assistance".to_owned());
    line(format!(
        "{:<24} {:<28} {:>8} {:>8} {:>10}",
        "model", "questions", "answers", "states", "ms"
    ));
    for model in ["automotive-one-car.cows", "automotive.cows"] {
        let file = QuestionSource::File("examples/automotive.socl".to_owned());
        measure(model, "all of automotive.socl", file, &line);
    }
    for pattern in [
        "one-shot",
        "no-response",
        "reliable",
        "off-line",
        "available",
    ] {
        let question = QuestionSource::Pattern(format!("{pattern}:road_assistance"));
        measure("automotive.cows", pattern, question, &line);
    }
}

fn measure(model: &str, name: &str, question: QuestionSource, line: &dyn Fn(String)) {
    let mut workspace = Workspace::new(&Examples);
    let verifying = VerifyRequest {
        model: Request::file(&format!("examples/{model}")),
        rules: vec!["road-assistance.abs".to_owned()],
        questions: vec![question],
        ..VerifyRequest::default()
    };
    let started = Instant::now();
    let answered = verify(&mut workspace, &verifying, &Settings::default());
    let report = answered.report(&workspace.terms);
    let elapsed = started.elapsed();
    let states = report.outcomes.iter().filter_map(|outcome| {
        let stats = &outcome.sizes.stats;
        stats.get(choros::report::Stat::States)
    });
    line(format!(
        "{model:<24} {name:<28} {:>8} {:>8} {:>10.1}",
        report.outcomes.len(),
        states.max().unwrap_or(0),
        elapsed.as_secs_f64() * 1000.0
    ));
}

/// The examples of the repository, and the rules of its Table III.
struct Examples;

const RULES: &str = "
Action assistance.severeFailure,<*,$id,*,*,*>         -> request(road_assistance,$id)
Action *.garageAndTowTruckNotification,<ok,*,*,$id>   -> responseOk(road_assistance,$id)
Action *.rentCarNotification,<ok,*,$id>               -> responseOk(road_assistance,$id)
Action *.failureNotification,<*,$id>                  -> responseFail(road_assistance,$id)
Action *.garageAndTowTruckNotification,<fail,*,*,$id> -> responseFail(road_assistance,$id)
Action *.rentCarNotification,<fail,*,$id>             -> responseFail(road_assistance,$id)
State  assistance.severeFailure?                      -> accepting_request(road_assistance)
";

impl Sources for Examples {
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        if path == "road-assistance.abs" {
            return Ok(RULES.into());
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        match std::fs::read_to_string(root.join(path)) {
            Ok(text) => Ok(text.into()),
            Err(error) => Err(SourceError {
                path: path.to_owned(),
                reason: error.to_string(),
            }),
        }
    }
}
