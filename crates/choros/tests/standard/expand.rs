//! Whole processes of short bodies.
//!
//! What is written in braces stands for an element of WS-BPEL:
//!
//! | shorthand | stands for |
//! |---|---|
//! | `{do A}` | a one-way call of operation `A` of the partner `W`, whose message has no parts |
//! | `{tell v}`, `{work v w}` | calls of `W` with a number, one-way and with an answer |
//! | `{start a v}`, `{receive a v}`, `{reply o v}` | the user's operations; `{receive a v c yes}` uses a correlation set |
//! | `{onMessage a v}`, `{onEvent a v}` | the opening tag |
//! | `{set v E}` | an assignment of the expression to the part of `v` |
//! | `{copy E -> T}` | a `copy` of expressions |
//! | `{throw own}` | a `throw` of a fault of the process's own |
//!
//! Before `---` come declarations of the process; a first line `@…` has its attributes, where `@abstract` and `@older`
//! choose the language.
//! A body without a start activity begins with `{start a x}`.

const EXECUTABLE: &str = "http://docs.oasis-open.org/wsbpel/2.0/process/executable";
const ABSTRACT: &str = "http://docs.oasis-open.org/wsbpel/2.0/process/abstract";
const OLDER: &str = "http://schemas.xmlsoap.org/ws/2003/03/business-process/";
const IMPORT: &str = r#"<import importType="http://schemas.xmlsoap.org/wsdl/" namespace="urn:t" location="p.wsdl"/>"#;

/// Partner links and variables of all processes.
const LINKS: &str = r#"<partnerLink name="USER" partnerLinkType="t:Link" myRole="service"/>
<partnerLink name="W" partnerLinkType="t:Other" partnerRole="worker"/>"#;
const UNBOUND: &str = r#"<partnerLink name="V" partnerLinkType="t:Other" partnerRole="worker" initializePartnerRole="no"/>"#;
const VARIABLES: &str = r#"<variable name="x" messageType="t:m"/>
<variable name="y" messageType="t:m"/>
<variable name="z" messageType="t:m"/>
<variable name="text" messageType="t:text"/>
<variable name="nothing" messageType="t:none"/>
<variable name="order" element="t:order"/>
<variable name="other" element="t:order"/>"#;

/// The process, and the definitions that it uses.
pub(crate) fn documents(text: &str) -> (String, String) {
    let (attributes, text) = match text.strip_prefix('@') {
        Some(rest) => rest.split_once('\n').expect("attributes, then the process"),
        None => ("", text),
    };
    let (language, attributes) = match attributes.split_once(' ').unwrap_or((attributes, "")) {
        ("older", rest) => (OLDER, rest),
        ("abstract", _) => (ABSTRACT, r#"abstractProcessProfile="urn:profile""#),
        _ => (EXECUTABLE, attributes),
    };
    let text = expanded(text);
    let (declared, body) = text.split_once("---\n").unwrap_or(("", &text));
    let own = |is: &dyn Fn(&str) -> bool| -> String {
        let lines = declared.lines().filter(|line| is(line));
        lines.map(|line| format!("{line}\n")).collect()
    };
    let first = |line: &str| {
        ["<variable ", "<extensions", "<messageExchanges"]
            .iter()
            .position(|tag| line.starts_with(tag))
    };
    let start = if body.contains(r#"createInstance="yes""#) {
        String::new()
    } else {
        expanded("{start a x}\n")
    };
    let is_older = language == OLDER;
    let process = [
        format!(
            r#"<process name="P" targetNamespace="urn:p" xmlns="{language}" xmlns:bpel="{EXECUTABLE}" xmlns:bpws="{OLDER}" xmlns:t="urn:t" xmlns:xs="http://www.w3.org/2001/XMLSchema" {attributes}>"#
        ),
        own(&|line| first(line) == Some(1)),
        if is_older { "" } else { IMPORT }.to_owned(),
        format!(
            "<partnerLinks>\n{LINKS}{}</partnerLinks>",
            if is_older { "" } else { UNBOUND }
        ),
        own(&|line| first(line) == Some(2)),
        format!(
            "<variables>\n{VARIABLES}\n{}</variables>",
            own(&|line| first(line) == Some(0))
        ),
        own(&|line| first(line).is_none()),
        format!("<sequence>\n{start}{body}</sequence>\n</process>\n"),
    ]
    .join("\n");
    (process, definitions(is_older))
}

/// The WSDL document, as the older version writes partner links and properties or as the newer one does.
fn definitions(is_older: bool) -> String {
    let text = include_str!("s.wsdl").to_owned();
    if !is_older {
        return text;
    }
    let mut older = String::new();
    for line in text.lines() {
        let role = line.split_once(r#"" portType=""#);
        match role.filter(|_| line.contains("<plnk:role")) {
            Some((before, rest)) => {
                let (port, after) = rest.split_once(r#""/>"#).expect("an empty element");
                older.push_str(&format!(
                    r#"{before}"><plnk:portType name="{port}"/></plnk:role>{after}"#
                ));
            }
            None => older.push_str(line),
        }
        older.push('\n');
    }
    older
        .replace(
            "http://docs.oasis-open.org/wsbpel/2.0/plnktype",
            "http://schemas.xmlsoap.org/ws/2003/05/partner-link/",
        )
        .replace("http://docs.oasis-open.org/wsbpel/2.0/varprop", OLDER)
}

/// The text with elements in place of what is in braces.
fn expanded(text: &str) -> String {
    let mut done = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}').expect("a closing brace");
        done.push_str(before);
        done.push_str(&element(inside));
        rest = after;
    }
    done + rest
}

fn element(inside: &str) -> String {
    let (kind, rest) = inside.split_once(' ').unwrap_or((inside, ""));
    let words: Vec<&str> = rest.split(' ').collect();
    match (kind, &words[..]) {
        ("do", [operation]) => call(operation, "nothing"),
        ("tell", [variable]) => call("tell", variable),
        ("work", [sent, kept]) => {
            call("work", sent).replace("/>", &format!(r#" outputVariable="{kept}"/>"#))
        }
        ("start", words) => user("receive", words, r#" createInstance="yes""#),
        ("receive" | "reply", words) => user(kind, words, ""),
        ("onMessage", words) => user(kind, words, "").replace("/>", ">"),
        ("onEvent", words) => user(kind, words, "").replace("/>", r#" messageType="t:m">"#),
        ("throw", [fault]) => format!(r#"<throw faultName="t:{fault}"/>"#),
        ("copy", _) => {
            let (from, to) = rest.split_once(" -> ").expect("`{copy E -> T}`");
            format!("<copy><from>{from}</from><to>{to}</to></copy>")
        }
        ("set", _) => {
            let (variable, from) = rest.split_once(' ').expect("`{set v E}`");
            format!("<assign><copy><from>{from}</from><to>${variable}.n</to></copy></assign>")
        }
        _ => panic!("`{{{inside}}}` stands for nothing"),
    }
}

fn call(operation: &str, variable: &str) -> String {
    format!(r#"<invoke partnerLink="W" operation="{operation}" inputVariable="{variable}"/>"#)
}

fn user(kind: &str, words: &[&str], more: &str) -> String {
    let [operation, variable, set @ ..] = words else {
        panic!("`{{{kind} operation variable}}`")
    };
    let head = format!(
        r#"<{kind} partnerLink="USER" operation="{operation}" variable="{variable}"{more}"#
    );
    match set {
        [set, initiate] => format!(
            r#"{head}><correlations><correlation set="{set}" initiate="{initiate}"/></correlations></{kind}>"#
        ),
        _ => format!("{head}/>"),
    }
}
