//! What becomes of late messages, as changes of a text, and whether they help.

use choros_base::{Budget, Suggestion, has_errors};
use choros_codes::FileKind;
use choros_lang::chor;
use choros_model::Verdict;
use choros_model::stg::{Role, Stg};
use choros_realize::{
    AnalysisStop, Closing, Criterion, Question, Realizability, Violation, realizability,
};
use choros_report::LateRepair;
use choros_smt::Solver;

use crate::Workspace;

impl Workspace<'_> {
    /// The standard repair where messages race with timers: every late message is ignored, which can be refined to an
    /// answer.
    ///
    /// The changed text is read and judged again, so that what is proposed is known to help.
    pub fn late_repair(
        &mut self,
        name: &str,
        found: &Realizability,
        asked: &Question,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<Option<LateRepair>, AnalysisStop> {
        let broken = matches!(found.semantic.verdict, Verdict::Fails(_));
        let edits = self.late_edits(found);
        if edits.is_empty() || !broken {
            return Ok(None);
        }
        let Some(changed) = self.changed(name, &edits, budget) else {
            return Ok(None);
        };
        let again = Question {
            criterion: Criterion::Semantic,
            repair: false,
            ..asked.clone()
        };
        let judged = realizability(&changed, &again, &mut self.terms, solver, budget)?;
        let semantic = judged.semantic;
        let names = &self.terms.names;
        let text = |it: &Role| names.text(it.0).to_owned();
        let services: Vec<String> = semantic.would_serve.iter().map(text).collect();
        let (verified, reason) = match semantic.verdict {
            Verdict::Holds(_) => ("yes", semantic.reason),
            Verdict::Unknown(_) => ("unknown", semantic.reason),
            Verdict::Fails(_) | Verdict::HoldsIf(..) if services.is_empty() => {
                ("no", semantic.reason)
            }
            Verdict::Fails(_) | Verdict::HoldsIf(..) => (
                "yes",
                "run together, the roles then do what the choreography says".to_owned(),
            ),
        };
        // Declared services are asked about as such already.
        let declared = match &again.closing {
            Closing::Alone { services } => services.iter().map(text).collect(),
            Closing::Together => Vec::new(),
        };
        let services = services.into_iter().filter(|it| !declared.contains(it));
        Ok(Some(LateRepair {
            edits,
            services: services.collect(),
            verified,
            reason,
        }))
    }

    fn late_edits(&mut self, found: &Realizability) -> Vec<Suggestion> {
        let place = |id| found.reachable.edge(id).origin;
        let violations = found.conditions.violations.iter();
        let races = violations.filter_map(|it| match *it {
            Violation::Race { edge, tick } => Some((place(edge)?, place(tick)?)),
            _ => None,
        });
        let races: Vec<_> = races.collect();
        let Some(file) = races.first().map(|it| it.0.file()) else {
            return Vec::new();
        };
        let source = self.sources.file(file);
        if FileKind::of_path(source.name()).map(FileKind::name) != Some("chor") {
            return Vec::new();
        }
        let text = source.text().clone();
        chor::late_edits(file, &text, &mut self.terms.names, &races)
    }

    /// The graph of a choreography after changes of its text; it must be as correct as before.
    fn changed(&mut self, name: &str, edits: &[Suggestion], budget: &Budget) -> Option<Stg> {
        let source = self.sources.file(edits.first()?.span.file());
        let mut text = source.text().to_string();
        let path = source.name().to_owned();
        let mut edits: Vec<&Suggestion> = edits.iter().collect();
        edits.sort_by_key(|it| it.span.range().start);
        // Of two timers, one may stand within the other: the inner change would be lost.
        let apart = |pair: &[&Suggestion]| pair[0].span.range().end <= pair[1].span.range().start;
        if !edits.windows(2).all(apart) {
            return None;
        }
        for edit in edits.into_iter().rev() {
            text.replace_range(edit.span.range(), &edit.replacement);
        }
        let file = self.sources.add(path, text.clone());
        let (model, findings) = chor::read(file, &text, &mut self.terms);
        let id = model.ids().find(|&id| model.name(id, &self.terms) == name);
        if has_errors(&findings) {
            return None;
        }
        Some(model.lower(id?, &mut self.terms, budget).ok()?.stg)
    }
}
