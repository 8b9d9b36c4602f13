//! What is wrong with the form of a g-choreography, in words.

use choros_base::{CodeInfo, Name, Names, Span};
use choros_model::evidence::Tree;
use choros_model::gchor::{Form, Gchor, Interaction, NodeId};
use choros_model::pomset::Event;

use super::diagnostics::{
    no_decider, several_deciders, shared_interaction, uninformed, unsequenced, wrong_decider,
};

/// A broken condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GchorViolation {
    /// No one begins every branch by sending.
    NoDecider {
        /// The choice or the loop.
        at: NodeId,
    },
    /// Several participants begin every branch by sending.
    SeveralDeciders {
        /// The choice or the loop.
        at: NodeId,
        /// They.
        deciders: Vec<Name>,
    },
    /// The participant that is said to decide is not the one that does.
    WrongDecider {
        /// The choice or the loop.
        at: NodeId,
        /// After `sel` or `repeat`.
        said: Name,
        /// Who begins every branch by sending.
        is: Name,
    },
    /// A participant can neither decide nor tell how it was decided.
    Uninformed {
        /// The choice or the loop.
        at: NodeId,
        /// The participant.
        role: Name,
        /// Why.
        because: Confusion,
        /// Who decides, if anyone does.
        decider: Option<Name>,
    },
    /// Two threads have the same interaction.
    SharedInteraction {
        /// The fork.
        at: NodeId,
        /// What they share.
        interaction: Interaction,
        /// Where, in both.
        places: (NodeId, NodeId),
        /// In which threads, from 0.
        threads: (usize, usize),
    },
    /// Nothing makes what follows wait; worth knowing, and a violation for the strict only.
    Unsequenced {
        /// The sequence or the loop.
        at: NodeId,
        /// An event after which nothing more happens in what goes before.
        last: (Event, NodeId),
        /// An event with which what follows begins.
        first: (Event, NodeId),
    },
}

/// Why a participant cannot tell two branches apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confusion {
    /// It takes part in one branch and does nothing in another.
    Absent {
        /// The branch without it.
        without: usize,
        /// A branch with it.
        with: usize,
        /// How it begins there.
        event: Event,
        /// Where.
        place: NodeId,
    },
    /// It begins two branches with the same event.
    Same {
        branches: (usize, usize),
        event: Event,
        /// Where, in both.
        places: (NodeId, NodeId),
    },
    /// It begins one branch by sending, without knowing that this branch was chosen.
    Starts {
        branch: usize,
        event: Event,
        /// Where.
        place: NodeId,
    },
}

