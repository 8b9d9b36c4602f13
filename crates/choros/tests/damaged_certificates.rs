//! Certificates of every verb, damaged: bytes flipped, fields swapped, parts of another one, another model.
//! `certify` finds out, or the engines say what the damaged certificate still claims.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros::base::{Choice, MemorySources, SourceMap};
use choros::data::{Assignment, Sort, Terms, Value as DataValue, read_term};
use choros::model::Verdict;
use choros::model::cfsm::{Channels, Discipline};
use choros::report::{SavedAnswer, SavedCertificate, SavedClaim, SavedQuestion};
use choros::verbs::{
    CertifyRequest, CheckRequest, QuestionSource, RealizeRequest, RealizeRules, VerifyRequest,
    certify, check, check_certificate, realize, realize_certificate, verify, verify_certificate,
};
use choros::{FileKind, Mode, Request, Settings, Workspace};
use choros_testkit::{Random, rounds, seed_from_env};
use serde_json::Value;

/// Pairs of models that differ in little: a certificate of one is none of the other.
const FILES: [(&str, &str); 12] = [
    ("good.gc", "A -> B : m ; B -> A : n"),
    ("other.gc", "A -> B : m ; B -> A : k"),
    (
        "bad.gc",
        "{A -> B : m ; A -> C : x} + {A -> B : m ; A -> C : y}",
    ),
    (
        "stuck.gc",
        "{A -> B : m ; C -> B : x} + {A -> B : n ; C -> B : y}",
    ),
    (
        "two.chor",
        "choreography Ask[a, b] { a -> b: Q(x: Int); if x > 0 { b -> a: Yes } else { b -> a: No } }\nchoreography Two[a, b, c, d] { a -> b: First; c -> d: Second }\n",
    ),
    (
        "three.chor",
        "choreography Ask[a, b] { a -> b: Q(x: Int); if x > 1 { b -> a: Yes } else { b -> a: No } }\nchoreography Two[a, b, c, d] { a -> b: First; b -> c: Second }\n",
    ),
    (
        "safe.fsa",
        ".outputs A\n.state graph\n0 1 ! ping 1\n1 1 ? pong 2\n.marking 0\n.end\n\n.outputs B\n.state graph\n0 0 ? ping 1\n1 0 ! pong 2\n.marking 0\n.end\n",
    ),
    (
        "lost.fsa",
        ".outputs A\n.state graph\n0 1 ! ping 1\n.marking 0\n.end\n\n.outputs B\n.state graph\n0 0 ? pong 1\n.marking 0\n.end\n",
    ),
    (
        "coffee.aut",
        "des (0, 4, 3)\n(0, \"coin\", 1)\n(1, \"tea\", 0)\n(0, \"coin\", 2)\n(2, \"tau\", 2)\n",
    ),
    (
        "tea.aut",
        "des (0, 3, 3)\n(0, \"coin\", 1)\n(1, \"tea\", 0)\n(0, \"coin\", 2)\n",
    ),
    (
        "count.stg",
        "stg count explicit\ninitial 0\n0 -> 1: tau / x := 0\n1 -> 1: [x != n] Up[a,b] / x := x + 1\n\
         1 -> 2: [x == n] Done[a,b].<y>\n2 -> 3: [y > x] Above[a,b]\n2: end\n3: end\n",
    ),
    (
        "least.stg",
        "stg count explicit\ninitial 0\n0 -> 1: tau / x := 0\n1 -> 1: [x < n] Up[a,b] / x := x + 1\n\
         1 -> 2: [x >= n] Done[a,b].<y>\n2 -> 3: [y >= x] Above[a,b]\n2: end\n3: end\n",
    ),
];

const FORMULAS: [&str; 3] = ["AF {tea} true", "EF {tea} true", "AG EX true"];
/// For all data.
const OPEN: [&str; 3] = [
    "AF {Done} true",
    "EF {Above} true",
    "AG [Done($v) where $v < x] AX {end} true",
];

fn sources(certificate: &str) -> MemorySources {
    let mut sources = MemorySources::default();
    for (path, text) in FILES {
        sources.add(path, text.to_owned());
    }
    sources.add("c.json", certificate.to_owned());
    sources
}

fn request(path: &str) -> Request {
    Request::parse(path, None::<FileKind>)
}

