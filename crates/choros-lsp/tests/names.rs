//! Names: where they are declared and used, what they are, other names for them.

mod support;

use serde_json::{Value, json};
use support::{Client, edited, marked, short};

const MODEL: &str = "file:///nowhere/shop.chor";
const PROPERTIES: &str = "file:///nowhere/shop.prop";

const SHOP: &str = "\
choreography Shop[buyer, vendor, bank] {
    buyer -> vendor: Order(item: String, amount: Int)
    if amount > 5 {
        vendor -> bank: Charge(amount)
        bank -> vendor: Charged
    }
    vendor -> buyer: Done(total = amount)
}

role buyer {
    -> vendor: Order(item: String, n: Int)
    <- vendor: Done(total = t: Int)
}
";

/// The first place after `before` in a text.
fn after(text: &str, before: &str) -> (usize, usize) {
    let at = text.find(before).expect("it is there") + before.len();
    let mut marked_text = text.to_owned();
    marked_text.insert(at, '^');
    marked(&marked_text).1
}

fn places(answer: &Value) -> Vec<String> {
    let list = answer.as_array().expect("a list").iter();
    list.map(|it| short(&it["range"])).collect()
}

#[test]
fn a_role_is_declared_where_it_is_listed_and_described() {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    let found = client.at("definition", MODEL, after(SHOP, "vendor -> bu"));
    assert_eq!(places(&found), ["0:18-0:23", "9:5-9:10"]);
    let found = client.at("definition", MODEL, after(SHOP, "Charge(am"));
    assert_eq!(places(&found), ["1:41-1:47"]);
    // White space and keywords are not names.
    assert_eq!(client.at("definition", MODEL, (2, 0)), Value::Null);
    assert_eq!(client.at("definition", MODEL, (2, 5)), Value::Null);
    assert!(client.leave());
}

#[test]
fn variables_belong_to_their_choreography_or_role() {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    let found = client.at("references", MODEL, after(SHOP, "if am"));
    assert_eq!(
        places(&found),
        ["1:41-1:47", "2:7-2:13", "3:31-3:37", "6:34-6:40"]
    );
    let found = client.at("documentHighlight", MODEL, after(SHOP, "total = t"));
    // The mark comes after `t` of the role; `total = t` of the choreography is `total = amount`.
    assert_eq!(places(&found), ["11:28-11:29"]);
    assert!(client.leave());
}

#[test]
fn files_about_one_model_share_roles_and_messages() {
    let mut client = Client::quiet();
    let properties = "property paid on vendor {\n  context Order[buyer,vendor]?(amount = a)\n  within 2 messages\n  expect Done[vendor,buyer]!(total = t) where t == a\n}\n";
    client.open(MODEL, SHOP);
    client.open(PROPERTIES, properties);
    // Another model has other roles.
    client.open("file:///nowhere/other.chor", SHOP);
    let found = client.at("definition", PROPERTIES, after(properties, "on ven"));
    assert_eq!(found[0]["uri"], MODEL);
    assert_eq!(places(&found), ["0:25-0:31"]);
    let found = client.at("references", MODEL, after(SHOP, "vendor: Ord"));
    let files: Vec<&str> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["uri"].as_str().expect("a name"))
        .collect();
    assert_eq!(files, [MODEL, MODEL, PROPERTIES]);
    let hover = client.at("hover", PROPERTIES, after(properties, "context Ord"));
    let value = hover["contents"]["value"].as_str().expect("a text");
    assert!(
        value.contains("buyer -> vendor: Order(item: String, amount: Int)"),
        "{value}"
    );
    assert!(client.leave());
}

#[test]
fn another_name_goes_wherever_the_name_stands() {
    let mut client = Client::quiet();
    let properties = "property paid on vendor {\n  context Order[buyer,vendor]?(any)\n  within 1 messages\n  expect Done[vendor,\"buyer\"]!(any)\n}\n";
    client.open(MODEL, SHOP);
    client.open(PROPERTIES, properties);
    let renamed = rename(&mut client, MODEL, after(SHOP, "[bu"), "customer").expect("it is free");
    let model = edited(SHOP, &renamed["changes"][MODEL]);
    assert_eq!(model, SHOP.replace("buyer", "customer"));
    let others = edited(properties, &renamed["changes"][PROPERTIES]);
    assert_eq!(others, properties.replace("buyer", "customer"));
    // A message, asked for in the other file.
    let place = after(properties, "expect Do");
    let renamed = rename(&mut client, PROPERTIES, place, "Finished").expect("it is free");
    let model = edited(SHOP, &renamed["changes"][MODEL]);
    assert_eq!(model, SHOP.replace("Done", "Finished"));
    assert!(client.leave());
}

