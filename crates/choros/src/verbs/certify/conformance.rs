//! Certificates of conformance: written from what the engine found, and checked without it.

use std::collections::BTreeMap;

use choros_base::{Budget, SourceMap};
use choros_certify::{
    Attack, Certificate, Challenge, Claim, Position, RelatedPair, Reply, Sides, check_attack,
    check_certificate, sides,
};
use choros_conform::{Conformance, Setup, attack};
use choros_data::{Assignment, Sort, Term, Terms, Value, Var, read_term};
use choros_model::evidence::Tree;
use choros_model::stg::run::{Choice, Situation};
use choros_model::stg::{EdgeId, NodeId, Stg, write_stg};
use choros_model::{Evidence, Unknown, Verdict};
use choros_report::{
    SavedClaim, SavedEvidence, SavedGraph, SavedMove, SavedPair, SavedPosition, SavedProof,
    SavedReply, SavedSituation,
};
use choros_smt::{Satisfiability, Solver, SolverError};

use choros_project::sha256;

/// What a certificate of an answer holds, or why there is none.
///
/// It is read back and checked before anybody gets it.
pub(in super::super) fn prove(
    found: &Conformance<'_>,
    graphs: (&Stg, &Stg),
    setup: &Setup,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<SavedProof, String> {
    let world = |error: SolverError| error.to_string();
    let (left, right) = (&*found.implementation, &*found.specification);
    let saved = [saved_graph(left, terms), saved_graph(right, terms)];
    let (claim, evidence) = match &found.verdict {
        Verdict::Unknown(_) => return Err("the question was not settled".to_owned()),
        Verdict::Fails(_) => {
            let attack = attack(graphs.0, graphs.1, setup, terms, solver, budget)
                .map_err(world)?
                .ok_or("a way to win against every answer was not found")?;
            let positions = attack.positions.iter();
            let positions = positions.map(|it| saved_position(it, terms)).collect();
            let evidence = SavedEvidence::Attack {
                graphs: saved,
                positions,
            };
            (SavedClaim::Fails, evidence)
        }
        Verdict::Holds(_) | Verdict::HoldsIf(..) => {
            let claim = match found.verdict {
                Verdict::HoldsIf(condition, _) => SavedClaim::Conditional {
                    condition: terms.print(condition),
                },
                _ => SavedClaim::Holds,
            };
            let pairs = found.relation.iter().map(|pair| SavedPair {
                left: pair.left.0,
                right: pair.right.0,
                condition: terms.print(pair.condition),
            });
            let evidence = SavedEvidence::Relation {
                graphs: saved,
                pairs: pairs.collect(),
            };
            (claim, evidence)
        }
    };
    let proof = SavedProof { claim, evidence };
    let sides = sides(graphs.0, graphs.1, &setup.shared, terms);
    let checked = check(&proof, &sides, setup.allow_fixed, terms, solver, budget);
    match checked.map_err(|mistake| mistake.to_string())? {
        Verdict::Holds(_) => Ok(proof),
        _ => Err("what was written could not be confirmed after it was read back".to_owned()),
    }
}

/// Why a certificate was not checked to its end.
pub(in super::super) enum Mistake {
    /// Something in it makes no sense.
    Malformed(String),
    /// It is about other graphs.
    Foreign(String),
    /// There is no solver, or it broke.
    World(String),
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Mistake::Malformed(text) | Mistake::Foreign(text) | Mistake::World(text) => {
                f.write_str(text)
            }
        }
    }
}