/// A certificate for each file, with its path.
fn originals() -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for (path, _) in FILES {
        let sources = sources("");
        let mut workspace = Workspace::new(&sources);
        let settings = Settings::default();
        let files = vec![request(path)];
        let mut one = |found: Result<SavedCertificate, _>| {
            all.push((
                path,
                found.ok().unwrap_or_else(|| panic!("{path}")).to_json(),
            ));
        };
        if path.ends_with(".fsa") {
            one(check_certificate(&mut workspace, &files[0], &settings));
        } else if path.ends_with(".aut") || path.ends_with(".stg") {
            let formulas = if path.ends_with(".stg") {
                OPEN
            } else {
                FORMULAS
            };
            for formula in formulas {
                let asked = VerifyRequest {
                    model: request(path),
                    questions: vec![QuestionSource::Formula(formula.to_owned())],
                    ..VerifyRequest::default()
                };
                one(verify_certificate(&mut workspace, &asked, &settings));
            }
        } else {
            for mode in [Mode::Synchronous, Mode::Sender] {
                let asked = RealizeRequest {
                    files: files.clone(),
                    rules: RealizeRules {
                        mode: Some(mode),
                        ..RealizeRules::default()
                    },
                    ..RealizeRequest::default()
                };
                one(realize_certificate(&mut workspace, &asked, &settings));
            }
        }
    }
    all
}

/// Whether `certify` says *holds* of every claim.
fn certified(bytes: &[u8], path: &str) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let sources = sources(text);
    let mut workspace = Workspace::new(&sources);
    let request = CertifyRequest {
        certificate: "c.json".to_owned(),
        models: vec![path.to_owned()],
    };
    let answered = certify(&mut workspace, &request, &Settings::default());
    let Ok(parts) = answered.answer else {
        return false;
    };
    let holds = |part: &Result<_, _>| {
        let Ok(choros::report::answers::Certification { verdict, .. }) = part else {
            return false;
        };
        matches!(verdict, Verdict::Holds(_))
    };
    !parts.0.is_empty() && parts.0.iter().all(holds)
}

/// What the engines say to the question of an answer: the words of their verdicts, with conditions.
fn verdicts(answer: &SavedAnswer) -> Vec<(&'static str, Option<String>)> {
    let sources = sources("");
    let mut workspace = Workspace::new(&sources);
    let mut settings = Settings::default();
    let discipline = |channels: &str, bound| Discipline {
        channels: Channels::named(channels).expect("it was certified"),
        bound,
    };
    let report = match &answer.question {
        SavedQuestion::Check {
            model,
            channels,
            bound,
            ..
        } => {
            settings.discipline = discipline(channels, *bound);
            let files = CheckRequest {
                files: vec![request(model)],
                ..CheckRequest::default()
            };
            check(&mut workspace, &files, &settings).report(&workspace.terms)
        }
        SavedQuestion::Verify {
            model, questions, ..
        } => {
            let asked = VerifyRequest {
                model: request(model),
                questions: questions
                    .iter()
                    .map(|it| QuestionSource::Formula(it.1.clone()))
                    .collect(),
                ..VerifyRequest::default()
            };
            verify(&mut workspace, &asked, &settings).report(&workspace.terms)
        }
        SavedQuestion::Realize {
            model,
            mode,
            bound,
            service,
            joint_ending,
            param,
            ..
        } => {
            settings.parameters.clone_from(param);
            let asked = RealizeRequest {
                files: vec![request(model)],
                rules: RealizeRules {
                    mode: Some(Mode::chosen(mode).expect("it was certified")),
                    bound: *bound,
                    services: service.clone(),
                    joint_ending: *joint_ending,
                    ..RealizeRules::default()
                },
                ..RealizeRequest::default()
            };
            realize(&mut workspace, &asked, &settings).report(&workspace.terms)
        }
        SavedQuestion::RealizeMachines {
            model,
            channels,
            bound,
            ..
        } => {
            let asked = RealizeRequest {
                files: vec![request(model)],
                rules: RealizeRules {
                    bound: *bound as usize,
                    ..RealizeRules::default()
                },
                channels: Some(discipline(channels, *bound).channels),
                ..RealizeRequest::default()
            };
            realize(&mut workspace, &asked, &settings).report(&workspace.terms)
        }
        SavedQuestion::Conform { .. } => panic!("none is about conformance"),
    };
    let words = report.outcomes.iter().filter_map(|it| it.answer.as_ref());
    words
        .map(|it| (it.word.text(), it.condition.clone()))
        .collect()
}

/// Whether two conditions on `n` agree, point by point.
fn agree(one: &str, other: &str) -> bool {
    let mut terms = Terms::new();
    let name = terms.names.intern("n");
    let n = terms.variable(name, Sort::INT);
    let mut read = |text: &str| {
        let mut aside = SourceMap::new();
        let read = read_term(&mut terms, &mut aside, "test", text, &[n], Some(Sort::BOOL));
        read.unwrap_or_else(|found| panic!("{text}: {found:?}"))
    };
    let (one, other) = (read(one), read(other));
    (-20..=20).all(|value| {
        let values: Assignment = [(n, DataValue::int(value))].into_iter().collect();
        terms.evaluate_guard(one, &values) == terms.evaluate_guard(other, &values)
    })
}

