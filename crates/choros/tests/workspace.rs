//! A workspace reads a text once, and answers about snapshots.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use choros::base::{MemorySources, SourceError, Sources};
use choros::model::Verdict;
use choros::model::stg::{Edge, Ending, StgBuilder};
use choros::verbs::{
    CheckRequest, ConformRequest, DrawRequest, DriveRequest, ExploreRequest, check, conform, draw,
    drive, explore,
};
use choros::{Disk, Event, Events, Request, Settings, Workspace};

const SHOP: &str = "choreography Shop[b, v] {
    b -> v: Request(x: Int)
    if x < 10 {
        v -> b: Confirm
    } else {
        v -> b: Abort
    }
}

choreography Twice[b, v] {
    b -> v: Request(x: Int)
    v -> b: Confirm
}
";

/// Counts how often each text is asked for.
struct Counting<S> {
    texts: S,
    asked: RefCell<BTreeMap<String, usize>>,
}

impl<S: Sources> Counting<S> {
    fn of(texts: S) -> Counting<S> {
        Counting {
            texts,
            asked: RefCell::default(),
        }
    }

    fn count(&self, path: &str) {
        *self.asked.borrow_mut().entry(path.to_owned()).or_default() += 1;
    }
}

impl<S: Sources> Sources for Counting<S> {
    fn read(&self, path: &str) -> Result<Arc<str>, SourceError> {
        self.count(path);
        self.texts.read(path)
    }

    fn read_reference(&self, path: &str) -> Result<Arc<str>, SourceError> {
        self.count(path);
        self.texts.read_reference(path)
    }
}

fn shop() -> Counting<MemorySources> {
    Counting::of(MemorySources::from([("shop.chor", SHOP)]))
}

#[test]
fn a_text_is_read_once_whatever_is_asked() {
    let (sources, settings) = (shop(), Settings::default());
    let mut workspace = Workspace::new(&sources);
    let file = Request::file("shop.chor");
    let models = ["shop.chor#Twice", "shop.chor#Shop"].map(|it| Request::parse(it, None));
    let [implementation, specification] = models;
    let compared = ConformRequest {
        implementation: vec![implementation],
        specification,
        ..ConformRequest::default()
    };
    assert!(conform(&mut workspace, &compared, &settings).answer.is_ok());
    let checked = CheckRequest {
        files: vec![file.clone()],
        ..CheckRequest::default()
    };
    assert!(check(&mut workspace, &checked, &settings).answer.is_ok());
    let explored = ExploreRequest::of(file.clone());
    assert!(explore(&mut workspace, &explored, &settings).answer.is_ok());
    let drawn = DrawRequest {
        file,
        ..DrawRequest::default()
    };
    assert!(draw(&mut workspace, &drawn, &settings).answer.is_ok());
    assert_eq!(sources.asked.borrow()["shop.chor"], 1);
}

#[test]
fn a_process_and_its_documents_are_read_once_whatever_is_asked() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/xloan");
    let path = format!("{folder}/xloan.bpel");
    let sources = Counting::of(Disk::new(Vec::new()));
    let (settings, file) = (Settings::default(), Request::file(&path));
    let mut workspace = Workspace::new(&sources);
    let checked = CheckRequest {
        files: vec![file.clone()],
        ..CheckRequest::default()
    };
    assert!(check(&mut workspace, &checked, &settings).answer.is_ok());
    let mut driven = DriveRequest {
        model: file,
        ..DriveRequest::default()
    };
    // No one answers there; what was read until then counts.
    driven.options.target = Some("http://127.0.0.1:9/".to_owned());
    let _ = drive(&mut workspace, &driven, &settings);
    let asked = sources.asked.borrow();
    assert!(asked.len() > 4, "{asked:?}");
    assert!(asked.values().all(|&count| count == 1), "{asked:?}");
}

/// How often `shop.chor` was parsed: a run says so each time.
fn parses(events: &Receiver<Event>) -> usize {
    let is_parse = |it: &Event| matches!(it, Event::Doing(what) if what == "reading `shop.chor`");
    events.try_iter().filter(is_parse).count()
}

