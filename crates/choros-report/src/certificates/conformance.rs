//! Relations and attacks as they are saved.

use std::collections::BTreeMap;

use choros_base::SourceMap;
use choros_certify::{
    Attack, AttackPosition, AttackReply, Challenge, ConformanceProof, RelatedPair, Sides,
};
use choros_data::{Assignment, Sort, Term, Terms, Value, Var, read_term};
use choros_model::stg::run::{RunState, RunStep};
use choros_model::stg::{EdgeId, NodeId, Stg, write_stg};

use super::{ProofMistake, malformed};
use crate::certificate_file::{
    SavedClaim, SavedEvidence, SavedGraph, SavedMove, SavedPair, SavedPosition, SavedProof,
    SavedReply, SavedSituation,
};
use crate::digest::sha256;

impl SavedProof {
    /// A proof about conformance.
    pub fn of_conformance(
        proof: &ConformanceProof,
        sides: &Sides<'_>,
        terms: &Terms,
    ) -> SavedProof {
        let graphs = saved_graphs(sides, terms);
        match proof {
            ConformanceProof::Attack(attack) => {
                let positions = attack.positions.iter();
                let positions = positions.map(|it| saved_position(it, terms)).collect();
                SavedProof {
                    claim: SavedClaim::Fails,
                    evidence: SavedEvidence::Attack { graphs, positions },
                }
            }
            ConformanceProof::Relation { start, pairs } => {
                let pairs = pairs.iter().map(|pair| SavedPair {
                    left: pair.left.0,
                    right: pair.right.0,
                    condition: terms.print(pair.condition),
                });
                SavedProof {
                    claim: match *start {
                        Term::TRUE => SavedClaim::Holds,
                        condition => SavedClaim::Conditional {
                            condition: terms.print(condition),
                        },
                    },
                    evidence: SavedEvidence::Relation {
                        graphs,
                        pairs: pairs.collect(),
                    },
                }
            }
        }
    }

    /// The proof about the conformance of two sides.
    pub fn conformance(
        &self,
        sides: &Sides<'_>,
        terms: &mut Terms,
    ) -> Result<ConformanceProof, ProofMistake> {
        let (SavedEvidence::Relation { graphs, .. } | SavedEvidence::Attack { graphs, .. }) =
            &self.evidence
        else {
            return Err(malformed("its evidence is not about conformance"));
        };
        are_these(graphs, sides, terms)?;
        let mut reader = ValueReader::new(sides, terms);
        match (&self.claim, &self.evidence) {
            (SavedClaim::Fails, SavedEvidence::Attack { positions, .. }) => {
                let positions: Result<Vec<AttackPosition>, ProofMistake> =
                    positions.iter().map(|it| reader.position(it)).collect();
                let positions = positions?;
                Ok(ConformanceProof::Attack(Attack { positions }))
            }
            (SavedClaim::Fails, _) => Err(malformed("a claim that it fails needs an attack")),
            (claim, SavedEvidence::Relation { pairs, .. }) => {
                let start = match claim {
                    SavedClaim::Conditional { condition } => reader.start(condition, sides)?,
                    _ => Term::TRUE,
                };
                let pairs = reader.relation(pairs)?;
                Ok(ConformanceProof::Relation { start, pairs })
            }
            _ => Err(malformed("an attack can only show that it fails")),
        }
    }
}

/// What identifies the two sides.
pub(super) fn saved_graphs(sides: &Sides<'_>, terms: &Terms) -> [SavedGraph; 2] {
    [
        saved_graph(&sides.left, terms),
        saved_graph(&sides.right, terms),
    ]
}

/// Whether the graphs of a proof are the ones that are given.
pub(super) fn are_these(
    graphs: &[SavedGraph; 2],
    sides: &Sides<'_>,
    terms: &Terms,
) -> Result<(), ProofMistake> {
    for (graph, stg) in graphs.iter().zip([&sides.left, &sides.right]) {
        if *graph != saved_graph(stg, terms) {
            let (name, own) = (&graph.name, stg.name());
            return Err(ProofMistake::Foreign(format!(
                "its graph `{name}` is not the one that the models give for `{own}`"
            )));
        }
    }
    Ok(())
}

/// Reads conditions and values, each text once.
pub(super) struct ValueReader<'t> {
    terms: &'t mut Terms,
    left: BTreeMap<String, Var>,
    right: BTreeMap<String, Var>,
    variables: Vec<Var>,
    known: BTreeMap<String, Term>,
}

