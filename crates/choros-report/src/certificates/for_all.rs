//! Claims about sets of states as they are saved.

use std::collections::BTreeMap;

use choros_base::{Names, SourceMap};
use choros_certify::{
    ClaimedSet, ForAllPart, ForAllProof, Given, Helpful, RankPart, SetClaim, Stage, Witness,
};
use choros_data::{Sort, Term, Terms, Var, read_term};
use choros_model::stg::{NodeId as GraphNode, Stg};
use choros_query::socl::{Formula, NodeId};

use super::conformance::saved_graph;
use super::{ProofMistake, malformed};
use crate::certificate_file::{SavedClaim, SavedEvidence, SavedProof};
use crate::sets_file::{
    SavedChoice, SavedForAll, SavedGiven, SavedHelpful, SavedRankPart, SavedSet, SavedSetClaim,
    SavedSetPart, SavedStage,
};

impl SavedForAll {
    /// What shows when a formula holds.
    pub fn of(formula: &Formula, proof: &ForAllProof, names: &Names, terms: &Terms) -> SavedForAll {
        let parts = proof.parts.iter().map(|part| {
            let known = part.known.iter();
            let claims = part.claims.iter();
            SavedSetPart {
                known: known.map(|&(at, it)| (at, terms.print(it))).collect(),
                claims: claims.map(|it| saved_claim(it, names, terms)).collect(),
            }
        });
        SavedForAll {
            formula: formula.print(names),
            condition: terms.print(proof.condition),
            parts: parts.collect(),
            against: saved_choices(&proof.against, terms),
        }
    }

    /// What is claimed about this formula and this graph.
    pub fn read(
        &self,
        stg: &Stg,
        formula: &Formula,
        names: &mut Names,
        terms: &mut Terms,
    ) -> Result<ForAllProof, ProofMistake> {
        if self.formula != formula.print(names) {
            let text = format!("it is about the formula `{}`", self.formula);
            return Err(ProofMistake::Foreign(text));
        }
        let mut reader = SetReader {
            stg,
            variables: stg.variables(terms),
            is_unfolded: formula.asks_who_knows(),
            own: Vec::new(),
            known: BTreeMap::new(),
            terms,
        };
        let condition = reader.condition(&self.condition)?;
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let mut read = ForAllPart::default();
            for (place, known) in &part.known {
                read.known.push((*place, reader.condition(known)?));
            }
            for claim in &part.claims {
                read.claims.push(reader.claim(claim, names)?);
            }
            parts.push(read);
        }
        let against = self.against.iter().map(|it| reader.choice(it, &[]));
        let against = against.collect::<Result<_, _>>()?;
        Ok(ForAllProof {
            condition,
            parts,
            against,
        })
    }
}

impl SavedProof {
    /// A proof about formulas for all data: the claim is when all of them hold.
    pub fn of_all_data(stg: &Stg, formulas: Vec<SavedForAll>, terms: &Terms) -> SavedProof {
        SavedProof {
            claim: claim(&formulas),
            evidence: SavedEvidence::Sets {
                graph: saved_graph(stg, terms),
                formulas,
            },
        }
    }

    /// Whether it is about formulas for all data.
    pub fn is_of_all_data(&self) -> bool {
        matches!(self.evidence, SavedEvidence::Sets { .. })
    }

    /// The claims about this many formulas of a graph.
    pub fn all_data(
        &self,
        stg: &Stg,
        count: usize,
        terms: &Terms,
    ) -> Result<&[SavedForAll], ProofMistake> {
        let SavedEvidence::Sets { graph, formulas } = &self.evidence else {
            return Err(malformed("its evidence is not about formulas for all data"));
        };
        if *graph != saved_graph(stg, terms) {
            let (name, own) = (&graph.name, stg.name());
            return Err(ProofMistake::Foreign(format!(
                "its graph `{name}` is not the one that the models give for `{own}`"
            )));
        }
        if formulas.len() != count {
            return Err(malformed(
                "its number of formulas differs from the question",
            ));
        }
        if claim(formulas) != self.claim {
            return Err(malformed(
                "its formulas show a different verdict than it claims",
            ));
        }
        Ok(formulas)
    }
}

