//! Functions of the façade can be seen at once: it conducts, and a long function has begun to compute.

use super::Finding;
use crate::Repository;
use crate::rust_code::{line_of, product_code, words};

const CRATE: &str = "choros";
const MAX_LINES: usize = 80;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    let facade = repository.sources().filter(|(name, _)| *name == CRATE);
    for (_, file) in facade {
        let code = product_code(&file.text);
        for offset in words(&code, "fn") {
            let Some((name, end)) = function(&code, offset) else {
                continue;
            };
            let first = line_of(&code, offset);
            let lines = line_of(&code, end) - first + 1;
            if lines > MAX_LINES {
                let message = format!(
                    "`{name}` has {lines} lines, and {MAX_LINES} are the limit: what computes belongs to an engine"
                );
                findings.push(Finding::new(&file.path, first, message));
            }
        }
    }
    findings
}

/// The name of the function whose `fn` stands here, and the offset of its last brace; none of a type or a declaration.
fn function(code: &str, offset: usize) -> Option<(&str, usize)> {
    let rest = &code[offset + "fn".len()..];
    let start = rest.len() - rest.trim_start().len();
    let length = rest[start..].find(|it: char| !it.is_alphanumeric() && it != '_')?;
    if length == 0 {
        return None;
    }
    let name = &rest[start..start + length];
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(offset) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some((name, at));
                }
            }
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn a_function_that_nobody_sees_at_once() {
        let long = format!(
            "trait T {{ fn short(&self); }}\nfn long(f: fn(u8)) {{\n{}}}\n",
            "    step();\n".repeat(79)
        );
        let fits = format!("fn fits() {{\n{}}}\n", "    step();\n".repeat(78));
        let found = findings(
            check,
            [
                ("crates/choros/src/a.rs", long.as_str()),
                ("crates/choros/src/b.rs", fits.as_str()),
                ("crates/choros-bpel/src/c.rs", long.as_str()),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros/src/a.rs:2: `long` has 81 lines, and 80 are the limit: what computes belongs to an engine"
            ]
        );
    }
}
