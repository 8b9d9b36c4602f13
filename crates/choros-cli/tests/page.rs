//! The page in a real browser: what somebody does there, and what they see.
//!
//! Pictures of it are kept below the folder of the build, in `tmp/page`.

#[path = "page/browser.rs"]
mod browser;
#[path = "page/daily_use.rs"]
mod daily_use;
#[path = "page/odd_files.rs"]
mod odd_files;
#[path = "page/server.rs"]
mod server;
mod support;
#[allow(dead_code)]
#[path = "../../../examples/shop/vendor.rs"]
mod vendor;

use browser::Browser;
use server::Served;

/// A browser at a page with these files, the first of which is open.
fn at(examples: &[&str]) -> Option<(Served, Browser)> {
    if !browser::is_there() {
        return None;
    }
    let served = Served::with(examples);
    let browser = Browser::start(1400, 900);
    browser.go(&format!("{}#file={}", served.address, examples[0]));
    browser.until(
        "document.body.dataset.ready === 'yes' && document.body.dataset.connected === 'yes'",
    );
    browser.until("document.querySelector('#text').value.length > 0");
    Some((served, browser))
}

/// Replaces a part of the text as if it were typed.
fn type_over(browser: &Browser, old: &str, new: &str) {
    let (old, new) = (serde_json::json!(old), serde_json::json!(new));
    browser.run(&format!(
        "const area = document.querySelector('#text'); area.focus(); const at = area.value.indexOf({old}); \
         if (at < 0) throw new Error('not there'); area.setSelectionRange(at, at + {old}.length); \
         document.execCommand('insertText', false, {new});"
    ));
}

/// The status of an answer.
fn status(answer: &str) -> u16 {
    let line = answer.lines().next().unwrap_or_default();
    line.split(' ')
        .nth(1)
        .and_then(|it| it.parse().ok())
        .unwrap_or(0)
}

#[test]
fn only_the_page_itself_may_ask() {
    let served = Served::with(&["bank.cows"]);
    let (host, base) = (served.host().to_owned(), served.base().to_owned());
    assert!(
        host.starts_with("127.0.0.1:") && base.len() == 34,
        "{}",
        served.address
    );
    let ask = |path: &str, headers: &str| {
        served.raw(&format!(
            "GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"
        ))
    };
    let own = format!("Host: {host}\r\n");
    let page = ask(&base, &own);
    assert_eq!(status(&page), 200);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.contains(header), "{page}");
    }
    assert_eq!(status(&ask(&format!("{base}project/bank.cows"), &own)), 200);
    // Without the token, and with another.
    for path in [
        "/",
        "/files",
        "/index.html",
        "/app.js",
        "/00000000000000000000000000000000/files",
    ] {
        assert_eq!(status(&ask(path, &own)), 403, "{path}");
    }
    // From other pages.
    for headers in [
        String::new(),
        "Host: evil.example\r\n".to_owned(),
        format!("{own}Origin: http://evil.example\r\n"),
        format!("{own}Origin: null\r\n"),
        format!("{own}Sec-Fetch-Site: cross-site\r\n"),
    ] {
        let answer = status(&ask(&format!("{base}files"), &headers));
        assert!(matches!(answer, 400 | 403), "{headers}: {answer}");
    }
    // Out of the folder.
    for path in [
        "project/../../etc/passwd",
        "project/%2e%2e/%2e%2e/etc/passwd",
        "project//etc/passwd",
        "project/%2fetc/passwd",
        "project/..%2f..%2fetc%2fpasswd",
        "gallery/../x",
        "project/.git/config",
    ] {
        let answer = ask(&format!("{base}{path}"), &own);
        assert!(matches!(status(&answer), 403 | 404), "{path}: {answer}");
        assert!(!answer.contains("root:"), "{path}");
    }
    let body = "x";
    let put = format!(
        "PUT {base}project/%2e%2e/x.chor HTTP/1.1\r\nConnection: close\r\n{own}Content-Length: 1\r\n\r\n{body}"
    );
    assert_eq!(status(&served.raw(&put)), 403);
    // A socket that no page of ours opens.
    let socket = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    assert_eq!(
        status(&ask(&format!("{base}socket"), &format!("{own}{socket}"))),
        400
    );
    assert_eq!(
        status(&ask(
            &format!("{base}socket"),
            &format!("{own}{socket}Origin: http://evil.example\r\n")
        )),
        403
    );
}

