//! Markdown links between files of the repository lead somewhere.

use super::Finding;
use crate::Repository;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in repository.files() {
        if !file.path.ends_with(".md") {
            continue;
        }
        let mut in_fence = false;
        for (index, line) in file.text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                in_fence = !in_fence;
                continue;
            }
            if in_fence {
                continue;
            }
            for target in targets(&without_inline_code(line)) {
                if let Some(path) = local_path(&file.path, &target)
                    && !repository.has(&path)
                {
                    let message = format!("the link to `{target}` leads nowhere");
                    findings.push(Finding::new(&file.path, index + 1, message));
                }
            }
        }
    }
    findings
}

/// The line with everything between backticks removed: code is not a link.
fn without_inline_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The targets of `[text](target)`.
fn targets(line: &str) -> Vec<String> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        // A title may follow the target.
        .filter_map(|(target, _)| target.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

/// The path from the root that a target in `from` means; `None` for addresses, anchors within
/// the page, and names of Rust items, which rustdoc checks.
fn local_path(from: &str, target: &str) -> Option<String> {
    let target = target.split('#').next().unwrap_or_default();
    let is_elsewhere = target.contains(':');
    let is_file = target.contains('/') || target.contains('.');
    if is_elsewhere || !is_file {
        return None;
    }
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                folders.pop();
            }
            part => folders.push(part),
        }
    }
    // The root itself always exists.
    (!folders.is_empty()).then(|| folders.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn good_links_pass() {
        let text = "[a](docs/a.md) [b](./docs/) [c](https://example.org/x.md) [d](#here)\n\
                    [e](docs/a.md#part) [f](Budget) [g](..) `[h](lost.md)`\n\
                    ```\n[i](lost.md)\n```\n";
        let back = "[up](../README.md \"title\")";
        assert_eq!(
            findings(check, [("README.md", text), ("docs/a.md", back)]),
            [""; 0]
        );
    }

    #[test]
    fn links_to_nowhere() {
        let texts = [
            ("README.md", "first\nsee [a](docs/a.md), [b](docs/b.md)."),
            ("docs/a.md", "[c](../specs/c.md)"),
        ];
        assert_eq!(
            findings(check, texts),
            [
                "README.md:2: the link to `docs/b.md` leads nowhere",
                "docs/a.md:1: the link to `../specs/c.md` leads nowhere",
            ]
        );
    }
}
