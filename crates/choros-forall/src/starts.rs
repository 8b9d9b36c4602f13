//! Where the search for a set starts: formulas that need not be right, because what is found from them is checked.

use choros_data::{Op, Quantifier as Bind, Term, TermKind, Terms, Var};
use num_rational::BigRational;
use num_traits::Zero;

use crate::bounds::Side;
use crate::linear::{Sum, compared, comparison};
use crate::prover::Prover;
use crate::stop::Stop;
use crate::symbolic::{Step, Symbolic};

/// More starts of one kind than this are not tried.
const MAX_STARTS: usize = 4;

/// What new alternatives say of what the steps within the nodes do not change.
///
/// `q == 4 and cap >= 5` is new in a round, and `cap >= 5` is what all later rounds have in common.
pub(crate) fn lasting(
    news: &[Term],
    changing: &[Var],
    prover: &mut Prover<'_>,
) -> Result<Vec<Term>, Stop> {
    let mut found: Vec<Term> = Vec::new();
    for &new in news {
        let alternatives = match prover.terms.kind(new) {
            TermKind::Apply(Op::Or, parts) => parts.to_vec(),
            _ => vec![new],
        };
        for alternative in alternatives {
            if found.len() == MAX_STARTS {
                return Ok(found);
            }
            let lasting = prover.eliminate(Bind::Exists, changing, alternative, Side::Low)?;
            let lasting = prover.lean(lasting, Term::TRUE)?;
            if !matches!(lasting, Term::TRUE | Term::FALSE) && !found.contains(&lasting) {
                found.push(lasting);
            }
        }
    }
    Ok(found)
}

/// Comparisons of sums that no step within the nodes changes: `r + c > 5` for `r > 5`, if `r` grows as `c` falls.
pub(crate) fn conserved(
    group: &[usize],
    graph: &Symbolic<'_>,
    sources: &[Term],
    terms: &mut Terms,
) -> Vec<Term> {
    let inner: Vec<&Step> = group
        .iter()
        .flat_map(|&node| &graph.steps[node])
        .filter(|step| group.contains(&step.target))
        .collect();
    let mut changes: Vec<(Sum, Vec<BigRational>)> = Vec::new();
    for &variable in &graph.variables {
        if !terms.variable_sort(variable).is_number() {
            continue;
        }
        let variable = Sum::of(terms.var(variable), terms);
        if let Some(change) = change(&variable, &inner, terms)
            && change.iter().any(|it| !it.is_zero())
        {
            changes.push((variable, change));
        }
    }
    let mut found: Vec<Term> = Vec::new();
    for &source in sources {
        for part in terms.postorder([source]) {
            let Some((op, sum, sort)) = comparison(part, terms) else {
                continue;
            };
            let Some(change) = change(&sum, &inner, terms) else {
                continue;
            };
            for (variable, other) in &changes {
                if found.len() == MAX_STARTS {
                    return found;
                }
                let Some(factor) = balance(&change, other) else {
                    continue;
                };
                let sum = sum.plus(&factor, variable);
                let start = compared(op, &sum, sort, terms);
                if !matches!(start, Term::TRUE | Term::FALSE) && !found.contains(&start) {
                    found.push(start);
                }
            }
        }
    }
    found
}

/// By how much each step changes a sum, if by a number that is always the same.
fn change(sum: &Sum, steps: &[&Step], terms: &mut Terms) -> Option<Vec<BigRational>> {
    let mut changes = Vec::new();
    for step in steps {
        let mut change = BigRational::zero();
        let mut after = Sum {
            parts: Vec::new(),
            constant: BigRational::zero(),
        };
        for (term, factor) in &sum.parts {
            let then = terms.substitute(*term, &step.after);
            after = after.plus(factor, &Sum::of(then, terms));
        }
        let minus = BigRational::from_integer((-1).into());
        let mut before = sum.clone();
        before.constant = BigRational::zero();
        change += after.plus(&minus, &before).value()?;
        changes.push(change);
    }
    Some(changes)
}

/// How many of the other make up for the changes of one; nothing if there are none to make up for.
fn balance(one: &[BigRational], other: &[BigRational]) -> Option<BigRational> {
    let position = one.iter().position(|it| !it.is_zero())?;
    if other[position].is_zero() {
        return None;
    }
    let factor = -(&one[position] / &other[position]);
    let fits = one.iter().zip(other);
    let fits = fits
        .into_iter()
        .all(|(one, other)| (one + &factor * other).is_zero());
    fits.then_some(factor)
}
