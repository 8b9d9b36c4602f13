//! Bindings in an editor: what is wrong, names across model and binding, what may be written.

mod support;

use serde_json::{Value, json};
use support::{Client, edited, marked, short};

const MODEL: &str = "file:///nowhere/shop.chor";
const BINDING: &str = "file:///nowhere/shop.bind.toml";

const SHOP: &str = "\
choreography Shop[buyer, vendor] {
    buyer -> vendor: Order(item: String, amount: Int)
    vendor -> buyer: Done(total = amount)
}
";

const BOUND: &str = r#"model = "shop.chor"

[roles.vendor]
address = "http://127.0.0.1:8080"

[messages.Order]
request = "POST /orders"
from = "buyer"

[messages.Order.fields]
item = "body.article"
amount = "body.pieces"

[messages.Done]
response = "Order"
status = 201
fields = { total = "body.sum" }
"#;

fn after(text: &str, before: &str) -> (usize, usize) {
    let at = text.find(before).expect("it is there") + before.len();
    let mut marked_text = text.to_owned();
    marked_text.insert(at, '^');
    marked(&marked_text).1
}

fn both() -> Client {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    assert_eq!(client.open(BINDING, BOUND), Vec::<Value>::new());
    client
}

fn rename(client: &mut Client, uri: &str, at: (usize, usize), new: &str) -> Result<Value, String> {
    let mut params = support::place(uri, at.0, at.1);
    params["newName"] = json!(new);
    let answer = client.ask("textDocument/rename", params);
    answer.map_err(|it| it["message"].as_str().expect("words").to_owned())
}

#[test]
fn mistakes_are_shown_while_typing_and_can_be_fixed() {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    let text = BOUND.replace("[messages.Done]", "[mesages.Done]");
    let found = client.open(BINDING, &text);
    let codes: Vec<&Value> = found.iter().map(|it| &it["code"]).collect();
    assert_eq!(codes, ["CH0969"]);
    assert_eq!(short(&found[0]["range"]), "13:1-13:8");
    let mut params = support::place(BINDING, 13, 3);
    params["range"] = found[0]["range"].clone();
    params["context"] = json!({"diagnostics": found});
    let actions = client
        .ask("textDocument/codeAction", params)
        .expect("actions");
    let title = actions[0]["title"].as_str().expect("a title");
    assert!(title.contains("`messages`"), "{title}");
    let fixed = edited(&text, &actions[0]["edit"]["changes"][BINDING]);
    assert_eq!(fixed, BOUND);
    // A name that the model does not have.
    let text = BOUND.replace("total = \"", "totl = \"");
    let found = client.open(BINDING, &text);
    assert_eq!(found[0]["code"], "CH0969");
    assert_eq!(short(&found[0]["range"]), "16:11-16:15");
    assert!(client.leave());
}

#[test]
fn names_lead_to_the_model() {
    let mut client = both();
    for (before, expected) in [
        ("[roles.ven", "0:25-0:31"),
        ("[messages.Ord", "1:21-1:26"),
        ("response = \"Ord", "1:21-1:26"),
        ("from = \"bu", "0:18-0:23"),
        ("\nam", "1:41-1:47"),
        ("{ tot", "2:26-2:31"),
    ] {
        let found = client.at("definition", BINDING, after(BOUND, before));
        assert_eq!(found[0]["uri"], MODEL, "{before}");
        assert_eq!(short(&found[0]["range"]), expected, "{before}");
    }
    let hover = client.at("hover", BINDING, after(BOUND, "[messages.Ord"));
    let said = hover["contents"]["value"].as_str().expect("a text");
    assert!(
        said.contains("buyer -> vendor: Order(item: String, amount: Int)"),
        "{said}"
    );
    // And the model knows how its messages look outside.
    let hover = client.at("hover", MODEL, after(SHOP, "vendor: Ord"));
    let said = hover["contents"]["value"].as_str().expect("a text");
    assert!(said.contains("request POST /orders"), "{said}");
    let found = client.at("references", MODEL, after(SHOP, "vendor: Ord"));
    let places: Vec<String> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| format!("{} {}", it["uri"] == BINDING, short(&it["range"])))
        .collect();
    assert_eq!(
        places,
        [
            "false 1:21-1:26",
            "true 5:10-5:15",
            "true 9:10-9:15",
            "true 14:12-14:17"
        ]
    );
    assert!(client.leave());
}

