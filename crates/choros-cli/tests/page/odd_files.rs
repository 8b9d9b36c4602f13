//! Files that are large, broken, explosive, or belong together.

use super::browser::{self, Browser};
use super::server::Served;
use super::{choose, type_over};

/// A browser at a page with these files of their own, the first of which is open.
fn at(files: &[(&str, &[u8])], more: &[&str]) -> Option<(Served, Browser)> {
    if !browser::is_there() {
        return None;
    }
    let served = Served::start(&[], more, |folder| {
        for (name, text) in files {
            std::fs::write(folder.join(name), text).expect("a file");
        }
    });
    let browser = Browser::start(1400, 900);
    browser.go(&format!("{}#file={}", served.address, files[0].0));
    browser.until(
        "document.body.dataset.ready === 'yes' && document.body.dataset.connected === 'yes'",
    );
    Some((served, browser))
}

const SMALL: &str = "choreography S[a, b] {\n    a -> b: M\n}\n";

/// Twenty megabytes are shown in part and not edited; questions are about all of it, and another file is as ever.
#[test]
fn a_file_of_twenty_megabytes() {
    let line = "// A comment that makes this file a long one.\n";
    let mut large = line.repeat(20_000_000 / line.len());
    large.push_str("choreography Long[a, b] {\n    a -> b: M\n}\n");
    let files = [
        ("large.chor", large.as_bytes()),
        ("small.chor", SMALL.as_bytes()),
    ];
    let Some((_served, browser)) = at(&files, &[]) else {
        return;
    };
    browser.until("document.querySelector('#notice').textContent.includes('This file is long')");
    assert_eq!(
        browser.run("return document.querySelector('#text').readOnly"),
        true
    );
    browser.keys("#text", "\u{e009}\u{e007}");
    browser
        .until("document.querySelector('.answer[data-verb=check][data-state=over] .badge.holds')");
    assert!(browser.text("#answers .answer").contains("Long"));
    browser.click("#files button[data-path='small.chor']");
    browser.until("document.querySelector('#text').value.startsWith('choreography S')");
    browser.until("document.querySelector('#overlay .t-keyword')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What is not text is shown as far as it is, what is not a model with its mistakes; the rest works.
#[test]
fn broken_files() {
    let files: [(&str, &[u8]); 4] = [
        ("bytes.chor", b"choreography \xff\xfe S[a, b] {\n}\n"),
        ("cut.chor", b"choreography S[a, b] {\n    a -> b: M("),
        ("broken.bpel", b"<process><scope></process>"),
        ("small.chor", SMALL.as_bytes()),
    ];
    let Some((_served, browser)) = at(&files, &[]) else {
        return;
    };
    browser.until("document.querySelector('#notice').textContent.includes('not text in UTF-8')");
    for name in ["cut.chor", "broken.bpel"] {
        browser.click(&format!("#files button[data-path='{name}']"));
        browser.until("document.querySelector('#problem-list .error')");
        let note = "document.querySelector('#picture-note').textContent.includes('problems')";
        browser.until(note);
    }
    browser.click("#files button[data-path='small.chor']");
    browser.until("document.querySelector('#drawing svg')");
    browser.until("document.querySelector('#problem-list .error') === null");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A model that explodes while it is edited: the language server stays within its memory, and the page works.
#[test]
fn an_editor_with_a_model_that_explodes() {
    let loops: Vec<String> = (0..20)
        .map(|index| format!("(A{index}[a,b].<x{index}> ; B{index}[a,b])"))
        .collect();
    let model = format!(
        "DECLARATIONS\n\ncomponent endless chorD\n    {}\nend component\n",
        loops.join(" | ")
    );
    let files = [
        ("endless.schora", model.as_bytes()),
        ("small.chor", SMALL.as_bytes()),
    ];
    let Some((served, browser)) = at(&files, &["--max-memory", "150M"]) else {
        return;
    };
    browser.until("document.querySelector('#picture-note').textContent === 'Drawing…'");
    // Until work is stopped, or the server ended and was started again, it never has more than half as much again,
    // but for what comes between two looks.
    let mut most = 0;
    let ended = "/memory|ended/.test(document.querySelector('#status').textContent + \
                 document.querySelector('#picture-note').textContent)";
    for _ in 0..1200 {
        most = most.max(language_server_memory(&served));
        if browser.run(&format!("return {ended}")) == true {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    browser.until(ended);
    assert!(most < 400_000_000, "{most} bytes");
    browser.click("#files button[data-path='small.chor']");
    browser.until("document.querySelector('#drawing svg')");
    type_over(&browser, "a -> b", "a -> c");
    browser.until("document.querySelector('#problem-list .error')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Bytes that the language servers of a page hold.
fn language_server_memory(served: &Served) -> u64 {
    let listed = std::process::Command::new("ps")
        .args(["-o", "rss=,args=", "--ppid", &served.child.id().to_string()])
        .output()
        .expect("ps is there");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let of_servers = listed.lines().filter(|it| it.contains(" lsp "));
    let sizes = of_servers.filter_map(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    sizes.sum::<u64>() * 1024
}

/// A name is renamed in all files about a model, and go to definition leads from one to the other.
#[test]
fn files_that_belong_together() {
    let model = "choreography S[a, b] {\r\n    a -> b: Ask(x: Int)\r\n    b -> a: Tell(x)\r\n}\r\n";
    let property = "property answered on b { context Ask[a,b]?(any) within 2 messages expect Tell[b,a]!(any) }\n";
    let files = [
        ("s.chor", model.as_bytes()),
        ("s.prop", property.as_bytes()),
    ];
    let Some((served, browser)) = at(&files, &[]) else {
        return;
    };
    browser.until("document.querySelector('#overlay .t-keyword')");
    // Lines that end as on Windows are no change.
    assert_eq!(
        browser.run("return document.querySelector('#unsaved').hidden"),
        true
    );
    browser.run(
        "const area = document.querySelector('#text'); area.focus(); \
         const at = area.value.indexOf('Ask') + 1; area.setSelectionRange(at, at);",
    );
    browser.press("\u{e032}");
    browser.clear("#dialog input");
    browser.keys("#dialog input", "Tell");
    browser.click("#dialog button");
    browser.until("document.querySelector('#status').textContent.includes('cannot be called')");
    browser.press("\u{e032}");
    browser.clear("#dialog input");
    browser.keys("#dialog input", "Question\u{e007}");
    browser.until("document.querySelector('#status').textContent.includes('1 other file')");
    let read = |name: &str| std::fs::read_to_string(served.path(name)).expect("it is there");
    assert_eq!(read("s.chor"), model.replace("Ask", "Question"));
    assert_eq!(read("s.prop"), property.replace("Ask", "Question"));
    browser.click("#files button[data-path='s.prop']");
    browser.until("document.querySelector('#text').value.startsWith('property')");
    browser.until("document.querySelector('#overlay .t-keyword')");
    browser.run(
        "const area = document.querySelector('#text'); area.focus(); \
         const at = area.value.indexOf('on b {') + 3; area.setSelectionRange(at, at);",
    );
    browser.press("\u{e03c}");
    browser.until("document.querySelector('#file-name').textContent === 's.chor'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A form says what is missing before anything is asked, and proposes the models of the open file.
#[test]
fn forms_say_what_they_need() {
    let two = format!("{SMALL}\nchoreography T[a, b] {{\n    b -> a: N\n}}\n");
    let Some((_served, browser)) = at(&[("two.chor", two.as_bytes())], &[]) else {
        return;
    };
    browser.until("document.querySelector('#drawing svg')");
    browser.click("#tab-ask");
    choose(&browser, "#verb", "audit");
    browser.click("#ask-it");
    let missing = browser.run(
        "return document.querySelector('#form :invalid textarea, #form textarea:invalid').name",
    );
    assert_eq!(missing, "logs");
    choose(&browser, "#verb", "tests");
    let proposed = browser.run(
        "return [...document.querySelectorAll('#paths option')].map((it) => it.value).slice(0, 2)",
    );
    assert_eq!(proposed, serde_json::json!(["two.chor#S", "two.chor#T"]));
    // A file that the verb is not for is not filled in.
    choose(&browser, "#verb", "init");
    let filled = browser.run("return document.querySelector('#form input').value");
    assert_eq!(filled, "");
    // Without a code, `explain` lists them all: that is an answer.
    choose(&browser, "#verb", "explain");
    browser.click("#ask-it");
    browser.until("document.querySelector('.answer[data-verb=explain][data-state=over]')");
    let said = browser.text(".answer[data-verb=explain]");
    assert!(said.contains("done") && said.contains("CH0001"), "{said}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
