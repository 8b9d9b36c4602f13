//! The book as it is built: every chapter is in its list of contents, every verb, option and diagnostic has a page, and
//! mdBook builds it where there is one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder whose names end so, by their paths in it.
fn files(folder: &Path, ending: &str, below: &str, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            files(&entry.path(), ending, &format!("{name}/"), found);
        } else if name.ends_with(ending) {
            found.insert(name);
        }
    }
}

/// Where `scripts/setup-book.sh` finds mdBook without installing one.
fn mdbook() -> Option<PathBuf> {
    let found = Command::new(root().join("scripts/setup-book.sh"))
        .env("CHOROS_NO_INSTALL", "1")
        .output()
        .unwrap();
    let place = String::from_utf8(found.stdout).unwrap();
    found.status.success().then(|| PathBuf::from(place.trim()))
}

#[test]
fn the_book_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book");
    xtask::write_book(&root(), Path::new(env!("CARGO_BIN_EXE_choros")), &book).unwrap();
    every_chapter_is_listed_once(&book.join("src"));
    verbs_options_and_diagnostics_have_pages(&book.join("src/reference"));
    if let Some(mdbook) = mdbook() {
        let built = folder.path().join("html");
        mdbook_builds_it(&mdbook, &book, &built);
        links_lead_somewhere(&built);
    }
}

fn every_chapter_is_listed_once(source: &Path) {
    let summary = std::fs::read_to_string(source.join("SUMMARY.md")).unwrap();
    let links = summary.split("](").skip(1);
    let listed: Vec<String> = links
        .map(|it| it.split(')').next().unwrap().to_owned())
        .collect();
    let mut there = BTreeSet::new();
    files(source, ".md", "", &mut there);
    there.remove("SUMMARY.md");
    assert_eq!(listed.len(), there.len(), "a chapter is listed twice");
    assert_eq!(BTreeSet::from_iter(listed), there);
}

fn verbs_options_and_diagnostics_have_pages(reference: &Path) {
    let page = |path: &str| {
        let path = reference.join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    assert!(page("verbs/drive.md").contains("--mock-partners"));
    assert!(page("verbs/init.md").contains("choros init orders"));
    let format = page("options/format.md");
    assert!(format.contains("[`check`](../verbs/check.md)"), "{format}");
    assert!(format.contains("SARIF"), "{format}");
    for info in choros::codes() {
        let text = page(&format!("diagnostics/{}.md", info.code));
        assert!(text.starts_with(&format!("# {}: {}", info.code, info.name)));
        assert!(text.contains("## What it checks"), "{text}");
    }
}

fn mdbook_builds_it(mdbook: &Path, book: &Path, built: &Path) {
    let output = Command::new(mdbook)
        .arg("build")
        .arg(book)
        .arg("--dest-dir")
        .arg(built)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("WARN") && !said.contains("ERROR"), "{said}");
    let mut scripts = BTreeSet::new();
    files(built, ".js", "", &mut scripts);
    assert!(
        scripts.iter().any(|it| it.starts_with("searchindex")),
        "{scripts:?}"
    );
}

fn links_lead_somewhere(built: &Path) {
    let mut pages = BTreeSet::new();
    files(built, ".html", "", &mut pages);
    assert!(pages.len() > 250, "{}", pages.len());
    let mut lost = BTreeSet::new();
    for page in pages {
        let place = built.join(&page);
        let text = std::fs::read_to_string(&place).unwrap();
        for link in text.split("href=\"").skip(1) {
            let target = link.split(['"', '#', '?']).next().unwrap();
            let is_elsewhere = target.is_empty() || target.contains(':');
            if !is_elsewhere && !place.parent().unwrap().join(target).exists() {
                lost.insert(format!("{page}: {target}"));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}