/// Whether a proof shows its claim about two sides.
pub(in super::super) fn check(
    proof: &SavedProof,
    sides: &Sides<'_>,
    allow_fixed: bool,
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Verdict, Mistake> {
    let (SavedEvidence::Relation { graphs, .. } | SavedEvidence::Attack { graphs, .. }) =
        &proof.evidence
    else {
        return Err(malformed(
            "configurations of machines show nothing about conformance",
        ));
    };
    for (graph, stg) in graphs.iter().zip([&sides.left, &sides.right]) {
        if *graph != saved_graph(stg, terms) {
            let (name, own) = (&graph.name, stg.name());
            return Err(Mistake::Foreign(format!(
                "it is about another graph `{name}` than the models give for `{own}`"
            )));
        }
    }
    let mut reader = Reader::new(sides, terms);
    match (&proof.claim, &proof.evidence) {
        (SavedClaim::Fails, SavedEvidence::Attack { positions, .. }) => {
            let positions: Result<Vec<Position>, Mistake> =
                positions.iter().map(|it| reader.position(it)).collect();
            let attack = Attack {
                positions: positions?,
            };
            let checked = check_attack(&attack, sides, allow_fixed, terms);
            let of = format!("each of {} positions is lost", attack.positions.len());
            Ok(verdict(checked, of, "position", sides))
        }
        (SavedClaim::Fails, _) => Err(malformed("a claim that it fails needs an attack")),
        (claim, SavedEvidence::Relation { pairs, .. }) => {
            let condition = match claim {
                SavedClaim::Conditional { condition } => reader.start(condition, sides)?,
                _ => Term::TRUE,
            };
            let relation = reader.relation(pairs)?;
            related(
                condition,
                &relation,
                (sides, allow_fixed),
                terms,
                solver,
                budget,
            )
        }
        _ => Err(malformed("an attack shows that it fails, and nothing else")),
    }
}

/// The relation of a proof that was checked.
pub(super) fn relation(
    proof: &SavedProof,
    sides: &Sides<'_>,
    terms: &mut Terms,
) -> Result<Vec<RelatedPair>, Mistake> {
    match &proof.evidence {
        SavedEvidence::Relation { pairs, .. } => Reader::new(sides, terms).relation(pairs),
        _ => Err(malformed("only a relation is one")),
    }
}

fn related(
    condition: Term,
    relation: &[RelatedPair],
    (sides, allow_fixed): (&Sides<'_>, bool),
    terms: &mut Terms,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Verdict, Mistake> {
    let world = |error: SolverError| Mistake::World(error.to_string());
    let mut start = vec![condition];
    for &(left, right) in &sides.shared {
        let (left, right) = (terms.var(left), terms.var(right));
        start.push(terms.equal(left, right));
    }
    let start = terms.and(start);
    // "If nothing at all" is a claim about nothing.
    let nothing = || {
        let claim = "the condition of the claim is never true".to_owned();
        Verdict::Fails(tree(claim))
    };
    if start == Term::FALSE
        || start != Term::TRUE
            && solver.satisfiable(terms, &[start]).map_err(world)? == Satisfiability::Unsat
    {
        return Ok(nothing());
    }
    let claim = Claim {
        implementation: &sides.left,
        specification: &sides.right,
        relation,
        start,
        allow_fixed,
    };
    let checked = check_certificate(&claim, terms, solver, budget).map_err(world)?;
    let of = format!(
        "each of {} pairs of states is as it should be",
        relation.len()
    );
    Ok(verdict(checked, of, "pair", sides))
}

/// The verdict on a certificate.
fn verdict(checked: Certificate, confirmed: String, what: &str, sides: &Sides<'_>) -> Verdict {
    match checked {
        Certificate::Confirmed => Verdict::Holds(tree(confirmed)),
        Certificate::Refuted(left, right) => {
            let label = |stg: &Stg, node: NodeId| match stg.nodes().get(node.0 as usize) {
                Some(node) => node.label.clone(),
                None => node.0.to_string(),
            };
            let (left, right) = (label(&sides.left, left), label(&sides.right, right));
            let claim = format!("the {what} ({left}, {right}) is not as it should be");
            Verdict::Fails(tree(claim))
        }
        Certificate::Undecided(why) => Verdict::Unknown(Unknown {
            reason: why.text,
            bound: why.bound,
            evidence: None,
        }),
    }
}

fn tree(claim: String) -> Evidence {
    Evidence::Tree(Tree {
        claim,
        origin: None,
        evidence: None,
        because: Vec::new(),
    })
}

fn malformed(text: impl Into<String>) -> Mistake {
    Mistake::Malformed(text.into())
}

/// Reads conditions and values, each text once.
struct Reader<'t> {
    terms: &'t mut Terms,
    left: BTreeMap<String, Var>,
    right: BTreeMap<String, Var>,
    variables: Vec<Var>,
    known: BTreeMap<String, Term>,
}

impl<'t> Reader<'t> {
    fn new(sides: &Sides<'_>, terms: &'t mut Terms) -> Reader<'t> {
        let named = |stg: &Stg| -> BTreeMap<String, Var> {
            let variables = stg.variables(terms).into_iter();
            variables
                .map(|it| (terms.variable_text(it).to_owned(), it))
                .collect()
        };
        let (left, right) = (named(&sides.left), named(&sides.right));
        let variables = left.values().chain(right.values()).copied().collect();
        Reader {
            terms,
            left,
            right,
            variables,
            known: BTreeMap::new(),
        }
    }

    /// A condition over the variables of both sides; where it is undefined, it is false.
    fn condition(&mut self, text: &str) -> Result<Term, Mistake> {
        if let Some(&known) = self.known.get(text) {
            return Ok(known);
        }
        let term = self.term(text, Sort::BOOL)?;
        let free = self.terms.free_variables(term);
        if let Some(&strange) = free.iter().find(|it| !self.variables.contains(it)) {
            let name = self.terms.variable_text(strange);
            let message = format!("`{text}` speaks of `{name}`, which is in neither graph");
            return Err(malformed(message));
        }
        let defined = self.terms.defined(term);
        let term = self.terms.and([defined, term]);
        self.known.insert(text.to_owned(), term);
        Ok(term)
    }

    fn relation(&mut self, pairs: &[SavedPair]) -> Result<Vec<RelatedPair>, Mistake> {
        let mut relation = Vec::with_capacity(pairs.len());
        for pair in pairs {
            relation.push(RelatedPair {
                left: NodeId(pair.left),
                right: NodeId(pair.right),
                condition: self.condition(&pair.condition)?,
            });
        }
        Ok(relation)
    }

    /// A condition over the parameters.
    fn start(&mut self, text: &str, sides: &Sides<'_>) -> Result<Term, Mistake> {
        let condition = self.condition(text)?;
        let mut parameters = sides.left.parameters(self.terms);
        parameters.extend(sides.right.parameters(self.terms));
        let free = self.terms.free_variables(condition);
        match free.iter().find(|it| !parameters.contains(it)) {
            None => Ok(condition),
            Some(&strange) => {
                let name = self.terms.variable_text(strange);
                let message = format!("the claim speaks of `{name}`, which is no parameter");
                Err(malformed(message))
            }
        }
    }

    fn value(&mut self, text: &str, sort: Sort) -> Result<Value, Mistake> {
        let term = self.term(text, sort)?;
        let term = self.terms.simplify(term);
        let value = self.terms.value(term).cloned();
        value.ok_or_else(|| malformed(format!("`{text}` is not a value")))
    }

    fn term(&mut self, text: &str, sort: Sort) -> Result<Term, Mistake> {
        let mut aside = SourceMap::new();
        let read = read_term(
            self.terms,
            &mut aside,
            "certificate",
            text,
            &self.variables,
            Some(sort),
        );
        read.map_err(|found| {
            let why = found.first().map_or("", |it| it.message.as_str());
            malformed(format!("`{text}` cannot be read: {why}"))
        })
    }

    fn position(&mut self, saved: &SavedPosition) -> Result<Position, Mistake> {
        let left = self.situation(&saved.left, &self.left.clone())?;
        let right = self.situation(&saved.right, &self.right.clone())?;
        let challenge = match &saved.challenge {
            SavedMove::Silent { edge, chosen, to } => Challenge::Silent {
                choice: Choice {
                    edge: EdgeId(*edge),
                    brought: self.values(chosen)?,
                },
                to: *to,
            },
            SavedMove::ImplementationEnds => Challenge::LeftEnds,
            SavedMove::SpecificationEnds => Challenge::RightEnds,
            SavedMove::ImplementationStep { edge } => Challenge::Left(EdgeId(*edge)),
            SavedMove::SpecificationStep { edge } => Challenge::Right(EdgeId(*edge)),
        };
        let mut replies = Vec::with_capacity(saved.replies.len());
        for reply in &saved.replies {
            replies.push(Reply {
                left: reply.left.iter().map(|&it| EdgeId(it)).collect(),
                right: EdgeId(reply.right),
                brought: self.values(&reply.brought)?,
                to: reply.to,
            });
        }
        Ok(Position {
            left,
            right,
            challenge,
            replies,
        })
    }

    fn situation(
        &mut self,
        saved: &SavedSituation,
        variables: &BTreeMap<String, Var>,
    ) -> Result<Situation, Mistake> {
        let mut values = Assignment::default();
        for (name, text) in &saved.values {
            let Some(&variable) = variables.get(name) else {
                let message = format!("`{name}` is no variable of the graph");
                return Err(malformed(message));
            };
            let value = self.value(text, self.terms.variable_sort(variable))?;
            values.insert(variable, value);
        }
        Ok(Situation {
            node: NodeId(saved.node),
            values,
        })
    }

    /// Values with their sorts, written `value: Sort`.
    fn values(&mut self, texts: &[String]) -> Result<Vec<Value>, Mistake> {
        let mut values = Vec::with_capacity(texts.len());
        for text in texts {
            let mut sorts: Vec<Sort> = Vec::new();
            for &variable in &self.variables {
                let sort = self.terms.variable_sort(variable);
                if !sorts.contains(&sort) {
                    sorts.push(sort);
                }
            }
            let typed = text.rsplit_once(": ").and_then(|(value, sort)| {
                let found = sorts.iter().find(|&&it| self.terms.sort_text(it) == sort);
                Some((value, *found?))
            });
            let Some((value, sort)) = typed else {
                let message = format!("`{text}` is not a value with a sort of the graphs");
                return Err(malformed(message));
            };
            values.push(self.value(value, sort)?);
        }
        Ok(values)
    }
}

/// What identifies a graph.
fn saved_graph(stg: &Stg, terms: &Terms) -> SavedGraph {
    SavedGraph {
        name: stg.name().to_owned(),
        nodes: stg.nodes().len(),
        edges: stg.edges().len(),
        sha256: sha256(&write_stg(stg, terms)),
    }
}

fn saved_position(position: &Position, terms: &Terms) -> SavedPosition {
    let situation = |it: &Situation| SavedSituation {
        node: it.node.0,
        values: it
            .values
            .iter()
            .map(|(variable, value)| {
                let name = terms.variable_text(*variable).to_owned();
                (name, terms.print_value(value))
            })
            .collect(),
    };
    let typed = |values: &[Value]| -> Vec<String> {
        let values = values.iter();
        values
            .map(|it| format!("{}: {}", terms.print_value(it), terms.sort_text(it.sort())))
            .collect()
    };
    let challenge = match &position.challenge {
        Challenge::Silent { choice, to } => SavedMove::Silent {
            edge: choice.edge.0,
            chosen: typed(&choice.brought),
            to: *to,
        },
        Challenge::LeftEnds => SavedMove::ImplementationEnds,
        Challenge::RightEnds => SavedMove::SpecificationEnds,
        Challenge::Left(edge) => SavedMove::ImplementationStep { edge: edge.0 },
        Challenge::Right(edge) => SavedMove::SpecificationStep { edge: edge.0 },
    };
    let replies = position.replies.iter().map(|reply| SavedReply {
        left: reply.left.iter().map(|it| it.0).collect(),
        right: reply.right.0,
        brought: typed(&reply.brought),
        to: reply.to,
    });
    SavedPosition {
        left: situation(&position.left),
        right: situation(&position.right),
        challenge,
        replies: replies.collect(),
    }
}
