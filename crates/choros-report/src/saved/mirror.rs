//! The JSON form of a report, version 1, as it is read.

use choros_model::Evidence;
use choros_model::evidence::{
    Binding, ConditionEvidence, Configuration, Departure, Expected, FaultStep, GraphMark,
    MarkedEdge, MessageFault, RelatedStates, Step, StepEvent, Table, Trace, Tree, WrongEvent,
};
use choros_model::stg::Direction;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{SavedReport, SavedResult};
use crate::{SavedConversation, SavedDriving};

#[derive(Deserialize)]
pub(super) struct ReportMirror {
    choros: String,
    verb: String,
    #[serde(flatten)]
    answer: AnswerMirror,
    results: Option<Vec<ResultMirror>>,
    driving: Option<Box<SavedDriving>>,
}

#[derive(Deserialize)]
struct ResultMirror {
    name: String,
    conversation: Option<Box<SavedConversation>>,
    #[serde(flatten)]
    answer: AnswerMirror,
    #[serde(default)]
    output: Vec<BlockMirror>,
}

/// Something that was shown; evidence among it is examined for its own sake.
#[derive(Deserialize)]
struct BlockMirror {
    evidence: Option<EvidenceMirror>,
}

#[derive(Deserialize, Default)]
struct AnswerMirror {
    verdict: Option<String>,
    condition: Option<String>,
    reason: Option<String>,
    evidence: Option<EvidenceMirror>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum EvidenceMirror {
    Trace(TraceMirror),
    Tree(TreeMirror),
    Configuration {
        parts: Vec<PartMirror>,
        channels: Vec<ChannelMirror>,
    },
    Relation {
        pairs: Vec<PairMirror>,
    },
    Condition {
        formula: String,
        sentences: Vec<SentenceMirror>,
    },
    Table {
        columns: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    Graph {
        model: String,
        nodes: Vec<String>,
        edges: Vec<EdgeMirror>,
    },
}

#[derive(Deserialize)]
struct TraceMirror {
    start: Map<String, Value>,
    steps: Vec<StepMirror>,
    departure: Option<DepartureMirror>,
    conclusion: String,
}

#[derive(Deserialize)]
struct DepartureMirror {
    wrong: Option<WrongMirror>,
    expected: Vec<ExpectedMirror>,
    decisive: Vec<String>,
}

#[derive(Deserialize)]
struct ExpectedMirror {
    #[serde(flatten)]
    event: EventMirror,
    guard: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrongMirror {
    Word(LastMirror),
    Event(EventMirror),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum LastMirror {
    Last,
    Unclear,
}

#[derive(Deserialize)]
struct StepMirror {
    event: EventMirror,
    bindings: Map<String, Value>,
    guard: Option<String>,
    states: Option<(String, String)>,
    at: Option<PlaceMirror>,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum EventMirror {
    Silent,
    Termination,
    Other {
        text: String,
    },
    Fault {
        text: String,
        #[serde(flatten)]
        fault: Box<FaultMirror>,
    },
    Message {
        op: String,
        from: String,
        to: String,
        dir: DirectionMirror,
        data: Vec<FieldMirror>,
    },
}

/// A fault as it is read; what later versions know beside these is shown in its words.
#[derive(Deserialize)]
struct FaultMirror {
    fault: String,
    op: Option<String>,
    from: Option<String>,
    to: Option<String>,
    role: Option<String>,
    by: Option<String>,
}

impl FaultMirror {
    fn into_step(self) -> Option<FaultStep> {
        let what = match self.fault.as_str() {
            "lost" => MessageFault::Lost,
            "doubled" => MessageFault::Doubled,
            "overtaking" => MessageFault::Overtakes,
            "crash" => return Some(FaultStep::Crash { role: self.role? }),
            "noticed" => {
                return Some(FaultStep::Noticed {
                    crashed: self.role?,
                    by: self.by?,
                });
            }
            _ => return None,
        };
        Some(FaultStep::Message {
            what,
            operation: self.op?,
            from: self.from?,
            to: self.to?,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum DirectionMirror {
    Interaction,
    Send,
    Recv,
}

#[derive(Deserialize)]
struct FieldMirror {
    label: String,
    value: String,
}

#[derive(Deserialize)]
struct PlaceMirror {
    file: String,
    line: u64,
    column: u64,
}

#[derive(Deserialize)]
struct TreeMirror {
    claim: String,
    because: Vec<TreeMirror>,
    evidence: Option<Box<EvidenceMirror>>,
}

#[derive(Deserialize)]
struct PartMirror {
    part: String,
    at: String,
}

#[derive(Deserialize)]
struct ChannelMirror {
    channel: String,
    waiting: Vec<String>,
}

#[derive(Deserialize)]
struct PairMirror {
    left: String,
    right: String,
    condition: String,
}

#[derive(Deserialize)]
struct SentenceMirror {
    text: String,
}

#[derive(Deserialize)]
struct EdgeMirror {
    source: String,
    target: String,
    label: String,
    because: Vec<EvidenceMirror>,
}

impl ReportMirror {
    pub(super) fn into_report(self) -> SavedReport {
        let verdict = self.answer.verdict.clone();
        let results = match self.results {
            Some(results) => results
                .into_iter()
                .flat_map(ResultMirror::into_results)
                .collect(),
            // Where one question is asked, its answer may stand at the top alone.
            None => vec![self.answer.into_result(self.verb.clone())],
        };
        SavedReport {
            choros: self.choros,
            verb: self.verb,
            verdict,
            results,
            driving: self.driving,
        }
    }
}

impl ResultMirror {
    /// The result with what it rests on, and one more for every other evidence that it shows.
    fn into_results(mut self) -> Vec<SavedResult> {
        let mut shown = self.output.into_iter().filter_map(|block| block.evidence);
        if self.answer.evidence.is_none() {
            self.answer.evidence = shown.next();
        }
        let name = self.name;
        let others: Vec<SavedResult> = shown
            .map(|evidence| {
                let answer = AnswerMirror {
                    evidence: Some(evidence),
                    ..AnswerMirror::default()
                };
                answer.into_result(name.clone())
            })
            .collect();
        let mut results = vec![SavedResult {
            conversation: self.conversation,
            ..self.answer.into_result(name)
        }];
        results.extend(others);
        results
    }
}

impl AnswerMirror {
    fn into_result(self, name: String) -> SavedResult {
        let places = match &self.evidence {
            Some(EvidenceMirror::Trace(trace)) => trace
                .steps
                .iter()
                .map(|step| match &step.at {
                    Some(at) => format!("{}:{}:{}", at.file, at.line, at.column),
                    None => String::new(),
                })
                .collect(),
            _ => Vec::new(),
        };
        SavedResult {
            name,
            verdict: self.verdict,
            condition: self.condition,
            reason: self.reason,
            evidence: self.evidence.map(EvidenceMirror::into_evidence),
            places,
            conversation: None,
        }
    }
}

// The reader of JSON limits how deep a document nests, so recursion is safe here.
impl EvidenceMirror {
    fn into_evidence(self) -> Evidence {
        match self {
            EvidenceMirror::Trace(trace) => Evidence::Trace(Trace {
                start: bindings(trace.start),
                steps: trace.steps.into_iter().map(StepMirror::into_step).collect(),
                departure: trace
                    .departure
                    .map(DepartureMirror::into_departure)
                    .unwrap_or_default(),
                conclusion: trace.conclusion,
            }),
            EvidenceMirror::Tree(tree) => Evidence::Tree(tree.into_tree()),
            EvidenceMirror::Configuration { parts, channels } => {
                Evidence::Configuration(Configuration {
                    parts: parts.into_iter().map(|it| (it.part, it.at)).collect(),
                    channels: channels
                        .into_iter()
                        .map(|it| (it.channel, it.waiting))
                        .collect(),
                })
            }
            EvidenceMirror::Relation { pairs } => Evidence::Relation(
                pairs
                    .into_iter()
                    .map(|pair| RelatedStates {
                        left: pair.left,
                        right: pair.right,
                        condition: pair.condition,
                    })
                    .collect(),
            ),
            EvidenceMirror::Condition { formula, sentences } => {
                Evidence::Condition(ConditionEvidence {
                    formula,
                    sentences: sentences.into_iter().map(|it| (it.text, None)).collect(),
                })
            }
            EvidenceMirror::Table { columns, rows } => Evidence::Table(Table { columns, rows }),
            EvidenceMirror::Graph {
                model,
                nodes,
                edges,
            } => Evidence::GraphMark(GraphMark {
                model,
                nodes,
                edges: edges.into_iter().map(EdgeMirror::into_edge).collect(),
            }),
        }
    }
}

impl DepartureMirror {
    fn into_departure(self) -> Departure {
        Departure {
            wrong: match self.wrong {
                None => WrongEvent::Nothing,
                Some(WrongMirror::Word(LastMirror::Last)) => WrongEvent::LastStep,
                Some(WrongMirror::Word(LastMirror::Unclear)) => WrongEvent::Unclear,
                Some(WrongMirror::Event(event)) => WrongEvent::Next(Box::new(event.into_event())),
            },
            expected: self
                .expected
                .into_iter()
                .map(|it| Expected {
                    event: it.event.into_event(),
                    guard: it.guard,
                })
                .collect(),
            decisive: self.decisive,
        }
    }
}

impl TreeMirror {
    fn into_tree(self) -> Tree {
        Tree {
            claim: self.claim,
            origin: None,
            evidence: self.evidence.map(|it| Box::new(it.into_evidence())),
            because: self
                .because
                .into_iter()
                .map(TreeMirror::into_tree)
                .collect(),
        }
    }
}

impl EdgeMirror {
    fn into_edge(self) -> MarkedEdge {
        MarkedEdge {
            source: self.source,
            target: self.target,
            label: self.label,
            origin: None,
            because: self
                .because
                .into_iter()
                .map(EvidenceMirror::into_evidence)
                .collect(),
        }
    }
}

impl EventMirror {
    fn into_event(self) -> StepEvent {
        match self {
            EventMirror::Silent => StepEvent::Silent,
            EventMirror::Termination => StepEvent::Termination,
            EventMirror::Other { text } => StepEvent::Other(text),
            EventMirror::Fault { text, fault } => match fault.into_step() {
                Some(fault) => StepEvent::Fault(fault),
                None => StepEvent::Other(text),
            },
            EventMirror::Message {
                op,
                from,
                to,
                dir,
                data,
            } => StepEvent::Message {
                operation: op,
                from,
                to,
                direction: match dir {
                    DirectionMirror::Interaction => Direction::Interaction,
                    DirectionMirror::Send => Direction::Send,
                    DirectionMirror::Recv => Direction::Receive,
                },
                fields: data.into_iter().map(|it| (it.label, it.value)).collect(),
            },
        }
    }
}

impl StepMirror {
    fn into_step(self) -> Step {
        Step {
            event: self.event.into_event(),
            guard: self.guard,
            bindings: bindings(self.bindings),
            states: self.states,
            origin: None,
        }
    }
}

fn bindings(map: Map<String, Value>) -> Vec<Binding> {
    map.into_iter()
        .map(|(variable, value)| Binding {
            variable,
            value: match value {
                Value::String(text) => text,
                other => other.to_string(),
            },
        })
        .collect()
}
