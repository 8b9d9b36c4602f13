//! Scripts as they are written.
//!
//! Processes and expressions live in arenas, so that a term may be as long as it likes and is still dropped in a loop.
//! Every node knows where it stands.

use choros_base::{Diagnostic, Name, Span};
use choros_data::syntax::{Expression, Exprs};
use choros_model::stg::label::{EventSyntax, LabelSyntax};

/// A whole script.
#[derive(Debug, Default, Clone)]
pub struct Script {
    /// The declared components, in order.
    pub components: Vec<Component>,
    /// The commands, in order.
    pub commands: Vec<Command>,
    /// The processes of all components.
    pub processes: Processes,
    /// The expressions in guards and data.
    pub exprs: Exprs,
}

/// `component name … end component`.
#[derive(Debug, Clone)]
pub struct Component {
    /// Its name, and where that stands.
    pub name: Reference,
    /// What it does.
    pub body: Body,
    /// Where all of it stands.
    pub span: Span,
}

/// A name that is used somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    pub name: Name,
    /// Where it is used.
    pub span: Span,
}

/// What a component does.
#[derive(Debug, Clone)]
pub enum Body {
    /// `chorD` with a process.
    Process(ProcessId),
    /// `chorD` with the names of other components: `client || shipper`.
    Composition(Vec<Reference>),
    /// `STG`.
    Graph(Graph),
}

/// States and transitions as they are listed.
#[derive(Debug, Default, Clone)]
pub struct Graph {
    /// The states; the first is the initial one.
    pub states: Vec<State>,
    pub transitions: Vec<Transition>,
}

/// `0;` or `0 [label="x"];`.
#[derive(Debug, Clone)]
pub struct State {
    /// Its number, and where it is declared.
    pub name: Reference,
    /// How it is shown.
    pub label: Option<String>,
}

/// `0 -> 1 [label="[guard] event"];`.
#[derive(Debug, Clone)]
pub struct Transition {
    /// Where it starts.
    pub source: Reference,
    /// Where it leads.
    pub target: Reference,
    /// What it says; `None` when that was reported.
    pub label: Option<LabelSyntax>,
}

/// Index of a process in its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(u32);

/// An arena of processes: operands come before the processes that use them.
#[derive(Debug, Default, Clone)]
pub struct Processes {
    nodes: Vec<Process>,
}

/// A process (section 3.1.2 of Nguyen's thesis).
#[derive(Debug, Clone)]
pub struct Process {
    /// What it is made of.
    pub kind: ProcessKind,
    /// Where it stands, parentheses included.
    pub span: Span,
    /// Whether it stands in parentheses.
    pub parenthesised: bool,
}

/// What a process is made of.
#[derive(Debug, Clone)]
pub enum ProcessKind {
    /// `skip`.
    Skip,
    /// `Request[b,v].<x>`.
    Event(EventSyntax),
    /// `A ; B ; …`, `A + B + …`, `A | B | …`, `A [> B [> …`: two or more operands at one level of the text.
    Chain(Operator, Vec<ProcessId>),
    /// `[guard] |> A`.
    Guarded(Expression, ProcessId),
    /// `[guard] * A`.
    Loop(Expression, ProcessId),
    /// Something that did not parse and was reported.
    Error,
}

/// The operators that join processes; all are associative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `[>`, which binds loosest.
    Interruption,
    /// `|`
    Parallel,
    /// `+`
    Choice,
    /// `;`, which binds tightest.
    Sequence,
}

#[derive(Debug, Clone)]
pub struct Command {
    /// What is asked for; `None` when there is no such command, which is reported.
    pub kind: Option<CommandKind>,
    /// The components it names.
    pub arguments: Vec<Reference>,
    /// The communication mode it names, if any.
    pub mode: Option<Mode>,
    /// Where all of it stands.
    pub span: Span,
    /// Its words, joined by single spaces.
    pub text: String,
}

/// What a command asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommandKind {
    /// `showTime`: the current time.
    ShowTime,
    /// `showStat`: numbers of states, transitions and messages.
    ShowStat,
    /// `showSTG`: the graph.
    ShowStg,
    /// `showReachableSTG`: the graph without dead transitions.
    ShowReachableStg,
    /// `showRealizableSTG`: the graph with the interactions that make it realizable.
    ShowRealizableStg,
    /// `projection`: a local graph for each role.
    Projection,
    /// `conformance impl spec`.
    Conformance,
}

