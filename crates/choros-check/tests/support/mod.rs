//! Small systems and questions for tests.

#[allow(dead_code, reason = "not every test file draws")]
pub(crate) mod random;

use choros_base::{Budget, Names, SourceMap};
use choros_check::{AbstractLabels, CheckedFormula, UnfoldedLts, UnfoldingBounds, check};
use choros_model::lts::{ExplicitLts, Lts, read_aut};
use choros_query::abstraction::{Abstraction, StateLabels, parse_rules};
use choros_query::socl::{Arity, Formula, parse_formula};

/// A system of `.aut` lines: `0 a 1` is a step.
pub(crate) fn system(lines: &[&str]) -> ExplicitLts {
    let mut text = format!("des (0, {}, 0)\n", lines.len());
    for line in lines {
        let mut words = line.split_whitespace();
        let (from, label, to) = (words.next(), words.next(), words.next());
        let (Some(from), Some(label), Some(to)) = (from, label, to) else {
            panic!("`{line}` is not a step");
        };
        text.push_str(&format!("({from}, \"{label}\", {to})\n"));
    }
    let mut map = SourceMap::new();
    let file = map.add("test.aut", text.clone());
    read_aut(file, &text).0
}

/// Rules, which must be without mistakes.
pub(crate) fn rules(text: &str, names: &mut Names) -> Abstraction {
    let mut map = SourceMap::new();
    let file = map.add("test.abs", text);
    let (rules, diagnostics) = parse_rules(file, text, 0..text.len(), names);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    Abstraction::Rules(rules)
}

/// A formula, which must be without mistakes.
pub(crate) fn formula(text: &str, names: &mut Names) -> Formula {
    let mut map = SourceMap::new();
    let file = map.add("<formula>", text);
    parse_formula(file, text, names).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// Bounds that no small system meets.
pub(crate) fn bounds() -> UnfoldingBounds {
    UnfoldingBounds {
        max_states: 1_000_000,
        depth: None,
        budget: Budget::unlimited(),
    }
}

/// The answer to a formula under rules; states are labelled by their steps.
#[allow(dead_code, reason = "not every test file asks with rules")]
pub(crate) fn ask(
    lts: &mut dyn Lts,
    rule_text: &str,
    text: &str,
    bounds: UnfoldingBounds,
) -> CheckedFormula {
    let mut names = Names::new();
    let abstraction = match rule_text {
        "" => Abstraction::Identity,
        rule_text => rules(rule_text, &mut names),
    };
    let formula = formula(text, &mut names);
    let mut graph = UnfoldedLts::new(lts, bounds);
    let mut labels = AbstractLabels::new(abstraction, StateLabels::Steps);
    check(&mut graph, &mut labels, &mut names, &formula, Arity::Prefix)
}
