//! G-choreographies and the native language: what is translated there and back is the same tree.

use choros_base::{Budget, SourceMap, has_errors};
use choros_data::Terms;
use choros_lang::chor::{self, ast::Item};
use choros_lang::convert::{NotConverted, chor_to_gchor, gchor_to_chor};
use choros_lang::gchor::write_gchor;
use choros_model::gchor::Gchor;
use choros_testkit::{GchorShape, Random, random_formed_gchor, random_gchor, seed_from_env};

/// The only choreography of a text.
fn converted(text: &str, terms: &mut Terms) -> Result<Gchor, Vec<&'static str>> {
    let mut map = SourceMap::new();
    let file = map.add("a.chor", text);
    let (model, found) = chor::read(file, text, terms);
    assert!(!has_errors(&found), "{text}\n{found:?}");
    let main = model
        .program()
        .items
        .iter()
        .rev()
        .find_map(|item| match item {
            Item::Choreography(choreography) => Some(choreography),
            _ => None,
        });
    let main = main.expect("there is a choreography");
    chor_to_gchor(model.program(), main, &Budget::steps(10_000)).map_err(|error| match error {
        NotConverted::Mistakes(found) => found.iter().map(|it| it.code.code).collect(),
        NotConverted::Spent(_) => vec!["spent"],
    })
}

fn text(gchor: &Gchor, terms: &Terms) -> String {
    write_gchor(gchor, &terms.names, &Budget::unlimited()).expect("it is small")
}

/// Without who decides, which the native language has only where it is true.
fn without_claims(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let word = line.trim_start();
        let indent = &line[..line.len() - word.len()];
        match word.split_once(' ') {
            Some((head @ ("sel" | "repeat"), _)) => format!("{indent}{head} {{\n"),
            _ => format!("{line}\n"),
        }
    });
    lines.collect()
}

#[test]
fn there_and_back_is_the_same_tree() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for round in 0..300 {
        let mut terms = Terms::new();
        let shape = GchorShape {
            roles: 2 + round % 3,
            messages: 3,
            interactions: 1 + round % 12,
            loops: round % 2 == 0,
        };
        let gchor = match round % 3 {
            0 => random_formed_gchor(&mut random, shape, &mut terms.names),
            _ => random_gchor(&mut random, shape, &mut terms.names),
        };
        let there = gchor_to_chor(&gchor, "Main", &mut terms).expect("all names are names");
        let back = converted(&there, &mut terms).expect("nothing in it has data");
        assert_eq!(
            without_claims(&text(&back, &terms)),
            without_claims(&text(&gchor, &terms)),
            "CHOROS_SEED={seed}\n{there}"
        );
    }
}

#[test]
fn inclusions_are_written_out_with_their_roles() {
    let chor = "choreography Pay[x, y] { x -> y: Charge\ny -> x: Charged }
        choreography Twice[p, q] { do Pay[p, q]\ndo Pay[q, p] }
        choreography Shop[b, v] { choice at b { b -> v: Buy\ndo Twice[v, b] } or { b -> v: Quit } }";
    let mut terms = Terms::new();
    let gchor = converted(chor, &mut terms).expect("nothing in it has data");
    let expected = "sel b {
    b -> v : Buy;
    v -> b : Charge;
    b -> v : Charged;
    b -> v : Charge;
    v -> b : Charged
+
    b -> v : Quit
}
";
    assert_eq!(text(&gchor, &terms), expected);
}

#[test]
fn what_has_no_counterpart_is_refused_where_it_stands() {
    let statements = [
        "a -> b: m(x: Int)",
        "wait 3",
        "try { a -> b: m } interrupt { b -> a: n }",
        "loop X { a -> b: m\nagain X }",
        "if 1 < 2 { a -> b: m }",
    ];
    for statement in statements {
        let text = format!("choreography Main[a, b] {{ {statement} }}");
        let mut terms = Terms::new();
        let codes = converted(&text, &mut terms).expect_err(statement);
        assert!(codes.iter().all(|code| *code == "CH0143"), "{codes:?}");
    }
}

#[test]
fn what_grows_without_end_is_cut() {
    let mut text = "choreography C0[a, b] { a -> b: m }\n".to_owned();
    for level in 1..40 {
        let below = level - 1;
        text.push_str(&format!(
            "choreography C{level}[a, b] {{ do C{below}[a, b]\ndo C{below}[b, a] }}\n"
        ));
    }
    assert_eq!(
        converted(&text, &mut Terms::new()).expect_err("2^39"),
        ["spent"]
    );
}
