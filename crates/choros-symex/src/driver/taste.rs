//! Which of the many values that satisfy a path is sent.
//!
//! Any solution will do (hypothesis H5: one value per path is enough), but a tester who runs a path again wants
//! another one, and a person who reads a failure wants a small one.

use choros_data::{Assignment, Op, Sort, SortKind, Term, Terms, Value};
use choros_smt::{Answer, Solver, SolverError};
use num_bigint::BigInt;

/// How values are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taste {
    /// What the solver gives.
    Any,
    /// Different ones for different seeds, where the path leaves a choice.
    Seeded(u64),
    /// As near to nothing as the path allows: small numbers, short texts, false.
    Smallest,
}

/// The solver's answer to a question for values.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// These.
    Values(Vec<Value>),
    /// There are none.
    None,
    /// Nobody knows.
    Unknown,
}

/// Values of terms such that the conditions hold.
pub(crate) fn choose(
    targets: &[Term],
    conditions: &[Term],
    taste: Taste,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Chosen, SolverError> {
    let mut conditions = conditions.to_vec();
    match solver.satisfiable(terms, &conditions)? {
        Answer::Sat => {}
        Answer::Unsat => return Ok(Chosen::None),
        Answer::Unknown(_) => return Ok(Chosen::Unknown),
    }
    let mut best = values(targets, &conditions, terms, solver);
    if taste != Taste::Any {
        let mut leaves = Vec::new();
        for &target in targets {
            collect_leaves(target, &mut leaves, terms);
        }
        for leaf in leaves {
            if taste == Taste::Smallest && terms.sort_of(leaf).is_number() {
                if let Some(wish) = smallest_number(leaf, &mut conditions, terms, solver)? {
                    conditions.push(wish);
                    solver.satisfiable(terms, &conditions)?;
                    best = values(targets, &conditions, terms, solver).or(best);
                }
                continue;
            }
            let mut candidates = candidates(leaf, taste, terms);
            candidates.retain(|&candidate| candidate != Term::FALSE);
            for candidate in candidates {
                if candidate == Term::TRUE {
                    break;
                }
                conditions.push(candidate);
                if solver.satisfiable(terms, &conditions)? == Answer::Sat {
                    best = values(targets, &conditions, terms, solver).or(best);
                    break;
                }
                conditions.pop();
            }
        }
    }
    Ok(best.map_or(Chosen::Unknown, Chosen::Values))
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
fn candidates(leaf: Term, taste: Taste, terms: &mut Terms) -> Vec<Term> {
    let mut wishes = Vec::new();
    match terms.sort_kind(terms.sort_of(leaf)).clone() {
        SortKind::Bool => {
            let wanted = match taste {
                Taste::Seeded(seed) => mix(seed, leaf, terms) % 2 == 0,
                _ => false,
            };
            wishes.push(match wanted {
                true => leaf,
                false => terms.not(leaf),
            });
        }
        SortKind::Int | SortKind::Real => match taste {
            Taste::Seeded(seed) => {
                let random = mix(seed, leaf, terms);
                for range in [1_000_000_u64, 20_000, 1_000, 50, 5] {
                    wishes.push(equals_number(leaf, (random % range) as i64, terms));
                }
            }
            _ => {}
        },
        SortKind::String => match taste {
            Taste::Seeded(seed) => {
                const WORDS: [&str; 8] = [
                    "Simpson", "a", "Ada Lovelace", "x-1", "naïve", "42", "<&>\"'", "zwölf",
                ];
                let word = WORDS[(mix(seed, leaf, terms) % WORDS.len() as u64) as usize];
                let word = terms.constant(Value::text(word));
                wishes.push(terms.equal(leaf, word));
            }
            _ => {
                for bound in [0_i64, 1, 2, 4, 8, 16] {
                    let length = terms.length(leaf);
                    let bound = terms.int(bound);
                    wishes.push(terms.compare(Op::LessEqual, length, bound));
                }
            }
        },
        SortKind::List(_) => {
            let most = match taste {
                Taste::Seeded(seed) => (mix(seed, leaf, terms) % 3) as i64,
                _ => 0,
            };
            for bound in most..most + 3 {
                let length = terms.length(leaf);
                let bound = terms.int(bound);
                wishes.push(terms.compare(Op::LessEqual, length, bound));
            }
        }
        SortKind::Enumeration { constructors, .. } if !constructors.is_empty() => {
            let sort = terms.sort_of(leaf);
            let index = match taste {
                Taste::Seeded(seed) => (mix(seed, leaf, terms) % constructors.len() as u64) as u32,
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

/// The condition that a number is as near to zero as it can be, found by halving; none beyond 2⁴⁰.
fn smallest_number(
    leaf: Term,
    conditions: &mut Vec<Term>,
    terms: &mut Terms,
    solver: &mut dyn Solver,
) -> Result<Option<Term>, SolverError> {
    let mut within = |bound: i64, terms: &mut Terms| -> Result<Option<Term>, SolverError> {
        let (low, high) = (number(leaf, -bound, terms), number(leaf, bound, terms));
        let above = terms.compare(Op::GreaterEqual, leaf, low);
        let below = terms.compare(Op::LessEqual, leaf, high);
        let wish = terms.and([above, below]);
        conditions.push(wish);
        let answer = solver.satisfiable(terms, conditions);
        conditions.pop();
        Ok((answer? == Answer::Sat).then_some(wish))
    };
    // Powers of two until one is enough, then halving between the last two.
    let (mut low, mut high) = (-1_i64, 0_i64);
    let mut best = loop {
        match within(high, terms)? {
            Some(wish) => break wish,
            None if high >= 1 << 40 => return Ok(None),
            None => {
                low = high;
                high = (2 * high).max(1);
            }
        }
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match within(middle, terms)? {
            Some(wish) => {
                best = wish;
                high = middle;
            }
            None => low = middle,
        }
    }
    Ok(Some(best))
}

fn number(leaf: Term, value: i64, terms: &mut Terms) -> Term {
    match terms.sort_of(leaf) == Sort::INT {
        true => terms.int(value),
        false => terms.constant(Value::Real(BigInt::from(value).into())),
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
