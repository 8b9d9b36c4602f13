//! Bindings as people write them, right and wrong.

use choros_base::{Diagnostic, SourceMap};
use choros_bind::{BindingFile, Fields, KnownMessage, Vocabulary};

fn read(text: &str) -> (Option<BindingFile>, Vec<Diagnostic>) {
    let mut sources = SourceMap::new();
    let file = sources.add("order.bind.toml", text);
    let mut findings = Vec::new();
    let read = BindingFile::read(file, text, &mut findings);
    (read, findings)
}

/// What each finding is about, and what it says.
fn told(text: &str, findings: &[Diagnostic]) -> Vec<String> {
    let each = findings.iter().map(|it| {
        let place = it.primary().expect("a place").range();
        format!("{}: {}", &text[place.start..place.end], it.message)
    });
    each.collect()
}

const WHOLE: &str = r#"
schema = 1
model = "order.chor"
id = "header.x-request-id"

[session]
at = ["body.id", "path.id"]

[roles.order]
address = "http://127.0.0.1:8080"
names = ["/services/order", "10.0.0.7:*"]
headers = { authorization = "Bearer $TOKEN" }

[roles.payment]
listen = "127.0.0.1:0"

[messages.PlaceOrder]
names = ["com.acme.shop.PlaceOrder.v*"]
request = "POST /orders/{id}"
topic = "orders.events"

[messages.PlaceOrder.fields]
qty = "body.items.0.quantity"
amount = "body.cents / 100"
id = ["path.id", "attribute.app.order.id"]

[messages.Confirmed]
response = "PlaceOrder"
status = [201, "3xx"]
when = { "body.state" = "confirmed", "body.final" = true, "body.rate" = 0.10 }
fields = ["body.number"]

[messages.Confirmed.values.number]
examples = [7, "x"]

[values.id]
format = "uuid"

[hide]
secret = ["card", "*.password"]
noise = ["body.debug"]

[[logs]]
files = "*.access.jsonl"
form = "jsonl"
at = "time"
from = ["remote", { value = "client" }]
open = { payload = "json", "body.inner" = "base64-json" }
fields = "attribute.app.{field}"
lossy = true
"#;

#[test]
fn a_whole_binding_is_read() {
    let (file, findings) = read(WHOLE);
    assert_eq!(findings, []);
    let binding = file.expect("it is sound").binding;
    assert_eq!(binding.session.len(), 2);
    assert_eq!(binding.roles[0].headers[0].1, "Bearer $TOKEN");
    let place = binding.message("PlaceOrder").expect("it is bound");
    assert_eq!(
        place.request.as_ref().expect("a request").to_string(),
        "POST /orders/{id}"
    );
    let Fields::Named(fields) = &place.fields else {
        panic!("by name")
    };
    assert_eq!(fields[1].1[0].to_string(), "body.cents / 100");
    let confirmed = binding.message("Confirmed").expect("it is bound");
    assert!(confirmed.has_status(201) && confirmed.has_status(302) && !confirmed.has_status(200));
    let when: Vec<String> = confirmed
        .when
        .iter()
        .map(|(at, it)| format!("{at} {it}"))
        .collect();
    assert_eq!(
        when,
        [
            "body.state \"confirmed\"",
            "body.final true",
            "body.rate 0.1"
        ]
    );
    assert!(
        binding
            .values("PlaceOrder", "id")
            .expect("known")
            .format
            .is_some()
    );
    assert_eq!(
        binding
            .values("Confirmed", "number")
            .expect("known")
            .examples
            .len(),
        2
    );
    assert!(binding.log_rules("logs/today.access.jsonl").is_some());
    assert!(binding.log_rules("today.jsonl").is_none());
}