#[test]
fn a_mistake_is_shown_while_typing_and_its_fix_mends_it() {
    let Some((served, browser)) = at(&["online-shopping.chor"]) else {
        return;
    };
    // The picture is drawn without being asked for, and tokens have colours.
    browser.until("document.querySelector('#drawing svg')");
    browser.until("document.querySelector('#overlay .t-keyword')");
    browser.shoot("editor");
    type_over(
        &browser,
        "if x <= 0 {\n        v -> b: error",
        "if x <= 0 {\n        v -> bb: error",
    );
    browser.until("document.querySelector('#problem-list .error')");
    browser.until("document.querySelector('#problem-list button.fix')");
    browser.click("#problem-list button.plain");
    browser.until("document.querySelector('#overlay .error-mark')");
    browser.shoot("problem");
    browser.click("#problem-list button.fix");
    browser.until("document.querySelector('#problem-list .error') === null");
    let text = browser.run("return document.querySelector('#text').value");
    let saved = std::fs::read_to_string(served.path("online-shopping.chor")).unwrap();
    assert_eq!(text.as_str(), Some(saved.as_str()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_formula_is_asked_and_its_explanation_followed() {
    let Some((_served, browser)) = at(&["bank.cows"]) else {
        return;
    };
    browser.click("#tab-formulas");
    browser.keys("#interaction", "charge");
    browser.click("#ask-pattern");
    browser
        .until("document.querySelector('#formula-answers .answer[data-state=over] .badge.fails')");
    // Claims lie within claims; the innermost has the run that shows it.
    let claims =
        browser.run("return document.querySelectorAll('#formula-answers details.claim').length");
    assert!(claims.as_u64() >= Some(2), "{claims}");
    let innermost = "#formula-answers details.claim details.claim details.claim";
    let open = format!("document.querySelector('{innermost}').open");
    browser.until(&open);
    browser.click(&format!("{innermost} > summary"));
    browser.until(&format!("!{open}"));
    browser.click(&format!("{innermost} > summary"));
    browser.until(&open);
    let shown = browser.text(innermost);
    assert!(
        shown.contains("AF {responseOk(charge,id1)") && shown.contains("bank.checkFail"),
        "{shown}"
    );
    // The picture has what is unfolded, and a claim that is pressed lights up its run: nine steps of ten.
    let states = "document.querySelectorAll('#formula-answers .explanation .state').length";
    let lit = "document.querySelectorAll('#formula-answers .explanation .edge.lit').length";
    browser.until(&format!("{states} === 11 && {lit} === 9"));
    browser.click(&format!("{innermost} > summary"));
    browser.until(&format!("{states} === 2"));
    browser.click(&format!("{innermost} > summary"));
    browser.until(&format!("{states} === 11"));
    browser.shoot("formula");
    // The answer has an address, in several forms.
    let link =
        browser.run("return document.querySelector('#formula-answers a[download$=json]').href");
    let json = browser.run(&format!("return fetch({link}).then((it) => it.json())"));
    assert_eq!(json["verdict"], "fails", "{json}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn ten_windows_at_once_and_a_closed_one_stops_its_work() {
    let Some((served, browser)) = at(&["atm.gc", "bank.cows", "automotive.cows"]) else {
        return;
    };
    for window in 0..10 {
        browser.new_window();
        let file = ["atm.gc", "bank.cows"][window % 2];
        browser.go(&format!("{}#file={file}", served.address));
        browser.until("document.querySelector('#drawing svg')");
    }
    // All are served: the last one asks, and is answered.
    browser.keys("#text", "\u{e009}\u{e007}");
    browser
        .until("document.querySelector('.answer[data-verb=check][data-state=over] .badge.holds')");
    // A question that takes long; the window is closed before there is an answer.
    browser.run("document.querySelector('#tab-ask').click()");
    browser.run("document.querySelector('#verb').value = 'explore'; document.querySelector('#verb').dispatchEvent(new Event('change'))");
    browser.clear("#field-files");
    browser.keys("#field-files", "automotive.cows");
    browser.click("#ask-it");
    browser.until("document.querySelector('.answer[data-verb=explore][data-state=working]')");
    let children = || {
        let listed = std::process::Command::new("ps")
            .args(["-o", "args", "--ppid", &served.child.id().to_string()])
            .output();
        let listed = String::from_utf8_lossy(&listed.expect("ps is there").stdout).into_owned();
        listed.lines().filter(|it| it.contains(" explore ")).count()
    };
    let wait = |count: usize| {
        for _ in 0..200 {
            if children() == count {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{} processes explore, and not {count}", children());
    };
    wait(1);
    browser.close_window();
    wait(0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_repair_is_proposed_applied_and_holds() {
    let Some((_served, browser)) = at(&["online-shopping.chor"]) else {
        return;
    };
    let realize = |repair: bool| {
        browser.click("#tab-ask");
        choose(&browser, "#verb", "realize");
        browser.clear("#field-files");
        browser.keys("#field-files", "online-shopping.chor#shop");
        if browser.run("return document.querySelector('#field-repair').checked") != repair {
            browser.click("#field-repair");
        }
        browser.click("#ask-it");
        browser.until("document.querySelector('#answers .answer[data-state=over] .badge')");
    };
    realize(true);
    let newest = "#answers .answer:first-of-type";
    assert!(browser.text(newest).contains("fails"));
    browser.shoot("repair");
    browser.click("#answers button.apply");
    browser.until("document.querySelector('#text').value.includes('v -> w: cbr(x)\\n    if x <= 0 {\\n        v -> b: error')");
    browser.run("document.querySelector('#answers .answer').remove()");
    realize(false);
    let text = browser.text(newest);
    assert!(text.contains("holds") && !text.contains("fails"), "{text}");
    assert!(text.contains("choros realize"), "{text}");
    browser.shoot("repaired");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What can be asked stands in the text: a click, or a key, asks, the run is shown in its lines, and the language server
/// repairs by a fix.
#[test]
fn questions_and_their_evidence_are_in_the_text() {
    let Some((_served, browser)) = at(&["online-shopping.chor"]) else {
        return;
    };
    let note = |look: &str, text: &str| {
        let text = serde_json::json!(text);
        format!(
            "[...document.querySelectorAll('#overlay .{look}')].some((it) => it.textContent.includes({text}))"
        )
    };
    let to = |words: &str| {
        let words = serde_json::json!(words);
        browser.run(&format!(
            "const area = document.querySelector('#text'); area.focus(); const at = area.value.indexOf({words}); \
             area.setSelectionRange(at, at); area.scrollTop = 19 * (area.value.slice(0, at).split('\\n').length - 5);"
        ));
    };
    to("choreography shop");
    browser.until(&note("hint-note", "x known to b, v, w"));
    // The picture is of the model at the cursor.
    browser.until("document.querySelector('#component').value === 'shop'");
    browser.click("#lenses [title='realize shop']");
    browser.until("document.querySelector('.answer[data-verb=realize][data-state=over]')");
    browser.until(&note("step-note", "1. b -> v: req(0)"));
    browser.until(&note("step-note", "2. v -> b: error"));
    browser.shoot("in-the-text");
    // The same by the key, as a command of the language server, whose fix looks for the repair.
    browser.run("document.querySelector('.answer').remove()");
    browser.run(
        "const { language } = await import('./language.js'); \
         await language.command('choros.realize', { component: 'shop' })",
    );
    browser.until(
        "document.querySelector('#problem-list').textContent.includes('realize `shop`: fails')",
    );
    browser.until(&note("related-note", "step 1: b -> v: req(0)"));
    browser.click("#problem-list li:first-child button.fix");
    let repaired = "document.querySelector('#text').value.includes('v -> w: cbr(x)\\n    if x <= 0 {\\n        v -> b: error')";
    browser.until(repaired);
    to("choreography shop");
    browser.keys("#text", "\u{e009}\u{e008}\u{e007}");
    browser.until("document.querySelector('#dialog').textContent.includes('Ask about shop')");
    browser.click("#dialog button:nth-of-type(2)");
    browser.until(
        "document.querySelector('.answer[data-verb=realize][data-state=over] .badge.holds')",
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn five_events_are_stepped_and_saved_as_a_test() {
    let Some((served, browser)) = at(&["online-shopping.chor", "atm.gc"]) else {
        return;
    };
    browser.click("#tab-step");
    let begin = |model: &str| {
        browser.clear("#step-model");
        browser.keys("#step-model", model);
        browser.click("#step-begin");
        browser.until("document.querySelector('#step-count')?.textContent === '0 steps'");
    };
    let take = |choice: usize, count: usize| {
        browser.click(&format!(
            "#step-choices > li:nth-child({choice}) > button.choice"
        ));
        let word = if count == 1 { "step" } else { "steps" };
        browser.until(&format!(
            "document.querySelector('#step-count').textContent === '{count} {word}'"
        ));
    };
    begin("online-shopping.chor#shop");
    // The solver proposes an amount for each branch, and the first is filled in.
    let proposed = browser.text("#step-choices");
    assert!(
        proposed.contains("lets v -> b: error follow")
            && proposed.contains("lets v -> w: sell(x) follow"),
        "{proposed}"
    );
    browser.click("#step-choices p:nth-of-type(2) button");
    take(1, 1);
    let view = browser.text("#step-view");
    assert!(view.contains("not now: `x <= 0` does not hold"), "{view}");
    take(2, 2);
    let view = browser.text("#step-view");
    assert!(
        view.contains("What each role knows") && view.contains("w\tx = 1")
            || view.contains("w x = 1"),
        "{view}"
    );
    take(2, 3);
    take(1, 4);
    browser.shoot("stepped");
    assert!(browser.text("#step-view").contains("It may end here."));
    browser.click("#step-back");
    browser.until("document.querySelector('#step-count').textContent === '3 steps'");
    take(1, 4);
    for (ending, name) in [("tp", "run.tp"), ("prop", "run.prop"), ("json", "run.json")] {
        browser.click(&format!("#step-view button[data-save={ending}]"));
        browser.click("#dialog button");
        wait_for(&served.path(name));
    }
    // What was saved is good for something: the purpose gives a test, the property is one, the run is replayed.
    let model = served.path("online-shopping.chor");
    let told = |words: &[&str]| {
        let output = support::choros().args(words).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    };
    let component = format!("{}#shop", model.display());
    let purpose = served.path("run.tp").display().to_string();
    let (code, text) = told(&["tests", &component, "--role", "v", "--purpose", &purpose]);
    assert!(
        code == Some(0) && text.contains("<- b: req") && text.contains("end"),
        "{text}"
    );
    let property = served.path("run.prop").display().to_string();
    let (code, text) = told(&["check", &property, "--model", &component]);
    assert!(matches!(code, Some(0 | 1)), "{text}");
    let (code, text) = told(&["replay", &served.path("run.json").display().to_string()]);
    assert!(code == Some(0) && text.contains("sell"), "{text}");
    // Machines: five events, with what waits in the queues.
    begin("atm.gc");
    take(1, 1);
    let view = browser.text("#step-view");
    assert!(
        view.contains("Messages in transit") && view.contains("auth"),
        "{view}"
    );
    for count in 2..=5 {
        take(1, count);
    }
    browser.shoot("machines");
    browser.click("#step-view button[data-save='tests.json']");
    browser.click("#dialog button");
    wait_for(&served.path("run.tests.json"));
    // The tests are of those who took part; their own machines pass, and one that stops listening does not.
    let tests = served.path("run.tests.json").display().to_string();
    let machines = server::example("atm.fsa").display().to_string();
    let (code, text) = told(&["comply", &machines, &tests]);
    assert!(code == Some(0) && text.contains("A/run"), "{text}");
    let deaf = std::fs::read_to_string(&machines).unwrap();
    let deaf = deaf.replace("? auth ", "? another ");
    std::fs::write(served.path("deaf.fsa"), deaf).unwrap();
    let deaf = served.path("deaf.fsa").display().to_string();
    let (code, text) = told(&["comply", &format!("{deaf}#A"), &tests]);
    assert!(code == Some(1) && text.contains("A/run: fails"), "{text}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Waits until a file is there.
fn wait_for(path: &std::path::Path) {
    for _ in 0..100 {
        if path.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("there is no {}", path.display());
}

/// Chooses a word of a list.
fn choose(browser: &Browser, css: &str, word: &str) {
    let (css, word) = (serde_json::json!(css), serde_json::json!(word));
    browser.until(&format!("document.querySelector({css})"));
    browser.run(&format!(
        "const list = document.querySelector({css}); list.value = {word}; list.dispatchEvent(new Event('change'));"
    ));
}

#[test]
fn a_service_is_driven_and_the_failing_chart_appears() {
    let Some((_served, browser)) = at(&["online-shopping.chor", "shop/online-shopping.bind.toml"])
    else {
        return;
    };
    let warehouse = support::free_address();
    let vendor = vendor::Vendor {
        warehouse: warehouse.clone(),
        fault: Some(vendor::Fault::Zero),
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move { axum::serve(listener, vendor::service(vendor)).await });
    browser.click("#tab-ask");
    choose(&browser, "#verb", "drive");
    for (field, text) in [
        ("file", "online-shopping.chor#shop"),
        ("role", "v"),
        ("target", &url),
        ("binding", "shop/online-shopping.bind.toml"),
        ("mock_at", &format!("w={warehouse}")),
    ] {
        browser.clear(&format!("#field-{field}"));
        browser.keys(&format!("#field-{field}"), text);
    }
    browser.click("#field-mock_partners");
    // What was seen while it went on.
    browser.run(
        "window.seen = []; new MutationObserver(() => { for (const it of document.querySelectorAll('.live li')) \
         { const text = it.textContent; if (!window.seen.includes(text)) window.seen.push(text); } }) \
         .observe(document.querySelector('#answers'), { childList: true, subtree: true });",
    );
    browser.click("#ask-it");
    browser.until("document.querySelector('#answers .answer[data-verb=drive][data-state=over]')");
    let live = browser.run("return window.seen");
    let messages = "document.querySelectorAll('#answers .live-chart g.message').length";
    assert!(browser.run(&format!("return {messages}")).as_u64() > Some(4));
    assert!(
        live.as_array().is_some_and(|it| it
            .iter()
            .any(|it| it.as_str().unwrap_or("").contains("fails"))),
        "{live}"
    );
    browser.until("document.querySelector('#answers .answer .result .badge.fails')");
    browser.until("document.querySelector('#answers .answer .result[open] .evidence svg')");
    // Failures come first.
    let first =
        browser.run("return document.querySelector('#answers .answer .result .badge').textContent");
    assert_eq!(first, "fails");
    browser
        .run("document.querySelector('#answers .evidence svg').scrollIntoView({block: 'center'})");
    browser.shoot("driven");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn axe_finds_nothing_serious() {
    let axe = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/axe.min.js");
    let script = match std::fs::read_to_string(axe) {
        Ok(script) => script,
        Err(_) => {
            assert!(
                std::env::var_os("CHOROS_REQUIRE_BROWSER").is_none(),
                "run scripts/setup-browser.sh: there is no axe-core"
            );
            return;
        }
    };
    let Some((_served, browser)) = at(&["bank.cows"]) else {
        return;
    };
    browser.until("document.querySelector('#drawing svg')");
    browser.keys("#text", "\u{e009}\u{e007}");
    browser.until("document.querySelector('.answer[data-state=over]')");
    browser.run(&format!("{script}; window.axe = axe;"));
    for theme in ["light", "dark"] {
        browser.run(&format!(
            "document.documentElement.dataset.theme = '{theme}'"
        ));
        let panels: &[&str] = if theme == "light" {
            &["picture", "ask", "step", "formulas", "answers"]
        } else {
            &["formulas", "answers"]
        };
        for panel in panels {
            browser.click(&format!("#tab-{panel}"));
            let found = browser.run(
                "return window.axe.run().then((it) => it.violations.filter((it) => ['serious', 'critical'].includes(it.impact)) \
                 .map((it) => `${it.id}: ${it.nodes.slice(0, 3).map((it) => it.target.join(' ') + ' ' + it.failureSummary).join('; ')}`))",
            );
            assert_eq!(found, serde_json::json!([]), "{theme} {panel}");
            browser.shoot(&format!("{theme}-{panel}"));
        }
    }
}