#[test]
fn a_text_is_parsed_once_until_it_changes() {
    let (sources, (events, told)) = (shop(), Events::channel());
    let settings = Settings {
        events,
        ..Settings::default()
    };
    let mut workspace = Workspace::new(&sources);
    let [one, other] = ["shop.chor#Twice", "shop.chor#Shop"].map(|it| Request::parse(it, None));
    let compared = ConformRequest {
        implementation: vec![one.clone()],
        specification: other,
        ..ConformRequest::default()
    };
    assert!(conform(&mut workspace, &compared, &settings).answer.is_ok());
    assert_eq!(parses(&told), 1);
    assert!(workspace.graph(&one, &settings).is_ok());
    assert_eq!(parses(&told), 0);
    workspace.set_text("shop.chor", SHOP.replace("Confirm", "Accept"));
    assert!(conform(&mut workspace, &compared, &settings).answer.is_ok());
    assert_eq!(parses(&told), 1);
}

#[test]
fn an_answer_has_a_part_for_each_component() {
    let (sources, settings) = (shop(), Settings::default());
    let mut workspace = Workspace::new(&sources);
    let checked = CheckRequest {
        files: vec![Request::file("shop.chor")],
        ..CheckRequest::default()
    };
    let parts = check(&mut workspace, &checked, &settings).answer;
    let parts = parts.expect("the texts have no mistakes");
    let names: Vec<&str> = parts.answers().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Shop", "Twice"]);
    let sound = |it: Option<&Verdict>| matches!(it, Some(Verdict::Holds(_)));
    assert!(parts.answers().all(|it| sound(it.verdict())));
}

#[test]
fn what_was_opened_stays_when_a_text_changes() {
    let (sources, settings) = (shop(), Settings::default());
    let mut workspace = Workspace::new(&sources);
    let file = Request::file("shop.chor");
    let before = workspace.open(&file, &settings).expect("it is read");
    workspace.set_text(
        "shop.chor",
        "choreography Shop[a, b] {\n    a -> b: Hello\n}\n",
    );
    let after = workspace.open(&file, &settings).expect("it is read");
    assert_eq!((before.graphs().len(), after.graphs().len()), (2, 1));
    let roles: Vec<String> = after.roles(&workspace.terms).into_iter().collect();
    assert_eq!(roles, ["a", "b"]);
    assert!(before.roles(&workspace.terms).contains("v"));
    workspace.set_text("shop.chor", "choreography Shop[a, b] {");
    let broken = workspace.open(&file, &settings);
    assert!(broken.is_err_and(|findings| !findings.is_empty()));
}

#[test]
fn a_graph_built_in_code_is_asked_about_like_a_file() {
    let (sources, settings) = (shop(), Settings::default());
    let mut workspace = Workspace::new(&sources);
    let shop = workspace.graph(&Request::from("shop.chor#Shop"), &settings);
    let shop = shop.expect("one component without mistakes");
    let mut copy = StgBuilder::new("copy", Ending::Sinks);
    let mut careless = StgBuilder::new("careless", Ending::Sinks);
    for node in shop.node_ids() {
        copy.node(&shop.node(node).label);
        careless.node(&shop.node(node).label);
    }
    let yes = workspace.terms.bool(true);
    for edge in shop.edges() {
        copy.edge(&mut workspace.terms, edge.clone());
        let unguarded = Edge {
            guard: yes,
            ..edge.clone()
        };
        careless.edge(&mut workspace.terms, unguarded);
    }
    workspace.add_graph("copy", copy.finish(shop.initial()));
    workspace.add_graph("careless", careless.finish(shop.initial()));
    for (built, expected) in [("copy", "holds"), ("careless", "fails")] {
        let request = ConformRequest::new(built, "shop.chor#Shop");
        let answer = conform(&mut workspace, &request, &settings).answer;
        let answer = answer.expect("both are graphs");
        assert_eq!(answer.verdict.word(), expected, "{built}");
    }
    let missing = workspace.graph(&Request::from("nowhere"), &settings);
    assert!(missing.is_err_and(|findings| !findings.is_empty()));
}