/// How services communicate (section 2.2.3 of Nguyen's thesis).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `SYNC`
    Synchronous,
    /// `ASYNC_SENDER`
    Sender,
    /// `ASYNC_RECEIVER`
    Receiver,
    /// `ASYNC_DISJOINT`
    Disjoint,
}

impl Processes {
    /// Adds a process whose operands are in the arena already.
    pub fn add(&mut self, kind: ProcessKind, span: Span) -> ProcessId {
        self.nodes.push(Process {
            kind,
            span,
            parenthesised: false,
        });
        ProcessId(self.nodes.len() as u32 - 1)
    }

    /// Notes that a process stands in parentheses, which stand at `span`.
    pub fn parenthesise(&mut self, id: ProcessId, span: Span) {
        let process = &mut self.nodes[id.index()];
        process.parenthesised = true;
        process.span = span;
    }

    /// A process.
    pub fn get(&self, id: ProcessId) -> &Process {
        &self.nodes[id.index()]
    }

    /// All processes; operands come before the processes that use them.
    pub fn all(&self) -> &[Process] {
        &self.nodes
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A process and all its parts, in the order of the text.
    pub fn walk(&self, root: ProcessId) -> impl Iterator<Item = (ProcessId, &Process)> {
        let mut pending = vec![root];
        std::iter::from_fn(move || {
            let id = pending.pop()?;
            let process = self.get(id);
            let first = pending.len();
            pending.extend_from_slice(process.kind.operands());
            pending[first..].reverse();
            Some((id, process))
        })
    }
}

choros_base::indices!(ProcessId);

impl ProcessKind {
    /// The processes it is made of, in the order of the text.
    pub fn operands(&self) -> &[ProcessId] {
        match self {
            ProcessKind::Skip | ProcessKind::Event(_) | ProcessKind::Error => &[],
            ProcessKind::Chain(_, operands) => operands,
            ProcessKind::Guarded(_, operand) | ProcessKind::Loop(_, operand) => {
                std::slice::from_ref(operand)
            }
        }
    }
}

impl Operator {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Operator::Interruption => "[>",
            Operator::Parallel => "|",
            Operator::Choice => "+",
            Operator::Sequence => ";",
        }
    }
}

impl Command {
    /// Whether a finding is about this command, so that the command must be rejected if it is an error.
    pub fn concerns(&self, diagnostic: &Diagnostic) -> bool {
        let (own, finding) = (self.span.range(), diagnostic.primary());
        finding.is_some_and(|finding| {
            let range = finding.range();
            finding.file() == self.span.file() && own.start <= range.start && range.end <= own.end
        })
    }
}

impl CommandKind {
    /// All commands.
    pub const ALL: [CommandKind; 7] = [
        CommandKind::ShowTime,
        CommandKind::ShowStat,
        CommandKind::ShowStg,
        CommandKind::ShowReachableStg,
        CommandKind::ShowRealizableStg,
        CommandKind::Projection,
        CommandKind::Conformance,
    ];

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            CommandKind::ShowTime => "showTime",
            CommandKind::ShowStat => "showStat",
            CommandKind::ShowStg => "showSTG",
            CommandKind::ShowReachableStg => "showReachableSTG",
            CommandKind::ShowRealizableStg => "showRealizableSTG",
            CommandKind::Projection => "projection",
            CommandKind::Conformance => "conformance",
        }
    }

    /// Whether it names a communication mode after its components.
    pub fn has_mode(self) -> bool {
        matches!(
            self,
            CommandKind::ShowRealizableStg | CommandKind::Projection
        )
    }
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 4] = [
        Mode::Synchronous,
        Mode::Sender,
        Mode::Receiver,
        Mode::Disjoint,
    ];

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Mode::Synchronous => "SYNC",
            Mode::Sender => "ASYNC_SENDER",
            Mode::Receiver => "ASYNC_RECEIVER",
            Mode::Disjoint => "ASYNC_DISJOINT",
        }
    }
}
