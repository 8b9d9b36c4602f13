//! Records that are messages, and records that are not.

use choros_base::SourceMap;
use choros_bind::{
    Binder, BindingFile, Content, Envelope, HttpExchange, KnownMessage, NotBound, Side, Vocabulary,
};
use choros_model::observation::{Datum, Number};

fn binder(text: &str, messages: &[(&str, &str, &str, &[&str])]) -> Binder {
    let mut sources = SourceMap::new();
    let file = sources.add("order.bind.toml", text);
    let mut findings = Vec::new();
    let read = BindingFile::read(file, text, &mut findings);
    let messages = messages
        .iter()
        .map(|(name, from, to, fields)| KnownMessage {
            name: (*name).to_owned(),
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            fields: fields.iter().map(|it| Some((*it).to_owned())).collect(),
        });
    let messages: Vec<KnownMessage> = messages.collect();
    let mut roles: Vec<String> = Vec::new();
    for role in messages.iter().flat_map(|it| [&it.from, &it.to]) {
        if !roles.contains(role) {
            roles.push(role.clone());
        }
    }
    let binding = read.unwrap_or_else(|| panic!("{findings:#?}")).binding;
    Binder::new(binding, Vocabulary { roles, messages })
}

fn body(values: &[(&str, Datum<'static>)]) -> Content {
    let values = values
        .iter()
        .map(|(path, value)| ((*path).to_owned(), value.clone()));
    Content {
        body: values.collect(),
        ..Content::default()
    }
}

fn exchange(method: &str, path: &str, status: u16) -> Envelope {
    Envelope {
        http: Some(HttpExchange {
            method: Some(method.to_owned()),
            path: path.to_owned(),
            status: Some(status),
            response: Some(Content::default()),
            ..HttpExchange::default()
        }),
        by: Some("order".to_owned()),
        side: Some(Side::Receiver),
        id: Some("7".to_owned()),
        at: Some(Number::from(10)),
        ended: Some(Number::from(20)),
        ..Envelope::default()
    }
}

fn event(name: &str) -> Envelope {
    Envelope {
        names: vec![name.to_owned()],
        by: Some("order".to_owned()),
        ..Envelope::default()
    }
}

/// The messages of a record, as properties write them; or why it is none.
fn seen(binder: &Binder, envelope: &Envelope) -> Vec<String> {
    let sighting = binder.observe(envelope, None, None);
    let each = sighting.observations.iter().map(|it| it.text());
    each.chain(sighting.not_bound.map(|it| it.text())).collect()
}

const MESSAGES: &[(&str, &str, &str, &[&str])] = &[
    ("PlaceOrder", "client", "order", &["id", "amount"]),
    ("Confirmed", "order", "client", &["id"]),
    ("Rejected", "order", "client", &[]),
];

const HTTP: &str = r#"
session = ["path.id"]
[messages.PlaceOrder]
request = "PUT /orders/{id}"
fields = { amount = "body.cents / 100" }
[messages.Confirmed]
response = "PlaceOrder"
status = 201
fields = { id = "path.id" }
[messages.Rejected]
response = "PlaceOrder"
status = "4xx"
[hide]
noise = ["body.debug"]
"#;

#[test]
fn an_exchange_is_two_messages_told_by_status() {
    let binder = binder(HTTP, MESSAGES);
    let mut put = exchange("PUT", "/orders/o7", 201);
    put.content = body(&[("cents", 250.into()), ("debug.x", 1.into())]);
    assert_eq!(
        seen(&binder, &put),
        [
            "PlaceOrder[client,order]?(cents = 250, amount = 2.5, id = o7)",
            "Confirmed[order,client]!(id = o7)"
        ]
    );
    let sighting = binder.observe(&put, None, None);
    let [request, response] = &sighting.observations[..] else {
        panic!("two")
    };
    assert_eq!(request.session.as_deref(), Some("o7"));
    assert_eq!(
        (request.id.as_deref(), response.id.as_deref()),
        (Some("7"), Some("7/response"))
    );
    assert_eq!((&request.at, &response.at), (&put.at, &put.ended));
    assert_eq!(
        seen(&binder, &exchange("PUT", "/orders/o7", 409))[1],
        "Rejected[order,client]!"
    );
    let failed = exchange("PUT", "/orders/o7", 500);
    assert_eq!(
        seen(&binder, &failed)[1],
        "what answers `PlaceOrder` is not one of its answers; nearest is `Confirmed`, but the status is 500"
    );
}

#[test]
fn what_does_not_fit_says_what_is_nearest() {
    let binder = binder(HTTP, MESSAGES);
    for (envelope, expected) in [
        (
            exchange("POST", "/orders/o7", 201),
            "nearest is `PlaceOrder`, but the request is a POST, not a PUT",
        ),
        (
            exchange("PUT", "/orders/o7/lines", 201),
            "nearest is `PlaceOrder`, but `/orders/o7/lines` is not `/orders/{id}`",
        ),
        (exchange("GET", "/health", 200), "no message is bound to it"),
        (
            event("PlaceOrdr"),
            "nearest is `PlaceOrder`, but the record is called `PlaceOrdr`",
        ),
    ] {
        assert_eq!(seen(&binder, &envelope), [expected]);
    }
    let mut stranger = exchange("PUT", "/orders/o7", 201);
    stranger.from = Some("frontend".to_owned());
    let told = &seen(&binder, &stranger)[0];
    assert!(told.starts_with("`frontend` is not a role"), "{told}");
    // An address that no one named says nothing.
    stranger.from = Some("10.0.0.9:40123".to_owned());
    assert_eq!(seen(&binder, &stranger).len(), 2);
    let mut wrong = exchange("PUT", "/orders/o7", 201);
    wrong.to = Some("client".to_owned());
    assert_eq!(
        seen(&binder, &wrong),
        [
            "nearest is `PlaceOrder`, but that goes client → order, and this ? → client, written by order"
        ]
    );
}

#[test]
fn names_are_patterns_and_the_exact_one_wins() {
    let text = r#"
[roles.client]
names = ["web-*"]
[messages.PlaceOrder]
names = ["com.acme.PlaceOrder.v*", "order*"]
[messages.Confirmed]
names = ["order-confirmed"]
[messages.Rejected]
names = ["ord*"]
"#;
    let binder = binder(text, MESSAGES);
    let mut placed = event("com.acme.PlaceOrder.v2");
    placed.from = Some("web-3".to_owned());
    assert_eq!(seen(&binder, &placed), ["PlaceOrder[client,order]?"]);
    assert_eq!(
        seen(&binder, &event("order-confirmed")),
        ["Confirmed[order,client]!"]
    );
    let sighting = binder.observe(&event("orders"), None, None);
    let both = vec!["PlaceOrder".to_owned(), "Rejected".to_owned()];
    assert_eq!(sighting.not_bound, Some(NotBound::Ambiguous(both)));
    // By whom it was written decides where names do not.
    let mut written = event("orders");
    written.side = Some(Side::Sender);
    assert_eq!(seen(&binder, &written), ["Rejected[order,client]!"]);
}

#[test]
fn conditions_tell_messages_of_one_topic_apart() {
    let text = r#"
[messages.PlaceOrder]
topic = "orders"
when = { "body.type" = "placed" }
[messages.Confirmed]
topic = "orders"
when = { "body.type" = "confirmed" }
[messages.Rejected]
topic = "orders"
"#;
    let binder = binder(text, MESSAGES);
    let record = |kind: &'static str| Envelope {
        topic: Some("orders".to_owned()),
        content: body(&[("type", kind.into())]),
        ..Envelope::default()
    };
    for (kind, expected) in [
        ("placed", "PlaceOrder[client,order]!(type = \"placed\")"),
        (
            "confirmed",
            "Confirmed[order,client]!(type = \"confirmed\")",
        ),
        // What asks for nothing is what is left.
        ("other", "Rejected[order,client]!(type = \"other\")"),
    ] {
        assert_eq!(seen(&binder, &record(kind)), [expected]);
    }
}

#[test]
fn missing_fields_are_told() {
    let binder = binder(HTTP, MESSAGES);
    let mut put = exchange("PUT", "/orders/o7", 201);
    put.content = body(&[("cents", "many".into())]);
    let sighting = binder.observe(&put, None, None);
    assert_eq!(
        sighting.missing,
        [("PlaceOrder".to_owned(), "amount".to_owned())]
    );
}

#[test]
fn without_a_model_a_record_is_what_it_says() {
    let binder = binder("", &[]);
    let mut placed = event("PlaceOrder");
    (placed.from, placed.to) = (Some("client".to_owned()), Some("order".to_owned()));
    assert_eq!(seen(&binder, &placed), ["PlaceOrder[client,order]?"]);
    placed.to = None;
    assert_eq!(seen(&binder, &placed), ["PlaceOrder[client,order]?"]);
    placed.from = None;
    let told = seen(&binder, &placed);
    assert_eq!(
        told,
        ["it is `PlaceOrder`, but nothing tells who sends it to whom"]
    );
}

#[test]
fn what_is_closed_is_opened_by_the_rules_of_the_log() {
    let text = r#"
[messages.PlaceOrder]
fields = { amount = "body.payload.2", id = "body.payload.1" }
[[logs]]
open = { "body.payload" = "protobuf" }
"#;
    let binder = binder(text, MESSAGES);
    let rules = binder.binding.log_rules("x");
    let mut placed = event("PlaceOrder");
    // 1: "o7", 2: 150
    placed.content = body(&[("payload", "CgJvNxCWAQ==".into())]);
    let sighting = binder.observe(&placed, rules, None);
    assert_eq!(
        sighting.observations[0].text(),
        "PlaceOrder[client,order]?(payload.1 = \"o7\", payload.2 = 150, amount = 150, id = \"o7\")"
    );
    placed.content = body(&[("payload", "?".into())]);
    let sighting = binder.observe(&placed, rules, None);
    assert!(sighting.not_bound.is_some_and(|it| it.is_a_gap()));
}
