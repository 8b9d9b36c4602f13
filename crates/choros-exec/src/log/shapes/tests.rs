//! The tree and the scanner read the same from every line.

use choros_model::observation::Observation;

use super::super::draft::{Draft, Surroundings};
use super::super::json;
use super::super::mapping::Mapping;
use super::super::plan::{Plan, WantedValues};
use super::super::problem::RecordFlaw;
use super::Shapes;

type Read = Result<(Observation<'static>, Option<RecordFlaw>), RecordFlaw>;

/// What the scanner alone makes of a line.
fn slowly(text: &str, plan: &Plan) -> Read {
    let mut draft = Draft::default();
    json::read(text, plan, &mut draft)?;
    let surroundings = Surroundings::default();
    let (seen, flaw) = draft.finish(&surroundings, 1)?;
    Ok((seen.into_owned(), flaw))
}

/// What the tree makes of it, if it knows its shape.
fn quickly(shapes: &Shapes, text: &str, plan: &Plan) -> Option<Read> {
    let mut found = Vec::new();
    let end = shapes.scan(text, &mut found)?;
    let surroundings = Surroundings::default();
    let mut draft = Draft::default();
    let taken = shapes.take(end, text, &found, plan, &mut draft);
    let read = taken.and_then(|()| draft.finish(&surroundings, 1));
    Some(read.map(|(seen, flaw)| (seen.into_owned(), flaw)))
}

#[test]
fn other_values_in_a_known_line() {
    let plan = Plan::new(Some(&Mapping::NATIVE), &WantedValues::All);
    let mut shapes = Shapes::default();
    let line = |at: &str, op: &str, data: &str| {
        format!(
            r#"{{"at":{at},"by":"s","dir":"recv","from":"c","to":"s","op":{op},"x":[1],"data":{{{data}}}}}"#
        )
    };
    shapes.learn(&line("1", r#""Ask""#, r#""a":{"b":"c"},"d":7"#), &plan);
    for (at, op, data) in [
        (
            "22",
            r#""Another""#,
            r#""a":{"b":"longer than eight"},"d":70"#,
        ),
        ("1.5", r#""""#, r#""a":{"b":""},"d":-1e3"#),
        (
            "12345678901234567890",
            r#""é""#,
            r#""a":{"b":"é😀"},"d":true"#,
        ),
    ] {
        let text = line(at, op, data);
        let read = quickly(&shapes, &text, &plan);
        assert_eq!(read, Some(slowly(&text, &plan)), "{text}");
    }
    // Escapes, other labels, other types, and what is no JSON are left to the scanner.
    for (at, op, data) in [
        ("1", r#""A\nb""#, r#""a":{"b":"c"},"d":7"#),
        ("1", r#""A""#, r#""a":{"b":"c"},"e":7"#),
        ("1", r#""A""#, r#""a":{"b":3},"d":7"#),
        ("1", r#""A""#, r#""a":{"b":"c"},"d":nul"#),
        ("", r#""A""#, r#""a":{"b":"c"},"d":7"#),
        ("1", r#""A""#, r#""a":{"b":"c"},"d":7,"d":8"#),
    ] {
        let text = line(at, op, data);
        assert_eq!(quickly(&shapes, &text, &plan), None, "{text}");
    }
    let text = line("1", r#""Ask""#, r#""a":{"b":"c"},"d":7"#);
    assert_eq!(quickly(&shapes, &format!("{text} "), &plan), None);
}

#[test]
fn random_lines() {
    let seed = std::env::var("CHOROS_SEED")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or_else(|| u64::from(std::process::id()) << 20 | 1);
    let mut state: u64 = seed | 1;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    let wanted = WantedValues::Paths(["a", "b.c", "b.d", "e.1"].map(str::to_owned).to_vec());
    for wanted in [WantedValues::All, wanted] {
        let plan = Plan::new(Some(&Mapping::NATIVE), &wanted);
        let mut shapes = Shapes::default();
        let mut known = 0;
        for _ in 0..20_000 {
            let mut text = String::new();
            object(&mut random, 0, &mut text);
            if random(20) == 0 {
                // Damaged.
                let at = random(text.len());
                let cut = (0..=at)
                    .rev()
                    .find(|it| text.is_char_boundary(*it))
                    .unwrap_or(0);
                text.truncate(cut);
            }
            let expected = slowly(&text, &plan);
            match quickly(&shapes, &text, &plan) {
                Some(read) => {
                    known += 1;
                    assert_eq!(read, expected, "CHOROS_SEED={seed}: {text}");
                }
                None => {
                    let mut draft = Draft::default();
                    if json::read(&text, &plan, &mut draft).is_ok() {
                        shapes.learn(&text, &plan);
                    }
                }
            }
        }
        assert!(
            known > 500,
            "CHOROS_SEED={seed}: only {known} lines had a known shape"
        );
    }
}

/// A random record: few labels, so that lines meet.
fn object(random: &mut impl FnMut(usize) -> usize, depth: usize, out: &mut String) {
    const TOP: [&str; 7] = ["op", "from", "to", "dir", "at", "session", "data"];
    const BELOW: [&str; 6] = ["a", "b", "c", "d", "e", "labelled"];
    out.push_str(["{", "{ "][usize::from(random(8) == 0)]);
    let mut is_first = true;
    let labels: &[&str] = if depth == 0 { &TOP } else { &BELOW };
    for label in labels {
        if depth > 0 && random(3) > 0 || random(40) == 0 {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.push(',');
        }
        out.push_str(&format!("\"{label}\":"));
        match (*label, random(12)) {
            ("data", _) => object(random, depth + 1, out),
            ("op" | "from" | "to", 1..) => out.push_str(r#""x""#),
            ("dir", 1..) => out.push_str(r#""recv""#),
            ("at", 1..) => out.push_str(&random(5).to_string()),
            (_, 0) if depth < 4 => object(random, depth + 1, out),
            (_, 1) => out.push_str(r#"["y",{"z":"]"}]"#),
            (_, 2) => out.push_str("-1.50"),
            (_, 3) => out.push_str(["true", "null", "tru", "1e", "0012"][random(5)]),
            (_, 4) => out.push_str(r#""q\"uo\\te""#),
            (_, 5) => out.push_str(r#""ein längerer Text, é""#),
            (_, 6..8) => out.push_str(&"7".repeat(random(25))),
            _ => out.push_str(r#""t""#),
        }
    }
    out.push('}');
}
