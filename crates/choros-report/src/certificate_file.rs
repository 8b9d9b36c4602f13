//! Certificates as JSON, as `docs/schema/certificate.schema.json` describes them.
//!
//! Conditions and values are text of the data language; nodes and edges are numbers, in the order in which the models
//! give them.
//! Nothing that is read here is believed: `choros certify` looks every number up and reads every text again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::sets_file::SavedForAll;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCertificate {
    /// What wrote it.
    pub tool: String,
    /// Every text that was read.
    pub models: Vec<SavedModel>,
    /// What was asked and what shows the answer.
    pub first: SavedAnswer,
    /// The same for whatever else was asked about the models.
    pub also: Vec<SavedAnswer>,
}

/// A question, what is claimed about it, and what that rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAnswer {
    /// What was asked.
    pub question: SavedQuestion,
    /// What is claimed, and what that rests on.
    pub proof: SavedProof,
}

/// The form of the file: the first answer stands at the top.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertificateFile {
    schema: u32,
    tool: String,
    models: Vec<SavedModel>,
    question: SavedQuestion,
    claim: SavedClaim,
    evidence: SavedEvidence,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    also: Vec<AnswerFile>,
}

/// A further answer.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerFile {
    question: SavedQuestion,
    claim: SavedClaim,
    evidence: SavedEvidence,
}

/// A claim and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedProof {
    pub claim: SavedClaim,
    /// What it rests on.
    pub evidence: SavedEvidence,
}

/// A text that an answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedModel {
    /// Where it was.
    pub path: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// What was asked, with every option that the answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedQuestion {
    /// Does the implementation conform?
    Conform {
        /// The services, `FILE` or `FILE#NAME`.
        implementation: Vec<String>,
        /// What they are to implement.
        specification: String,
        /// How the files are read, where that was said.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "as")]
        kind: Option<String>,
        /// Services and the roles they are taken for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        map: Vec<(String, String)>,
        /// Parameters that both sides have in common.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        share: Vec<String>,
        /// Whether the implementation may send a value it knows where the specification leaves it open.
        #[serde(default, rename = "allow-fixed")]
        allow_fixed: bool,
        /// Parameters that were given values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        param: Vec<(String, String)>,
    },
    /// Are the machines safe?
    Check {
        /// The machines.
        model: String,
        /// How the file is read, where that was said.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "as")]
        kind: Option<String>,
        /// How messages travel: `fifo`, `bag` or `sync`.
        channels: String,
        /// How many messages may wait in one channel.
        bound: u32,
    },
    /// Do the formulas hold?
    Verify {
        /// The model, `FILE` or `FILE#NAME`.
        model: String,
        /// How the file is read, where that was said.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "as")]
        kind: Option<String>,
        /// The components beside it, if it is one of several.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        partners: Vec<String>,
        /// Files of abstraction rules.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rules: Vec<String>,
        /// Where the formulas come from, in their order: `formula`, `file` or `pattern`, and the text or path.
        questions: Vec<(String, String)>,
        /// Values of variables that messages bring.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        domain: Vec<(String, String)>,
        /// Whether actions name all arguments.
        #[serde(default)]
        strict: bool,
        /// Whether a receive with fewer variables takes a message before others.
        #[serde(rename = "best-match")]
        best_match: bool,
        /// How messages travel between machines: `fifo`, `bag` or `sync`.
        channels: String,
        /// How many messages may wait in one channel.
        bound: u32,
        /// Parameters that were given values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        param: Vec<(String, String)>,
        /// Steps that are assumed fair.
        #[serde(rename = "assume-fair", default, skip_serializing_if = "Vec::is_empty")]
        fair: Vec<String>,
    },
    /// Do the projections, put together, do what the choreography says?
    Realize {
        /// The choreography, `FILE` or `FILE#NAME`.
        model: String,
        /// How the file is read, where that was said.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "as")]
        kind: Option<String>,
        /// How the roles communicate.
        mode: String,
        /// How many messages a queue may hold.
        bound: usize,
        /// Roles that are services, beside those that the model declares.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        service: Vec<String>,
        /// Whether all roles end together.
        #[serde(default, rename = "joint-ending")]
        joint_ending: bool,
        /// Parameters that were given values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        param: Vec<(String, String)>,
    },
    /// Do the machines of a g-choreography do only what it allows, and never get stuck?
    RealizeMachines {
        /// The g-choreography.
        model: String,
        /// How the file is read, where that was said.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "as")]
        kind: Option<String>,
        /// How messages travel: `fifo` or `bag`.
        channels: String,
        /// How many messages may wait in one channel.
        bound: u32,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedClaim {
    /// Yes.
    Holds,
    /// Yes, if a condition holds.
    Conditional {
        /// The condition, over the parameters.
        condition: String,
    },
    /// No.
    Fails,
}

/// What a claim rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedEvidence {
    /// Which states are related, and when.
    Relation {
        /// The graphs whose nodes are meant: implementation, specification.
        graphs: [SavedGraph; 2],
        /// Nodes of both sides that are related, each under its condition.
        pairs: Vec<SavedPair>,
    },
    /// A way to win against every answer.
    Attack {
        /// The graphs whose nodes and edges are meant: implementation, specification.
        graphs: [SavedGraph; 2],
        /// The positions; the last one is the start.
        positions: Vec<SavedPosition>,
    },
    /// All configurations of machines.
    Configurations {
        /// The configurations.
        all: Vec<SavedJoint>,
    },
    /// A run of machines to where something waits forever.
    Stranded {
        /// The configurations on the way, from the initial one.
        run: Vec<SavedJoint>,
        waits: SavedWaits,
        /// All configurations after it; none where it is plain at the end of the run that it waits forever.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        after: Vec<SavedJoint>,
    },
    /// Truth of sub-formulas in states, for each formula.
    Judgements {
        /// One per formula, in the order of the question.
        formulas: Vec<SavedJudgements>,
    },
    /// Where sub-formulas are true or false, for all data.
    Sets {
        /// The graph whose nodes and steps are meant.
        graph: SavedGraph,
        /// One per formula, in the order of the question.
        formulas: Vec<SavedForAll>,
    },
    /// A run of projections that were put together, to where something waits forever or which they must not reach.
    Run {
        /// The graphs whose edges are meant: the projections put together, the choreography.
        graphs: [SavedGraph; 2],
        /// Values of the parameters.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        values: BTreeMap<String, String>,
        /// The steps: edges of the first graph, each with what it brings.
        steps: Vec<(u32, Vec<String>)>,
        /// What waits: the number of a channel or role; none where two messages are in flight.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        waits: Option<usize>,
    },
    /// Words that cover whatever the machines of a g-choreography can do.
    Words {
        /// Each is an earlier one, by its number, and one event more: sender, receiver, message, `!` or `?`. The empty
        /// word has number 0, the first of these number 1.
        all: Vec<(u32, SavedLetter)>,
    },
    /// A run of the machines of a g-choreography that it does not allow, or that gets stuck.
    Word {
        /// What happens, one event after the other.
        run: Vec<SavedLetter>,
        /// What is wrong with it.
        end: SavedEnd,
    },
}

