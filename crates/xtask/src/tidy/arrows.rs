//! Which crate may depend on which: the table in `ARCHITECTURE.md` is the rule.
//!
//! Reading the table instead of repeating it here keeps the document from going stale.
//! Engines stand in layers: the arrows of the table have no circle, none leads from an engine to a model language, and
//! an arrow that no crate uses is not a rule any more.
//! Dependencies of tests are free: an engine may be tested against another one.

use std::collections::BTreeMap;

use super::Finding;
use crate::Repository;
use crate::manifest::product_dependencies;

const DOCUMENT: &str = "ARCHITECTURE.md";
/// The languages of models, and who may know them besides themselves.
const LANGUAGES: [&str; 3] = ["choros-lang", "choros-cows", "choros-bpel"];
const KNOW_LANGUAGES: [&str; 2] = ["choros", "choros-workspace"];

/// A row `| crate | there | what lives here | may use |` of the table.
struct Row {
    line: usize,
    there: bool,
    may_use: MayUse,
}

enum MayUse {
    /// Crates for developers may use whatever they test.
    Anything,
    These(Vec<String>),
}

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rows = match repository.file(DOCUMENT) {
        Some(document) => read_table(&document.text),
        None if repository.manifests().next().is_none() => return findings,
        None => BTreeMap::new(),
    };
    for (name, manifest) in repository.manifests() {
        let Some(row) = rows.get(name) else {
            let message = format!("`{name}` is not in the crate table of {DOCUMENT}");
            findings.push(Finding::new(&manifest.path, 0, message));
            continue;
        };
        if !row.there {
            let message = format!("`{name}` exists: say `now` in its row");
            findings.push(Finding::new(DOCUMENT, row.line, message));
        }
        let MayUse::These(allowed) = &row.may_use else {
            continue;
        };
        let dependencies = product_dependencies(&manifest.text);
        for name_of_unused in allowed {
            if !dependencies.iter().any(|it| it.name == *name_of_unused) {
                let message =
                    format!("`{name}` does not use `{name_of_unused}`: leave the arrow out");
                findings.push(Finding::new(DOCUMENT, row.line, message));
            }
        }
        for dependency in dependencies {
            let is_ours = dependency.name == "choros"
                || dependency.name == "xtask"
                || dependency.name.starts_with("choros-");
            if is_ours && !allowed.contains(&dependency.name) {
                let message = format!(
                    "`{name}` must not depend on `{}`: {DOCUMENT} has no such arrow",
                    dependency.name
                );
                findings.push(Finding::new(&manifest.path, dependency.line, message));
            }
        }
    }
    findings.extend(layers(&rows));
    for (name, row) in &rows {
        if row.there && !repository.has(&format!("crates/{name}/Cargo.toml")) {
            let message = format!("`{name}` does not exist: say `to come` in its row");
            findings.push(Finding::new(DOCUMENT, row.line, message));
        }
    }
    findings
}

/// What is wrong with the arrows among themselves.
fn layers(rows: &BTreeMap<String, Row>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, row) in rows {
        let mut below: Vec<&str> = Vec::new();
        let mut pending = row.may_use.names();
        while let Some(next) = pending.pop() {
            if !below.contains(&next) {
                below.push(next);
                pending.extend(
                    rows.get(next)
                        .map(|it| it.may_use.names())
                        .into_iter()
                        .flatten(),
                );
            }
        }
        if below.contains(&name.as_str()) {
            let message = format!("`{name}` stands above itself: the arrows form a circle");
            findings.push(Finding::new(DOCUMENT, row.line, message));
        }
        let may = LANGUAGES.contains(&name.as_str()) || KNOW_LANGUAGES.contains(&name.as_str());
        let known = row
            .may_use
            .names()
            .into_iter()
            .find(|it| LANGUAGES.contains(it));
        if let (false, Some(language)) = (may, known) {
            let message = format!("`{name}` must not know the language of models `{language}`");
            findings.push(Finding::new(DOCUMENT, row.line, message));
        }
    }
    findings
}

impl MayUse {
    fn names(&self) -> Vec<&str> {
        match self {
            MayUse::Anything => Vec::new(),
            MayUse::These(names) => names.iter().map(String::as_str).collect(),
        }
    }
}

fn read_table(document: &str) -> BTreeMap<String, Row> {
    let mut rows = BTreeMap::new();
    for (index, line) in document.lines().enumerate() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", name, there, _, may_use, ""] = cells.as_slice() else {
            continue;
        };
        let Some(name) = name
            .strip_prefix('`')
            .and_then(|name| name.strip_suffix('`'))
        else {
            continue;
        };
        rows.insert(
            name.to_owned(),
            Row {
                line: index + 1,
                there: *there == "now",
                may_use: read_uses(may_use),
            },
        );
    }
    rows
}

