//! The templates for continuous integration, and the project of `choros init`: the shell steps that stand in them are
//! run, in such a project, with a service that is right and with one that is wrong.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use support::{choros, free_address, python};

/// A new project whose service has a port of its own.
fn project() -> Option<(tempfile::TempDir, String)> {
    python("http.server")?;
    let folder = tempfile::tempdir().unwrap();
    let made = choros().arg("init").arg(folder.path()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let address = free_address();
    let port = address.rsplit(':').next().unwrap();
    for file in ["orders.bind.toml", "shop.py"] {
        replace(&folder.path().join(file), "8080", port);
    }
    Some((folder, format!("http://{address}")))
}

fn replace(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{}: {from}", path.display());
    std::fs::write(path, text.replace(from, to)).unwrap();
}

/// The shell blocks of a template, `run: |` or `- |`, in their order.
fn steps(yaml: &str) -> String {
    let mut script = String::new();
    let mut lines = yaml.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.trim_start().starts_with("run: |") && line.trim() != "- |" {
            continue;
        }
        let margin = lines.peek().map_or(0, |first| indent(first));
        while let Some(line) = lines.next_if(|it| it.is_empty() || indent(it) >= margin) {
            script.push_str(line.get(margin..).unwrap_or_default());
            script.push('\n');
        }
    }
    assert!(script.contains("choros check"), "{script}");
    script
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Runs a script as the servers do: the first failure ends it. What it started ends with it.
fn run(script: &str, folder: &Path, variables: &BTreeMap<String, String>) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_choros"));
    let path = std::env::var("PATH").unwrap_or_default();
    let script = format!("trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n{script}");
    Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script])
        .current_dir(folder)
        .env(
            "PATH",
            format!("{}:{path}", binary.parent().unwrap().display()),
        )
        .envs(variables)
        .output()
        .unwrap()
}

/// Runs a template in a good project, in one whose service is wrong, and in one whose model is.
fn runs_in_projects(template: &str, variables: impl Fn(&str) -> BTreeMap<String, String>) {
    let script = steps(template);
    let Some((folder, target)) = project() else {
        return;
    };
    let at = |name: &str| folder.path().join(name);
    let text = |name: &str| std::fs::read_to_string(at(name)).unwrap();
    let done = run(&script, folder.path(), &variables(&target));
    assert!(done.status.success(), "{done:?}");
    assert!(text("choros-drive.xml").contains("failures=\"0\""));
    assert!(text("choros-audit.xml").contains("failures=\"0\""));

    replace(&at("shop.py"), "<= 100", "< 100");
    std::fs::remove_file(at("choros-audit.xml")).unwrap();
    let done = run(&script, folder.path(), &variables(&target));
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(text("choros-drive.xml").contains("<failure"));
    assert!(!at("choros-audit.xml").exists(), "it continued");

    replace(&at("orders.chor"), "pieces <= 100", "pieces <= 0");
    let done = run(&script, folder.path(), &variables(&target));
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let found = ["choros.sarif", "choros-check.xml"].map(at);
    let found = found.iter().find(|it| it.exists()).unwrap();
    assert!(std::fs::read_to_string(found).unwrap().contains("CH0301"));
}

#[test]
fn the_workflow_of_a_new_project() {
    runs_in_projects(include_str!("../starter/choros.yml"), |_| BTreeMap::new());
}

#[test]
fn the_action_for_github() {
    let action = include_str!("../../../ci/github/action.yml");
    runs_in_projects(action, |target| {
        let inputs = BTreeMap::from([
            ("wheel", ""),
            ("model", "orders.chor"),
            ("role", "shop"),
            ("binding", "orders.bind.toml"),
            ("drive-options", "--fail-fast"),
            ("start", "python3 shop.py"),
            ("target", target),
            ("log", "shop=choros-drive.jsonl"),
        ]);
        // NAME: ${{ inputs.name }}
        let lines = action
            .lines()
            .filter_map(|line| line.trim().split_once(": ${{ inputs."));
        lines
            .filter(|(name, _)| name.chars().all(|it| it.is_ascii_uppercase()))
            .map(|(name, input)| {
                let input = input.trim_end_matches(" }}");
                (name.to_owned(), inputs[input].to_owned())
            })
            .collect()
    });
}

#[test]
fn the_template_for_gitlab() {
    let template = include_str!("../../../ci/gitlab/choros.yml");
    runs_in_projects(template, |target| {
        let set = |name: &str, value: &str| {
            assert!(template.contains(&format!("\n  {name}: ")), "{name}");
            (name.to_owned(), value.to_owned())
        };
        BTreeMap::from([
            set("CHOROS_FOLDER", "."),
            set("CHOROS_MODEL", "orders.chor"),
            set("CHOROS_ROLE", "shop"),
            set("CHOROS_BINDING", "orders.bind.toml"),
            set("CHOROS_START", "python3 shop.py"),
            set("CHOROS_TARGET", target),
            set("CHOROS_LOG", "shop=choros-drive.jsonl"),
        ])
    });
}

#[test]
fn the_hook_of_git_refuses_what_is_wrong() {
    let Some((folder, _)) = project() else {
        return;
    };
    let hook = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ci/pre-commit");
    let hook = std::fs::read_to_string(hook).unwrap();
    let commit = || {
        run(
            &format!("git add -A\n{hook}"),
            folder.path(),
            &BTreeMap::new(),
        )
    };
    let made = run("git init --quiet", folder.path(), &BTreeMap::new());
    assert!(made.status.success(), "{made:?}");
    let done = commit();
    assert!(done.status.success(), "{done:?}");

    let model = folder.path().join("orders.chor");
    replace(
        &model,
        "    shop -> client: Accepted",
        "  shop -> client: Accepted",
    );
    let done = commit();
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("choros fmt orders.chor"), "{said}");

    let done = run("choros fmt orders.chor", folder.path(), &BTreeMap::new());
    assert!(done.status.success(), "{done:?}");
    replace(&model, "Accepted(id)", "Accepted(number)");
    let done = commit();
    assert_eq!(done.status.code(), Some(2), "{done:?}");
}
