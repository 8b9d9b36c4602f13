//! How long someone waits in the page: a real browser, from the key or click until it is shown, over file sizes.
//!
//! Times are by the clock and include the browser, which shows something new 60 times a second at most.
//! What the language server alone takes is in the table of `choros-lsp`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

#[allow(dead_code)]
#[path = "../tests/page/browser.rs"]
mod browser;
#[allow(dead_code)]
#[path = "../tests/page/server.rs"]
mod server;
#[path = "../tests/support/mod.rs"]
mod support;

use browser::Browser;
use choros_testkit::long_choreography;
use server::Served;

/// How often a key is pressed, and a place asked about.
const TIMES: usize = 20;

fn main() {
    if !browser::is_there() {
        println!("left out: there is no browser");
        return;
    }
    println!("milliseconds by the clock, mean (longest)");
    println!(
        "{:>6} {:>16} {:>16} {:>16} {:>16}",
        "lines", "open", "keystroke", "hover", "rename"
    );
    for lines in [200, 1000, 2000, 5000] {
        let text = long_choreography(lines);
        let served = Served::start(&[], &[], |folder| {
            std::fs::write(folder.join("m.chor"), &text).expect("a model");
        });
        let browser = Browser::start(1400, 900);
        browser.go(&served.address);
        browser.until(
            "document.body.dataset.ready === 'yes' && document.body.dataset.connected === 'yes'",
        );
        let open = Waits(vec![wait(
            &browser,
            "document.querySelector(\"#files button[data-path='m.chor']\").click()",
            "document.querySelector('#overlay .t-keyword')",
        )]);
        browser.until("document.querySelector('#problem-list')?.textContent === 'none'");
        let keystroke = keystrokes(&browser);
        let hover = hovers(&browser);
        let rename = renames(&browser);
        let lines = text.lines().count();
        println!("{lines:>6} {open:>16} {keystroke:>16} {hover:>16} {rename:>16}");
    }
}

/// A letter makes a role unknown, which is shown; deleting it makes it known again.
fn keystrokes(browser: &Browser) -> Waits {
    browser.run(
        "const area = document.querySelector('#text'); area.focus(); \
         const at = area.value.indexOf('a0 ->') + 2; area.setSelectionRange(at, at);",
    );
    let mut waits = Vec::new();
    for _ in 0..TIMES / 2 {
        waits.push(wait(
            browser,
            "document.execCommand('insertText', false, 'x')",
            "document.querySelector('#problem-list .error')",
        ));
        waits.push(wait(
            browser,
            "document.execCommand('delete')",
            "document.querySelector('#problem-list .error') === null",
        ));
    }
    Waits(waits)
}

fn hovers(browser: &Browser) -> Waits {
    let key = |name: &str| {
        format!(
            "document.querySelector('#text').dispatchEvent(new KeyboardEvent('keydown', {{ key: '{name}', ctrlKey: {}, bubbles: true }}))",
            name == "k"
        )
    };
    let mut waits = Vec::new();
    for _ in 0..TIMES {
        waits.push(wait(
            browser,
            &key("k"),
            "!document.querySelector('#hover').hidden",
        ));
        browser.run(&key("Escape"));
    }
    Waits(waits)
}

/// The first role of the file gets other names.
fn renames(browser: &Browser) -> Waits {
    let mut waits = Vec::new();
    for time in 0..5 {
        browser.run(
            "document.querySelector('#status').textContent = ''; \
             document.querySelector('#text').dispatchEvent(new KeyboardEvent('keydown', { key: 'F2', bubbles: true }))",
        );
        browser.until("document.querySelector('#dialog input')");
        browser.run(&format!(
            "document.querySelector('#dialog input').value = 'renamed{time}'"
        ));
        waits.push(wait(
            browser,
            "document.querySelector('#dialog button').click()",
            "document.querySelector('#status').textContent === 'Renamed.'",
        ));
    }
    Waits(waits)
}

/// Milliseconds from doing something until something is to be seen.
fn wait(browser: &Browser, act: &str, seen: &str) -> f64 {
    let waited = browser.run(&format!(
        "const start = performance.now(); {act}; return new Promise((resolve) => {{ \
         const look = () => ({seen}) ? resolve(performance.now() - start) : setTimeout(look, 1); look(); }})"
    ));
    waited.as_f64().expect("a number")
}

struct Waits(Vec<f64>);

impl std::fmt::Display for Waits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mean = self.0.iter().sum::<f64>() / self.0.len() as f64;
        let longest = self.0.iter().copied().fold(0.0, f64::max);
        f.pad(&format!("{mean:.0} ({longest:.0})"))
    }
}
