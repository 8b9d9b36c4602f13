//! Services written from processes, right and wrong, driven over loopback by the tests of their processes.

use std::time::Duration;

use choros::base::MemorySources;
use choros::report::{ExitStatus, Style, to_text};
use choros::verbs::{DriveRequest, drive};
use choros::{Request, Settings, Workspace};

use crate::expand::documents;
use crate::instance::serve;
use crate::rows::rows;
use crate::services::{SERVICES, Service};

/// How long a unit of time is: a busy machine is late by less.
const TICK: Duration = Duration::from_millis(800);

/// At a time: what takes long is waiting.
const THREADS: usize = 8;

#[test]
fn services_that_do_what_the_process_does_pass_and_others_fail() {
    assert!(SERVICES.len() >= 30);
    let mut problems = Vec::new();
    for some in SERVICES
        .chunks(SERVICES.len().div_ceil(THREADS))
        .collect::<Vec<_>>()
        .chunks(THREADS)
    {
        std::thread::scope(|scope| {
            let work = some
                .iter()
                .map(|some| scope.spawn(|| some.iter().flat_map(judge).collect()));
            let work: Vec<_> = work.collect();
            for one in work {
                let found: Vec<String> = one.join().expect("no panic");
                problems.extend(found);
            }
        });
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What is wrong with the verdicts about a service.
fn judge(service: &Service) -> Vec<String> {
    let expected = [(false, ExitStatus::Success), (true, ExitStatus::Fails)];
    let verdicts = expected.into_iter().filter_map(|(is_wrong, expected)| {
        let (status, text) = driven(service, is_wrong);
        let kind = if is_wrong { "wrong" } else { "right" };
        (status != expected).then(|| format!("{}, {kind}: {status:?}\n{text}", service.row))
    });
    verdicts.collect()
}

fn driven(service: &Service, is_wrong: bool) -> (ExitStatus, String) {
    let rows = rows();
    let row = rows.iter().find(|row| row.name == service.row);
    let row = row.unwrap_or_else(|| panic!("no row is called `{}`", service.row));
    let (process, definitions) = documents(&row.process);
    let calls = process.matches(r#"partnerLink="W" operation="#).count() > 0;
    let mut files = MemorySources::default();
    files.add("p.bpel", process);
    files.add("p.wsdl", definitions);
    let worker = choros_testkit::free_address()
        .expect("a free port")
        .to_string();
    let target = serve(
        service.start,
        service.behaviour,
        is_wrong,
        worker.clone(),
        TICK,
    );
    let mut asked = DriveRequest {
        model: Request::file("p.bpel"),
        ..DriveRequest::default()
    };
    asked.tests.derivation.depth = 8;
    asked.options.target = Some(target);
    asked.options.adaptive = true;
    asked.options.tick = Some(TICK);
    asked.options.tolerance = Some(TICK / 2);
    asked.options.answer_within = Some(Duration::from_secs(5));
    asked.options.quiet = Some(Duration::from_millis(100));
    if calls {
        asked.options.mock_partners = true;
        asked.options.mock_at = vec![format!("W={worker}")];
    }
    let mut workspace = Workspace::new(&files);
    let answered = drive(&mut workspace, &asked, &Settings::default());
    let report = answered.report(&workspace.terms);
    let text = to_text(&report, &workspace.sources, &Style::PLAIN);
    (ExitStatus::of(&report), text)
}
