//! Answers of `conform` that were found before.
//!
//! The key is the digest of what is compared: both graphs, the rules, the bounds and the version.
//! What is kept is the proof alone.
//! It is checked before it counts, and the evidence that is shown is made from it again; so only answers whose evidence
//! is their relation are kept: those that hold for all data.

use choros_base::Budget;
use choros_certify::{ConformanceProof, RelatedPair, Sides, check_conformance, sides};
use choros_conform::{Conformance, Setup, relation_evidence, silent_cycles};
use choros_data::{Term, Terms};
use choros_model::Verdict;
use choros_model::stg::{Stg, write_stg};
use choros_report::{SavedClaim, SavedProof, sha256};
use choros_smt::Solver;

use crate::prove_conformance;
use choros_workspace::Settings;

/// What a cache has under a key.
pub(crate) enum CacheEntry<'a> {
    /// The question was not asked before.
    Nothing,
    /// A proof that was confirmed.
    Proved(Box<Conformance<'a>>),
    /// Something else, and why it does not count.
    Wrong(String),
}

/// What an answer is kept under.
pub(crate) fn key(
    (left, right): (&Stg, &Stg),
    setup: &Setup,
    settings: &Settings,
    terms: &Terms,
) -> String {
    let text = format!(
        "conform {} {} {} {} {:?}\n{}\n{}",
        env!("CARGO_PKG_VERSION"),
        settings.max_states,
        settings.solver_budget,
        setup.allow_fixed,
        setup.shared,
        write_stg(left, terms),
        write_stg(right, terms),
    );
    sha256(&text)
}

/// The answer under a key, checked.
pub(crate) fn recall<'a>(
    key: &str,
    graphs: (&'a Stg, &'a Stg),
    setup: &Setup,
    settings: &Settings,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> CacheEntry<'a> {
    let Some(text) = settings.cache.as_ref().and_then(|it| it.get(key)) else {
        return CacheEntry::Nothing;
    };
    let proof = match SavedProof::of_json(&text) {
        Ok(proof) if proof.claim == SavedClaim::Holds => proof,
        Ok(_) => return CacheEntry::Wrong("it claims something else".to_owned()),
        Err(reason) => return CacheEntry::Wrong(reason),
    };
    let sides = sides(graphs.0, graphs.1, &setup.shared, terms);
    let relation = match relation(&proof, &sides, terms) {
        Ok(relation) => relation,
        Err(reason) => return CacheEntry::Wrong(reason),
    };
    let again = ConformanceProof::Relation {
        start: Term::TRUE,
        pairs: relation.clone(),
    };
    let fixed = setup.allow_fixed;
    match check_conformance(&again, &sides, fixed, terms, solver, budget) {
        Ok(Ok(())) => {}
        Ok(Err(_)) => return CacheEntry::Wrong("it does not show what it claims".to_owned()),
        Err(error) => return CacheEntry::Wrong(error.to_string()),
    }
    let shown = relation_evidence(&relation, &sides.left, &sides.right, terms);
    CacheEntry::Proved(Box::new(Conformance {
        verdict: Verdict::Holds(shown),
        pairs: relation.len(),
        relation,
        divergent: silent_cycles(&sides.left),
        implementation: sides.left,
        specification: sides.right,
    }))
}

/// Keeps an answer, where it is one that can be taken again as it is; says what went wrong.
pub(crate) fn keep(
    key: &str,
    found: &Conformance<'_>,
    graphs: (&Stg, &Stg),
    setup: &Setup,
    settings: &Settings,
    (terms, solver, budget): (&mut Terms, &mut dyn Solver, &Budget),
) -> Result<(), String> {
    let (Some(cache), Verdict::Holds(shown)) = (&settings.cache, &found.verdict) else {
        return Ok(());
    };
    let (left, right) = (&*found.implementation, &*found.specification);
    if *shown != relation_evidence(&found.relation, left, right, terms) {
        return Ok(());
    }
    let Ok(proof) = prove_conformance(found, graphs, setup, terms, solver, budget) else {
        return Ok(());
    };
    // What is taken again must look the same.
    let sides = sides(graphs.0, graphs.1, &setup.shared, terms);
    let again = relation(&proof, &sides, terms);
    let same = |again| relation_evidence(again, left, right, terms) == *shown;
    match again {
        Ok(again) if same(&again) => cache.put(key, &proof.to_json()),
        _ => Ok(()),
    }
}

/// The relation of a proof.
fn relation(
    proof: &SavedProof,
    sides: &Sides<'_>,
    terms: &mut Terms,
) -> Result<Vec<RelatedPair>, String> {
    match proof.conformance(sides, terms) {
        Ok(ConformanceProof::Relation { pairs, .. }) => Ok(pairs),
        Ok(ConformanceProof::Attack(_)) => Err("only a relation is one".to_owned()),
        Err(mistake) => Err(mistake.to_string()),
    }
}
