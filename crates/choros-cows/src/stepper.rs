//! Stepping through a system by hand, as CMC's interpreter does.

use choros_model::lts::{ActionId, Lts, StateId};

use crate::CowsLts;

/// A run that someone chooses step by step.
pub struct Stepper {
    system: CowsLts,
    /// The states gone through, and the labels between them.
    path: Vec<(StateId, Option<ActionId>)>,
    choices: Vec<(ActionId, StateId)>,
    stuck: Option<String>,
}

impl Stepper {
    /// Starts in the first state.
    pub fn new(mut system: CowsLts) -> Stepper {
        let initial = system.initial();
        let mut stepper = Stepper {
            system,
            path: vec![(initial, None)],
            choices: Vec::new(),
            stuck: None,
        };
        stepper.look();
        stepper
    }

    /// The state and what can follow.
    pub fn view(&self) -> String {
        let mut text = format!("{}\n", self.system.describe(self.here()));
        if let Some(reason) = &self.stuck {
            text.push_str(&format!("  what follows is not known: {reason}\n"));
        } else if self.choices.is_empty() {
            text.push_str("  nothing can follow\n");
        }
        for (position, (action, target)) in self.choices.iter().enumerate() {
            text.push_str(&format!(
                "{:>3}  {} -> {}\n",
                position + 1,
                self.label(*action),
                self.system.describe(*target)
            ));
        }
        text
    }

    /// Obeys one line of input and answers what to print; `None` at the end.
    pub fn obey(&mut self, line: &str) -> Option<String> {
        let word = line.trim();
        let answer = match word {
            "" => self.view(),
            "q" | "quit" => return None,
            "b" | "back" => {
                if self.path.len() > 1 {
                    self.path.pop();
                    self.look();
                }
                self.view()
            }
            "r" | "restart" => {
                self.path.truncate(1);
                self.look();
                self.view()
            }
            "s" | "state" => format!("{}\n", self.system.term(self.here())),
            "l" | "labels" => self.ready(),
            "p" | "path" => self.run(),
            "h" | "help" | "?" => HELP.to_owned(),
            number => match number.parse::<usize>() {
                Ok(choice) if (1..=self.choices.len()).contains(&choice) => {
                    let (action, target) = self.choices[choice - 1];
                    self.path.push((target, Some(action)));
                    self.look();
                    self.view()
                }
                _ => format!(
                    "`{word}` is not a choice: type a number from 1 to {}, or h for help\n",
                    self.choices.len()
                ),
            },
        };
        Some(answer)
    }

    fn here(&self) -> StateId {
        self.path.last().map_or(StateId(0), |&(state, _)| state)
    }

    fn look(&mut self) {
        self.choices.clear();
        let here = self.here();
        let answer = self.system.successors(here, &mut self.choices);
        self.stuck = match answer {
            Ok(extent) => extent.cut_by().map(|it| it.reason.clone()),
            Err(stuck) => Some(stuck.reason),
        };
    }

    fn label(&self, action: ActionId) -> String {
        self.system.action(action).text(self.system.terms())
    }

    fn ready(&mut self) -> String {
        let mut ready = Vec::new();
        let here = self.here();
        if self.system.propositions(here, &mut ready).is_err() {
            return String::new();
        }
        let mut lines: Vec<String> = ready
            .into_iter()
            .map(|action| format!("  {}\n", self.label(action)))
            .collect();
        lines.sort();
        lines.concat()
    }

    fn run(&mut self) -> String {
        let mut text = String::new();
        for window in self.path.clone().windows(2) {
            let [(source, _), (target, Some(action))] = *window else {
                continue;
            };
            let details = self.system.step_details(source, action, target);
            let (source, target) = (self.system.describe(source), self.system.describe(target));
            text.push_str(&format!("{source} --> {target}  {}", self.label(action)));
            if let Some(details) = details {
                text.push_str(&format!("  /* {details} */"));
            }
            text.push('\n');
        }
        text
    }
}

const HELP: &str = "  1, 2, …   takes that step
  b         back
  r         restart
  s         the state as a term
  l         the invokes and receives that are ready
  p         the path so far
  q         quit
";
