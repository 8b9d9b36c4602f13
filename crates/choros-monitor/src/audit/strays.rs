//! Sendings that have no place among the messages of all.

use super::MessageMoment;
use super::guilt::Part;
use super::judge::Auditor;
use super::run::Tied;

impl Auditor<'_, '_, '_> {
    /// Marks sendings that no log has received and that come when their sender had left its part.
    ///
    /// Example 9 of the thesis: a second sending that the role may not do is its own failure, and what was received
    /// conforms.
    /// Where messages take their time a role may send what the choreography has later, and what was sent arrives.
    pub(super) fn mark_strays(&self, number: usize, tied: &mut Tied) {
        if self.how.reading != MessageMoment::Whole {
            return;
        }
        for exchange in &mut tied.exchanges {
            // A run that has come to its end has nothing on its way.
            let may_come = exchange.lacking.is_some_and(|log| self.lacks[log].end);
            let is_pending = exchange.is_on_its_way() && may_come;
            let Some((log, position)) = exchange.sent.filter(|_| is_pending) else {
                continue;
            };
            exchange.is_stray = match self.parts[log].get(number) {
                Some(&(Part::Guilty(left) | Part::Wronged(left) | Part::Doubtful(left))) => {
                    position >= left
                }
                _ => false,
            };
        }
    }
}