/// When all formulas hold.
fn claim(formulas: &[SavedForAll]) -> SavedClaim {
    let conditions = formulas.iter().map(|it| it.condition.as_str());
    let open: Vec<&str> = conditions.filter(|&it| it != "true").collect();
    match open[..] {
        [] => SavedClaim::Holds,
        _ if open.contains(&"false") => SavedClaim::Fails,
        [only] => SavedClaim::Conditional {
            condition: only.to_owned(),
        },
        _ => SavedClaim::Conditional {
            condition: format!("({})", open.join(") && (")),
        },
    }
}

fn saved_claim(claim: &SetClaim, names: &Names, terms: &Terms) -> SavedSetClaim {
    let values = claim.values.iter().map(|given| match *given {
        Given::Text(text) => SavedGiven::Text(names.text(text).to_owned()),
        Given::Any(variable) => SavedGiven::Any(
            terms.variable_text(variable).to_owned(),
            terms.sort_text(terms.variable_sort(variable)),
        ),
    });
    let stages = claim.stages.iter().map(|stage| SavedStage {
        rank: stage
            .rank
            .iter()
            .map(|part| match part {
                RankPart::Number(number) => SavedRankPart::Number(terms.print(*number)),
                RankPart::Falling(number, by) => {
                    SavedRankPart::Falling(terms.print(*number), terms.print(*by))
                }
                RankPart::Places(places) => {
                    SavedRankPart::Places(places.iter().map(|(&at, &it)| (at, it)).collect())
                }
            })
            .collect(),
        turn: stage.turn,
        helpful: stage
            .helpful
            .iter()
            .map(|it| SavedHelpful {
                place: it.place,
                assumption: it.assumption,
                condition: terms.print(it.condition),
            })
            .collect(),
        sets: stage
            .sets
            .iter()
            .map(|set| SavedSet {
                place: set.place,
                condition: terms.print(set.condition),
                choose: saved_choices(&set.witnesses, terms),
            })
            .collect(),
    });
    SavedSetClaim {
        part: claim.node.0,
        values: values.collect(),
        holds: claim.truth,
        stages: stages.collect(),
    }
}

fn saved_choices(witnesses: &[Witness], terms: &Terms) -> Vec<SavedChoice> {
    let printed = |values: &Vec<Term>| values.iter().map(|&it| terms.print(it)).collect();
    let saved = witnesses.iter().map(|it| SavedChoice {
        step: it.step,
        values: it.values.as_ref().map(printed),
    });
    saved.collect()
}

/// Reads terms over the variables of a graph and those of a claim.
struct SetReader<'a> {
    stg: &'a Stg,
    variables: Vec<Var>,
    /// Whether places say what roles know.
    is_unfolded: bool,
    /// The variables of the claim that is read.
    own: Vec<Var>,
    /// Conditions over the variables of the graph that were read before.
    known: BTreeMap<String, Term>,
    terms: &'a mut Terms,
}

