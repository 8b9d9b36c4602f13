//! The page as it is used: with the keyboard alone, in a narrow window, along the tours, while messages pass, and with
//! a model that explodes.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::browser::{self, Browser};
use super::choose;
use super::server::{Served, example};

const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";

/// A browser of this width at a page with these files.
fn at(width: u32, examples: &[&str]) -> Option<(Served, Browser)> {
    if !browser::is_there() {
        return None;
    }
    let served = Served::with(examples);
    let browser = Browser::start(1400, 900);
    browser.screen(width, 900);
    browser.go(&served.address);
    browser.until(
        "document.body.dataset.ready === 'yes' && document.body.dataset.connected === 'yes'",
    );
    Some((served, browser))
}

/// Goes on by the tabulator until the focus is on an element that fits.
fn tab_to(browser: &Browser, css: &str) {
    let quoted = serde_json::json!(css);
    for _ in 0..120 {
        browser.press(TAB);
        if browser.run(&format!("return document.activeElement.matches({quoted})")) == true {
            return;
        }
    }
    browser.shoot("not-reached");
    panic!("the tabulator does not reach {css}");
}

#[test]
fn with_the_keyboard_alone() {
    let Some((_served, browser)) = at(1400, &["atm.gc"]) else {
        return;
    };
    tab_to(&browser, "#files button");
    browser.press(ENTER);
    browser.until("document.querySelector('#drawing svg')");
    // The editor does not keep the focus.
    tab_to(&browser, "#text");
    tab_to(&browser, "#tab-picture");
    browser.press(RIGHT);
    browser.press(ENTER);
    browser.until("!document.querySelector('#ask').hidden");
    tab_to(&browser, "#verb");
    tab_to(&browser, "#ask-it");
    browser.press(ENTER);
    browser
        .until("document.querySelector('.answer[data-verb=check][data-state=over] .badge.holds')");
    tab_to(&browser, ".answer a[download$='.html']");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn nine_hundred_pixels_are_enough() {
    let Some((_served, browser)) = at(900, &["atm.gc"]) else {
        return;
    };
    browser.click("#files button");
    browser.until("document.querySelector('#drawing svg')");
    for panel in ["picture", "ask", "step", "formulas", "answers"] {
        browser.click(&format!("#tab-{panel}"));
        let wide = browser.run(
            "return [document.documentElement.scrollWidth, \
             ...[...document.querySelectorAll('header, #explorer, #middle, #right, #tabs')] \
             .map((it) => Math.ceil(it.getBoundingClientRect().right))]",
        );
        let widths = wide.as_array().expect("a list").iter();
        assert!(
            widths.clone().all(|it| it.as_u64() <= Some(900)),
            "{panel}: {wide}"
        );
        browser.shoot(&format!("narrow-{panel}"));
    }
}

#[test]
fn tours_are_walked_to_their_ends() {
    let Some((_served, browser)) = at(1400, &["atm.gc"]) else {
        return;
    };
    browser.until("document.querySelectorAll('#tours button').length === 3");
    for tour in 1..=3 {
        browser.click(&format!("#tours li:nth-child({tour}) button"));
        let mut stops = 0;
        loop {
            stops += 1;
            browser.until(&format!(
                "document.querySelector('#notice').textContent.includes('({stops} of ')"
            ));
            let asks = browser.run(
                "const form = document.querySelector('#ask:not([hidden]) #ask-it'); return Boolean(form)",
            );
            if asks == true {
                let before = browser.run("return document.querySelectorAll('.answer').length");
                browser.click("#ask-it");
                browser.until(&format!(
                    "document.querySelectorAll('.answer').length === {before} + 1 \
                     && document.querySelector('.answer').dataset.state === 'over' \
                     && document.querySelector('.answer .result')"
                ));
            }
            let last = browser.text("#notice .tour-next") == "Done";
            browser.click("#notice .tour-next");
            if last {
                break;
            }
        }
        assert!(stops >= 4, "tour {tour} has {stops} stops");
        browser.until("document.querySelector('#notice').textContent === ''");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A log that grows: its messages are drawn as they come, with what was decided.
#[test]
fn messages_are_drawn_as_they_come() {
    let Some((served, browser)) = at(1400, &["shipping/s.prop"]) else {
        return;
    };
    let log = std::fs::read_to_string(example("shipping/s.jsonl")).expect("the example");
    let mut lines = log.lines();
    let mut file = std::fs::File::create(served.path("grow.jsonl")).expect("a log");
    let mut add = |count: usize| {
        for line in lines.by_ref().take(count) {
            writeln!(file, "{line}").expect("it is written");
        }
    };
    add(2);
    browser.click("#tab-ask");
    choose(&browser, "#verb", "monitor");
    browser.clear("#field-properties");
    browser.keys("#field-properties", "shipping/s.prop");
    browser.keys("#field-logs", "s=grow.jsonl");
    browser.run("for (const it of document.querySelectorAll('#form details')) it.open = true");
    browser.click("#field-follow");
    browser.click("#ask-it");
    let drawn =
        "document.querySelectorAll('.answer[data-state=working] .live-chart g.message').length";
    browser.until(&format!("{drawn} === 2"));
    add(2);
    browser.until(&format!("{drawn} === 4"));
    // What is wrong stands in the chart too.
    browser.until("document.querySelector('.live-chart text.part.fails')");
    let title = "document.querySelector('.live-chart g.message title').textContent";
    assert_eq!(
        browser.run(&format!("return {title}")),
        "c to s: Request(weight = 4.96)"
    );
    browser.shoot("live-monitor");
    browser.click(".answer[data-state=working] h3 button");
    browser.until("document.querySelector('.answer[data-verb=monitor][data-state=over]')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A proxy between a client and a service: what passes is drawn while it does, and written to a file.
#[test]
fn traffic_is_drawn_as_it_passes() {
    let Some((served, browser)) = at(1400, &["atm.gc"]) else {
        return;
    };
    let service = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", service.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in service.incoming().map_while(Result::ok) {
            answer_once(stream);
        }
    });
    let proxy = super::support::free_address();
    browser.click("#tab-ask");
    choose(&browser, "#verb", "capture");
    for (field, text) in [
        ("listen", proxy.as_str()),
        ("forward", &url),
        ("names", "c,s"),
        ("output", "seen.jsonl"),
    ] {
        browser.keys(&format!("#field-{field}"), text);
    }
    browser.click("#ask-it");
    browser.until("document.querySelector('.answer .live').textContent.includes('listening')");
    let drawn =
        "document.querySelectorAll('.answer[data-state=working] .live-chart g.message').length";
    for asked in 1..=2 {
        let mut client = TcpStream::connect(&proxy).expect("it listens");
        let body = format!("{{\"n\": {asked}}}");
        write!(
            client,
            "POST /ask HTTP/1.1\r\nHost: {proxy}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("it takes it");
        let mut said = String::new();
        client.read_to_string(&mut said).expect("an answer");
        assert!(said.contains("200"), "{said}");
        browser.until(&format!("{drawn} === {}", 2 * asked));
    }
    browser.shoot("live-capture");
    browser.click(".answer[data-state=working] h3 button");
    browser.until("document.querySelector('.answer[data-verb=capture][data-state=over]')");
    let log = std::fs::read_to_string(served.path("seen.jsonl")).expect("it was written");
    assert_eq!(log.lines().count(), 4, "{log}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Answers one request, whatever it is, once its body has come.
fn answer_once(mut stream: TcpStream) {
    let mut heard = Vec::new();
    let mut bytes = [0; 4096];
    while !heard.ends_with(b"}") {
        match stream.read(&mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(count) => heard.extend_from_slice(&bytes[..count]),
        }
    }
    let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"ok\":true}";
    let _ = stream.write_all(answer.as_bytes());
}

/// What is often asked is chosen from a menu, with the messages of the text, and can be changed before it is asked.
#[test]
fn a_formula_is_written_from_a_menu() {
    let Some((_served, browser)) = at(1400, &["atm.gc"]) else {
        return;
    };
    browser.click("#files button");
    browser.until("document.querySelector('#overlay .t-function')");
    browser.click("#tab-formulas");
    choose(&browser, "#shape", "3");
    let proposed = browser
        .run("return [...document.querySelectorAll('#messages option')].map((it) => it.value)");
    assert!(
        proposed
            .as_array()
            .is_some_and(|it| it.contains(&"auth".into())),
        "{proposed}"
    );
    browser.keys("#shape-a", "auth");
    browser.keys("#shape-b", "authReq");
    browser.click("#write-shape");
    let formula = browser.run("return document.querySelector('#formula').value");
    assert_eq!(formula, "AG [auth] AF {authReq} true");
    browser.click("#ask-formula");
    browser
        .until("document.querySelector('#formula-answers .answer[data-state=over] .badge.holds')");
    browser.shoot("formula-menu");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// It is stopped at its bound of memory, and everything else goes on.
#[test]
fn a_model_that_explodes() {
    let Some((served, browser)) = at(1400, &["atm.gc"]) else {
        return;
    };
    let loops: Vec<String> = (0..20)
        .map(|index| format!("(A{index}[a,b].<x{index}> ; B{index}[a,b])"))
        .collect();
    let model = format!(
        "DECLARATIONS\n\ncomponent endless chorD\n    {}\nend component\n",
        loops.join(" | ")
    );
    std::fs::write(served.path("endless.schora"), model).expect("a model");
    browser.click("#tab-ask");
    choose(&browser, "#verb", "explore");
    browser.run("for (const it of document.querySelectorAll('#form details')) it.open = true");
    for (field, text) in [
        ("files", "endless.schora"),
        ("max_states", "1000000000"),
        ("max_memory", "150M"),
    ] {
        browser.clear(&format!("#field-{field}"));
        browser.keys(&format!("#field-{field}"), text);
    }
    browser.click("#ask-it");
    browser.until("document.querySelector('.answer[data-verb=explore][data-state=working]')");
    browser.click("#files button[data-path='atm.gc'], #files li:first-child button");
    browser.until("document.querySelector('#drawing svg')");
    browser.until("document.querySelector('.answer[data-verb=explore][data-state=over]')");
    let said = browser.run("return document.querySelector('.answer[data-verb=explore]').innerText");
    let said = said.as_str().unwrap_or_default();
    assert!(said.contains("memory"), "{said}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