impl<'t> ValueReader<'t> {
    pub(super) fn new(sides: &Sides<'_>, terms: &'t mut Terms) -> ValueReader<'t> {
        let named = |stg: &Stg| -> BTreeMap<String, Var> {
            let variables = stg.variables(terms).into_iter();
            variables
                .map(|it| (terms.variable_text(it).to_owned(), it))
                .collect()
        };
        let (left, right) = (named(&sides.left), named(&sides.right));
        let variables = left.values().chain(right.values()).copied().collect();
        ValueReader {
            terms,
            left,
            right,
            variables,
            known: BTreeMap::new(),
        }
    }

    /// A condition over the variables of both sides; where it is undefined, it is false.
    fn condition(&mut self, text: &str) -> Result<Term, ProofMistake> {
        if let Some(&known) = self.known.get(text) {
            return Ok(known);
        }
        let term = self.term(text, Sort::BOOL)?;
        let free = self.terms.free_variables(term);
        if let Some(&strange) = free.iter().find(|it| !self.variables.contains(it)) {
            let name = self.terms.variable_text(strange);
            let message = format!("`{text}` mentions `{name}`, which is in neither graph");
            return Err(malformed(message));
        }
        let defined = self.terms.defined(term);
        let term = self.terms.and([defined, term]);
        self.known.insert(text.to_owned(), term);
        Ok(term)
    }

    fn relation(&mut self, pairs: &[SavedPair]) -> Result<Vec<RelatedPair>, ProofMistake> {
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
    fn start(&mut self, text: &str, sides: &Sides<'_>) -> Result<Term, ProofMistake> {
        let condition = self.condition(text)?;
        let mut parameters = sides.left.parameters(self.terms);
        parameters.extend(sides.right.parameters(self.terms));
        let free = self.terms.free_variables(condition);
        match free.iter().find(|it| !parameters.contains(it)) {
            None => Ok(condition),
            Some(&strange) => {
                let name = self.terms.variable_text(strange);
                let message = format!("the claim mentions `{name}`, which is not a parameter");
                Err(malformed(message))
            }
        }
    }

    fn value(&mut self, text: &str, sort: Sort) -> Result<Value, ProofMistake> {
        let term = self.term(text, sort)?;
        let term = self.terms.simplify(term);
        let value = self.terms.value(term).cloned();
        value.ok_or_else(|| malformed(format!("`{text}` is not a value")))
    }

    fn term(&mut self, text: &str, sort: Sort) -> Result<Term, ProofMistake> {
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

    fn position(&mut self, saved: &SavedPosition) -> Result<AttackPosition, ProofMistake> {
        let left = self.situation(&saved.left, &self.left.clone())?;
        let right = self.situation(&saved.right, &self.right.clone())?;
        let challenge = match &saved.challenge {
            SavedMove::Silent { edge, chosen, to } => Challenge::Silent {
                choice: RunStep {
                    edge: EdgeId(*edge),
                    bound_values: self.values(chosen)?,
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
            replies.push(AttackReply {
                left: reply.left.iter().map(|&it| EdgeId(it)).collect(),
                right: EdgeId(reply.right),
                brought: self.values(&reply.brought)?,
                to: reply.to,
            });
        }
        Ok(AttackPosition {
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
    ) -> Result<RunState, ProofMistake> {
        Ok(RunState {
            node: NodeId(saved.node),
            values: self.assignment(&saved.values, variables)?,
        })
    }

    /// Values of variables of the implementation.
    pub(super) fn of_left(
        &mut self,
        saved: &BTreeMap<String, String>,
    ) -> Result<Assignment, ProofMistake> {
        self.assignment(saved, &self.left.clone())
    }

    fn assignment(
        &mut self,
        saved: &BTreeMap<String, String>,
        variables: &BTreeMap<String, Var>,
    ) -> Result<Assignment, ProofMistake> {
        let mut values = Assignment::default();
        for (name, text) in saved {
            let Some(&variable) = variables.get(name) else {
                let message = format!("`{name}` is not a variable of the graph");
                return Err(malformed(message));
            };
            let value = self.value(text, self.terms.variable_sort(variable))?;
            values.insert(variable, value);
        }
        Ok(values)
    }

    /// Values with their sorts, written `value: Sort`.
    pub(super) fn values(&mut self, texts: &[String]) -> Result<Vec<Value>, ProofMistake> {
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
pub(super) fn saved_graph(stg: &Stg, terms: &Terms) -> SavedGraph {
    SavedGraph {
        name: stg.name().to_owned(),
        nodes: stg.nodes().len(),
        edges: stg.edges().len(),
        sha256: sha256(&write_stg(stg, terms)),
    }
}

/// Values by variable.
pub(super) fn saved_values(values: &Assignment, terms: &Terms) -> BTreeMap<String, String> {
    let values = values.iter().map(|(variable, value)| {
        let name = terms.variable_text(*variable).to_owned();
        (name, terms.print_value(value))
    });
    values.collect()
}

/// Values with their sorts.
pub(super) fn typed(values: &[Value], terms: &Terms) -> Vec<String> {
    let values = values.iter();
    values
        .map(|it| format!("{}: {}", terms.print_value(it), terms.sort_text(it.sort())))
        .collect()
}

fn saved_position(position: &AttackPosition, terms: &Terms) -> SavedPosition {
    let situation = |it: &RunState| SavedSituation {
        node: it.node.0,
        values: saved_values(&it.values, terms),
    };
    let typed = |values: &[Value]| typed(values, terms);
    let challenge = match &position.challenge {
        Challenge::Silent { choice, to } => SavedMove::Silent {
            edge: choice.edge.0,
            chosen: typed(&choice.bound_values),
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
