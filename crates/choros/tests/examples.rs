//! The programs in `examples/` do what they say, and the README shows them.

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

#[test]
fn the_readme_shows_them() {
    let readme = include_str!("../README.md");
    for program in [
        include_str!("../examples/conform.rs"),
        include_str!("../examples/monitor.rs"),
        include_str!("../examples/verify.rs"),
    ] {
        let (_, code) = program
            .split_once("\n\n")
            .expect("a line says what it does");
        assert!(readme.contains(&code.replace("pub(crate) ", "")), "{code}");
    }
}
