//! Reports as pages, in a real browser: axe finds nothing serious in light and dark, and nothing is wider than a
//! telephone.
//!
//! Pictures of them are kept below the folder of the build, in `tmp/page`.

#[allow(dead_code)]
#[path = "page/browser.rs"]
mod browser;

use std::path::Path;
use std::process::Command;

use browser::Browser;

/// A page, and the command that makes it in the folder of examples.
const PAGES: [(&str, &[&str]); 5] = [
    (
        "conform",
        &["conform", "rfq.schora#eager_services", "rfq.schora#rfq"],
    ),
    (
        "audit",
        &[
            "audit",
            "saga/saga.chor",
            "--log",
            "saga/logs/overcharge.jsonl",
        ],
    ),
    ("verify", &["verify", "atm.gc", "--formula", "AG EX true"]),
    ("realize", &["realize", "shop/shop.chor"]),
    ("draw", &["draw", "saga/saga.chor"]),
];

fn page(arguments: &[&str], folder: &Path) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let made = Command::new(env!("CARGO_BIN_EXE_choros"))
        .args(arguments)
        .args(["--format", "html"])
        .current_dir(examples)
        .output();
    let made = made.expect("choros runs");
    let text = String::from_utf8(made.stdout).expect("a page is text");
    assert!(text.starts_with("<!DOCTYPE html>"), "{arguments:?}: {text}");
    let path = folder.join("report.html");
    std::fs::write(&path, text).expect("a file for the page");
    format!("file://{}", path.display())
}

/// Where `axe-core` is; `None`, where it is not demanded and not there.
fn axe() -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/axe.min.js");
    let script = std::fs::read_to_string(path).ok();
    assert!(
        script.is_some() || std::env::var_os("CHOROS_REQUIRE_BROWSER").is_none(),
        "run scripts/setup-browser.sh: there is no axe-core"
    );
    script
}

const SERIOUS: &str = "return window.axe.run().then((it) => it.violations \
    .filter((it) => ['serious', 'critical'].includes(it.impact)) \
    .map((it) => `${it.id}: ${it.nodes.slice(0, 3).map((it) => it.target.join(' ') + ' ' + it.failureSummary).join('; ')}`))";

/// Without a finger or a mouse nothing can be scrolled sideways: the page is as wide as its window.
const TOO_WIDE: &str =
    "return Math.max(0, document.documentElement.scrollWidth - window.innerWidth)";

#[test]
fn reports_can_be_read_by_everyone_on_every_screen() {
    let Some(script) = axe() else { return };
    if !browser::is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (width, height) in [(360, 780), (1400, 900), (3840, 2160)] {
        let browser = Browser::start(width, height);
        browser.screen(width, height);
        for (name, arguments) in PAGES {
            browser.go(&page(arguments, folder.path()));
            for theme in ["light", "dark"] {
                browser.prefer(theme);
                browser.run(&format!("{script}; window.axe = axe;"));
                let found = browser.run(SERIOUS);
                assert_eq!(found, serde_json::json!([]), "{name}, {theme}, {width}");
            }
            assert_eq!(browser.run(TOO_WIDE), 0, "{name}, {width}");
            browser.shoot(&format!("report-{name}-{width}"));
        }
    }
}
