//! Certificates whose text was tampered with: `certify` finds out, or the claim is true nevertheless.
//!
//! `CHOROS_SEED` repeats a failure; the seed is printed.

use choros::base::{MemorySources, SourceMap};
use choros::data::{Sort, Term, read_term};
use choros::model::Verdict;
use choros::report::{SavedCertificate, SavedClaim, SavedQuestion};
use choros::verbs::{CertifyRequest, ComparisonRules, ConformRequest, certify, conform};
use choros::{FileKind, Request, Settings, Workspace};
use choros_smt::Truth;
use choros_testkit::{Random, rounds, seed_from_env};
use serde_json::Value;

const MODELS: &str = "
component order chorD
    Ask[b,v].<x> ; ([x > 0] |> Good[v,b].x + [x <= 0] |> Bad[v,b])
end component

component same chorD
    Ask[b,v].<y> ; ([y >= 1] |> (Log[v,w] ; Good[v,b].y) + [y < 1] |> Bad[v,b])
end component

component limited chorD
    Ask[b,v].<y> ; ([y > limit] |> Good[v,b].y + [y <= limit] |> Bad[v,b])
end component

component wrong chorD
    Ask[b,v].<y> ; ([y > 1] |> Good[v,b].y + [y <= 1] |> Bad[v,b])
end component

component twice chorD
    Ask[b,v].<y> ; Ask[b,v].<z>
end component
";

const IMPLEMENTATIONS: [&str; 5] = ["order", "same", "limited", "wrong", "twice"];

fn sources(certificate: &str) -> MemorySources {
    let mut sources = MemorySources::default();
    sources.add("m.schora", format!("DECLARATIONS\n{MODELS}"));
    sources.add("c.json", certificate.to_owned());
    sources
}

fn ask(implementation: Vec<String>, specification: &str, rules: ComparisonRules) -> ConformRequest {
    let request = |text: &str| Request::parse(text, None::<FileKind>);
    ConformRequest {
        implementation: implementation.iter().map(|it| request(it)).collect(),
        specification: request(specification),
        rules,
        ..ConformRequest::default()
    }
}

fn certificate(implementation: &str) -> String {
    let sources = sources("");
    let mut workspace = Workspace::new(&sources);
    let rules = ComparisonRules {
        certificate: true,
        ..ComparisonRules::default()
    };
    let name = vec![format!("m.schora#{implementation}")];
    let request = ask(name, "m.schora#order", rules);
    let answered = conform(&mut workspace, &request, &Settings::default());
    let answer = answered.answer.expect("it is answered");
    answer.certificate.expect("it is certified").to_json()
}

/// Whether `certify` says *holds*.
fn certified(text: &str) -> bool {
    let sources = sources(text);
    let mut workspace = Workspace::new(&sources);
    let request = CertifyRequest {
        certificate: "c.json".to_owned(),
        models: vec!["m.schora".to_owned()],
    };
    let answered = certify(&mut workspace, &request, &Settings::default());
    let parts = answered.answer.map(|it| it.0).unwrap_or_default();
    let holds = |verdict: &Verdict| matches!(verdict, Verdict::Holds(_));
    matches!(&parts[..], [Ok(only)] if holds(&only.verdict))
}

/// Whether what a certificate claims is true, by the engine.
fn is_true(certificate: &SavedCertificate) -> bool {
    let sources = sources("");
    let mut workspace = Workspace::new(&sources);
    let SavedQuestion::Conform {
        implementation,
        specification,
        share,
        allow_fixed,
        map,
        param,
        ..
    } = &certificate.first.question
    else {
        panic!("it is about conformance");
    };
    let rules = ComparisonRules {
        shared: share.clone(),
        allow_fixed: *allow_fixed,
        ..ComparisonRules::default()
    };
    let mut request = ask(implementation.clone(), specification, rules);
    request.roles = map.clone();
    let settings = Settings {
        parameters: param.clone(),
        ..Settings::default()
    };
    let answered = conform(&mut workspace, &request, &settings);
    let answer = answered.answer.expect("the claim can be asked");
    let exact = answer.condition().expect("it is settled");
    match &certificate.first.proof.claim {
        SavedClaim::Fails => exact != Term::TRUE,
        SavedClaim::Holds => exact == Term::TRUE,
        SavedClaim::Conditional { condition } => {
            let mut aside = SourceMap::new();
            let terms = &mut workspace.terms;
            let claimed = read_term(terms, &mut aside, "c", condition, &[], Some(Sort::BOOL));
            let claimed = claimed.expect("it was read before");
            let mut solver = choros_smt::find().expect("the tests need a solver");
            matches!(solver.implies(terms, claimed, exact), Ok(Truth::True))
        }
    }
}

#[test]
fn what_is_written_is_confirmed_and_true() {
    for name in IMPLEMENTATIONS {
        let text = certificate(name);
        assert!(certified(&text), "{name}: {text}");
        let read = SavedCertificate::of_json(&text).expect("it is a certificate");
        assert!(is_true(&read), "{name}");
    }
}