impl GchorViolation {
    /// Which condition it breaks.
    pub fn condition(&self) -> &'static str {
        match self {
            GchorViolation::SharedInteraction { .. } => "forking",
            GchorViolation::Unsequenced { .. } => "sequencing",
            _ => "branching",
        }
    }

    /// The code that explains it.
    pub fn code(&self) -> &'static CodeInfo {
        match self {
            GchorViolation::NoDecider { .. } => &no_decider::CODE,
            GchorViolation::SeveralDeciders { .. } => &several_deciders::CODE,
            GchorViolation::WrongDecider { .. } => &wrong_decider::CODE,
            GchorViolation::Uninformed { .. } => &uninformed::CODE,
            GchorViolation::SharedInteraction { .. } => &shared_interaction::CODE,
            GchorViolation::Unsequenced { .. } => &unsequenced::CODE,
        }
    }

    /// The node it is about.
    pub fn at(&self) -> NodeId {
        match self {
            GchorViolation::NoDecider { at }
            | GchorViolation::SeveralDeciders { at, .. }
            | GchorViolation::WrongDecider { at, .. }
            | GchorViolation::Uninformed { at, .. }
            | GchorViolation::SharedInteraction { at, .. }
            | GchorViolation::Unsequenced { at, .. } => *at,
        }
    }

    /// The participants it is about.
    pub fn roles(&self) -> Vec<Name> {
        match self {
            GchorViolation::NoDecider { .. } => Vec::new(),
            GchorViolation::SeveralDeciders { deciders, .. } => deciders.clone(),
            GchorViolation::WrongDecider { said, is, .. } => vec![*said, *is],
            GchorViolation::Uninformed { role, .. } => vec![*role],
            GchorViolation::SharedInteraction { interaction, .. } => {
                vec![interaction.from, interaction.to]
            }
            GchorViolation::Unsequenced { last, first, .. } => {
                vec![last.0.subject(), first.0.subject()]
            }
        }
    }

    /// The places it is about, the node itself first, each with words.
    pub fn places(&self, gchor: &Gchor, names: &Names) -> Vec<(String, Option<Span>)> {
        let place = |text: String, id: NodeId| (text, gchor.node(id).origin);
        let event = |event: &Event, id: NodeId| place(event.text(names), id);
        let mut places = vec![place(self.word(gchor).to_owned(), self.at())];
        match self {
            GchorViolation::NoDecider { .. }
            | GchorViolation::SeveralDeciders { .. }
            | GchorViolation::WrongDecider { .. } => {}
            GchorViolation::Uninformed { because, .. } => match because {
                Confusion::Absent {
                    event: first,
                    place: id,
                    ..
                }
                | Confusion::Starts {
                    event: first,
                    place: id,
                    ..
                } => places.push(event(first, *id)),
                Confusion::Same {
                    event: first,
                    places: both,
                    ..
                } => places.extend([event(first, both.0), event(first, both.1)]),
            },
            GchorViolation::SharedInteraction {
                interaction,
                places: both,
                ..
            } => {
                let text = interaction.text(names);
                places.extend([place(text.clone(), both.0), place(text, both.1)]);
            }
            GchorViolation::Unsequenced { last, first, .. } => {
                places.extend([event(&last.0, last.1), event(&first.0, first.1)]);
            }
        }
        places
    }

    /// One sentence that says what is wrong.
    pub fn message(&self, gchor: &Gchor, names: &Names) -> String {
        let what = self.word(gchor);
        let name = |it: &Name| format!("`{}`", names.text(*it));
        match self {
            GchorViolation::NoDecider { .. } => format!("no participant decides this {what}"),
            GchorViolation::SeveralDeciders { deciders, .. } => {
                let deciders: Vec<String> = deciders.iter().map(name).collect();
                format!("{} decide this {what}, and may differ", and(&deciders))
            }
            GchorViolation::WrongDecider { said, is, .. } => {
                format!(
                    "{} is named as the decider of this {what}, but {} decides",
                    name(said),
                    name(is)
                )
            }
            GchorViolation::Uninformed { role, because, .. } => {
                let role = name(role);
                match because {
                    Confusion::Absent {
                        without,
                        with,
                        event,
                        ..
                    } => format!(
                        "{role} is not informed of {}: it does nothing there, and begins {} with `{}`",
                        self.branch(gchor, *without),
                        self.branch(gchor, *with),
                        event.text(names)
                    ),
                    Confusion::Same {
                        branches, event, ..
                    } => format!(
                        "{role} cannot distinguish {} from {}: it begins both with `{}`",
                        self.branch(gchor, branches.0),
                        self.branch(gchor, branches.1),
                        event.text(names)
                    ),
                    Confusion::Starts { branch, event, .. } => format!(
                        "{role} begins {} with `{}` without having been informed",
                        self.branch(gchor, *branch),
                        event.text(names)
                    ),
                }
            }
            GchorViolation::SharedInteraction {
                interaction,
                threads,
                ..
            } => format!(
                "threads {} and {} both have `{}`",
                threads.0 + 1,
                threads.1 + 1,
                interaction.text(names)
            ),
            GchorViolation::Unsequenced { last, first, .. } => format!(
                "nothing makes `{}` wait for `{}`",
                first.0.text(names),
                last.0.text(names)
            ),
        }
    }

    /// What would fix it.
    pub fn suggestion(&self, gchor: &Gchor, names: &Names) -> String {
        let what = self.word(gchor);
        match self {
            GchorViolation::NoDecider { .. } => match what {
                "loop" => "let one participant begin every round by sending, and send something else after the loop"
                    .to_owned(),
                _ => "let one participant begin every branch by sending, each time something else".to_owned(),
            },
            GchorViolation::SeveralDeciders { deciders, .. } => {
                let first = deciders.first().map_or("", |it| names.text(*it));
                format!("let only `{first}` begin, and inform the others")
            }
            GchorViolation::WrongDecider { is, .. } => format!("write `{}`", names.text(*is)),
            GchorViolation::Uninformed {
                role,
                because,
                decider,
                ..
            } => {
                let role = names.text(*role);
                let who = decider.filter(|it| names.text(*it) != role);
                let teller = who.map_or_else(
                    || "the deciding participant".to_owned(),
                    |it| format!("`{}`, or another participant that knows,", names.text(it)),
                );
                match because {
                    Confusion::Absent { without, .. } => format!(
                        "let {teller} send `{role}` something in {}",
                        self.branch(gchor, *without)
                    ),
                    Confusion::Same { branches, .. } => format!(
                        "give what `{role}` receives first in {} another name",
                        self.branch(gchor, branches.1)
                    ),
                    Confusion::Starts { branch, .. } => format!(
                        "let {teller} send `{role}` something before that in {}",
                        self.branch(gchor, *branch)
                    ),
                }
            }
            GchorViolation::SharedInteraction { .. } => {
                "rename the message in one of them, or put them in sequence".to_owned()
            }
            GchorViolation::Unsequenced { last, first, .. } => format!(
                "let `{}` send a message to `{}` first",
                names.text(last.0.subject()),
                names.text(first.0.subject())
            ),
        }
    }

    /// The violation as evidence.
    pub fn tree(&self, gchor: &Gchor, names: &Names) -> Tree {
        let leaf = |claim: String, origin: Option<Span>| Tree {
            claim,
            origin,
            evidence: None,
            because: Vec::new(),
        };
        let mut because: Vec<Tree> = self
            .places(gchor, names)
            .into_iter()
            .skip(1)
            .map(|(text, origin)| leaf(format!("`{text}`"), origin))
            .collect();
        because.push(leaf(
            format!("help: {}", self.suggestion(gchor, names)),
            None,
        ));
        Tree {
            claim: format!(
                "{} [{}]: {}",
                self.condition(),
                self.code().code,
                self.message(gchor, names)
            ),
            origin: gchor.node(self.at()).origin,
            evidence: None,
            because,
        }
    }

    fn word(&self, gchor: &Gchor) -> &'static str {
        match gchor.form(self.at()) {
            Form::Repeat { .. } => "loop",
            Form::Fork(_) => "fork",
            Form::Choice { .. } => "choice",
            Form::Empty | Form::Interaction(_) | Form::Sequence(_) => "sequence",
        }
    }

    /// A branch by its position; those of a loop are another round and its end.
    fn branch(&self, gchor: &Gchor, position: usize) -> String {
        match (gchor.form(self.at()), position) {
            (Form::Repeat { .. }, 0) => "another round".to_owned(),
            (Form::Repeat { .. }, _) => "the end of the loop".to_owned(),
            _ => format!("branch {}", position + 1),
        }
    }
}

/// `a`, `a and b`, `a, b and c`.
fn and(items: &[String]) -> String {
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