#[test]
fn another_name_goes_through_model_and_binding() {
    let mut client = both();
    let renamed = rename(&mut client, MODEL, after(SHOP, "vendor: Ord"), "Purchase");
    let changes = &renamed.expect("it is free")["changes"];
    assert_eq!(
        edited(SHOP, &changes[MODEL]),
        SHOP.replace("Order", "Purchase")
    );
    let expected = BOUND
        .replace("messages.Order", "messages.Purchase")
        .replace("\"Order\"", "\"Purchase\"");
    assert_eq!(edited(BOUND, &changes[BINDING]), expected);
    // From the binding: a role, and a field.
    let renamed = rename(
        &mut client,
        BINDING,
        after(BOUND, "from = \"bu"),
        "customer",
    );
    let changes = &renamed.expect("it is free")["changes"];
    assert_eq!(
        edited(SHOP, &changes[MODEL]),
        SHOP.replace("buyer", "customer")
    );
    assert_eq!(
        edited(BOUND, &changes[BINDING]),
        BOUND.replace("buyer", "customer")
    );
    let renamed = rename(&mut client, BINDING, after(BOUND, "{ tot"), "pieces");
    let changes = &renamed.expect("it is free")["changes"];
    assert_eq!(
        edited(SHOP, &changes[MODEL]),
        SHOP.replace("total", "pieces")
    );
    assert_eq!(
        edited(BOUND, &changes[BINDING]),
        BOUND.replace("total", "pieces")
    );
    // Taken, and not a bare key.
    assert!(rename(&mut client, BINDING, after(BOUND, "[messages.Ord"), "Done").is_err());
    assert!(rename(&mut client, BINDING, after(BOUND, "[messages.Ord"), "a b").is_err());
    assert!(client.leave());
}

/// What the binding does not say is called outside as in the model: another name there is another name for services.
#[test]
fn a_name_that_services_know_is_kept() {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    let text = BOUND.replace("amount = \"body.pieces\"\n", "");
    client.open(BINDING, &text);
    let at = after(SHOP, "vendor: Order(it");
    assert!(rename(&mut client, MODEL, at, "article").is_ok());
    // A variable leaves the field its name, and that stays what it is outside.
    assert!(rename(&mut client, MODEL, after(SHOP, "total = am"), "pieces").is_ok());
    let model = SHOP
        .replace("amount: Int", "amount = n: Int")
        .replace("total = amount", "total = n");
    client.open(MODEL, &model);
    let refused = rename(
        &mut client,
        MODEL,
        after(&model, "item: String, am"),
        "pieces",
    );
    let said = refused.expect_err("services know it");
    assert!(said.contains("services know it as `body.amount`"), "{said}");
    assert!(
        said.contains("`amount = \"body.amount\"` under `[messages.Order.fields]`"),
        "{said}"
    );
    // A message that no request is said of.
    client.open(
        BINDING,
        "model = \"shop.chor\"\n\n[messages.Order]\n[messages.Done]\n",
    );
    let refused = rename(&mut client, MODEL, after(&model, "buyer: Do"), "Finished");
    assert!(
        refused
            .expect_err("services know it")
            .contains("`names = [\"Done\"]`")
    );
    assert!(client.leave());
}

/// A binding may be called otherwise than the model that it names.
#[test]
fn a_binding_belongs_to_the_model_that_it_names() {
    let mut client = Client::quiet();
    let other = "file:///nowhere/production.bind.toml";
    client.open(MODEL, SHOP);
    client.open(other, BOUND);
    client.open(
        "file:///nowhere/test.bind.toml",
        "model = \"another.chor\"\n",
    );
    let renamed = rename(&mut client, MODEL, after(SHOP, "[bu"), "customer").expect("it is free");
    let files: Vec<&String> = renamed["changes"]
        .as_object()
        .expect("files")
        .keys()
        .collect();
    assert_eq!(files, [MODEL, other]);
    assert!(client.leave());
}

#[test]
fn what_fits_is_proposed() {
    let mut client = Client::quiet();
    client.open(MODEL, SHOP);
    let mut propose = |text: &str| -> Vec<String> {
        let (text, at) = marked(text);
        client.open(BINDING, &text);
        let proposed = client.at("completion", BINDING, at);
        let items = proposed.as_array().expect("a list").iter();
        items
            .map(|it| it["insertText"].as_str().expect("a text").to_owned())
            .collect()
    };
    assert_eq!(propose("[messages.^"), ["Done", "Order"]);
    assert_eq!(
        propose("[messages.Order]\nfrom = ^"),
        ["\"buyer\"", "\"vendor\""]
    );
    assert_eq!(
        propose("[messages.Done]\nresponse = \"^\""),
        ["Done", "Order"]
    );
    assert_eq!(propose("[messages.Order.fields]\n^"), ["amount", "item"]);
    assert_eq!(
        propose("[roles.vendor]\n^"),
        ["address", "headers", "listen", "names"]
    );
    assert!(propose("[messages.Order.fields]\nitem = \"^").contains(&"body".to_owned()));
    assert!(propose("# [messages.^").is_empty());
    assert!(client.leave());
}

#[test]
fn the_outline_has_roles_and_messages() {
    let mut client = both();
    let found = client.about("documentSymbol", BINDING);
    let names: Vec<&str> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["vendor", "Order", "Done"]);
    assert!(client.leave());
}
