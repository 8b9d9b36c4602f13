//! Protocols in the style of the literature on multiparty session types, with answers derived by hand.

#![allow(
    clippy::print_stdout,
    reason = "how many are left open is worth seeing"
)]

use choros_base::{Budget, Choice, SourceMap};
use choros_data::Terms;
use choros_model::Verdict;
use choros_model::stg::Stg;
use choros_realize::{Criterion, Effort, Mode, Question, SemanticAnswer, realizability};
use choros_smt::LazySolver;

const TEXT: &str = include_str!("protocols.chor");

/// Name, and the words for `peers` and `sender`.
fn expected() -> Vec<(String, [String; 2])> {
    let mut found = Vec::new();
    let mut answers: Option<[String; 2]> = None;
    for line in TEXT.lines() {
        if let Some(rest) = line.strip_prefix("// peers: ") {
            let (peers, rest) = rest.split_once(", sender: ").expect("two answers");
            let (sender, _) = rest.split_once('.').expect("a full stop");
            answers = Some([peers.to_owned(), sender.to_owned()]);
        } else if let Some(rest) = line.strip_prefix("choreography ") {
            let name = rest.split('[').next().unwrap_or_default().to_owned();
            found.push((name, answers.take().expect("an answer before each")));
        }
    }
    found
}

/// The protocols as graphs.
fn protocols(terms: &mut Terms) -> Vec<Stg> {
    let mut sources = SourceMap::new();
    let file = sources.add("protocols.chor", TEXT);
    let (model, findings) = choros_lang::chor::read(file, TEXT, terms);
    assert!(findings.is_empty(), "{findings:?}");
    let mut models = Vec::new();
    for id in model.ids().collect::<Vec<_>>() {
        match model.lower(id, terms, &Budget::steps(100_000)) {
            Ok(lowered) => models.push(lowered.stg),
            Err(_) => panic!("{}", model.name(id, terms)),
        }
    }
    models
}

fn judge(stg: &Stg, mode: Mode, terms: &mut Terms) -> SemanticAnswer {
    let question = Question {
        mode,
        criterion: Criterion::Semantic,
        repair: false,
        closing: choros_realize::Closing::Together,
        effort: Effort {
            bound: 5,
            states: 100_000,
        },
    };
    let budget = Budget::unlimited();
    let judged = realizability(
        stg,
        &question,
        terms,
        &mut LazySolver::without_any(),
        &budget,
    );
    judged.expect("no data").semantic
}

#[test]
fn the_answers_are_those_derived_by_hand() {
    let mut terms = Terms::new();
    let models = protocols(&mut terms);
    let expected = expected();
    assert!(expected.len() >= 30, "{}", expected.len());
    let mut wrong = Vec::new();
    for (name, answers) in expected {
        let stg = models
            .iter()
            .find(|stg| stg.name() == name)
            .unwrap_or_else(|| panic!("no graph of {name}"));
        for (mode, answer) in [Mode::Peers, Mode::Sender].into_iter().zip(answers) {
            let judged = judge(stg, mode, &mut terms);
            let word = judged.verdict.word();
            if word != answer {
                wrong.push(format!(
                    "{name}, {}: {word} ({})",
                    mode.word(),
                    judged.reason
                ));
            }
            assert!(
                !matches!(judged.verdict, Verdict::HoldsIf(..)),
                "{name}: no data"
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One in ten may stay open over queues.
#[test]
fn few_are_left_open() {
    let mut terms = Terms::new();
    let models = protocols(&mut terms);
    for mode in Mode::ALL {
        let open: Vec<String> = models
            .iter()
            .filter_map(|stg| {
                let judged = judge(stg, mode, &mut terms);
                let open = matches!(judged.verdict, Verdict::Unknown(_));
                open.then(|| format!("{}: {}", stg.name(), judged.reason))
            })
            .collect();
        let (count, all) = (open.len(), models.len());
        println!("{}: {count} of {all} unknown {open:?}", mode.word());
        assert!(count * 10 <= all, "{}: {open:?}", mode.word());
    }
}
