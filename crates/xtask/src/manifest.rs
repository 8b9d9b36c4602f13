//! The dependencies that a `Cargo.toml` names.
//!
//! This is not a TOML parser: it reads section headings and the keys below them, which is all
//! that the manifests of this repository use. `cargo metadata` would need the registry and a
//! second language to read its answer.

/// A dependency of the product: neither of its tests nor of its benchmarks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) line: usize,
}

/// The normal and build dependencies, target-specific ones included.
pub(crate) fn product_dependencies(manifest: &str) -> Vec<Dependency> {
    let mut dependencies = Vec::new();
    let mut inside = false;
    for (index, line) in manifest.lines().enumerate() {
        let line = line.trim();
        if let Some(heading) = line.strip_prefix('[') {
            let heading = heading.trim_end_matches(']');
            let (section, name) = split_heading(heading);
            inside = section && name.is_none();
            if let (true, Some(name)) = (section, name) {
                dependencies.push(Dependency {
                    name: name.to_owned(),
                    line: index + 1,
                });
            }
        } else if inside && let Some((key, _)) = line.split_once('=') {
            // `choros-base.workspace = true` and `choros-base = { … }`.
            let name = key.trim().split('.').next().unwrap_or_default();
            let name = name.trim().trim_matches('"');
            if is_crate_name(name) {
                dependencies.push(Dependency {
                    name: name.to_owned(),
                    line: index + 1,
                });
            }
        }
    }
    dependencies
}

/// Whether a heading opens product dependencies, and the one it is about, if it is about one:
/// `dependencies`, `target.'cfg(unix)'.dependencies`, `dependencies.serde`.
fn split_heading(heading: &str) -> (bool, Option<&str>) {
    for section in ["dependencies", "build-dependencies"] {
        if heading == section || heading.ends_with(&format!(".{section}")) {
            return (true, None);
        }
        if let Some((before, name)) = heading.split_once(&format!("{section}."))
            && (before.is_empty() || before.ends_with('.'))
            && is_crate_name(name)
        {
            return (true, Some(name));
        }
    }
    (false, None)
}

/// A line inside a dependency that spans several lines has keys that are not crates; those of
/// an inline table's continuation never look like a lone crate name.
fn is_crate_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(manifest: &str) -> Vec<String> {
        product_dependencies(manifest)
            .into_iter()
            .map(|dependency| dependency.name)
            .collect()
    }

    #[test]
    fn all_ways_to_write_a_dependency() {
        let manifest = r#"
[package]
name = "choros-smt"

[dependencies]
choros-base.workspace = true
choros-data = { path = "../choros-data" }
"libloading" = "0.9"
# serde = "1"

[target.'cfg(unix)'.dependencies]
libc = "0.2"

[dependencies.hashbrown]
version = "0.17"

[build-dependencies]
cc = "1"

[dev-dependencies]
proptest.workspace = true

[dev-dependencies.serde]
version = "1"

[features]
default = []
"#;
        assert_eq!(
            names(manifest),
            [
                "choros-base",
                "choros-data",
                "libloading",
                "libc",
                "hashbrown",
                "cc"
            ]
        );
    }

    #[test]
    fn lines_are_kept() {
        let dependencies = product_dependencies("[dependencies]\n\nserde = \"1\"\n");
        assert_eq!(dependencies[0].line, 3);
    }
}
