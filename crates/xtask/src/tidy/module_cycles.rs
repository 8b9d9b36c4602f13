//! The modules of a crate do not depend on each other in a circle.
//!
//! The files of a folder are one thing that was cut into pieces, and may know each other.
//! Between the modules on top (each with all that is below it) the arrows have a direction, so that a reader can begin
//! somewhere and a part can be moved elsewhere.
//! A name that a module only re-exports leads to the module that has it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, is_developer_crate};
use crate::Repository;
use crate::rust_code::{line_of, product_code, use_paths};

/// A module as the words of its path; the root has none.
type Path = Vec<String>;

struct Module {
    file: String,
    code: String,
    /// What the module brings into its scope: the name and where it leads.
    imports: Vec<(String, Path)>,
}

type Modules = BTreeMap<Path, Module>;
/// Who uses whom, and the first place where.
type Arrows = BTreeMap<String, BTreeMap<String, (String, usize)>>;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Modules> = BTreeMap::new();
    for (name, file) in repository.sources() {
        let path = module_path(&file.path).filter(|_| !is_developer_crate(name));
        if let Some(path) = path {
            let code = product_code(&file.text);
            let module = Module {
                file: file.path.clone(),
                imports: Vec::new(),
                code,
            };
            crates.entry(name).or_default().insert(path, module);
        }
    }
    crates.into_values().flat_map(circles).collect()
}

/// `crates/x/src/a/b.rs` is `a::b`; `lib.rs`, `main.rs` and `mod.rs` are the folder they are in.
fn module_path(file: &str) -> Option<Path> {
    let (_, inner) = file.split_once("/src/")?;
    let mut path: Path = inner
        .strip_suffix(".rs")?
        .split('/')
        .map(str::to_owned)
        .collect();
    let last = path.last()?.as_str();
    if last == "mod" || (path.len() == 1 && (last == "lib" || last == "main")) {
        path.pop();
    }
    Some(path)
}

fn circles(mut modules: Modules) -> Vec<Finding> {
    let mut uses: Vec<(Path, Path, usize)> = Vec::new();
    let known: BTreeSet<Path> = modules.keys().cloned().collect();
    for (path, module) in &mut modules {
        for used in use_paths(&module.code) {
            let Some(target) = absolute(path, &used.path, &known) else {
                continue;
            };
            if let Some(name) = used.imports {
                module.imports.push((name, target.clone()));
            }
            let line = line_of(&module.code, used.offset);
            uses.push((path.clone(), target, line));
        }
    }
    let mut arrows = Arrows::new();
    for (from, target, line) in uses {
        let to = home(&modules, target);
        let (Some(one), Some(other)) = (from.first(), to.first()) else {
            continue;
        };
        if one != other {
            arrows
                .entry(one.clone())
                .or_default()
                .entry(other.clone())
                .or_insert_with(|| (modules[&from].file.clone(), line));
        }
    }
    report(arrows)
}

/// The path from the root of the crate; none where it leads elsewhere.
fn absolute(here: &[String], path: &[String], known: &BTreeSet<Path>) -> Option<Path> {
    let mut from = here.to_vec();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            from.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|word| word == "super") {
                from.pop()?;
                rest = &rest[1..];
            }
        }
        child => {
            from.push(child.to_owned());
            if !known.contains(&from) {
                return None;
            }
            rest = &rest[1..];
        }
    }
    from.extend_from_slice(rest);
    Some(from)
}

/// The module that has what a path leads to.
fn home(modules: &Modules, mut target: Path) -> Path {
    // A circle of re-exports does not compile, but nothing here depends on that.
    for _ in 0..MAX_DETOURS {
        let length = (0..=target.len())
            .rev()
            .find(|&length| modules.contains_key(&target[..length]))
            .unwrap_or(0);
        let Some(name) = target.get(length) else {
            return target;
        };
        let module = &target[..length];
        let import = modules
            .get(module)
            .and_then(|it| it.imports.iter().find(|(known, _)| known == name));
        let Some((_, leads)) = import else {
            target.truncate(length);
            return target;
        };
        let mut next = leads.clone();
        next.extend_from_slice(&target[length + 1..]);
        target = next;
    }
    target
}

const MAX_DETOURS: usize = 20;

/// One finding per shortest circle, until every circle has lost an arrow.
fn report(mut arrows: Arrows) -> Vec<Finding> {
    let mut findings = Vec::new();
    while let Some(circle) = arrows
        .keys()
        .filter_map(|start| shortest_circle(&arrows, start))
        .min_by_key(Vec::len)
    {
        let next = |index: usize| circle[(index + 1) % circle.len()].as_str();
        let steps: Vec<String> = (0..circle.len())
            .map(|index| {
                let (file, line) = &arrows[circle[index].as_str()][next(index)];
                format!("{} uses {} ({file}:{line})", circle[index], next(index))
            })
            .collect();
        let (file, line) = arrows[circle[0].as_str()][next(0)].clone();
        let message = format!("modules in a circle: {}", steps.join(", "));
        findings.push(Finding::new(&file, line, message));
        if let Some(targets) = arrows.get_mut(circle[0].as_str()) {
            targets.remove(next(0));
        }
    }
    findings
}

fn shortest_circle(arrows: &Arrows, start: &str) -> Option<Vec<String>> {
    let mut runs = vec![vec![start.to_owned()]];
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut at = 0;
    while let Some(run) = runs.get(at).cloned() {
        at += 1;
        for target in arrows.get(run.last()?).into_iter().flat_map(BTreeMap::keys) {
            if target == start {
                return Some(run);
            }
            if seen.insert(target.clone()) {
                let mut longer = run.clone();
                longer.push(target.clone());
                runs.push(longer);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::check;

    #[test]
    fn two_modules_that_use_each_other() {
        let found = findings(
            check,
            [
                (
                    "crates/choros-x/src/lib.rs",
                    "mod a;\nmod b;\npub use b::Thing;",
                ),
                (
                    "crates/choros-x/src/a.rs",
                    "use crate::Thing;\npub struct Other;",
                ),
                (
                    "crates/choros-x/src/b/mod.rs",
                    "mod inner;\npub struct Thing;",
                ),
                (
                    "crates/choros-x/src/b/inner.rs",
                    "fn f() { super::super::a::g() }",
                ),
            ],
        );
        assert_eq!(
            found,
            [
                "crates/choros-x/src/a.rs:1: modules in a circle: a uses b (crates/choros-x/src/a.rs:1), \
                 b uses a (crates/choros-x/src/b/inner.rs:1)"
            ]
        );
    }

    #[test]
    fn parents_and_children_are_one_thing() {
        let texts = [
            (
                "crates/choros-x/src/lib.rs",
                "mod a;\nuse a::f;\npub struct Thing;",
            ),
            (
                "crates/choros-x/src/a.rs",
                "use super::Thing;\nuse std::fmt;\npub fn f() {}",
            ),
        ];
        assert_eq!(findings(check, texts), [""; 0]);
    }
}