/// `anything`, `–`, or short names such as `base, data`.
fn read_uses(cell: &str) -> MayUse {
    if cell == "anything" {
        return MayUse::Anything;
    }
    MayUse::These(
        cell.split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty() && *name != "–")
            .map(|name| match name {
                "choros" => name.to_owned(),
                _ => format!("choros-{name}"),
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    const TABLE: &str = "\
| crate | there | what lives here | may use |
|---|---|---|---|
| `choros-base` | now | ground | – |
| `choros-lang` | now | language | base |
| `choros-conform` | to come | engine | base |
| `choros-testkit` | now | tests | anything |
";
    const BASE: (&str, &str) = ("crates/choros-base/Cargo.toml", "[dependencies]\n");
    const TESTKIT: (&str, &str) = (
        "crates/choros-testkit/Cargo.toml",
        "[dependencies]\nchoros-lang.workspace = true\n",
    );

    #[test]
    fn allowed_arrows_pass() {
        let lang = "[dependencies]\nchoros-base.workspace = true\nmemchr.workspace = true\n\
                    [dev-dependencies]\nchoros-testkit.workspace = true\n";
        let texts = [
            ("ARCHITECTURE.md", TABLE),
            BASE,
            TESTKIT,
            ("crates/choros-lang/Cargo.toml", lang),
        ];
        assert_eq!(findings(check, texts), [""; 0]);
    }

    #[test]
    fn an_arrow_that_is_not_in_the_table() {
        let lang =
            "[dependencies]\nchoros-base.workspace = true\nchoros-conform.workspace = true\n";
        let texts = [
            ("ARCHITECTURE.md", TABLE),
            BASE,
            TESTKIT,
            ("crates/choros-lang/Cargo.toml", lang),
        ];
        assert_eq!(
            findings(check, texts),
            [
                "crates/choros-lang/Cargo.toml:3: `choros-lang` must not depend on \
                 `choros-conform`: ARCHITECTURE.md has no such arrow"
            ]
        );
    }

    #[test]
    fn circles_languages_and_unused_arrows() {
        let table = "\
| `choros-lang` | now | language | – |
| `choros-conform` | now | engine | realize |
| `choros-realize` | now | engine | conform, lang |
";
        let texts = [
            ("ARCHITECTURE.md", table),
            ("crates/choros-lang/Cargo.toml", ""),
            (
                "crates/choros-conform/Cargo.toml",
                "[dependencies]\nchoros-realize.workspace = true\n",
            ),
            (
                "crates/choros-realize/Cargo.toml",
                "[dependencies]\nchoros-conform.workspace = true\n",
            ),
        ];
        assert_eq!(
            findings(check, texts),
            [
                "ARCHITECTURE.md:3: `choros-realize` does not use `choros-lang`: leave the arrow out",
                "ARCHITECTURE.md:2: `choros-conform` stands above itself: the arrows form a circle",
                "ARCHITECTURE.md:3: `choros-realize` stands above itself: the arrows form a circle",
                "ARCHITECTURE.md:3: `choros-realize` must not know the language of models `choros-lang`",
            ]
        );
    }

    #[test]
    fn a_product_crate_on_a_developer_crate() {
        let lang =
            "[dependencies]\nchoros-base.workspace = true\nchoros-testkit.workspace = true\n";
        let texts = [
            ("ARCHITECTURE.md", TABLE),
            BASE,
            TESTKIT,
            ("crates/choros-lang/Cargo.toml", lang),
        ];
        assert_eq!(findings(check, texts).len(), 1);
    }

    #[test]
    fn crates_and_rows_that_have_no_partner() {
        let texts = [
            ("ARCHITECTURE.md", TABLE),
            TESTKIT,
            (
                "crates/choros-lang/Cargo.toml",
                "[dependencies]\nchoros-base.workspace = true\n",
            ),
            (
                "crates/choros-conform/Cargo.toml",
                "[dependencies]\nchoros-base.workspace = true\n",
            ),
            ("crates/choros-utilities/Cargo.toml", ""),
        ];
        assert_eq!(
            findings(check, texts),
            [
                "ARCHITECTURE.md:5: `choros-conform` exists: say `now` in its row",
                "crates/choros-utilities/Cargo.toml: `choros-utilities` is not in the crate \
                 table of ARCHITECTURE.md",
                "ARCHITECTURE.md:3: `choros-base` does not exist: say `to come` in its row",
            ]
        );
    }
}
