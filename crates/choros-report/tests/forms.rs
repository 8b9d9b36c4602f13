//! One report in every form: what is saved is read back, XML is well-formed, a page needs nothing else.

use choros_base::SourceMap;
use choros_model::Evidence;
use choros_model::evidence::{
    Binding, ConditionEvidence, Configuration, GraphMark, MarkedEdge, RelatedStates, Step,
    StepEvent, Table, Trace, Tree,
};
use choros_model::stg::Direction;
use choros_report::{
    Answer, Block, DrawnEdge, DrawnNode, GraphDrawing, NamedResult, Report, Style, VerdictKind,
    read_report, replay_frames, replay_text, to_html, to_json, to_junit,
};

const NASTY: &str = "a<b & \"c\" ]]> \u{1} </script>";

fn evidence() -> Vec<Evidence> {
    let trace = Trace {
        start: vec![Binding {
            variable: "limit".to_owned(),
            value: "5".to_owned(),
        }],
        steps: vec![
            Step {
                event: StepEvent::Message {
                    operation: "Request".to_owned(),
                    from: "b".to_owned(),
                    to: "v".to_owned(),
                    direction: Direction::Send,
                    fields: vec![("amount".to_owned(), "3".to_owned())],
                },
                guard: Some(NASTY.to_owned()),
                bindings: Vec::new(),
                states: Some(("0".to_owned(), "1".to_owned())),
                origin: None,
            },
            Step {
                event: StepEvent::Silent,
                guard: None,
                bindings: Vec::new(),
                states: None,
                origin: None,
            },
            Step {
                event: StepEvent::Other(NASTY.to_owned()),
                guard: None,
                bindings: Vec::new(),
                states: None,
                origin: None,
            },
            Step {
                event: StepEvent::Termination,
                guard: None,
                bindings: Vec::new(),
                states: None,
                origin: None,
            },
        ],
        conclusion: NASTY.to_owned(),
        ..Trace::default()
    };
    let condition = Evidence::Condition(ConditionEvidence {
        formula: "false".to_owned(),
        sentences: vec![(NASTY.to_owned(), None)],
    });
    vec![
        Evidence::Tree(Tree {
            claim: NASTY.to_owned(),
            origin: None,
            evidence: Some(Box::new(condition.clone())),
            because: vec![Tree {
                claim: "leaf".to_owned(),
                origin: None,
                evidence: Some(Box::new(Evidence::Trace(trace.clone()))),
                because: Vec::new(),
            }],
        }),
        Evidence::Trace(trace),
        Evidence::Configuration(Configuration {
            parts: vec![("b".to_owned(), "3".to_owned())],
            channels: vec![("b to v".to_owned(), vec![NASTY.to_owned()])],
        }),
        Evidence::Relation(vec![RelatedStates {
            left: "0".to_owned(),
            right: "1".to_owned(),
            condition: NASTY.to_owned(),
        }]),
        Evidence::Table(Table {
            columns: vec!["a".to_owned()],
            rows: vec![vec![NASTY.to_owned()]],
        }),
        Evidence::GraphMark(GraphMark {
            model: "shop".to_owned(),
            nodes: vec!["3".to_owned()],
            edges: vec![MarkedEdge {
                source: "1".to_owned(),
                target: "2".to_owned(),
                label: NASTY.to_owned(),
                origin: None,
                because: vec![condition],
            }],
        }),
    ]
}

fn report() -> Report {
    let drawing = GraphDrawing {
        name: NASTY.to_owned(),
        nodes: vec![DrawnNode::default(), DrawnNode::default()],
        edges: vec![DrawnEdge {
            source: 0,
            target: 1,
            event: NASTY.to_owned(),
            ..DrawnEdge::default()
        }],
        ..GraphDrawing::default()
    };
    let mut outcomes: Vec<NamedResult> = evidence()
        .into_iter()
        .map(|evidence| NamedResult {
            name: format!("{NASTY} {}", evidence.kind()),
            answer: Some(Answer {
                word: VerdictKind::Fails,
                condition: None,
                reason: None,
                evidence: Some(evidence),
            }),
            models: vec![drawing.clone()],
            ..NamedResult::default()
        })
        .collect();
    outcomes.push(NamedResult {
        name: "blocks".to_owned(),
        blocks: vec![
            Block::Line(NASTY.to_owned()),
            Block::Picture {
                format: "text",
                text: NASTY.to_owned(),
            },
            Block::Graph(Box::new(drawing)),
        ],
        ..NamedResult::default()
    });
    Report {
        verb: "check",
        outcomes,
        ..Report::default()
    }
}

