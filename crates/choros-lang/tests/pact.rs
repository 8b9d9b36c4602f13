//! Chor and its role language: graphs, printing, compositions, and text that no one would write.

use choros_base::{Budget, Names, SourceMap, has_errors};
use choros_data::Terms;
use choros_lang::pact::{format, parse, print, read};
use choros_testkit::{Random, fuzz, seed_from_env};

/// Counts of each component, in order: its name, states, transitions.
fn counts(text: &str) -> Vec<(String, usize, usize)> {
    let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
    let file = sources.add("test.pact", text);
    let (model, diagnostics) = read(file, text, "test", &mut terms);
    assert!(!has_errors(&diagnostics), "{diagnostics:?}");
    let ids: Vec<_> = model.ids().collect();
    ids.into_iter()
        .map(|id| {
            let stg = model
                .lower(id, &mut terms, &Budget::steps(10_000))
                .unwrap()
                .stg;
            let counts = stg.counts();
            (
                model.name(id, &terms).to_owned(),
                counts.states,
                counts.transitions,
            )
        })
        .collect()
}

fn codes(text: &str) -> Vec<&'static str> {
    let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
    let file = sources.add("test.pact", text);
    let (_, diagnostics) = read(file, text, "test", &mut terms);
    diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.code)
        .collect()
}

#[test]
fn example_8_and_its_roles() {
    // c1, then the diamond of c2 and c3, then the step of termination: 5 + 1 states, 5 + 1 transitions.
    let text = "C = c1[1,2];(c2[2,1]|c3[2,1])\n\
                r1 = c1[1,2]!;(c2[2,1]?|c3[2,1]?)\n\
                r2 = c1[1,2]?;(c2[2,1]!|c3[2,1]!)\n\
                S = r1 | r2\n";
    let counts = counts(text);
    assert_eq!(counts.len(), 4);
    for (name, states, transitions) in counts {
        assert_eq!((states, transitions), (6, 6), "{name}");
    }
}

#[test]
fn parallel_processes_of_different_roles_are_a_composition() {
    let counts = counts("(c1[1,2]!; c2[2,1]?) | (c1[1,2]?; c2[2,1]!)");
    let names: Vec<&str> = counts.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(names, ["test.1", "test.2", "test"]);
    // c1, c2, termination.
    assert_eq!((counts[2].1, counts[2].2), (4, 3));
}

#[test]
fn the_signs_of_the_thesis_are_read() {
    assert_eq!(counts("a[1,2] ⊓ b[1,2]"), counts("a[1,2] [] b[1,2]"));
    assert_eq!(counts("a[1,2] ∥ b[1,2]"), counts("a[1,2] || b[1,2]"));
}

#[test]
fn sequence_binds_tightest_and_the_others_alike() {
    assert_eq!(
        counts("a[1,2] [] b[1,2]; c[1,2]"),
        counts("a[1,2] [] (b[1,2]; c[1,2])")
    );
    assert_eq!(
        counts("a[1,2] | b[1,2] [] c[1,2]"),
        counts("(a[1,2] | b[1,2]) [] c[1,2]")
    );
    assert_eq!(codes("a[1,2] | b[1,2] [] c[1,2]"), ["CH0140"]);
    assert_eq!(codes("(a[1,2] | b[1,2]) [] c[1,2]"), [""; 0]);
}

#[test]
fn a_file_with_three_mistakes_reports_three() {
    assert_eq!(
        codes("a = x[1,2].<v>; y\nb = z[1,1]\n"),
        ["CH0141", "CH0142", "CH0204"]
    );
}

#[test]
fn formatting_keeps_comments_and_is_stable() {
    let text = "// the order\n\norder=Order[1,2];(Reject[2,1][]Confirm[2,1])  // two ways\n\n\nrole = a[1,2]! // in\n;b[1,2]!\n";
    let (mut names, mut sources) = (Names::new(), SourceMap::new());
    let file = sources.add("test.pact", text);
    let formatted = format(file, text, &mut names).unwrap();
    assert_eq!(
        formatted,
        "// the order\norder = Order[1,2]; (Reject[2,1] [] Confirm[2,1])\n// two ways\nrole = a[1,2]! // in\n;b[1,2]!\n"
    );
    assert_eq!(format(file, &formatted, &mut names).unwrap(), formatted);
}

/// A random activity, with parentheses where chance puts them.
fn activity(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.percent(20) {
        return match random.below(8) {
            0 => "skip".to_owned(),
            number => format!("c{number}[{},{}]", 1 + number % 2, 2 - number % 2),
        };
    }
    let sign = *random.pick(&[";", " [] ", " | ", " || "]);
    let parts: Vec<String> = (0..2 + random.below(2))
        .map(|_| {
            let part = activity(random, depth - 1);
            if random.percent(50) {
                format!("({part})")
            } else {
                part
            }
        })
        .collect();
    parts.join(sign)
}

#[test]
fn what_is_printed_reads_as_what_was_written() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..300 {
        let text = activity(&mut random, 3);
        let mut sources = SourceMap::new();
        let file = sources.add("test.pact", text.as_str());
        let mut names = Names::new();
        let (script, diagnostics) = parse(file, &text, "", &mut names);
        assert!(!has_errors(&diagnostics), "{text}");
        let printed = print(&script, &names, "");
        let (again, diagnostics) = parse(file, &printed, "", &mut names);
        assert!(diagnostics.is_empty(), "{text} is printed as {printed}");
        assert_eq!(print(&again, &names, ""), printed, "{text}");
        let graph = |text: &str| {
            let mut terms = Terms::new();
            let (model, _) = read(file, text, "test", &mut terms);
            let id = model.ids().next().unwrap();
            let stg = model.lower(id, &mut terms, &Budget::steps(1_000));
            stg.map(|lowered| choros_model::stg::write_stg(&lowered.stg, &terms))
                .ok()
        };
        assert_eq!(graph(&text), graph(&printed), "{text}");
    }
}

#[test]
fn no_text_is_too_strange() {
    const CORPUS: [&str; 5] = [
        "req[1,2]; (error[2,1] [] (sell[2,3]; info[3,2]; resp[2,1]))",
        "C = c1[1,2];(c2[2,1]|c3[2,1])\nr1 = c1[1,2]!;(c2[2,1]?|c3[2,1]?)\nr2 = skip\nS = r1 | r2 || C\n",
        "a[1,2] ⊓ b[1,2] ∥ \"c d\"[x,\"y\"] // note\n",
        "(c1[1,2]!; c2[2,1]?) | (c1[1,2]?; c2[2,1]!) /* and */ | c3[3,1]!",
        "S = S | S",
    ];
    fuzz(seed_from_env(), 3_000, &CORPUS, |text| {
        let (mut terms, mut sources) = (Terms::new(), SourceMap::new());
        let file = sources.add("fuzz.pact", text);
        let (model, diagnostics) = read(file, text, "fuzz", &mut terms);
        for diagnostic in &diagnostics {
            for label in &diagnostic.labels {
                assert!(label.span.range().end <= text.len());
            }
        }
        for id in model.ids().collect::<Vec<_>>() {
            let _ = model.lower(id, &mut terms, &Budget::steps(2_000));
        }
        if let Ok(formatted) = format(file, text, &mut terms.names) {
            let again = format(file, &formatted, &mut terms.names);
            assert_eq!(again.ok().as_ref(), Some(&formatted));
        }
    });
}
