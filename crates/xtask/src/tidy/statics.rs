//! Libraries keep no state of their own: no `static` that can change.
//!
//! Shells may (a signal handler has no other way), developers' crates too.

use super::{Finding, is_developer_crate};
use crate::Repository;
use crate::rust_code::{line_of, product_code, words};

const SHELLS: [&str; 3] = ["choros-cli", "choros-lsp", "choros-web"];
const MACROS: [&str; 2] = ["thread_local!", "lazy_static!"];
const CHANGING_TYPES: [&str; 10] = [
    "Cell",
    "RefCell",
    "UnsafeCell",
    "OnceCell",
    "OnceLock",
    "LazyCell",
    "LazyLock",
    "Once",
    "Mutex",
    "RwLock",
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (crate_name, file) in repository.sources() {
        if SHELLS.contains(&crate_name) || is_developer_crate(crate_name) {
            continue;
        }
        let code = product_code(&file.text);
        for offset in words(&code, "static") {
            if let Some(reason) = changing(&code, offset) {
                let message =
                    format!("a static with state ({reason}): pass the state by reference instead");
                findings.push(Finding::new(&file.path, line_of(&code, offset), message));
            }
        }
        for name in MACROS {
            findings.extend(code.match_indices(name).map(|(offset, _)| {
                let message = format!("`{name}`: pass the state by reference instead");
                Finding::new(&file.path, line_of(&code, offset), message)
            }));
        }
    }
    findings
}

/// What makes the `static` at this offset changeable, if anything.
fn changing(code: &str, offset: usize) -> Option<&str> {
    if code[..offset].ends_with('\'') {
        // The lifetime `'static`.
        return None;
    }
    let declaration = &code[offset + "static".len()..];
    let declaration = &declaration[..declaration.find(['=', ';']).unwrap_or(declaration.len())];
    let (name, sort) = declaration.split_once(':')?;
    if words(name, "mut").next().is_some() {
        return Some("static mut");
    }
    sort.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .find(|word| CHANGING_TYPES.contains(word) || word.starts_with("Atomic"))
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn constant_statics_and_lifetimes_pass() {
        let text = "pub static CODE: CodeInfo = CodeInfo { code: \"x\" };\n\
                    fn f(x: &'static str, y: Mutex<u8>) {}\n\
                    #[cfg(test)] mod tests { static SEEN: AtomicU8 = AtomicU8::new(0); }\n";
        assert_eq!(
            findings(check, [("crates/choros-lang/src/lib.rs", text)]),
            [""; 0]
        );
    }

    #[test]
    fn statics_with_state() {
        let text = "static mut A: u8 = 0;\n\
                    static B: OnceLock<Terms> = OnceLock::new();\n\
                    static C: std::sync::atomic::AtomicUsize = AtomicUsize::new(0);\n\
                    thread_local! { static D: u8 = 0; }\n";
        let found = findings(check, [("crates/choros-data/src/lib.rs", text)]);
        assert_eq!(
            found,
            [
                "crates/choros-data/src/lib.rs:1: a static with state (static mut): pass the state by reference instead",
                "crates/choros-data/src/lib.rs:2: a static with state (OnceLock): pass the state by reference instead",
                "crates/choros-data/src/lib.rs:3: a static with state (AtomicUsize): pass the state by reference instead",
                "crates/choros-data/src/lib.rs:4: `thread_local!`: pass the state by reference instead",
            ]
        );
    }

    #[test]
    fn shells_may() {
        let text = "static INTERRUPTED: AtomicBool = AtomicBool::new(false);";
        assert_eq!(
            findings(check, [("crates/choros-cli/src/main.rs", text)]),
            [""; 0]
        );
    }
}
