//! `.gc` files: whatever the text, reading ends and findings lie within it; what is written reads back as the same.

use choros_base::{Budget, Names, SourceMap, has_errors};
use choros_lang::gchor::{format, parse, print, read, write_gchor};
use choros_model::gchor::{Form, Gchor, LoopUnfolding, NodeId, unfold};
use choros_testkit::{GchorShape, Random, fuzz, random_formed_gchor, random_gchor, seed_from_env};

const CORPUS: [&str; 8] = [
    "A -> B : m",
    "(o) ; A => B, C D : x | ( o )",
    ".. comment\nsel B { B -> A : yes + B -> A : no | (A -> C : x) unless A % g, B % h }",
    "[[ long\n comment ]] repeat A { A -> B : m ; } ; * { B -> A : n } @ B",
    "let X = { A -> B : m } & Y = (o) in do X[G] with Z",
    "branch { {{ A -> B : a } | { B -> A : b }} + repeat A -> B : c }",
    "sel -> repeat : unless ; do -> let : in",
    include_str!("../../../examples/atm.gc"),
];

#[test]
fn any_text_is_read_to_its_end() {
    let seed = seed_from_env();
    fuzz(seed, 4_000, &CORPUS, |text| {
        let mut map = SourceMap::new();
        let file = map.add("fuzz.gc", text);
        let mut names = Names::new();
        let (_, diagnostics) = read(file, text, &mut names);
        for diagnostic in &diagnostics {
            for label in &diagnostic.labels {
                let range = label.span.range();
                assert!(range.end <= text.len(), "{diagnostic:?}");
                assert!(text.get(range).is_some(), "{diagnostic:?}");
            }
        }
        let (program, found) = parse(file, text, &mut names);
        let printed = print(&program, &names, None);
        if has_errors(&found) {
            return;
        }
        // What parses is formatted, and its form is the form of its form.
        let formatted = format(file, text, &mut names).expect("faithful");
        assert_eq!(
            format(file, &formatted, &mut names).expect("again"),
            formatted
        );
        assert!(program.choreography.is_none() || !printed.is_empty());
    });
}

/// The tree without places, sequences in sequences and forks in forks.
fn shape(gchor: &Gchor, id: NodeId, names: &Names) -> String {
    let several = |parts: &[NodeId], sign: &str| {
        let parts: Vec<String> = parts.iter().map(|&it| shape(gchor, it, names)).collect();
        format!("({})", parts.join(sign))
    };
    let who = |name: &Option<choros_base::Name>| name.map_or("", |it| names.text(it)).to_owned();
    match gchor.form(id) {
        Form::Empty => "o".to_owned(),
        Form::Interaction(interaction) => interaction.text(names),
        Form::Sequence(parts) => several(
            &flat(gchor, parts, |form| match form {
                Form::Sequence(parts) => Some(parts),
                _ => None,
            }),
            ";",
        ),
        Form::Fork(parts) => several(
            &flat(gchor, parts, |form| match form {
                Form::Fork(parts) => Some(parts),
                _ => None,
            }),
            "|",
        ),
        Form::Choice { decider, branches } => format!("{}{}", who(decider), several(branches, "+")),
        Form::Repeat { controller, body } => {
            format!("{}*{}", who(controller), shape(gchor, *body, names))
        }
    }
}

fn flat<'g>(
    gchor: &'g Gchor,
    parts: &'g [NodeId],
    inner: fn(&'g Form) -> Option<&'g Vec<NodeId>>,
) -> Vec<NodeId> {
    let mut all = Vec::new();
    for &part in parts {
        match inner(gchor.form(part)) {
            Some(parts) => all.extend(flat(gchor, parts, inner)),
            None => all.push(part),
        }
    }
    all
}

#[test]
fn what_is_written_reads_back_as_the_same() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    for number in 0..500 {
        let mut names = Names::new();
        let shape_of = GchorShape {
            roles: 2 + random.below(3),
            messages: 3,
            interactions: 1 + random.below(12),
            loops: true,
        };
        let gchor = match number % 2 {
            0 => random_gchor(&mut random, shape_of, &mut names),
            _ => random_formed_gchor(&mut random, shape_of, &mut names),
        };
        let text = write_gchor(&gchor, &names, &Budget::unlimited()).unwrap();
        let mut map = SourceMap::new();
        let file = map.add("random.gc", text.as_str());
        let (again, diagnostics) = read(file, &text, &mut names);
        let context = format!("choreography {number} of CHOROS_SEED={seed}:\n{text}");
        assert!(!has_errors(&diagnostics), "{context}{diagnostics:?}");
        assert_eq!(
            gchor.root().map(|it| shape(&gchor, it, &names)),
            again.root().map(|it| shape(&again, it, &names)),
            "{context}"
        );
        // Written as the formatter writes it.
        let formatted = format(file, &text, &mut names).expect("faithful");
        assert_eq!(formatted, text, "{context}");
    }
}

#[test]
fn a_long_file_is_read_written_and_unfolded() {
    let steps: Vec<String> = (0..20_000).map(|it| format!("A -> B : m{it}")).collect();
    let text = format!("repeat A {{ {} }} ; A -> B : done", steps.join(";\n"));
    let mut map = SourceMap::new();
    let file = map.add("long.gc", text.as_str());
    let mut names = Names::new();
    let (gchor, diagnostics) = read(file, &text, &mut names);
    assert!(diagnostics.is_empty());
    let budget = Budget::unlimited();
    let twice = unfold(&gchor, LoopUnfolding::Exactly(2), &budget).unwrap();
    let written = write_gchor(&twice, &names, &budget).unwrap();
    assert_eq!(written.lines().count(), 40_001);
    // As deep as it nests, the choices of many rounds are refused and not walked into.
    assert!(
        unfold(
            &gchor,
            LoopUnfolding::UpTo(100_000),
            &Budget::steps(1_000_000)
        )
        .is_err()
    );
}