impl SetReader<'_> {
    fn claim(
        &mut self,
        saved: &SavedSetClaim,
        names: &mut Names,
    ) -> Result<SetClaim, ProofMistake> {
        self.own.clear();
        let mut values = Vec::new();
        for given in &saved.values {
            values.push(match given {
                SavedGiven::Text(text) => Given::Text(names.intern(text)),
                SavedGiven::Any(name, sort) => {
                    let variable = self.variable(name, sort)?;
                    self.own.push(variable);
                    Given::Any(variable)
                }
            });
        }
        let mut stages = Vec::with_capacity(saved.stages.len());
        for stage in &saved.stages {
            let mut rank = Vec::new();
            for part in &stage.rank {
                rank.push(match part {
                    SavedRankPart::Number(text) => RankPart::Number(self.term(text, None)?),
                    SavedRankPart::Falling(text, by) => {
                        RankPart::Falling(self.term(text, None)?, self.term(by, None)?)
                    }
                    SavedRankPart::Places(places) => {
                        RankPart::Places(places.iter().copied().collect())
                    }
                });
            }
            let mut sets = Vec::with_capacity(stage.sets.len());
            for set in &stage.sets {
                let mut witnesses = Vec::new();
                for choice in &set.choose {
                    witnesses.push(self.witness(set.place, choice)?);
                }
                sets.push(ClaimedSet {
                    place: set.place,
                    condition: self.condition(&set.condition)?,
                    witnesses,
                });
            }
            let mut helpful = Vec::with_capacity(stage.helpful.len());
            for saved in &stage.helpful {
                helpful.push(Helpful {
                    place: saved.place,
                    assumption: saved.assumption,
                    condition: self.condition(&saved.condition)?,
                });
            }
            stages.push(Stage {
                rank,
                turn: stage.turn,
                helpful,
                sets,
            });
        }
        Ok(SetClaim {
            node: NodeId(saved.part),
            values,
            truth: saved.holds,
            stages,
        })
    }

    /// A variable that stands for any value, which is none of the graph.
    fn variable(&mut self, name: &str, sort: &str) -> Result<Var, ProofMistake> {
        let mut taken = self.variables.iter().chain(&self.own);
        if taken.any(|&it| self.terms.variable_text(it) == name) {
            return Err(malformed(format!("`{name}` stands for several things")));
        }
        let mut sorts = vec![
            Sort::BOOL,
            Sort::INT,
            Sort::REAL,
            Sort::STRING,
            Sort::SYMBOL,
        ];
        sorts.extend(
            self.variables
                .iter()
                .map(|&it| self.terms.variable_sort(it)),
        );
        for edge in self.stg.edges() {
            sorts.extend(edge.event.free_terms().map(|it| self.terms.sort_of(it)));
        }
        let mut sorts = sorts.into_iter();
        let Some(found) = sorts.find(|&it| self.terms.sort_text(it) == sort) else {
            return Err(malformed(format!("`{sort}` is not a sort of the graph")));
        };
        let name = self.terms.names.intern(name);
        Ok(self.terms.variable(name, found))
    }

    /// The values of a choice, read with the sorts of what the step brings where these are known; the checker compares
    /// them again.
    fn witness(&mut self, place: u32, choice: &SavedChoice) -> Result<Witness, ProofMistake> {
        let mut new: Vec<Sort> = Vec::new();
        // What roles know divides places, so that their numbers are not those of nodes.
        if !self.is_unfolded && (place as usize) < self.stg.nodes().len() {
            let mut edges = self.stg.outgoing(GraphNode(place));
            let edge = edges.nth(choice.step as usize);
            let bound = edge.into_iter().flat_map(|it| it.1.event.bound_variables());
            new.extend(bound.map(|it| self.terms.variable_sort(it)));
        }
        self.choice(choice, &new)
    }

    fn choice(&mut self, choice: &SavedChoice, sorts: &[Sort]) -> Result<Witness, ProofMistake> {
        let mut values = choice.values.as_ref().map(|_| Vec::new());
        for (at, text) in choice.values.iter().flatten().enumerate() {
            let value = self.term(text, sorts.get(at).copied())?;
            values.iter_mut().for_each(|it| it.push(value));
        }
        Ok(Witness {
            step: choice.step,
            values,
        })
    }

    fn condition(&mut self, text: &str) -> Result<Term, ProofMistake> {
        if let (Some(&known), true) = (self.known.get(text), self.own.is_empty()) {
            return Ok(known);
        }
        let term = self.term(text, Some(Sort::BOOL))?;
        if self.own.is_empty() {
            self.known.insert(text.to_owned(), term);
        }
        Ok(term)
    }

    fn term(&mut self, text: &str, sort: Option<Sort>) -> Result<Term, ProofMistake> {
        let variables: Vec<Var> = self.variables.iter().chain(&self.own).copied().collect();
        let mut aside = SourceMap::new();
        let read = read_term(
            self.terms,
            &mut aside,
            "certificate",
            text,
            &variables,
            sort,
        );
        read.map_err(|found| {
            let why = found.first().map_or("", |it| it.message.as_str());
            malformed(format!("`{text}` cannot be read: {why}"))
        })
    }
}
