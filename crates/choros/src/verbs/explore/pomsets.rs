//! Which pomsets does a g-choreography have?

use choros_base::{Budget, StopReason};
use choros_model::gchor::{Gchor, LoopUnfolding, unfold};
use choros_model::pomset::Pomset;
use choros_realize::gchor::{GchorLanguage, pomsets as enumerate, resolutions};
use choros_report::answers::{Exploration, Stop};
use choros_report::{GraphDrawing, Stat, Stats};
use choros_workspace::plain_block;

use super::Exploring;
use crate::diagnostics::{endless_pomsets, state_bound};
use crate::verbs::Picture;

impl Exploring<'_, '_> {
    /// Counts pomsets, linearisations and prefixes, and draws the pomsets where they are few.
    pub(super) fn pomsets(&mut self, gchor: &Gchor) -> Result<Exploration, Stop> {
        let path = self.file.path.clone();
        let relation = "pomsets up to isomorphism, and their words";
        self.run.semantics.relation = Some(relation.to_owned());
        let unfolded = self.unrolled(gchor)?;
        let now = format!("counting pomsets of `{path}`");
        self.settings.events.doing(now);
        let listed = self.listed(&unfolded);
        let mut found = Exploration {
            name: path,
            stats: self.count_pomsets(&unfolded, listed.as_deref()),
            ..Exploration::default()
        };
        self.count_words(&unfolded, &mut found);
        if let Some(pomsets) = &listed
            && pomsets.len() <= MAX_DRAWN
        {
            let names = &self.workspace.terms.names;
            let drawing = GraphDrawing::of_pomsets(&found.name, pomsets, names);
            match self.request.picture.unwrap_or(Picture::Report) {
                Picture::Report => found.drawings.push(drawing),
                other => {
                    let what = "a family of pomsets";
                    found.pictures = plain_block(drawing, what, other, &mut self.run.findings);
                }
            }
        }
        Ok(found)
    }

    /// The g-choreography without loops.
    fn unrolled(&mut self, gchor: &Gchor) -> Result<Gchor, Stop> {
        let path = &self.file.path;
        let Some(times) = self.settings.gchor.unfold else {
            if gchor.has_loops() {
                self.run.findings.push(endless_pomsets::diagnostic(path));
                return Err(Stop::Mistakes);
            }
            return Ok(gchor.clone());
        };
        let unfolded = unfold(gchor, LoopUnfolding::UpTo(times), &self.settings.states());
        let unfolded = unfolded.map_err(|spent| {
            let finding = state_bound::diagnostic(path, spent);
            self.run.findings.push(finding);
            Stop::Mistakes
        })?;
        let bound = ("unfold".to_owned(), u64::from(times));
        self.run.semantics.bounds.extend([bound]);
        Ok(unfolded)
    }

    /// The pomsets up to isomorphism, as far as they can be listed.
    fn listed(&self, unfolded: &Gchor) -> Option<Vec<Pomset>> {
        let few = u64::try_from(&resolutions(unfolded)).ok()?;
        if few > MAX_LISTED {
            return None;
        }
        let budget = Budget::steps(MAX_EVENTS).cancelled_by(self.settings.cancel.clone());
        enumerate(unfolded, &budget).ok()
    }

    fn count_pomsets(&mut self, unfolded: &Gchor, listed: Option<&[Pomset]>) -> Stats {
        if let Some(pomsets) = listed {
            return Stats::default().with(Stat::Pomsets, pomsets.len());
        }
        let (path, ways) = (&self.file.path, resolutions(unfolded));
        self.run.semantics.notes.push(format!(
            "`{path}`: there are {ways} ways to resolve the choices, and as many pomsets if it is well-formed; \
             otherwise some may be alike"
        ));
        Stats::default().with(Stat::Pomsets, saturated(&ways))
    }

    fn count_words(&mut self, unfolded: &Gchor, found: &mut Exploration) {
        let path = &self.file.path;
        let counts = match GchorLanguage::new(unfolded).counts(&self.settings.states()) {
            Ok(counts) => counts,
            Err(spent) => {
                found.is_cut = true;
                if spent != StopReason::Cancelled {
                    let finding = state_bound::diagnostic(path, spent);
                    self.run.findings.push(finding);
                }
                return;
            }
        };
        for (stat, count) in [
            (Stat::Linearisations, &counts.linearisations),
            (Stat::Prefixes, &counts.prefixes),
        ] {
            if u64::try_from(count).is_err() {
                self.run.semantics.notes.push(format!(
                    "`{path}`: {count} {}, more than the table can hold",
                    stat.word()
                ));
            }
            let stats = std::mem::take(&mut found.stats);
            found.stats = stats.with(stat, saturated(count));
        }
    }
}

/// More pomsets than this are counted, not listed.
const MAX_LISTED: u64 = 2_000;
/// Nor are they if they have more events together.
const MAX_EVENTS: u64 = 200_000;
/// More than this make no readable picture.
const MAX_DRAWN: usize = 24;

fn saturated(count: &num_bigint::BigUint) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
