//! How machines talk, for reports.

use choros_model::cfsm::Channels;
use choros_report::Semantics;

use crate::Settings;

/// Tells a report how messages travel.
pub(in crate::verbs) fn tell_discipline(semantics: &mut Semantics, settings: &Settings) {
    semantics.channels = Some(settings.discipline.to_string());
    if settings.discipline.channels != Channels::Synchronous {
        let bound = u64::from(settings.discipline.bound);
        semantics.bounds.insert("bound".to_owned(), bound);
    }
}
