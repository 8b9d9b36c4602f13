//! Does a shop that confirms up to its own limit do what was agreed? The condition is a term: it can be
//! evaluated, and combined with others.

use choros::base::MemorySources;
use choros::verbs::{ConformRequest, conform};
use choros::{Settings, Stop, Workspace};

const SHOP: &str = "DECLARATIONS
component agreed chorD
    Request[b,v].<x> ; ([x < 100] |> Confirm[v,b] + [x >= 100] |> Abort[v,b])
end component
component shop chorD
    Request[b,v].<x> ; ([x < limit] |> Confirm[v,b] + [x >= limit] |> Abort[v,b])
end component
COMMANDS";

pub(crate) fn main() -> Result<(), Stop> {
    let files = MemorySources::from([("shop.schora", SHOP)]);
    let mut workspace = Workspace::new(&files);
    let request = ConformRequest::new("shop.schora#shop", "shop.schora#agreed");
    let conformance = conform(&mut workspace, &request, &Settings::default()).answer?;
    let condition = conformance.condition().expect("the question is settled");
    let terms = &mut workspace.terms;
    let otherwise = terms.not(condition);
    let either = terms.or([condition, otherwise]);
    let holds = |term, limit: i64| terms.holds_for(term, [("limit", limit)]);
    assert_eq!(
        (holds(condition, 100), holds(condition, 50)),
        (Ok(true), Ok(false))
    );
    assert_eq!(
        (holds(otherwise, 50), holds(either, 50)),
        (Ok(true), Ok(true))
    );
    Ok(())
}
