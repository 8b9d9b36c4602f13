//! Is the fee what was agreed? A service watches its own messages.

use choros::model::observation::Observation;
use choros::monitor::{Config, Monitor, Outcome, UnusableProperty};
use choros::query::property::read_text;

const FEE: &str = "property fee on s {
  context Request[c,s]?(weight = w) within 1 messages
  expect Response[s,c]!(fee = f) where f == 2 * w
}";

pub(crate) fn main() -> Result<(), UnusableProperty> {
    let (properties, terms) = read_text(FEE).expect("no mistakes");
    let mut monitor = Monitor::new(&properties, &terms, Config::default())?;
    let mut outcomes = Vec::new();
    for (weight, fee) in [(3, 6), (4, 9)] {
        monitor.observe(&Observation::received("Request", "c", "s").with("weight", weight));
        monitor.observe(&Observation::sent("Response", "s", "c").with("fee", fee));
        // What the last message decided.
        outcomes.extend(monitor.verdicts().iter().map(|it| it.outcome));
    }
    assert_eq!(outcomes, [Outcome::Pass, Outcome::Fail]);
    Ok(())
}
