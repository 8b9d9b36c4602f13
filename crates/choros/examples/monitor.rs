//! Is the fee what was agreed? A service watches its own messages.

use choros::base::SourceMap;
use choros::data::Terms;
use choros::model::observation::{Datum, Number, Observation};
use choros::model::stg::Direction;
use choros::monitor::{Config, Monitor, Outcome, Unusable};
use choros::query::property::{Reading, read};

const FEE: &str = "property fee on s {
  context Request[c,s]?(weight = w) within 1 messages
  expect Response[s,c]!(fee = f) where f == 2 * w
}";

pub(crate) fn main() -> Result<(), Unusable> {
    let (mut sources, mut terms) = (SourceMap::new(), Terms::new());
    let (properties, mistakes) = {
        let file = sources.add("fee.prop", FEE);
        read(file, FEE, &Reading::default(), &mut terms)
    };
    assert!(mistakes.is_empty());
    let mut monitor = Monitor::new(&properties, &terms, Config::default())?;
    let mut outcomes = Vec::new();
    for (weight, fee) in [(3, 6), (4, 9)] {
        let number = |value: i64| Datum::Number(Number::from(value));
        let heard = Observation::new("Request", "c", "s", Direction::Receive);
        monitor.observe(&heard.with("weight", number(weight)));
        let said = Observation::new("Response", "s", "c", Direction::Send);
        monitor.observe(&said.with("fee", number(fee)));
        // What the last message decided.
        outcomes.extend(monitor.verdicts().iter().map(|it| it.outcome));
    }
    assert_eq!(outcomes, [Outcome::Pass, Outcome::Fail]);
    Ok(())
}
