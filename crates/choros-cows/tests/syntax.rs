//! Reading and printing: laws and garbage.

mod random_terms;

use choros_base::{Budget, SourceMap, has_errors};
use choros_cows::syntax::{Specification, parse, print};
use choros_cows::{CowsLts, Options, read};
use choros_model::lts::census;
use choros_testkit::{Random, fuzz, seed_from_env};
use random_terms::random_term;

fn read_text(text: &str) -> (Specification, bool) {
    let file = SourceMap::new().add("test.cows", text);
    let (specification, diagnostics) = parse(file, text);
    (specification, has_errors(&diagnostics))
}

/// The tree without places.
fn tree(specification: &Specification) -> String {
    let text = format!("{specification:?}");
    // Places are printed as `span: Span { … }`; nothing in them holds a brace.
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find("span: Span {") {
        out.push_str(&rest[..start]);
        let end = rest[start..]
            .find('}')
            .map_or(rest.len(), |end| start + end + 1);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

#[test]
fn printing_and_reading_gives_the_same_term() {
    let mut random = Random::new(seed_from_env());
    for _ in 0..500 {
        let size = 3 + random.below(30);
        let text = random_term(&mut random, size);
        let (read, is_wrong) = read_text(&text);
        assert!(!is_wrong, "{text}");
        let printed = print(&read);
        let (again, is_wrong) = read_text(&printed);
        assert!(!is_wrong, "{text}\nprinted as\n{printed}");
        assert_eq!(tree(&again), tree(&read), "{text}\nprinted as\n{printed}");
        assert_eq!(print(&again), printed, "{text}");
    }
}

#[test]
fn comments_survive() {
    let examples = [
        include_str!("../../../examples/bank.cows"),
        include_str!("../../../examples/automotive.cows"),
    ];
    let mut random = Random::new(seed_from_env());
    for text in examples {
        for _ in 0..40 {
            // Comments after random white space.
            let mut commented = String::new();
            let mut expected = 0;
            let rules = text.find("Abstractions").unwrap_or(text.len());
            let mut is_comment = false;
            for (position, character) in text.char_indices() {
                is_comment |= text[position..].starts_with("--");
                is_comment &= character != '\n';
                commented.push(character);
                if character == ' ' && !is_comment && position < rules && random.percent(3) {
                    let comment = *random.pick(&["/* here */ ", "-- there\n"]);
                    commented.push_str(comment);
                    expected += 1;
                }
            }
            let (read, is_wrong) = read_text(&commented);
            assert!(!is_wrong, "{commented}");
            let printed = print(&read);
            let found = printed.matches("/* here */").count() + printed.matches("-- there").count();
            assert_eq!(found, expected, "{commented}\nprinted as\n{printed}");
            let (again, is_wrong) = read_text(&printed);
            assert!(!is_wrong, "{printed}");
            let (mut plain, mut original) = (again, read);
            plain.comments.clear();
            original.comments.clear();
            let (plain_tree, original_tree) = (print(&plain), print(&original));
            assert_eq!(plain_tree, original_tree, "{commented}");
        }
    }
}

#[test]
fn rubbish_is_read_without_harm() {
    let corpus = [
        include_str!("../../../examples/bank.cows"),
        include_str!("../../../examples/automotive-one-car.cows"),
        "[k] ( kill(k) | { p.o!<v> } ) | * [X] p.o?<X>. q.r!<X>",
        "let A(x, k) = x.o!<> | kill(k) in [k] A(p, k) end",
        "p.o!<> | * p.o?<>. ( p.o!<> | q.r!<> )",
    ];
    fuzz(seed_from_env(), 3000, &corpus, |text| {
        let file = SourceMap::new().add("fuzz.cows", text);
        let (specification, program, diagnostics) = read(file, text);
        for finding in &diagnostics {
            for label in &finding.labels {
                assert!(label.span.range().end <= text.len());
            }
        }
        let _ = print(&specification);
        if let Some(program) = program {
            let options = Options {
                has_best_match: true,
                most_bytes: Some(2_000_000),
            };
            let mut system = CowsLts::new(&program, options);
            let found = census(&mut system, &Budget::steps(200), |_| {});
            if let Some(&deadlock) = found.deadlocks.first() {
                let _ = (system.term(deadlock), system.residue(deadlock));
            }
        }
    });
}

/// A `*` too many: copies pile up inside one scope, and each has variables of its own
/// (seeds 26205873511463810 and 61190281039185583, a hundred seconds for 200 states once).
#[test]
fn copies_inside_a_scope_are_told_apart_at_a_fair_price() {
    let text = include_str!("../../../examples/automotive-one-car.cows");
    let text = text.replacen("( gps.reqLocation!<id>", "* ( gps.reqLocation!<id>", 1);
    let file = SourceMap::new().add("copies.cows", text.as_str());
    let (_, program, _) = read(file, &text);
    let mut system = CowsLts::new(&program.unwrap(), Options::default());
    let found = census(&mut system, &Budget::steps(200), |_| {});
    assert!(found.counts.states > 200);
    assert!(!system.may_repeat_states());
}