fn rename(
    client: &mut Client,
    uri: &str,
    (line, column): (usize, usize),
    new: &str,
) -> Result<Value, String> {
    let mut params = support::place(uri, line, column);
    params["newName"] = json!(new);
    let answer = client.ask("textDocument/rename", params);
    answer.map_err(|it| {
        assert_eq!(it["code"], -32803);
        it["message"].as_str().expect("words").to_owned()
    })
}

#[test]
fn a_variable_that_names_a_field_leaves_the_field_its_name() {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    let renamed = rename(&mut client, MODEL, after(SHOP, "if am"), "pieces").expect("it is free");
    let model = edited(SHOP, &renamed["changes"][MODEL]);
    let expected = SHOP
        .replace("amount: Int", "amount = pieces: Int")
        .replace("if amount", "if pieces")
        .replace("Charge(amount)", "Charge(pieces)")
        .replace("total = amount", "total = pieces");
    assert_eq!(model, expected);
    assert!(client.leave());
}

#[test]
fn a_name_that_changes_the_meaning_is_refused() {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    for (before, new) in [
        // Taken.
        ("[bu", "vendor"),
        ("if am", "item"),
        ("vendor: Ord", "Done"),
        // A word of the language, and no name at all.
        ("if am", "true"),
        ("[bu", "the buyer"),
        ("if am", ""),
        ("choreography Sh", "buyer"),
    ] {
        let refused = rename(&mut client, MODEL, after(SHOP, before), new);
        assert!(refused.is_err(), "{before} {new}: {refused:?}");
    }
    // What is caught by a binder in between would mean something else.
    let text = "choreography S[a, b](x: Int) {\n    a -> b: M(y: Int)\n    if forall z: Int. z > x {\n        a -> b: N\n    }\n}\n";
    client.open("file:///nowhere/q.chor", text);
    let place = after(text, "choreography S[a, b](x");
    assert!(rename(&mut client, "file:///nowhere/q.chor", place, "w").is_ok());
    assert!(rename(&mut client, "file:///nowhere/q.chor", place, "z").is_err());
    assert!(rename(&mut client, "file:///nowhere/q.chor", place, "y").is_err());
    // Where no name is, none can be changed.
    assert!(rename(&mut client, MODEL, (2, 0), "x").is_err());
    assert_eq!(client.at("prepareRename", MODEL, (2, 0)), Value::Null);
    let prepared = client.at("prepareRename", MODEL, after(SHOP, "[bu"));
    assert_eq!(prepared["placeholder"], "buyer");
    assert!(client.leave());
}

fn labels(answer: &Value) -> Vec<&str> {
    let list = answer.as_array().expect("a list").iter();
    list.map(|it| it["label"].as_str().expect("a label"))
        .collect()
}

#[test]
fn what_fits_is_proposed() {
    let mut client = Client::quiet();
    let mut propose = |text: &str| {
        let (text, at) = marked(text);
        client.open(MODEL, &text);
        let proposed = client.at("completion", MODEL, at);
        let proposed = labels(&proposed).into_iter().map(str::to_owned);
        proposed.collect::<Vec<String>>()
    };
    let start = "choreography S[buyer, vendor](limit: Int) {\n    buyer -> vendor: Order(n: Int, item: String)\n";
    assert_eq!(
        propose(&format!("{start}    vendor -> ^\n}}\n")),
        ["buyer", "vendor"]
    );
    assert_eq!(
        propose(&format!("{start}    vendor -> b^\n}}\n")),
        ["buyer", "vendor"]
    );
    assert_eq!(
        propose(&format!("{start}    vendor -> buyer: ^\n}}\n")),
        ["Order"]
    );
    let data = propose(&format!("{start}    vendor -> buyer: Order(^)\n}}\n"));
    assert_eq!(data[..3], ["item", "limit", "n"]);
    let start = propose(&format!("{start}    ^\n}}\n"));
    assert!(start.contains(&"choice".to_owned()), "{start:?}");
    assert!(start.contains(&"vendor".to_owned()), "{start:?}");
    // Nothing in comments.
    assert!(propose("// a ^comment\n").is_empty());
    assert!(client.leave());
}

