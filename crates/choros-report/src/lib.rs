#![doc = include_str!("../README.md")]

pub mod answers;
mod blame;
mod bound_words;
mod certificate_file;
mod certificates;
mod conversation_file;
mod diagnostic_text;
mod digest;
mod event_json;
mod events;
mod evidence_rows;
mod evidence_text;
mod exit_status;
mod fault_row;
mod finding_place;
mod fold;
mod gchor_drawing;
mod graph_drawing;
mod graph_text;
mod growth;
mod html;
mod json;
mod junit;
mod layout;
mod machine_drawing;
mod machine_safety;
mod mermaid;
mod message_file;
mod metrics;
mod picture;
mod plot;
mod plot_text;
mod realization;
mod replay;
mod report;
mod rich;
mod run_chart;
mod run_purpose;
mod sarif;
mod saved;
mod sequence;
mod sequence_text;
mod sets_file;
mod stats;
mod stuck_place;
mod style;
mod suite_file;
mod svg;
mod symbolic_suite_file;
mod table;
mod text;
mod verdict_kind;

pub use blame::{Blame, GuiltyRole};
pub use bound_words::{LIMITED_DATA, cut_text, option_of, unknown_text, with_advice};
pub use certificate_file::{
    NotACertificate, SavedAnswer, SavedCertificate, SavedClaim, SavedEnd, SavedEvidence,
    SavedGraph, SavedJoint, SavedJudgement, SavedJudgements, SavedLetter, SavedModel, SavedMove,
    SavedPair, SavedPosition, SavedProof, SavedQuestion, SavedReply, SavedSituation, SavedWaits,
};
pub use certificates::ProofMistake;
pub use conversation_file::{
    SavedConversation, SavedDriving, SavedEvent, SavedHappening, SavedTiming,
};
pub use diagnostic_text::diagnostics_text;
pub use digest::sha256;
pub use event_json::{event_json, finished_json, printed_json, progress_json};
pub use events::{DecidedWindow, Event, Events, LiveMessage, MessageRoom};
pub use evidence_rows::evidence_rows;
pub use evidence_text::evidence_text;
pub use exit_status::ExitStatus;
pub use fault_row::FaultRow;
pub use fold::{NothingThere, Part, diagram_part};
pub use graph_drawing::{DrawnEdge, DrawnNode, DrawnTermination, GraphDrawing};
pub use graph_text::graph_text;
pub use growth::Growth;
pub use html::to_html;
pub use json::to_json;
pub use junit::to_junit;
pub use machine_safety::MachineSafety;
pub use mermaid::{diagram_mermaid, graph_mermaid, trace_mermaid};
pub use message_file::SavedMessage;
pub use picture::{Form, Picture, PictureStyle};
pub use plot::{Curve, Plot};
pub use realization::{Addition, LateRepair, Realization, Repair, Violation};
pub use replay::{ReplayFrame, replay_frames, replay_text};
pub use report::{
    Answer, Block, GeneratedFile, KnownFinding, NamedResult, Overview, Rejection, Report, SUITE,
    Semantics, Sizes,
};
pub use run_purpose::purpose_of_report;
pub use sarif::to_sarif;
pub use saved::{
    NotAReport, SavedAudit, SavedCheckpoint, SavedDatum, SavedGuilt, SavedInput, SavedLog,
    SavedMark, SavedMonitor, SavedObservation, SavedPart, SavedReport, SavedResult, SavedSession,
    SavedWindow, last_marks_from_json, last_marks_to_json, read_report,
};
pub use sequence_text::{diagram_text, sequence_text};
pub use sets_file::{
    SavedChoice, SavedForAll, SavedGiven, SavedRankPart, SavedSet, SavedSetClaim, SavedSetPart,
    SavedStage,
};
pub use stats::{CountedNoun, Stat, Stats};
pub use stuck_place::StuckPlace;
pub use style::{Style, TextRole};
pub use suite_file::{
    NotASuite, SavedMachine, SavedSuite, SavedTest, SavedTestMachine, SavedTransition,
};
pub use svg::{TooLargeToDraw, diagram_svg, evidence_svg, graph_svg, plots_svg, sequence_svg};
pub use symbolic_suite_file::{
    SavedEdge, SavedSessions, SavedSymbol, SavedSymbolicField, SavedSymbolicStep,
    SavedSymbolicSuite, SavedSymbolicTest,
};
pub use table::table;
pub use text::to_text;
pub use verdict_kind::VerdictKind;
