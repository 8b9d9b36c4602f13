//! Which of the many values that satisfy a path is sent.
//!
//! Any solution will do (hypothesis H5: one value per path is enough), but a tester who runs a path again wants
//! another one, and a person who reads a failure wants a small one.

use choros_data::{Assignment, Op, Sort, SortKind, Term, Terms, Value};
use choros_smt::{Satisfiability, Solver, SolverError};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

/// How values are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueStrategy {
    /// Whatever the solver finds.
    Any,
    /// Different ones for different seeds, where the path leaves a choice.
    Seeded(u64),
    /// As near to nothing as the path allows: small numbers, short texts, false.
    Smallest,
    /// As far up as the path allows, where it sets a bound: large numbers, true. Where it sets none, numbers and texts
    /// that differ from each other and from nothing, so that a service that loses or exchanges them is found.
    Largest,
}

/// The solver's answer to a question for values.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// These.
    Values(Vec<Value>),
    None,
    /// No one knows.
    Unknown,
}

/// Values of terms such that the conditions hold; of a text, one of those that are known for it, if it can be one.
pub(crate) fn choose(
    targets: &[Term],
    known: &[Vec<String>],
    conditions: &[Term],
    strategy: ValueStrategy,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Chosen, SolverError> {
    let mut conditions = conditions.to_vec();
    match solver.satisfiable(terms, &conditions)? {
        Satisfiability::Sat => {}
        Satisfiability::Unsat => return Ok(Chosen::None),
        Satisfiability::Unknown(_) => return Ok(Chosen::Unknown),
    }
    let mut best = values(targets, &conditions, terms, solver);
    let is_known = known.iter().any(|it| !it.is_empty());
    if strategy != ValueStrategy::Any || is_known {
        let mut leaves = Vec::new();
        for (position, &target) in targets.iter().enumerate() {
            let mut parts = Vec::new();
            collect_leaves(target, &mut parts, terms);
            let texts = known.get(position).map_or(&[][..], Vec::as_slice);
            leaves.extend(parts.into_iter().map(|leaf| (leaf, texts)));
        }
        for (leaf, texts) in leaves {
            if let Some(wish) = known_text(leaf, texts, &mut conditions, terms, solver)? {
                conditions.push(wish);
                best = values(targets, &conditions, terms, solver).or(best);
                continue;
            }
            if strategy == ValueStrategy::Any {
                continue;
            }
            if matches!(strategy, ValueStrategy::Smallest | ValueStrategy::Largest)
                && terms.sort_of(leaf).is_number()
            {
                let wish = match strategy {
                    ValueStrategy::Largest => largest_number(leaf, &mut conditions, terms, solver)?,
                    _ => smallest_number(leaf, &mut conditions, terms, solver)?,
                };
                if let Some(wish) = wish {
                    conditions.push(wish);
                    solver.satisfiable(terms, &conditions)?;
                    best = values(targets, &conditions, terms, solver).or(best);
                    continue;
                }
            }
            let mut candidates = candidates(leaf, strategy, terms);
            candidates.retain(|&candidate| candidate != Term::FALSE);
            for candidate in candidates {
                if candidate == Term::TRUE {
                    break;
                }
                conditions.push(candidate);
                if solver.satisfiable(terms, &conditions)? == Satisfiability::Sat {
                    best = values(targets, &conditions, terms, solver).or(best);
                    break;
                }
                conditions.pop();
            }
        }
    }
    Ok(best.map_or(Chosen::Unknown, Chosen::Values))
}

/// The condition that a text is the first of these that it can be; the last query of the solver asked for it.
fn known_text(
    leaf: Term,
    texts: &[String],
    conditions: &mut Vec<Term>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Term>, SolverError> {
    if terms.sort_of(leaf) != Sort::STRING {
        return Ok(None);
    }
    for text in texts {
        let text = terms.constant(Value::text(text.as_str()));
        let wish = terms.equal(leaf, text);
        let wish = terms.simplify(wish);
        conditions.push(wish);
        let answer = solver.satisfiable(terms, conditions);
        conditions.pop();
        if answer? == Satisfiability::Sat {
            return Ok(Some(wish));
        }
    }
    Ok(None)
}

/// The targets under the solution of the last query.
fn values(
    targets: &[Term],
    conditions: &[Term],
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Option<Vec<Value>> {
    let mut variables = Vec::new();
    for &term in targets.iter().chain(conditions) {
        for variable in terms.free_variables(term) {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        }
    }
    let model: Assignment = solver.model(terms, &variables)?;
    targets
        .iter()
        .map(|&target| terms.evaluate(target, &model).ok())
        .collect()
}

/// The parts of a term that have no parts: fields of records are followed, lists and the rest are one part.
fn collect_leaves(term: Term, leaves: &mut Vec<Term>, terms: &mut Terms) {
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        match terms.sort_kind(terms.sort_of(term)).clone() {
            SortKind::Record(fields) => {
                for &(label, _) in fields.iter().rev() {
                    work.extend(terms.field(term, label));
                }
            }
            _ => {
                let leaf = terms.substitute(term, &Default::default());
                let leaf = terms.simplify(leaf);
                if terms.has_variables(leaf) {
                    leaves.push(leaf);
                }
            }
        }
    }
}

/// What to ask of a leaf, the most wanted first.
fn candidates(leaf: Term, strategy: ValueStrategy, terms: &mut Terms) -> Vec<Term> {
    let mut wishes = Vec::new();
    match terms.sort_kind(terms.sort_of(leaf)).clone() {
        SortKind::Bool => {
            let wanted = match strategy {
                ValueStrategy::Seeded(seed) => mix(seed, leaf, terms).is_multiple_of(2),
                strategy => strategy == ValueStrategy::Largest,
            };
            wishes.push(if wanted { leaf } else { terms.not(leaf) });
        }
        SortKind::Int | SortKind::Real => {
            if let ValueStrategy::Seeded(seed) = strategy {
                let random = mix(seed, leaf, terms);
                for range in [1_000_000_u64, 20_000, 1_000, 50, 5] {
                    wishes.push(equals_number(leaf, (random % range) as i64, terms));
                }
            } else if strategy == ValueStrategy::Largest {
                let number = 1_000 + (mix(0, leaf, terms) % 9_000) as i64;
                wishes.push(equals_number(leaf, number, terms));
                let number = self::number(leaf, number, terms);
                wishes.push(terms.compare(Op::Greater, leaf, number));
            }
        }
        SortKind::String => match strategy {
            ValueStrategy::Seeded(seed) => {
                const WORDS: [&str; 8] = [
                    "Simpson",
                    "a",
                    "Ada Lovelace",
                    "x-1",
                    "naïve",
                    "42",
                    "<&>\"'",
                    "zwölf",
                ];
                let word = WORDS[(mix(seed, leaf, terms) % WORDS.len() as u64) as usize];
                let word = terms.constant(Value::text(word));
                wishes.push(terms.equal(leaf, word));
            }
            ValueStrategy::Largest => {
                let word = format!("text {}", mix(0, leaf, terms) % 1_000);
                let word = terms.constant(Value::text(word));
                wishes.push(terms.equal(leaf, word));
                let (length, one) = (terms.length(leaf), terms.int(1));
                wishes.push(terms.compare(Op::GreaterEqual, length, one));
            }
            _ => {
                // No solver is needed for this one where nothing else is said of the text.
                let nothing = terms.constant(Value::text(""));
                wishes.push(terms.equal(leaf, nothing));
                for bound in [1_i64, 2, 4, 8, 16] {
                    let length = terms.length(leaf);
                    let bound = terms.int(bound);
                    wishes.push(terms.compare(Op::LessEqual, length, bound));
                }
            }
        },
        SortKind::List(_) => {
            let most = match strategy {
                ValueStrategy::Largest => 3,
                ValueStrategy::Seeded(seed) => (mix(seed, leaf, terms) % 3) as i64,
                _ => 0,
            };
            for step in 0..3 {
                let length = terms.length(leaf);
                let (op, bound) = match strategy {
                    ValueStrategy::Largest => (Op::GreaterEqual, most - step),
                    _ => (Op::LessEqual, most + step),
                };
                let bound = terms.int(bound);
                wishes.push(terms.compare(op, length, bound));
            }
        }
        SortKind::Enumeration { constructors, .. } if !constructors.is_empty() => {
            let sort = terms.sort_of(leaf);
            let index = match strategy {
                ValueStrategy::Seeded(seed) => {
                    (mix(seed, leaf, terms) % constructors.len() as u64) as u32
                }
                ValueStrategy::Largest => constructors.len() as u32 - 1,
                _ => 0,
            };
            let constant = terms.constant(Value::Constructor { sort, index });
            wishes.push(terms.equal(leaf, constant));
        }
        _ => {}
    }
    wishes
        .into_iter()
        .map(|wish| terms.simplify(wish))
        .collect()
}

/// The condition that a number is as near to zero as it can be; none if that is beyond the limit of looking.
fn smallest_number(
    leaf: Term,
    conditions: &mut Vec<Term>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Term>, SolverError> {
    let hints = landmarks(conditions, terms).into_iter().map(i64::abs);
    let hints = [0].into_iter().chain(hints).collect();
    let least = search(hints, |distance| {
        within(leaf, -distance, distance, conditions, terms, solver)
            .map(|found| found.map(|value| value.abs().ceil()))
    })?;
    Ok(least.map(|distance| between(leaf, -distance, distance, terms)))
}

/// The condition that a number is as large as it can be; none if nothing bounds it.
fn largest_number(
    leaf: Term,
    conditions: &mut Vec<Term>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Term>, SolverError> {
    if within(leaf, FAR, i64::MAX, conditions, terms, solver)?.is_some() {
        return Ok(None);
    }
    // As near to the far end as it can be.
    let far = BigRational::from_integer(FAR.into());
    let hints = landmarks(conditions, terms).into_iter();
    let hints = hints.map(|landmark| FAR - landmark).collect();
    let least = search(hints, |distance| {
        within(leaf, FAR - distance, i64::MAX, conditions, terms, solver)
            .map(|found| found.map(|value| (&far - value).ceil()))
    })?;
    Ok(least.map(|distance| between(leaf, FAR - distance, i64::MAX, terms)))
}

/// The least number that a probe accepts, where every larger one is accepted too; none if that is beyond the limit.
///
/// A probe that accepts says which number would have done. The hints are tried first: what bounds a value mostly
/// stands in the conditions. Then the next smaller number is tried, which ends it if there is none, and the middle.
fn search(
    mut hints: Vec<i64>,
    mut probe: impl FnMut(i64) -> Result<Option<BigRational>, SolverError>,
) -> Result<Option<i64>, SolverError> {
    let mut probe = |number: i64| {
        let found = probe(number)?;
        // What the solver gave as a witness cannot be worse than what was asked for.
        Ok::<_, SolverError>(found.map(|value| {
            let value = value.to_integer().to_i64();
            value.map_or(number, |value| value.clamp(0, number))
        }))
    };
    let Some(mut high) = probe(2 * FAR)? else {
        return Ok(None);
    };
    let mut low = -1;
    hints.retain(|hint| (0..2 * FAR).contains(hint));
    hints.sort_unstable();
    hints.dedup();
    loop {
        // Hints halve what is left by their number, not by their size.
        let first = hints.partition_point(|&hint| hint <= low);
        let last = hints.partition_point(|&hint| hint < high);
        let Some(&hint) = hints[..last].get(first + (last - first) / 2) else {
            break;
        };
        match probe(hint)? {
            Some(found) => high = found,
            None => low = hint,
        }
    }
    while high - low > 1 {
        match probe(high - 1)? {
            Some(found) => high = found,
            None => break,
        }
        let middle = low + (high - low) / 2;
        if middle <= low || middle >= high {
            continue;
        }
        match probe(middle)? {
            Some(found) => high = found,
            None => low = middle,
        }
    }
    Ok(Some(high))
}

/// The numbers in conditions and their neighbours.
fn landmarks(conditions: &[Term], terms: &Terms) -> Vec<i64> {
    let mut landmarks = Vec::new();
    for term in terms.postorder(conditions.iter().copied()) {
        let number = match terms.value(term) {
            Some(Value::Int(number)) => number.to_i64(),
            Some(Value::Real(number)) => number.to_integer().to_i64(),
            _ => None,
        };
        if let Some(number) = number.filter(|number| (-FAR..FAR).contains(number)) {
            landmarks.extend([number - 1, number, number + 1]);
        }
    }
    landmarks
}

/// How far from zero bounds are looked for.
const FAR: i64 = 1 << 40;

/// A value of a number between two others, if it can have one.
fn within(
    leaf: Term,
    low: i64,
    high: i64,
    conditions: &mut Vec<Term>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<BigRational>, SolverError> {
    conditions.push(between(leaf, low, high, terms));
    let answer = solver.satisfiable(terms, conditions);
    conditions.pop();
    if answer? != Satisfiability::Sat {
        return Ok(None);
    }
    let variables = terms.free_variables(leaf);
    let value = solver
        .model(terms, &variables)
        .and_then(|model| terms.evaluate(leaf, &model).ok());
    Ok(Some(match value {
        Some(Value::Int(value)) => BigRational::from_integer(value),
        Some(Value::Real(value)) => value,
        _ => BigRational::from_integer(high.into()),
    }))
}

/// The condition that a number lies between two others.
fn between(leaf: Term, low: i64, high: i64, terms: &mut Terms) -> Term {
    let (low, high) = (number(leaf, low, terms), number(leaf, high, terms));
    let above = terms.compare(Op::GreaterEqual, leaf, low);
    let below = terms.compare(Op::LessEqual, leaf, high);
    terms.and([above, below])
}

fn number(leaf: Term, value: i64, terms: &mut Terms) -> Term {
    if terms.sort_of(leaf) == Sort::INT {
        terms.int(value)
    } else {
        terms.constant(Value::Real(BigInt::from(value).into()))
    }
}

fn equals_number(leaf: Term, value: i64, terms: &mut Terms) -> Term {
    let constant = number(leaf, value, terms);
    terms.equal(leaf, constant)
}

/// A number that depends on the seed and on the leaf, and on nothing else.
fn mix(seed: u64, leaf: Term, terms: &Terms) -> u64 {
    let mut x = seed ^ 0xcbf2_9ce4_8422_2325;
    for byte in terms.print(leaf).bytes() {
        x = (x ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_found() {
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let mut terms = Terms::new();
        let x = terms.named("x", Sort::INT);
        let (low, high) = (terms.int(12_345), terms.int(99_999));
        let conditions = [
            terms.compare(Op::Greater, x, low),
            terms.compare(Op::Less, x, high),
        ];
        let mut value = |strategy| {
            let chosen = choose(&[x], &[], &conditions, strategy, &mut terms, &mut solver);
            match chosen.expect("a solver that works") {
                Chosen::Values(values) => values[0].clone(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(value(ValueStrategy::Smallest), Value::int(12_346));
        assert_eq!(value(ValueStrategy::Largest), Value::int(99_998));
        // Without a bound, numbers differ from each other and from zero.
        let (y, z) = (terms.named("y", Sort::INT), terms.named("z", Sort::INT));
        let chosen = choose(
            &[y, z],
            &[],
            &[],
            ValueStrategy::Largest,
            &mut terms,
            &mut solver,
        );
        let Ok(Chosen::Values(values)) = chosen else {
            panic!("{chosen:?}");
        };
        assert_ne!(values[0], values[1]);
        assert!(!values.contains(&Value::int(0)), "{values:?}");
    }

    #[test]
    fn a_known_text_is_taken_if_the_path_allows_it() {
        let mut solver =
            choros_smt::find().expect("the tests need a solver: run scripts/setup-solvers.sh");
        let mut terms = Terms::new();
        let (name, other) = (
            terms.named("name", Sort::STRING),
            terms.named("other", Sort::STRING),
        );
        let (length, three) = (terms.length(name), terms.int(3));
        let short = terms.compare(Op::LessEqual, length, three);
        let known = [vec!["Alice".to_owned(), "Bob".to_owned()], Vec::new()];
        for strategy in [
            ValueStrategy::Any,
            ValueStrategy::Smallest,
            ValueStrategy::Largest,
            ValueStrategy::Seeded(7),
        ] {
            let mut first = |conditions: &[Term]| {
                let targets = [name, other];
                let chosen = choose(
                    &targets,
                    &known,
                    conditions,
                    strategy,
                    &mut terms,
                    &mut solver,
                );
                match chosen.expect("a solver that works") {
                    Chosen::Values(values) => values[0].clone(),
                    other => panic!("{other:?}"),
                }
            };
            assert_eq!(first(&[]), Value::text("Alice"));
            assert_eq!(first(&[short]), Value::text("Bob"));
        }
    }

    /// The naive twin counts up.
    #[test]
    fn a_search_finds_the_least_with_any_hints_and_any_witness() {
        for least in [0, 1, 2, 3, 7, 8, 1_000, 1_023, FAR, 2 * FAR] {
            for hints in [
                vec![],
                vec![0],
                vec![least],
                vec![least - 1, 5, least + 1, 999],
            ] {
                for lazy in [true, false] {
                    let mut probes = 0;
                    let found = search(hints.clone(), |number| {
                        probes += 1;
                        let witness = if lazy { number } else { least };
                        Ok((number >= least).then(|| BigRational::from_integer(witness.into())))
                    });
                    assert_eq!(found.expect("no solver"), Some(least));
                    assert!(probes <= 90, "{probes} probes for {least}");
                }
            }
        }
        let found = search(Vec::new(), |_| Ok(None));
        assert_eq!(found.expect("no solver"), None);
    }
}