#[test]
fn every_mistake_has_its_place() {
    let text = r#"
schema = 2
modle = "order.chor"

[roles.order]
adress = "http://x"

[messages.PlaceOrder]
request = "POST orders"
status = "20x"
fields = { qty = "bdy.quantity", amount = "body.cents * 0", id = "path.id" }
when = { state = "x", "body.a" = [1], "header.b" = 1, "header.B" = 2 }

[values.id]
format = "guid"

[[logs]]
open = { payload = "zip", text = "json", "record.text" = "base64" }
fields = "attribute.app"
from = 7
"#;
    let (file, findings) = read(text);
    assert!(file.is_none());
    let told = told(text, &findings);
    for expected in [
        "2: `schema` is not 1",
        "modle: the binding has no key `modle`",
        "adress: [roles.order] has no key `adress`",
        "\"POST orders\": the path `orders` does not begin with `/`",
        "\"20x\": `status` is not a status",
        "status: `status` is of a response",
        "\"bdy.quantity\": `bdy.quantity` does not begin with one of body",
        "\"body.cents * 0\": `* 0` in `body.cents * 0` cannot be undone",
        "`path.id`: `PlaceOrder` has no `request`",
        "state: `state` does not begin with one of",
        "[1]: this is not a text",
        "\"header.B\": `header.b` stands here twice",
        "\"record.text\": `record.text` stands here twice",
        "\"guid\": `format` is not one of uuid",
        "\"zip\": `payload` is not one of json",
        "\"attribute.app\": `fields` is not a place with `{field}`",
        "7: `from` is not a path",
    ] {
        assert!(
            told.iter().any(|it| it.contains(expected)),
            "{expected}\n{told:#?}"
        );
    }
    assert_eq!(told.len(), 17, "{told:#?}");
    assert!(findings[0].suggestion.is_some());
    let (_, findings) = read("schema = \n");
    assert!(findings[0].message.starts_with("the binding is not TOML"));
}

#[test]
fn names_are_those_of_the_model() {
    let message = |name: &str, fields: &[&str]| KnownMessage {
        name: name.to_owned(),
        from: "client".to_owned(),
        to: "order".to_owned(),
        fields: fields.iter().map(|it| Some((*it).to_owned())).collect(),
    };
    let vocabulary = Vocabulary {
        roles: vec!["client".to_owned(), "order".to_owned()],
        messages: vec![
            message("PlaceOrder", &["qty", "id"]),
            message("Cancel", &["id"]),
        ],
    };
    let text = r#"
model = "order.chor"
[roles.ordr]
names = ["x"]
[messages.PlaceOrdr]
[messages.PlaceOrder]
request = "POST /orders/{number}"
fields = { quantity = "body.q" }
[messages.Confirmed]
response = "PlaceOder"
[values.qyt]
format = "uuid"
"#;
    let (file, mut findings) = read(text);
    file.expect("its form is right")
        .check(&vocabulary, &mut findings);
    let told = told(text, &findings);
    for expected in [
        "ordr: the model has no role `ordr`",
        "PlaceOrdr: the model has no message `PlaceOrdr`",
        "quantity: the model has no field `quantity`",
        "Confirmed: the model has no message `Confirmed`",
        "\"PlaceOder\": the model has no message `PlaceOder`",
        "qyt: the model has no field `qyt`",
        "PlaceOrder: `{number}` in the path of `PlaceOrder` is not one of its fields",
        "\"order.chor\": the binding does not mention `Cancel`",
    ] {
        assert!(
            told.iter().any(|it| it.contains(expected)),
            "{expected}\n{told:#?}"
        );
    }
    assert_eq!(told.len(), 8, "{told:#?}");
}

proptest::proptest! {
    /// Cut anywhere, a binding is read or refused, and each refusal has a place in the text.
    #[test]
    fn a_cut_binding_is_refused_in_its_place(from in 0usize..1500, to in 0usize..1500) {
        let to = to.min(WHOLE.len());
        let text = &WHOLE[from.min(to)..to];
        let (_, findings) = read(text);
        for finding in findings {
            let place = finding.primary().expect("a place").range();
            proptest::prop_assert!(place.end <= text.len());
        }
    }
}
