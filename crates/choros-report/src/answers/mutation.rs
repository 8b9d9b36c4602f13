//! How good are the tests?

use choros_data::Terms;
use choros_model::evidence::{Table, Tree};
use choros_model::{Evidence, Unknown};

use super::Present;
use crate::{Answer, Block, NamedResult, Report, Sizes, Stat, Stats, VerdictKind, unknown_text};

/// The answer of `mutate`.
#[derive(Debug, Default)]
pub struct Mutation {
    /// The components in which mistakes were made.
    pub roles: Vec<MutatedRole>,
    /// Whether all mistakes were judged; not if the work was stopped.
    pub is_complete: bool,
}

/// The mistakes in one component.
#[derive(Debug)]
pub struct MutatedRole {
    /// The component.
    pub role: String,
    /// The kinds of mistakes that were asked for: code and words.
    pub operators: Vec<(&'static str, &'static str)>,
    /// The mistakes: the position of their kind, their name, and what became of them.
    pub mutants: Vec<(usize, String, MutantFate)>,
    /// The score below which the answer is no, in thousandths.
    pub least_score: Option<u32>,
}

/// What became of a mistake.
#[derive(Debug, Clone)]
pub enum MutantFate {
    /// Some test found it.
    Killed,
    /// It makes no difference.
    Equivalent,
    /// No test found it, and this is the difference.
    Survived(String),
    /// A bound was met.
    Undecided(Unknown),
}

impl MutantFate {
    fn is_killed(&self) -> bool {
        matches!(self, MutantFate::Killed)
    }
}

impl Mutation {
    /// How many mistakes there are, and how many of them were found.
    pub fn score(&self) -> Score {
        Score::of(self.roles.iter().flat_map(|it| &it.mutants).map(fate))
    }
}

impl MutatedRole {
    /// How many mistakes there are, and how many of them were found.
    pub fn score(&self) -> Score {
        Score::of(self.mutants.iter().map(fate))
    }
}

fn fate((_, _, fate): &(usize, String, MutantFate)) -> &MutantFate {
    fate
}

/// Mistakes, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// How many mutants there are.
    pub all: usize,
    /// Those that some test found.
    pub killed: usize,
    /// Those that make no difference.
    pub equivalent: usize,
    /// Those that met a bound.
    pub undecided: usize,
}

impl Score {
    fn of<'f>(fates: impl Iterator<Item = &'f MutantFate>) -> Score {
        fates.fold(Score::default(), |score, fate| Score {
            all: score.all + 1,
            killed: score.killed + usize::from(fate.is_killed()),
            equivalent: score.equivalent + usize::from(matches!(fate, MutantFate::Equivalent)),
            undecided: score.undecided + usize::from(matches!(fate, MutantFate::Undecided(_))),
        })
    }

    /// This many over all, in thousandths, rounded down; a machine without mutants has nothing to find.
    fn thousandths(self, found: usize) -> u32 {
        match self.all {
            0 => 1000,
            all => (found * 1000 / all) as u32,
        }
    }

    fn text(self) -> String {
        match self.all {
            0 => "1".to_owned(),
            all => format!("{:.3}", self.killed as f64 / all as f64),
        }
    }

    fn verdict(self, least: u32) -> VerdictKind {
        if self.thousandths(self.killed) >= least {
            VerdictKind::Holds
        } else if self.undecided > 0 && self.thousandths(self.killed + self.undecided) >= least {
            VerdictKind::Unknown
        } else {
            VerdictKind::Fails
        }
    }
}

impl Present for Mutation {
    const VERB: &'static str = "mutate";

    fn outcomes(self, _: &Terms) -> Vec<NamedResult> {
        let is_complete = self.is_complete;
        let is_nothing = self.score().all == 0;
        let roles = self.roles.into_iter();
        let outcomes = roles.map(|it| it.outcome(is_complete, is_nothing));
        outcomes.collect()
    }

