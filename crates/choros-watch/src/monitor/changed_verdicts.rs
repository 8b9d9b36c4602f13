//! Verdicts of global properties, written when they change.

use choros_exec::milliseconds_since_1970;
use choros_exec::verdicts::{VerdictForm, VerdictLine};
use choros_monitor::{GlobalMonitor, GlobalVerdict, Outcome};

/// What was said last of each global property.
pub(super) struct ChangedVerdicts {
    known: Vec<Option<GlobalVerdict>>,
}

impl ChangedVerdicts {
    /// Nothing was said yet.
    pub(super) fn new(global: &GlobalMonitor) -> ChangedVerdicts {
        ChangedVerdicts {
            known: vec![None; global.properties().len()],
        }
    }

    /// Whether there are global properties at all.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The lines that say what is new since the last time.
    pub(super) fn lines(&mut self, global: &GlobalMonitor, form: VerdictForm) -> String {
        let mut lines = String::new();
        for (position, known) in self.known.iter_mut().enumerate() {
            let verdict = global.verdict(position);
            // Nothing is worth saying before anything was heard.
            let is_news = match known {
                None => verdict.outcome != Outcome::Inconclusive || verdict.is_final,
                Some(known) => *known != verdict,
            };
            if !is_news {
                continue;
            }
            *known = Some(verdict);
            let line = VerdictLine {
                sequence: 0,
                property: &global.properties()[position].name,
                service: None,
                outcome: verdict.outcome,
                is_final: verdict.is_final,
                opened: None,
                decided: None,
                key: None,
                window: &[],
                has_lines: false,
            };
            lines.push_str(&line.text(form, milliseconds_since_1970()));
        }
        lines
    }
}
