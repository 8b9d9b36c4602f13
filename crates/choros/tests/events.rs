//! A run tells what happens while it happens.

use choros::base::MemorySources;
use choros::model::Verdict;
use choros::verbs::{CheckRequest, MonitorRequest, check, monitor};
use choros::{Event, Events, Request, Settings, Workspace};

const TWO: &str = "choreography Greet[a, b] {
    a -> b: Hello
}

choreography Stuck[a, b] {
    a -> b: Say(x: Int)
    if x < 0 && x > 0 {
        b -> a: Never
    } else {
        b -> a: Bye
    }
}
";

/// The words of a stream, shortened to what matters here.
fn words(event: Event) -> Option<String> {
    match event {
        Event::Doing(what) => Some(what),
        Event::Answered(answer) => Some(format!("answered `{}`", answer.name)),
        Event::Found(finding) => Some(format!("found {}", finding.code.code)),
        Event::Decided(window) => Some(format!(
            "{} {}, lines {} to {}",
            window.property,
            window.word.text(),
            window.opened,
            window.decided
        )),
        Event::Listening(_) | Event::Message(_) | Event::Read(_) | Event::Rules(_) => None,
    }
}

#[test]
fn answers_come_one_by_one_and_each_once() {
    let mut files = MemorySources::default();
    files.add("two.chor", TWO);
    let (events, told) = Events::channel();
    let settings = Settings {
        events,
        ..Settings::default()
    };
    let mut workspace = Workspace::new(&files);
    let request = CheckRequest {
        files: vec![Request::file("two.chor")],
        ..CheckRequest::default()
    };
    let answered = check(&mut workspace, &request, &settings);
    let heard: Vec<String> = told.try_iter().filter_map(words).collect();
    let steps: Vec<&str> = heard.iter().map(String::as_str).collect();
    let dead = answered.run.findings.first().map(|it| it.code.code);
    assert_eq!(dead, Some("CH0301"));
    assert_eq!(
        steps,
        [
            "reading `two.chor`",
            "building `Greet`",
            "building `Stuck`",
            "checking `Greet`",
            "answered `Greet`",
            "checking `Stuck`",
            "found CH0301",
            "answered `Stuck`",
        ]
    );
    let parts = answered.answer.expect("the text has no mistakes");
    let verdicts: Vec<Option<&Verdict>> = parts.answers().map(|it| it.verdict()).collect();
    assert_eq!(verdicts.len(), 2);
}

const FEE: &str = "property fee on s {
  context Request[c,s]?(weight = w) within 1 messages
  expect Response[s,c]!(fee = f) where f == 2 * w
}";

const LOG: &str = r#"{"dir":"recv","from":"c","to":"s","op":"Request","data":{"weight":3}}
{"dir":"send","from":"s","to":"c","op":"Response","data":{"fee":6}}
{"dir":"recv","from":"c","to":"s","op":"Request","data":{"weight":4}}
{"dir":"send","from":"s","to":"c","op":"Response","data":{"fee":9}}
{"dir":"recv","from":"c","to":"s","op":"Request","data":{"weight":5}}
"#;

#[test]
fn windows_of_a_monitor_are_told_as_they_are_decided() {
    let log = concat!(env!("CARGO_TARGET_TMPDIR"), "/windows.jsonl");
    std::fs::write(log, LOG).expect("a folder for tests");
    let files = MemorySources::from([("fee.prop", FEE)]);
    let (events, told) = Events::channel();
    let settings = Settings {
        events,
        ..Settings::default()
    };
    let mut request = MonitorRequest {
        properties: vec!["fee.prop".to_owned()],
        ..MonitorRequest::default()
    };
    request.watch.logs = vec![(Some("s".to_owned()), log.to_owned())];
    let answered = monitor(&mut Workspace::new(&files), &request, &settings);
    assert!(answered.answer.is_ok());
    let heard: Vec<String> = told.try_iter().filter_map(words).collect();
    assert_eq!(
        heard,
        [
            "fee holds, lines 1 to 2",
            "fee fails, lines 3 to 4",
            "fee unknown, lines 5 to 5",
        ]
    );
}