#[test]
fn formulas_get_the_names_of_their_model() {
    let mut client = Client::quiet();
    client.open("file:///nowhere/shop.gc", "a -> b : order ; b -> a : done");
    let (text, at) = marked("rules R {\n  Action ^\n}\n");
    client.open("file:///nowhere/shop.socl", &text);
    let proposed = client.at("completion", "file:///nowhere/shop.socl", at);
    for name in ["order", "done", "a", "b", "AG"] {
        assert!(labels(&proposed).contains(&name), "{name}");
    }
    assert!(client.leave());
}

#[test]
fn hints_tell_sorts_and_who_learns_a_value_later() {
    let mut client = Client::quiet();
    let text = "choreography S[a, b, c] {\n    a -> b: M(x: Int)\n    b -> c: N(x)\n    a -> b: M(new x)\n}\n";
    client.open(MODEL, text);
    let hints = client.about("inlayHint", MODEL);
    let shown: Vec<String> = hints
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| {
            format!(
                "{} {}",
                it["position"]["line"],
                it["label"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(shown, ["1  known to a, b, c", "3 : Int"]);
    assert!(client.leave());
}

#[test]
fn hover_tells_the_conditions_around_a_message() {
    let mut client = Client::quiet();
    let text = "choreography S[a, b](x: Int) {\n    if x > 5 {\n        a -> b: Big\n    } else if x > 3 {\n        while x > 4 {\n            a -> b: Middle\n        }\n    } else {\n        a -> b: Small\n    }\n    a -> b: Always\n}\n";
    client.open(MODEL, text);
    let mut said = |message: &str| {
        let hover = client.at("hover", MODEL, after(text, &format!("b: {message}")));
        hover["contents"]["value"]
            .as_str()
            .expect("words")
            .to_owned()
    };
    assert!(said("Big").contains("happens here if x > 5\n"));
    assert!(said("Middle").contains("happens here if not (x > 5), x > 3, while x > 4\n"));
    assert!(said("Small").contains("happens here if not (x > 5), not (x > 3)\n"));
    assert!(!said("Always").contains("happens"));
    assert!(client.leave());
}

/// In every language that has names, all places of a name say that name.
#[test]
fn places_of_a_name_say_it() {
    let mut client = Client::quiet();
    let texts = [
        ("x.gc", "sel ^A { A -> B : m + A -> B : n } ; B -> A : k"),
        (
            "x.fsa",
            ".outputs ^A\n.state graph\n0 B ! m 1\n.marking 0\n.end\n\n.outputs B\n.state graph\n0 A ? m 1\n.marking 0\n.end\n",
        ),
        (
            "x.schora",
            "DECLARATIONS\ncomponent ^c chorD\n  m[a,b].<x> ; [x > 1] |> n[b,a].x\nend component\nCOMMANDS\nshowStat c\n",
        ),
        ("x.pact", "^p = m[a,b]! ; n[b,a]?\n"),
        (
            "x.cows",
            "let\n  Bank(^id) = [X] bank.ask?<id,X>.bank.tell!<X>\nin\n  [k] ( Bank(one) | kill(k) )\nend\n",
        ),
        (
            "x.socl",
            "rules ^R { Action bank.ask<*,$id> -> request(ask,$id) }\ngroup \"g\" using R { F: AG [request(ask,$id)] AF {request(ask,%id)} true; }\n",
        ),
        ("x.abs", "Action bank.ask<$^id> -> request(ask,$id)\n"),
        (
            "x.prop",
            "property ^p on s {\n  context M[a,s]?(v = w)\n  within 1 messages\n  expect N[s,a]!(u = q) where q == w\n}\n",
        ),
        (
            "x.tp",
            "purpose t\n^T0: *\nT0 -> T1: U.go?v\nT1 -> T2: [v > 0] tau / v := 0\nT2 -> T3: #\n",
        ),
        ("x.contract", "contract ^BK.approve: in.amount >= 10\n"),
    ];
    for (name, text) in texts {
        let (text, at) = marked(text);
        // Files that are called alike are about one model.
        let kind = name.trim_start_matches("x.");
        let uri = format!("file:///nowhere/{kind}.{kind}");
        let findings = client.open(&uri, &text);
        let errors: Vec<&Value> = findings.iter().filter(|it| it["severity"] == 1).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        let prepared = client.at("prepareRename", &uri, at);
        let said = prepared["placeholder"].as_str().expect(name).to_owned();
        let found = client.at("references", &uri, at);
        let units: Vec<u16> = text.encode_utf16().collect();
        for place in found.as_array().expect("a list") {
            let end = |end: &str| {
                let place = &place["range"][end];
                let number = |key: &str| place[key].as_u64().expect("a number") as usize;
                support::unit(&units, number("line"), number("character"))
            };
            let here = String::from_utf16(&units[end("start")..end("end")]).expect("whole");
            assert_eq!(here, said, "{name}");
        }
        let mut params = support::place(&uri, at.0, at.1);
        params["newName"] = json!("Fresh1");
        let renamed = client.ask("textDocument/rename", params);
        let renamed = renamed.unwrap_or_else(|it| panic!("{name}: {it}"));
        let new = edited(&text, &renamed["changes"][&uri]);
        assert_eq!(
            new.matches("Fresh1").count(),
            found.as_array().map_or(0, Vec::len),
            "{name}"
        );
    }
    assert!(client.leave());
}

/// What a role knows at a message, whatever happened before: what only one branch binds does not count.
#[test]
fn hover_tells_what_a_role_knows_here() {
    let mut client = Client::quiet();
    let text = "choreography S[a, b, c] {\n    a -> b: Ask(x: Int, y: Int)\n    choice at b {\n        b -> a: More(z: Int)\n    } or {\n        b -> a: No\n    }\n    b -> c: Tell(y)\n    c -> a: End\n}\n";
    client.open("file:///nowhere/k.chor", text);
    let mut said = |line: usize, column: usize| {
        let hover = client.at("hover", "file:///nowhere/k.chor", (line, column));
        hover["contents"]["value"]
            .as_str()
            .expect("words")
            .to_owned()
    };
    // Who asks knows what it asks, and so does who is asked.
    assert!(said(1, 4).contains("knows x, y from here on"));
    assert!(said(1, 9).contains("knows x, y from here on"));
    assert!(said(3, 8).contains("knows x, y, z from here on"));
    // In the other branch `z` has no value, so it is not known after the choice.
    assert!(said(7, 4).contains("knows x, y from here on"));
    assert!(said(7, 9).contains("knows y from here on"));
    assert!(said(8, 4).contains("knows y from here on"));
    assert!(client.leave());
}

/// What was found out about a model stands at its name.
#[test]
fn hover_tells_states_and_verdict_so_far() {
    let mut client = Client::new(serde_json::json!({}));
    let uri = "file:///nowhere/v.chor";
    let text = "choreography S[a, b] {\n    a -> b: M\n}\n";
    client.open(uri, text);
    // The check in the background comes after a pause, and is told.
    client.findings(uri, 1);
    let hover = client.at("hover", uri, (0, 14));
    let said = hover["contents"]["value"].as_str().expect("words");
    // Before the message, after it, and ended; the end is a transition too.
    assert!(
        said.contains("*check*: holds, 3 states, 2 transitions"),
        "{said}"
    );
    assert!(client.leave());
}

/// What a message rests on that is not written around it: guards of what happened before.
#[test]
fn hover_tells_the_condition_that_follows_from_earlier_messages() {
    let mut client = Client::new(serde_json::json!({}));
    let uri = "file:///nowhere/c.chor";
    let text = "choreography S[a, b, c] {\n    a -> b: Ask(x: Int, y: Int)\n    loop again_ {\n        if x > 5 {\n            b -> c: Big(y)\n            if x > 3 and y > 0 {\n                c -> a: Both\n            } else {\n                again again_\n            }\n        } else {\n            b -> a: Small\n            again again_\n        }\n    }\n    a -> c: After\n}\n";
    client.open(uri, text);
    client.findings(uri, 1);
    let mut said = |message: &str| {
        let hover = client.at("hover", uri, after(text, &format!(": {message}")));
        hover["contents"]["value"]
            .as_str()
            .expect("words")
            .to_owned()
    };
    assert!(said("Big").contains("happens only if `x > 5`"));
    // `x > 3` follows from `x > 5` and is left out.
    assert!(
        said("Both").contains("happens only if `x > 5 and y > 0`"),
        "{}",
        said("Both")
    );
    assert!(said("Small").contains("happens only if `x <= 5`"));
    // Nothing is written around it: the other branches come back and never get here.
    assert!(said("After").contains("happens only if `x > 5 and y > 0`"));
    assert!(!said("Ask").contains("happens"));
    assert!(client.leave());
}

const GRAPH: &str = "stg shop explicit\nsort Status = OK | KO\nvariables x: Int, y: Status\ninitial 0\n0 -> 1: Request[b,v].<x>\n1 -> 2: [x < limit] Confirm[v,b].(n = x) / y := OK; x := x + 1\n2 -> 0: [y == KO and (exists x: Int. x > 7)] Again[b,v]\n2: end [x > 0]\n";

#[test]
fn names_of_a_graph_are_found_and_renamed() {
    let mut client = Client::quiet();
    let uri = "file:///nowhere/g.stg";
    client.open(uri, GRAPH);
    let spots = |client: &mut Client, before: &str| {
        let found = client.at("references", uri, after(GRAPH, before));
        found.as_array().expect("a list").len()
    };
    // Declared, bound, in a guard, in a field, assigned and in its value, in an end; the bound one is another.
    assert_eq!(spots(&mut client, "variables "), 7);
    assert_eq!(spots(&mut client, "Request["), 3);
    assert_eq!(spots(&mut client, "initial "), 3);
    let definition = client.at("definition", uri, after(GRAPH, "y := "));
    assert_eq!(places(&definition), ["1:14-1:16"]);
    for (before, old, new) in [
        ("variables ", "x", "amount"),
        ("Request[", "b", "buyer"),
        ("0 -> 1: ", "Request", "Order"),
        ("[x < ", "limit", "most"),
        ("sort ", "Status", "State"),
        ("Confirm[v,b].(", "n", "number"),
        ("initial ", "0", "7"),
    ] {
        let mut params = support::place(uri, 0, 0);
        let (line, column) = after(GRAPH, before);
        params["position"] = serde_json::json!({"line": line, "character": column});
        params["newName"] = serde_json::json!(new);
        let renamed = client.ask("textDocument/rename", params);
        let renamed = renamed.unwrap_or_else(|error| panic!("{old}: {error}"));
        let text = support::edited(GRAPH, &renamed["changes"][uri]);
        assert!(text.contains(&format!("{before}{new}")), "{text}");
        // And back: the same places, and nothing else.
        let uri = "file:///nowhere/renamed.stg";
        client.open(uri, &text);
        let (line, column) = after(&text, before);
        let mut params = support::place(uri, line, column);
        params["newName"] = serde_json::json!(old);
        let back = client
            .ask("textDocument/rename", params)
            .expect("it goes back");
        assert_eq!(support::edited(&text, &back["changes"][uri]), GRAPH);
    }
    // Taken by another variable, by a value, by a node, caught by the quantifier, no number.
    for (before, new) in [
        ("variables ", "y"),
        ("variables ", "OK"),
        ("initial ", "2"),
        ("initial ", "start"),
        ("[x < ", "x"),
        ("0 -> 1: ", "Confirm"),
        ("Request[", "v"),
    ] {
        let (line, column) = after(GRAPH, before);
        let mut params = support::place(uri, line, column);
        params["newName"] = serde_json::json!(new);
        let refused = client.ask("textDocument/rename", params);
        assert!(refused.is_err(), "{before}{new}: {refused:?}");
    }
    assert!(client.leave());
}