#[test]
fn what_is_saved_is_read_back() {
    let report = report();
    let saved = match read_report(&to_json(&report, &SourceMap::new())) {
        Ok(saved) => saved,
        Err(error) => panic!("{}", error.reason),
    };
    assert_eq!(saved.verb, "check");
    assert_eq!(saved.results.len(), report.outcomes.len());
    for (outcome, result) in report.outcomes.iter().zip(&saved.results) {
        assert_eq!(outcome.name, result.name);
        let evidence = outcome.answer.as_ref().and_then(|it| it.evidence.as_ref());
        assert_eq!(evidence, result.evidence.as_ref());
    }
    // Four steps, two claims, and one frame for each of the other four.
    assert_eq!(replay_frames(&saved, &Style::PLAIN).len(), 4 + 2 + 4);
}

#[test]
fn reports_of_every_schema_so_far_are_readable() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/fixtures");
    let mut names: Vec<_> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) => panic!("{folder}: {error}"),
    };
    names.retain(|path| path.to_string_lossy().contains("report-"));
    assert!(!names.is_empty());
    for path in names {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        match read_report(&text) {
            Ok(saved) => assert!(!replay_text(&saved, &Style::PLAIN).is_empty()),
            Err(error) => panic!("{}: {}", path.display(), error.reason),
        }
    }
}

#[test]
fn damaged_reports_are_refused_or_read_but_never_crash() {
    let text = to_json(&report(), &SourceMap::new());
    let characters: Vec<char> = text.chars().collect();
    for place in (0..characters.len()).step_by(7) {
        let cut: String = characters[..place].iter().collect();
        assert!(read_report(&cut).is_err(), "cut at {place}");
        for other in ['"', '{', ']', '0', 'x', '\u{0}'] {
            let mut changed = characters.clone();
            changed[place] = other;
            let changed: String = changed.into_iter().collect();
            if let Ok(saved) = read_report(&changed) {
                assert!(!replay_text(&saved, &Style::PLAIN).is_empty());
            }
        }
    }
}

#[test]
fn junit_is_well_formed_and_holds_the_evidence() {
    let text = to_junit(&report(), &SourceMap::new());
    let document = match roxmltree::Document::parse(&text) {
        Ok(document) => document,
        Err(error) => panic!("{error}\n{text}"),
    };
    let cases = document
        .descendants()
        .filter(|it| it.has_tag_name("testcase"));
    assert_eq!(cases.count(), 7);
    let failures: Vec<_> = document
        .descendants()
        .filter(|it| it.has_tag_name("failure"))
        .collect();
    assert_eq!(failures.len(), 6);
    assert!(
        failures
            .iter()
            .all(|it| it.text().is_some_and(|text| !text.is_empty()))
    );
}

#[test]
fn a_page_needs_nothing_but_itself() {
    let page = to_html(&report(), &SourceMap::new());
    let without_namespace = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for outside in [
        "http:",
        "https:",
        "//",
        "src=",
        "href=",
        "<script",
        "<link",
        "@import",
        "url(",
        "<iframe",
        "javascript",
        "onload=",
    ] {
        assert!(
            !without_namespace.contains(outside),
            "the page has `{outside}`"
        );
    }
    assert_eq!(
        page.matches("<svg").count(),
        7 + 2,
        "six models, one block, two traces"
    );
    assert_eq!(
        page.matches("<details").count(),
        page.matches("</details>").count()
    );
    assert_eq!(
        page.matches("<section>").count(),
        page.matches("</section>").count()
    );
    assert_eq!(page, to_html(&report(), &SourceMap::new()));
}
