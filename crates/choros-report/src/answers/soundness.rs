//! Is it sound?

use choros_base::{Names, SourceMap};
use choros_data::Terms;
use choros_model::gchor::Gchor;
use choros_model::stg::Stg;
use choros_model::{Evidence, Verdict};
use choros_realize::Soundness as Found;
use choros_realize::gchor::WellFormedness;

use super::realizability::{decision_lines, sizes_of_gchor};
use super::{Present, Survived, silence};
use crate::{
    Answer, Block, CountedNoun, GraphDrawing, MachineSafety, NamedResult, Sizes, Stat, Stats,
    StuckPlace, VerdictKind,
};

/// The answer of `check` about one component or file.
#[derive(Debug, Clone)]
pub struct Soundness {
    /// Its name, or its path.
    pub name: String,
    /// What was found out.
    pub kind: SoundnessKind,
    /// Its sizes, and how much of it is dead or stuck.
    pub stats: Stats,
    /// Whether no bound cut the search.
    pub complete: bool,
    /// Its parameters with their sorts.
    pub parameters: Vec<(String, String)>,
    /// The states in which nothing continues for some data.
    pub stuck: Vec<StuckPlace>,
    /// What is said of machines beside the answer.
    pub safety: Option<MachineSafety>,
    /// What is worth knowing about a sound model, such as who decides.
    pub remarks: Vec<String>,
    /// It, with what is dead marked, for reports with pictures.
    pub drawings: Vec<GraphDrawing>,
}

/// More states that are stuck than these are counted and listed for programs only.
const MAX_STUCK: usize = 10;

/// How much is known of it.
#[derive(Debug, Clone)]
pub enum SoundnessKind {
    /// It has no mistakes; nothing else was asked.
    Read,
    /// It keeps the rules of its language, which is all that is asked of it.
    WellFormed,
    /// No run does what it asks for, and all were examined: there is nothing to show.
    Refuted,
    /// Its runs, or its form, were judged.
    Judged(Verdict),
    /// Its roles were judged under faults.
    Survived(Box<Survived>),
}

impl Soundness {
    /// An answer without sizes.
    pub fn new(name: impl Into<String>, standing: SoundnessKind) -> Soundness {
        Soundness {
            name: name.into(),
            kind: standing,
            stats: Stats::default(),
            complete: true,
            parameters: Vec::new(),
            stuck: Vec::new(),
            safety: None,
            remarks: Vec::new(),
            drawings: Vec::new(),
        }
    }

    /// The verdict, where something was judged.
    pub fn verdict(&self) -> Option<&Verdict> {
        match &self.kind {
            SoundnessKind::Judged(verdict) => Some(verdict),
            SoundnessKind::Survived(found) => Some(&found.verdict),
            SoundnessKind::Read | SoundnessKind::WellFormed | SoundnessKind::Refuted => None,
        }
    }

    /// What is known about a graph, and what is worth saying beside it.
    pub fn of_graph(stg: &Stg, found: &Found, terms: &Terms) -> (Soundness, Vec<String>) {
        let name = stg.name();
        let mut notes = Vec::new();
        if found.following > 0 {
            let count = CountedNoun(Stat::Transitions, found.following as u64);
            notes.push(format!(
                "unreachable because of dead transitions of `{name}`: {count}"
            ));
        }
        let stuck = found.stuck.stuck.iter();
        let stuck: Vec<StuckPlace> = stuck.map(|it| StuckPlace::of(it, stg, terms)).collect();
        let shown = stuck.iter().take(MAX_STUCK);
        notes.extend(shown.map(|it| format!("`{name}`: {it}")));
        if !found.stuck.undecided.is_empty() {
            notes.push(format!(
                "it was not decided whether `{name}` can get stuck in {} more states",
                found.stuck.undecided.len()
            ));
        }
        let reachability = &found.reachability;
        if !reachability.widened.is_empty() {
            notes.push(format!(
                "conditions were dropped at {} states of `{name}`: the transitions reported as dead are dead, but there may be more",
                reachability.widened.len()
            ));
        }
        let mut stats = Stats::of_graph(stg)
            .with(Stat::Parameters, stg.parameters(terms).len())
            .with(Stat::Dead, found.dead)
            .with(Stat::Stuck, stuck.len());
        if found.undecided > 0 {
            stats = stats.with(Stat::Undecided, found.undecided);
        }
        let answer = Soundness {
            stats,
            complete: reachability.cut.is_none(),
            parameters: Soundness::parameters_of(stg, terms),
            stuck,
            drawings: GraphDrawing::pictures(&[(stg, reachability.dead_marks(stg))], terms),
            ..Soundness::new(name, SoundnessKind::Judged(found.verdict.clone()))
        };
        (answer, notes)
    }

    /// What is known about the form of a g-choreography.
    pub fn of_gchor(
        path: &str,
        gchor: &Gchor,
        form: &WellFormedness,
        names: &Names,
        sources: &SourceMap,
    ) -> Soundness {
        let stats = sizes_of_gchor(gchor);
        let counted = stats.iter();
        let counted: Vec<String> = counted
            .map(|(stat, count)| CountedNoun(stat, count).to_string())
            .collect();
        let mut remarks = vec![counted.join(", ")];
        remarks.extend(decision_lines(form, gchor, names, sources));
        let evidence = Evidence::Tree(form.tree(gchor, names));
        let verdict = if form.holds() {
            Verdict::Holds(evidence)
        } else {
            Verdict::Fails(evidence)
        };
        Soundness {
            stats,
            remarks,
            ..Soundness::new(path, SoundnessKind::Judged(verdict))
        }
    }

    /// The parameters of a graph with their sorts.
    pub fn parameters_of(stg: &Stg, terms: &Terms) -> Vec<(String, String)> {
        let parameters = stg.parameters(terms).into_iter();
        parameters
            .map(|parameter| {
                let sort = terms.sort_text(terms.variable_sort(parameter));
                (terms.variable_text(parameter).to_owned(), sort)
            })
            .collect()
    }
}

impl Present for Soundness {
    const VERB: &'static str = "check";

    fn doubt(&mut self, is_about_nothing: &dyn Fn(&str) -> bool) {
        if !is_about_nothing(&self.name) {
            return;
        }
        match &mut self.kind {
            SoundnessKind::WellFormed => {
                self.kind = SoundnessKind::Judged(Verdict::Unknown(silence::nothing_judged()));
            }
            SoundnessKind::Judged(verdict) => silence::doubt(verdict),
            SoundnessKind::Survived(found) => found.doubt(),
            SoundnessKind::Read | SoundnessKind::Refuted => {}
        }
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        if let SoundnessKind::Survived(found) = self.kind {
            return vec![found.outcome(terms)];
        }
        let bare = |word| {
            Some(Answer {
                word,
                condition: None,
                reason: None,
                evidence: None,
            })
        };
        let answer = match &self.kind {
            SoundnessKind::Read => None,
            SoundnessKind::WellFormed => bare(VerdictKind::Holds),
            SoundnessKind::Refuted => bare(VerdictKind::Fails),
            SoundnessKind::Judged(verdict) => Some(Answer::of(verdict, terms)),
            SoundnessKind::Survived(_) => None,
        };
        vec![NamedResult {
            name: self.name,
            answer,
            sizes: Sizes {
                stats: self.stats,
                complete: self.complete,
            },
            parameters: self.parameters,
            stuck: self.stuck,
            safety: self.safety.map(Box::new),
            blocks: self.remarks.into_iter().map(Block::Line).collect(),
            models: self.drawings,
            ..NamedResult::default()
        }]
    }
}
