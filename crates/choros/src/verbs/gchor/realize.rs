//! Do the machines of a g-choreography realise it?

use choros_base::{Budget, Names};
use choros_model::cfsm::{Cfsm, Channels, Discipline, System};
use choros_model::evidence::{StepEvent, Trace, Tree};
use choros_model::gchor::{Gchor, Interaction};
use choros_model::pomset::Event;
use choros_model::stg::Direction;
use choros_model::{Bound, Evidence};
use choros_realize::gchor::{Language, Realised, ample_bound, project_all, realises, system_words};
use choros_report::{
    Answer, Block, NamedResult, Realization, Report, Sizes, Stat, VerdictKind, with_advice,
};

use super::check::sizes;
use super::form::{Judged, judge};
use super::load;
use crate::{Request, Settings, Workspace};

/// Decides Definition 3.3 for each discipline that is asked for, or the form with `--criterion conditions`.
pub(in crate::verbs) fn realize(
    workspace: &mut Workspace<'_>,
    requests: &[Request],
    bound: usize,
    settings: &Settings,
    report: &mut Report,
) {
    report.semantics.relation = Some(
        match settings.gchor.by_form {
            true => "realizability: well-branched and well-forked",
            false => "realizability: every run of the machines is one of the choreography, and none gets stuck",
        }
        .to_owned(),
    );
    let disciplines: Vec<Channels> = match settings.gchor.channels {
        Some(one) => vec![one],
        None => vec![Channels::Fifo, Channels::Bag],
    };
    let words: Vec<&str> = disciplines.iter().map(|it| it.word()).collect();
    report.semantics.channels = Some(words.join(" and "));
    for request in requests {
        let Some(gchor) = load(workspace, request, settings, report) else {
            continue;
        };
        settings.events.doing(format!("judging `{}`", request.path));
        let judged = match judge(&gchor, settings) {
            Ok(judged) => judged,
            Err(spent) => {
                report
                    .outcomes
                    .push(unknown(&request.path, spent.to_string()));
                continue;
            }
        };
        report
            .diagnostics
            .extend(judged.note(&gchor, &workspace.terms.names, settings));
        let machines = match project_all(&gchor, &settings.states()) {
            Ok(machines) => machines,
            Err(spent) => {
                report
                    .outcomes
                    .push(unknown(&request.path, spent.to_string()));
                continue;
            }
        };
        for &channels in &disciplines {
            let bound = ample_bound(&gchor).unwrap_or(bound.max(1) as u32);
            let discipline = Discipline { channels, bound };
            if gchor.has_loops() {
                let bound = u64::from(bound);
                report.semantics.bounds.insert("bound".to_owned(), bound);
            }
            let case = Case {
                gchor: &gchor,
                judged: &judged,
                machines: &machines,
                discipline,
            };
            let name = match requests.len() {
                1 => channels.word().to_owned(),
                _ => format!("{}: {}", request.path, channels.word()),
            };
            report
                .outcomes
                .push(case.outcome(name, workspace, settings));
        }
    }
    report.interrupted = settings.is_cancelled();
}

struct Case<'a> {
    gchor: &'a Gchor,
    judged: &'a Judged,
    machines: &'a [Cfsm],
    discipline: Discipline,
}

