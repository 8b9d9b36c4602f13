//! `Cargo.toml` and `lib.rs`.

use crate::{Code, TargetLanguage};

pub(super) fn text(stem: &str) -> String {
    let mut code = Code::new();
    code.line("[package]");
    code.line(format!("name = \"{}-sessions\"", stem.trim_matches('_')));
    code.line("version = \"0.1.0\"");
    code.line("edition = \"2021\"");
    code.line("publish = false");
    code.blank();
    code.line("[dependencies]");
    code.line("proptest = { version = \"1\", default-features = false, features = [\"std\"] }");
    code.line("tokio = { version = \"1\", features = [\"rt\", \"sync\", \"time\"] }");
    code.blank();
    code.line("# A separate crate, wherever it is.");
    code.line("[workspace]");
    code.finish()
}

pub(super) fn library(name: &str) -> String {
    let mut code = Code::new();
    code.line(format!(
        "//! Executable tests of {}.",
        TargetLanguage::Rust
            .comment(name)
            .trim_start_matches("//")
            .trim_start()
    ));
    code.blank();
    for module in [
        "implementations",
        "protocol",
        "runtime",
        "session_types",
        "types",
    ] {
        code.line(format!("pub mod {module};"));
    }
    code.blank();
    code.line("#[cfg(test)]");
    code.line("mod tests;");
    code.finish()
}