    fn show(self, terms: &Terms, report: &mut Report) {
        let score = self.score();
        if score.all > 0 {
            report.semantics.notes.push(format!(
                "score {}: {} of {} mutants killed",
                score.text(),
                score.killed,
                score.all
            ));
        }
        report.outcomes.append(&mut self.outcomes(terms));
    }
}

impl MutatedRole {
    /// `is_nothing`: in no component there is a mistake to make.
    fn outcome(self, is_complete: bool, is_nothing: bool) -> NamedResult {
        let score = self.score();
        let survivors = self.mutants.iter().filter_map(survivor);
        let survivors: Vec<Tree> = survivors.collect();
        let mut blocks = vec![self.table()];
        let answer = match self.least_score {
            Some(least) => Some(answer(score, least, is_complete, survivors)),
            None => {
                let trees = survivors.into_iter().map(Evidence::Tree);
                blocks.extend(trees.map(|it| Block::Evidence(Box::new(it))));
                is_nothing.then(|| Answer::unknown(NOTHING))
            }
        };
        blocks.push(Block::Line(match score.all {
            0 => "mutants: 0".to_owned(),
            all => format!(
                "mutants: {all}, killed: {}, score: {}",
                score.killed,
                score.text()
            ),
        }));
        NamedResult {
            name: self.role,
            answer,
            sizes: Sizes {
                stats: Stats::default()
                    .with(Stat::Mutants, score.all)
                    .with(Stat::Killed, score.killed)
                    .with(Stat::Equivalent, score.equivalent)
                    .with(Stat::Inconclusive, score.undecided),
                complete: is_complete && score.undecided == 0,
            },
            blocks,
            ..NamedResult::default()
        }
    }

    fn table(&self) -> Block {
        let columns = [
            "operator",
            "mutants",
            "killed",
            "equivalent",
            "score",
            "mistake",
        ];
        let operators = self.operators.iter().enumerate();
        let rows = operators.map(|(at, &(code, words))| {
            let own = self.mutants.iter().filter(|(of, _, _)| *of == at);
            let score = Score::of(own.map(fate));
            vec![
                code.to_owned(),
                score.all.to_string(),
                score.killed.to_string(),
                score.equivalent.to_string(),
                score.text(),
                words.to_owned(),
            ]
        });
        Block::Evidence(Box::new(Evidence::Table(Table {
            columns: columns.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        })))
    }
}

const NOTHING: &str = "the machine has nothing to mutate, so nothing was judged";

fn answer(score: Score, least: u32, is_complete: bool, survivors: Vec<Tree>) -> Answer {
    let (word, reason) = match score.verdict(least) {
        _ if !is_complete => (
            VerdictKind::Unknown,
            Some("the run was stopped before all mutants were judged".to_owned()),
        ),
        _ if score.all == 0 => (VerdictKind::Unknown, Some(NOTHING.to_owned())),
        VerdictKind::Unknown => {
            let undecided = score.undecided;
            let reason = format!("{undecided} mutants reached a bound (raise it with --bound)");
            (VerdictKind::Unknown, Some(reason))
        }
        word => (word, None),
    };
    Answer {
        word,
        condition: None,
        reason,
        evidence: Some(Evidence::Tree(Tree {
            claim: format!(
                "score {}, required: {}",
                score.text(),
                f64::from(least) / 1000.0
            ),
            because: survivors,
            ..leaf(String::new())
        })),
    }
}

/// Why a mutant is still there.
fn survivor((_, name, fate): &(usize, String, MutantFate)) -> Option<Tree> {
    let (word, reason) = match fate {
        MutantFate::Killed => return None,
        MutantFate::Equivalent => (
            "equivalent",
            "it does exactly what the machine does; no test can distinguish them".to_owned(),
        ),
        MutantFate::Undecided(reason) => ("not decided", unknown_text(reason)),
        MutantFate::Survived(difference) => ("survived", difference.clone()),
    };
    Some(Tree {
        because: vec![leaf(reason)],
        ..leaf(format!("{word}: {name}"))
    })
}

fn leaf(claim: String) -> Tree {
    Tree {
        claim,
        origin: None,
        evidence: None,
        because: Vec::new(),
    }
}
