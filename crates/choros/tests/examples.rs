//! The programs in `examples/` do what they say.

#[path = "../examples/conform.rs"]
mod conform;
#[path = "../examples/monitor.rs"]
mod monitor;
#[path = "../examples/verify.rs"]
mod verify;

#[test]
fn conformance_as_a_term() {
    conform::main().expect("an answer");
}

#[test]
fn a_formula_over_a_model_built_in_code() {
    verify::main().expect("an answer");
}

#[test]
fn a_stream_inside_a_service() {
    monitor::main().expect("usable properties");
}