/// Sender, receiver, message, and `!` for the sending or `?` for the receiving.
pub type SavedLetter = (String, String, String, String);

/// What is wrong with a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SavedEnd {
    /// Its last event is not allowed.
    Excess,
    /// Nothing follows, and something waits.
    Stuck,
}

/// Truth of the sub-formulas of a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedJudgements {
    /// The formula as it is printed.
    pub formula: String,
    /// Whether it is true in the initial state.
    pub holds: bool,
    /// How states are reached: the number of an earlier one and that of its step; the initial state is 0, the first of
    /// these is 1.
    pub states: Vec<(u32, u32)>,
    /// Sub-formulas, and where they are true or false.
    pub judgements: Vec<SavedJudgement>,
}

/// A temporal sub-formula is true, or is false, in some states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedJudgement {
    /// The number of the sub-formula, parts before wholes, from 0.
    pub part: u32,
    /// The values of its free variables, in the order in which they are bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Whether it is true.
    pub holds: bool,
    /// States, each with how far the reason is away, where that counts.
    pub states: Vec<(u32, u32)>,
}

/// Where machines are, and what is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedJoint {
    /// The state of each machine, by position in the file.
    pub states: Vec<u32>,
    /// Sender, receiver and messages of each channel that is not empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<(String, String, Vec<String>)>,
}

/// What waits forever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedWaits {
    /// A participant that cannot continue.
    Machine {
        /// Whose.
        participant: String,
    },
    /// A message in a channel.
    Message {
        /// Who sent it.
        from: String,
        /// Who is to receive it.
        to: String,
        /// Which.
        message: String,
    },
}

/// A graph as it was compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGraph {
    /// As the model declares it.
    pub name: String,
    /// How many nodes it has.
    pub nodes: usize,
    /// How many edges it has.
    pub edges: usize,
    /// SHA-256 of its text in the form of `.stg` files.
    pub sha256: String,
}

/// Two nodes and when they are related.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedPair {
    /// Of the implementation.
    pub left: u32,
    /// Of the specification.
    pub right: u32,
    /// Over the variables of both.
    pub condition: String,
}

/// Where both sides stand, and what is done about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedPosition {
    /// The implementation.
    pub left: SavedSituation,
    /// The specification.
    pub right: SavedSituation,
    /// What one side does.
    #[serde(rename = "move")]
    pub challenge: SavedMove,
    /// What follows each answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<SavedReply>,
}

