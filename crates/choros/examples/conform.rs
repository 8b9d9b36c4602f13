//! Does a shop that confirms up to its own limit do what was agreed? The condition is a term that can be evaluated.

use choros::base::MemorySources;
use choros::data::{Assignment, Value};
use choros::verbs::{ConformRequest, conform};
use choros::{Request, Settings, Stop, Workspace};

const SHOP: &str = "DECLARATIONS
component agreed chorD
    Request[b,v].<x> ; ([x < 100] |> Confirm[v,b] + [x >= 100] |> Abort[v,b])
end component
component shop chorD
    Request[b,v].<x> ; ([x < limit] |> Confirm[v,b] + [x >= limit] |> Abort[v,b])
end component
COMMANDS";

pub(crate) fn main() -> Result<(), Stop> {
    let mut files = MemorySources::default();
    files.add("shop.schora", SHOP);
    let mut workspace = Workspace::new(&files);
    let request = ConformRequest {
        implementation: vec![Request::parse("shop.schora#shop", None)],
        specification: Request::parse("shop.schora#agreed", None),
        ..ConformRequest::default()
    };
    let conformance = conform(&mut workspace, &request, &Settings::default()).answer?;
    let condition = conformance.condition().expect("the question is settled");
    let limit = workspace.terms.free_variables(condition)[0];
    for (value, is_right) in [(100, true), (50, false)] {
        let values = Assignment::from_iter([(limit, Value::Int(value.into()))]);
        let answer = workspace.terms.evaluate_guard(condition, &values);
        assert_eq!(answer, Ok(is_right), "limit = {value}");
    }
    Ok(())
}