impl Case<'_> {
    fn outcome(&self, name: String, workspace: &Workspace<'_>, settings: &Settings) -> NamedResult {
        let names = &workspace.terms.names;
        let mut system = System::new(self.machines, self.discipline, &workspace.terms);
        let found = realises(self.gchor, &mut system, &settings.states());
        let semantic = match found.answer() {
            Some(true) => VerdictKind::Holds,
            Some(false) => VerdictKind::Fails,
            None => VerdictKind::Unknown,
        };
        let reason = match (semantic, &found.stopped) {
            (VerdictKind::Unknown, Some(stopped)) => {
                with_advice(&stopped.to_string(), Some(Bound::States(None)))
            }
            (VerdictKind::Unknown, None) => with_advice(
                &format!(
                    "a channel was full and refused a message: with more than {} places the machines may do more",
                    self.discipline.bound
                ),
                Some(Bound::Places(None)),
            ),
            (VerdictKind::Fails, _) => "a run of the machines is too much".to_owned(),
            _ => match found.missing {
                None => "the machines do exactly what the choreography allows".to_owned(),
                Some(_) => "the machines do part of what the choreography allows".to_owned(),
            },
        };
        let conditions = match self.judged.violations.is_empty() {
            true => VerdictKind::Holds,
            false => VerdictKind::Fails,
        };
        let (word, evidence) = match settings.gchor.by_form {
            true => {
                let tree = self.judged.tree(self.gchor, names);
                (conditions, Some(Evidence::Tree(tree)))
            }
            // Whoever is said to decide and does not is wrong in the runs as well, as `check` says.
            false if semantic != VerdictKind::Fails && self.judged.misleads() => {
                let tree = self.judged.tree(self.gchor, names);
                (VerdictKind::Fails, Some(Evidence::Tree(tree)))
            }
            false if semantic == VerdictKind::Unknown => (semantic, None),
            false => (semantic, Some(evidence(&found, &reason))),
        };
        // Why a question was not settled stands with the answer.
        let because = match semantic {
            VerdictKind::Unknown if !settings.gchor.by_form => String::new(),
            _ => format!(" ({reason})"),
        };
        let mut blocks = vec![Block::Line(format!(
            "by form: {}; by runs: {}{because}",
            conditions.text(),
            semantic.text()
        ))];
        blocks.extend(self.words(&found, &mut system, settings).map(Block::Line));
        if let (VerdictKind::Holds, Some(missing)) = (semantic, &found.missing) {
            blocks.push(Block::Line(format!(
                "allowed, but the machines cannot: {}",
                word_text(missing, names)
            )));
        }
        NamedResult {
            name,
            answer: Some(Answer {
                word,
                condition: None,
                reason: (word == VerdictKind::Unknown).then(|| reason.clone()),
                evidence,
            }),
            sizes: Sizes {
                stats: sizes(self.gchor).with(Stat::States, found.states),
                complete: found.stopped.is_none() && !found.bound_reached,
            },
            blocks,
            realization: Some(Box::new(Realization {
                conditions,
                semantic,
                semantic_reason: reason,
                violations: self.judged.mirrors(self.gchor, names),
                untold: Vec::new(),
                repair: None,
            })),
            ..NamedResult::default()
        }
    }

    /// How many words both have, where that can be counted quickly.
    fn words(
        &self,
        found: &Realised,
        system: &mut System<'_>,
        settings: &Settings,
    ) -> Option<String> {
        if self.gchor.has_loops() || found.stopped.is_some() {
            return None;
        }
        let budget = || Budget::steps(BESIDE).cancelled_by(settings.cancel.clone());
        let choreography = Language::new(self.gchor).counts(&budget()).ok()?;
        let machines = system_words(system, &budget()).ok()??;
        Some(format!(
            "words: the choreography has {} and {} prefixes, the machines {} and {}",
            choreography.linearisations,
            choreography.prefixes,
            machines.linearisations,
            machines.prefixes
        ))
    }
}

/// States that are looked at for numbers that no verdict depends on.
const BESIDE: u64 = 20_000;

fn evidence(found: &Realised, reason: &str) -> Evidence {
    let leaf = |claim: String, trace: &Trace| Tree {
        claim,
        origin: None,
        evidence: Some(Box::new(Evidence::Trace(trace.clone()))),
        because: Vec::new(),
    };
    let mut because = Vec::new();
    because.extend(found.excess.as_ref().map(|run| {
        leaf(
            "the machines can do what the choreography does not allow".to_owned(),
            run,
        )
    }));
    because.extend(
        found
            .stuck
            .as_ref()
            .map(|(run, kind)| leaf(format!("the machines can get stuck: {}", kind.word()), run)),
    );
    if because.is_empty() {
        because.extend(found.missing.as_ref().map(|run| {
            leaf(
                "the choreography allows what the machines cannot do".to_owned(),
                run,
            )
        }));
    }
    Evidence::Tree(Tree {
        claim: format!("{reason}; {} situations were looked at", found.states),
        origin: None,
        evidence: None,
        because,
    })
}

/// The events of a run, one after the other.
fn word_text(trace: &Trace, names: &Names) -> String {
    let events: Vec<String> = trace
        .steps
        .iter()
        .filter_map(|step| match &step.event {
            StepEvent::Message {
                operation,
                from,
                to,
                direction,
                ..
            } => {
                let interaction = Interaction {
                    from: names.get(from)?,
                    to: names.get(to)?,
                    message: names.get(operation)?,
                };
                let event = Event {
                    interaction,
                    is_output: *direction == Direction::Send,
                };
                Some(event.text(names))
            }
            _ => None,
        })
        .collect();
    events.join(" ")
}

fn unknown(path: &str, reason: String) -> NamedResult {
    NamedResult {
        name: path.to_owned(),
        answer: Some(Answer {
            word: VerdictKind::Unknown,
            condition: None,
            reason: Some(reason),
            evidence: None,
        }),
        ..NamedResult::default()
    }
}