/// A node and the values of variables there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSituation {
    /// Its number in the graph, from 0.
    pub node: u32,
    /// Values by variable.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
}

/// What one side does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SavedMove {
    /// The implementation takes a silent step.
    Silent {
        /// Its number in the graph of the implementation, from 0.
        edge: u32,
        /// The values that it chooses.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        chosen: Vec<String>,
        /// The position after it.
        to: usize,
    },
    /// The attacker lets the implementation end here.
    ImplementationEnds,
    /// The implementation takes a visible step.
    ImplementationStep {
        /// Its number in the graph of the implementation, from 0.
        edge: u32,
    },
    /// The attacker lets the specification end here.
    SpecificationEnds,
    /// The specification takes a step.
    SpecificationStep {
        /// Its number in the graph of the specification, from 0.
        edge: u32,
    },
}

/// An answer, the new values that come with it, and where that leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedReply {
    /// Silent steps of the implementation, then its visible one.
    pub left: Vec<u32>,
    /// The step of the specification.
    pub right: u32,
    /// A value for each field that both sides bind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<String>,
    /// The position after it; none where the side that answers cannot take the values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
}

/// Why a text is not a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotACertificate {
    /// What is wrong, in words.
    pub reason: String,
    /// Where, in bytes.
    pub offset: usize,
}

impl SavedProof {
    /// The proof as JSON, with a line break at the end.
    pub fn to_json(&self) -> String {
        match serde_json::to_string(self) {
            Ok(text) => text + "\n",
            // Strings, numbers and lists cannot fail to serialise.
            Err(error) => unreachable!("a proof is plain data: {error}"),
        }
    }

    /// Reads a proof, or says why there is none.
    pub fn of_json(text: &str) -> Result<SavedProof, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

impl SavedCertificate {
    /// The version of the form that is written.
    pub const SCHEMA: u32 = 1;

    pub fn answers(&self) -> impl Iterator<Item = &SavedAnswer> {
        std::iter::once(&self.first).chain(&self.also)
    }

    /// The certificate as JSON, with a line break at the end.
    pub fn to_json(&self) -> String {
        let SavedAnswer { question, proof } = self.first.clone();
        let also = self.also.iter().cloned();
        let file = CertificateFile {
            schema: Self::SCHEMA,
            tool: self.tool.clone(),
            models: self.models.clone(),
            question,
            claim: proof.claim,
            evidence: proof.evidence,
            also: also.map(AnswerFile::from).collect(),
        };
        match serde_json::to_string_pretty(&file) {
            Ok(text) => text + "\n",
            // Strings, numbers and lists cannot fail to serialise.
            Err(error) => unreachable!("a certificate is plain data: {error}"),
        }
    }

    /// Reads a certificate.
    pub fn of_json(text: &str) -> Result<SavedCertificate, NotACertificate> {
        let not = |reason: String, offset| NotACertificate { reason, offset };
        // The version first: another one may have any other form.
        #[derive(Deserialize)]
        struct Versioned {
            schema: u32,
        }
        if let Ok(found) = serde_json::from_str::<Versioned>(text)
            && found.schema != Self::SCHEMA
        {
            let other = found.schema;
            let known = Self::SCHEMA;
            let reason =
                format!("it has format version {other}, but only version {known} is supported");
            return Err(not(reason, 0));
        }
        let read = serde_json::from_str(text).map_err(|error| {
            let offset = offset_of(text, error.line(), error.column());
            let reason = error.to_string();
            // The place is shown with the text.
            let reason = reason.split(" at line ").next().unwrap_or(&reason);
            not(reason.to_owned(), offset)
        });
        let file: CertificateFile = read?;
        let first = AnswerFile {
            question: file.question,
            claim: file.claim,
            evidence: file.evidence,
        };
        Ok(SavedCertificate {
            tool: file.tool,
            models: file.models,
            first: first.into(),
            also: file.also.into_iter().map(SavedAnswer::from).collect(),
        })
    }
}

impl From<SavedAnswer> for AnswerFile {
    fn from(answer: SavedAnswer) -> AnswerFile {
        AnswerFile {
            question: answer.question,
            claim: answer.proof.claim,
            evidence: answer.proof.evidence,
        }
    }
}

impl From<AnswerFile> for SavedAnswer {
    fn from(file: AnswerFile) -> SavedAnswer {
        SavedAnswer {
            question: file.question,
            proof: SavedProof {
                claim: file.claim,
                evidence: file.evidence,
            },
        }
    }
}

/// Where a line and column, both from 1, stand in a text.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let offset = (before + column.saturating_sub(1)).min(text.len());
    (0..=offset)
        .rev()
        .find(|&it| text.is_char_boundary(it))
        .unwrap_or(0)
}
