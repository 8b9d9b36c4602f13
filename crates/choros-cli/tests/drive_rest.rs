//! Driving a service whose messages stand in paths, queries and headers too: the usual way of HTTP.

mod support;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde_json::{Value, json};
use support::{choros, free_address};

/// An order is written down under a number that the service chooses, after stock was asked for; it can be examined.
const MODEL: &str = "\
stg orders explicit
variables item: String, id: Int, asked: Int, verbose: Bool, tenant: String, left: Int
initial 0
0 -> 1: create[USER,S]?<item>
1 -> 2: reserve[S,W]!item
2 -> 3: reserved[W,S]?<left>
3 -> 4: created[S,USER]!id
4 -> 5: look[USER,S]?(<asked>, <verbose>, <tenant>)
5 -> 6: [asked == id and verbose] order[S,USER]!(item, tenant)
5 -> 6: [asked == id and not verbose] brief[S,USER]!item
5 -> 6: [asked != id] missing[S,USER]!
6: end
";

const MAPPING: &str = r#"{
  "headers": { "authorization": "Bearer $CHOROS_TEST_TOKEN" },
  "operations": {
    "create": { "path": "/orders", "fields": ["item"], "answers": ["created"] },
    "created": { "status": 201, "fields": ["id"] },
    "reserve": { "method": "PUT", "path": "/stock/{item}", "fields": [{ "path": "item" }], "answers": ["reserved"] },
    "reserved": { "fields": ["left"] },
    "look": { "method": "GET", "path": "/orders/{id}",
              "fields": [{ "path": "id" }, { "query": "verbose" }, { "header": "X-Tenant" }],
              "answers": ["order", "brief", "missing"] },
    "order": { "fields": ["item", "tenant"], "constants": { "is": "order" } },
    "brief": { "fields": ["item"], "constants": { "is": "brief" } },
    "missing": { "status": 404 } } }"#;

#[derive(Default)]
struct Shop {
    warehouse: String,
    /// Forgets the tenant, which is a fault.
    is_forgetful: bool,
    next: AtomicI64,
    orders: Mutex<Vec<(i64, String)>>,
}

fn is_known(headers: &HeaderMap) -> bool {
    headers
        .get("authorization")
        .is_some_and(|it| it == "Bearer s3cret")
}

fn told(status: StatusCode, body: Value) -> impl IntoResponse {
    let kind = [("content-type", "application/json")];
    (status, kind, body.to_string())
}

async fn create(
    State(shop): State<Arc<Shop>>,
    headers: HeaderMap,
    body: String,
) -> impl IntoResponse {
    let body: Value = serde_json::from_str(&body).unwrap();
    if !is_known(&headers) {
        return told(StatusCode::UNAUTHORIZED, json!({}));
    }
    let item = body["item"].as_str().unwrap().to_owned();
    reserve(&shop.warehouse, &item).await;
    let id = shop.next.fetch_add(7, Ordering::Relaxed) + 40;
    shop.orders.lock().unwrap().push((id, item));
    told(StatusCode::CREATED, json!({ "id": id }))
}

async fn look(
    State(shop): State<Arc<Shop>>,
    Path(id): Path<i64>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> impl IntoResponse {
    let orders = shop.orders.lock().unwrap();
    let Some((_, item)) = orders.iter().find(|(known, _)| *known == id) else {
        return told(StatusCode::NOT_FOUND, json!({}));
    };
    let tenant = if shop.is_forgetful {
        ""
    } else {
        headers["x-tenant"].to_str().unwrap()
    };
    let answer = match query.as_deref() {
        Some("verbose=true") => json!({ "is": "order", "item": item, "tenant": tenant }),
        _ => json!({ "is": "brief", "item": item }),
    };
    told(StatusCode::OK, answer)
}

/// `PUT /stock/ITEM`, by hand.
async fn reserve(warehouse: &str, item: &str) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let escaped: String = item.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let request = format!(
        "PUT /stock/{escaped} HTTP/1.1\r\nHost: w\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    let mut stream = tokio::net::TcpStream::connect(warehouse).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.read_to_end(&mut Vec::new()).await.unwrap();
}

/// Drives such a shop; the exit code and what was said.
fn drive(is_forgetful: bool, token: Option<&str>) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("orders.stg"), MODEL).unwrap();
    std::fs::write(folder.path().join("map.json"), MAPPING).unwrap();
    let warehouse = free_address();
    let shop = Arc::new(Shop {
        warehouse: warehouse.clone(),
        is_forgetful,
        ..Shop::default()
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let socket = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let target = format!("http://{}", socket.local_addr().unwrap());
    let router = Router::new()
        .route("/orders", post(create))
        .route("/orders/{id}", get(look))
        .with_state(shop);
    runtime.spawn(async move { axum::serve(socket, router).await });
    let mut command = choros();
    command
        .current_dir(folder.path())
        .args([
            "drive",
            "orders.stg",
            "--mapping",
            "map.json",
            "--mock-partners",
        ])
        .args(["--target", &target, "--mock-at", &format!("W={warehouse}")])
        .env_remove("CHOROS_TEST_TOKEN");
    if let Some(token) = token {
        command.env("CHOROS_TEST_TOKEN", token);
    }
    let output = command.output().unwrap();
    runtime.shutdown_background();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn fields_travel_in_paths_queries_and_headers() {
    let (code, text) = drive(false, Some("s3cret"));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("took 8 of 8 transitions"), "{text}");
}

#[test]
fn a_header_that_the_service_forgets_is_found() {
    let (code, text) = drive(true, Some("s3cret"));
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("no branch allows order[S,USER]"), "{text}");
}

#[test]
fn a_secret_comes_from_the_environment_and_is_not_told() {
    let (code, text) = drive(false, Some("mistaken"));
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("create was refused: status 401"), "{text}");
    assert!(!text.contains("mistaken"), "{text}");
    let (code, text) = drive(false, None);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("needs `$CHOROS_TEST_TOKEN`"), "{text}");
}
