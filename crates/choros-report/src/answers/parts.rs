//! Answers about several things that were asked about together.

use choros_data::Terms;

use super::{Present, Stop};
use crate::{NamedResult, Overview, Report};

/// One answer per thing, in the order asked, or why there is none.
#[derive(Debug, Clone)]
pub struct Parts<T>(pub Vec<Result<T, Stop>>);

impl<T> Parts<T> {
    pub fn answers(&self) -> impl Iterator<Item = &T> {
        self.0.iter().filter_map(|it| it.as_ref().ok())
    }
}

impl<T: Present> Present for Parts<T> {
    const VERB: &'static str = T::VERB;

    fn overview() -> Overview {
        T::overview()
    }

    fn is_made_of_messages(&self) -> bool {
        self.answers().any(T::is_made_of_messages)
    }

    fn doubt(&mut self, is_about_nothing: &dyn Fn(&str) -> bool) {
        for answer in self.0.iter_mut().flatten() {
            answer.doubt(is_about_nothing);
        }
    }

    fn outcomes(self, terms: &Terms) -> Vec<NamedResult> {
        let mut report = Report::default();
        self.show(terms, &mut report);
        report.outcomes
    }

    fn show(self, terms: &Terms, report: &mut Report) {
        for part in self.0 {
            match part {
                Ok(answer) => answer.show(terms, report),
                Err(stop) => stop.show(report),
            }
        }
    }
}