#[test]
fn what_was_tampered_with_is_found_out_or_true() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let (mut found, mut harmless) = (0, 0);
    let originals: Vec<String> = IMPLEMENTATIONS.iter().map(|it| certificate(it)).collect();
    for round in 0..rounds(150) {
        let original = random.pick(&originals).clone();
        let mut value: Value = serde_json::from_str(&original).expect("it is JSON");
        for _ in 0..1 + random.below(2) {
            tamper(&mut value, &originals, &mut random);
        }
        let text = value.to_string();
        if text == original || !certified(&text) {
            found += 1;
            continue;
        }
        harmless += 1;
        let read = SavedCertificate::of_json(&text).expect("it was certified");
        assert!(is_true(&read), "seed {seed}, round {round}: {text}");
    }
    assert!(found > harmless && harmless > 0, "{found} {harmless}");
}

/// A text that ends early is never a certificate.
#[test]
fn a_part_of_a_certificate_is_none() {
    let whole = certificate("limited");
    for end in (0..whole.len() - 2).step_by(37) {
        assert!(!certified(&whole[..end]), "{end} bytes");
    }
}

/// Changes one thing: a number, a text, a truth value, an element, or the whole claim.
fn tamper(value: &mut Value, others: &[String], random: &mut Random) {
    if random.percent(25) {
        let other = &others[random.below(others.len())];
        let other: Value = serde_json::from_str(other).expect("it is JSON");
        let part = ["claim", "evidence", "question"][random.below(3)];
        value[part] = other[part].clone();
        return;
    }
    let mut at = value;
    loop {
        match at {
            Value::Object(map) if !map.is_empty() => {
                let keys: Vec<String> = map.keys().cloned().collect();
                let key = random.pick(&keys).clone();
                if random.percent(3) {
                    map.remove(&key);
                    return;
                }
                at = map.get_mut(&key).expect("it is there");
            }
            Value::Array(items) if !items.is_empty() => {
                let index = random.below(items.len());
                match random.below(10) {
                    0 => {
                        items.remove(index);
                        return;
                    }
                    1 => {
                        let copy = items[index].clone();
                        items.push(copy);
                        return;
                    }
                    _ => at = &mut items[index],
                }
            }
            Value::Number(number) => {
                let old = number.as_u64().unwrap_or(0);
                *number = serde_json::Number::from(match random.below(3) {
                    0 => old + 1,
                    1 => old.saturating_sub(1),
                    _ => random.below(12) as u64,
                });
                return;
            }
            Value::String(text) => {
                let new = [
                    "true",
                    "x > 0",
                    "limit == 0",
                    "limit >= 0",
                    "y == x",
                    "holds",
                    "fails",
                    "m.schora#order",
                    "m.schora#same",
                    "0",
                    "1",
                    "-1: Int",
                    "1: Int",
                ];
                *text = (*random.pick(&new)).to_owned();
                return;
            }
            Value::Bool(it) => {
                *it = !*it;
                return;
            }
            Value::Null | Value::Object(_) | Value::Array(_) => return,
        }
    }
}

/// A shelf that gives the same text whatever is asked for, and remembers what was put on it.
#[derive(Clone, Default)]
struct Shelf(std::sync::Arc<std::sync::Mutex<Option<String>>>);

impl choros::Store for Shelf {
    fn get(&self, _key: &str) -> Option<String> {
        self.0.lock().expect("no one panicked").clone()
    }

    fn put(&self, _key: &str, text: &str) -> Result<(), String> {
        *self.0.lock().expect("no one panicked") = Some(text.to_owned());
        Ok(())
    }
}

/// The verdict's word and the notes.
fn with_cache(implementation: &str, shelf: &Shelf) -> (&'static str, Vec<String>) {
    let sources = sources("");
    let mut workspace = Workspace::new(&sources);
    let name = vec![format!("m.schora#{implementation}")];
    let request = ask(name, "m.schora#order", ComparisonRules::default());
    let settings = Settings {
        cache: Some(choros::Cache::new(shelf.clone())),
        ..Settings::default()
    };
    let answered = conform(&mut workspace, &request, &settings);
    let word = answered.answer.expect("it is answered").verdict.word();
    (word, answered.run.semantics.notes)
}

/// What is taken from a cache is checked: a proof of something else, or a part of one, does not count.
#[test]
fn a_cache_cannot_make_an_answer() {
    let says = |notes: &[String], what: &str| notes.iter().any(|it| it.contains(what));
    let shelf = Shelf::default();
    let (word, notes) = with_cache("same", &shelf);
    assert_eq!((word, notes.len()), ("holds", 0));
    let proof = shelf.0.lock().expect("no one panicked").clone();
    let proof = proof.expect("it was kept");
    let (word, notes) = with_cache("same", &shelf);
    assert!(
        word == "holds" && says(&notes, "taken from the cache"),
        "{notes:?}"
    );
    for (implementation, expected) in [("wrong", "fails"), ("limited", "conditional")] {
        let (word, notes) = with_cache(implementation, &shelf);
        assert_eq!(word, expected);
        assert!(
            says(&notes, "is not valid and was computed again"),
            "{notes:?}"
        );
    }
    for forged in [
        proof[..proof.len() / 2].to_owned(),
        proof.replacen("\"condition\":\"", "\"condition\":\"false and ", 1),
        "{}".to_owned(),
    ] {
        *shelf.0.lock().expect("no one panicked") = Some(forged);
        let (word, notes) = with_cache("same", &shelf);
        assert!(
            word == "holds" && says(&notes, "is not valid and was computed again"),
            "{notes:?}"
        );
    }
}