/// Whether the engines say what a certificate claims.
fn is_true(certificate: &SavedCertificate) -> bool {
    certificate.answers().all(|answer| {
        let words = verdicts(answer);
        match answer.proof.claim {
            SavedClaim::Holds => words.iter().all(|it| it.0 == "holds") && !words.is_empty(),
            SavedClaim::Fails => words.iter().any(|it| it.0 == "fails"),
            SavedClaim::Conditional { ref condition } => words.iter().any(|it| {
                // That a condition is the weakest one is claimed for all data only.
                let is_weakest = matches!(answer.question, SavedQuestion::Verify { .. });
                let found = it.1.as_deref().unwrap_or("false");
                it.0 == "conditional" && (!is_weakest || agree(condition, found))
            }),
        }
    })
}

#[test]
fn what_is_written_is_confirmed_and_true() {
    for (path, text) in originals() {
        assert!(certified(text.as_bytes(), path), "{path}: {text}");
        let read = SavedCertificate::of_json(&text).expect("it is a certificate");
        assert!(is_true(&read), "{path}: {text}");
    }
}

#[test]
fn a_certificate_of_one_model_is_none_of_another() {
    for (path, text) in originals() {
        for (other, _) in FILES {
            assert!(
                other == path || !certified(text.as_bytes(), other),
                "{path} {other}"
            );
        }
    }
}

#[test]
fn what_is_damaged_is_found_out_or_true() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let originals = originals();
    let (mut found, mut harmless) = (0, 0);
    for round in 0..rounds(600) {
        let (path, original) = random.pick(&originals).clone();
        let bytes = match round % 3 {
            0 => flipped(&original, &mut random),
            1 => swapped(&original, &mut random),
            _ => grafted(&original, &originals, &mut random),
        };
        if bytes == original.as_bytes() || !certified(&bytes, path) {
            found += 1;
            continue;
        }
        harmless += 1;
        let text = String::from_utf8(bytes).expect("it was certified");
        let read = SavedCertificate::of_json(&text).expect("it was certified");
        assert!(is_true(&read), "seed {seed}, round {round}: {text}");
    }
    assert!(found > harmless && harmless > 0, "{found} {harmless}");
}

/// One to three bytes become others; digits and letters mostly stay such, so that the text can still be read.
fn flipped(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(3) {
        let index = random.below(bytes.len());
        bytes[index] = match bytes[index] {
            b'0'..=b'9' => b'0' + random.below(10) as u8,
            b'a'..=b'z' if random.percent(80) => b'a' + random.below(26) as u8,
            b'!' => b'?',
            b'?' => b'!',
            other => other ^ (1 << random.below(8)),
        };
    }
    bytes
}

/// Two values of the text change places.
fn swapped(text: &str, random: &mut Random) -> Vec<u8> {
    let mut value: Value = serde_json::from_str(text).expect("it is JSON");
    let places = places(&value);
    let (one, other) = (random.pick(&places), random.pick(&places));
    let first = value.pointer(one).cloned();
    let second = value.pointer(other).cloned();
    if let (Some(place), Some(second)) = (value.pointer_mut(one), second) {
        *place = second;
    }
    if let (Some(place), Some(first)) = (value.pointer_mut(other), first) {
        *place = first;
    }
    value.to_string().into_bytes()
}

/// A value comes from the same place of another certificate.
fn grafted(text: &str, others: &[(&str, String)], random: &mut Random) -> Vec<u8> {
    let mut value: Value = serde_json::from_str(text).expect("it is JSON");
    let other = &random.pick(others).1;
    let other: Value = serde_json::from_str(other).expect("it is JSON");
    let place = random.pick(&places(&other)).clone();
    if let (Some(here), Some(there)) = (value.pointer_mut(&place), other.pointer(&place)) {
        *here = there.clone();
    }
    value.to_string().into_bytes()
}

/// Where values are, as JSON pointers.
fn places(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((place, value)) = open.pop() {
        match value {
            Value::Object(map) => {
                open.extend(map.iter().map(|(key, it)| (format!("{place}/{key}"), it)));
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                open.extend(items.map(|(at, it)| (format!("{place}/{at}"), it)));
            }
            _ => {}
        }
        if !place.is_empty() {
            found.push(place);
        }
    }
    found
}
