//! The vendor of `shop.chor`, and of the choreographies in `online-shopping.chor`, as a service with axum.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What the vendor does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Confirms five pieces, too.
    Limit,
    /// Aborts every order, small ones too.
    Branch,
    /// Never answers large orders.
    Silent,
    /// Asks the warehouse about no pieces at all.
    Zero,
    /// Sells one piece more than was wanted.
    Amount,
    /// Sells without asking the warehouse.
    Unasked,
}

impl Fault {
    /// All faults with their names on the command line.
    pub(crate) const ALL: [(&'static str, Fault); 6] = [
        ("limit", Fault::Limit),
        ("branch", Fault::Branch),
        ("silent", Fault::Silent),
        ("zero", Fault::Zero),
        ("amount", Fault::Amount),
        ("unasked", Fault::Unasked),
    ];
}

/// A vendor.
#[derive(Debug, Clone)]
pub(crate) struct Vendor {
    /// Where its warehouse listens: `127.0.0.1:9001`.
    pub(crate) warehouse: String,
    /// What it does wrong.
    pub(crate) fault: Option<Fault>,
}

/// `POST /buy` is `Shop` of `shop.chor`; of `online-shopping.chor`, `POST /orders` is `order`, and `POST /purchases` is
/// `shop`.
pub(crate) fn service(vendor: Vendor) -> Router {
    Router::new()
        .route("/buy", post(buy))
        .route("/orders", post(order))
        .route("/purchases", post(purchase))
        .with_state(Arc::new(vendor))
}

async fn buy(State(vendor): State<Arc<Vendor>>, body: String) -> Response {
    let Some(pieces) = pieces(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let refused = || state(StatusCode::CONFLICT, "refused");
    if pieces < vendor.least() || pieces > 100 {
        return refused();
    }
    match vendor.ask_warehouse("/reserve", pieces).await {
        Ok(StatusCode::OK) => state(StatusCode::OK, "sold"),
        Ok(_) => refused(),
        Err(_) => StatusCode::BAD_GATEWAY.into_response(),
    }
}

async fn order(State(vendor): State<Arc<Vendor>>, body: String) -> Response {
    let Some(pieces) = pieces(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let limit = match vendor.fault {
        Some(Fault::Limit) => 6,
        _ => 5,
    };
    let is_small = pieces < limit;
    if vendor.fault == Some(Fault::Silent) && !is_small {
        std::future::pending::<()>().await;
    }
    if is_small && vendor.fault != Some(Fault::Branch) {
        state(StatusCode::OK, "confirmed")
    } else {
        state(StatusCode::CONFLICT, "aborted")
    }
}

async fn purchase(State(vendor): State<Arc<Vendor>>, body: String) -> Response {
    let Some(pieces) = pieces(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    if pieces < vendor.least() {
        return state(StatusCode::UNPROCESSABLE_ENTITY, "impossible");
    }
    match vendor.ask_warehouse("/sales", pieces).await {
        Ok(StatusCode::OK) => state(StatusCode::OK, "sold"),
        _ => StatusCode::BAD_GATEWAY.into_response(),
    }
}

fn pieces(body: &str) -> Option<i64> {
    let json: Value = serde_json::from_str(body).ok()?;
    json["pieces"].as_i64()
}

fn state(status: StatusCode, word: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (status, kind, json!({ "state": word }).to_string()).into_response()
}

impl Vendor {
    /// The fewest pieces that it asks its warehouse about.
    fn least(&self) -> i64 {
        match self.fault {
            Some(Fault::Zero) => 0,
            _ => 1,
        }
    }

    /// Asks the warehouse for so many pieces, and waits until it has said something.
    async fn ask_warehouse(&self, path: &str, pieces: i64) -> std::io::Result<StatusCode> {
        let pieces = match self.fault {
            Some(Fault::Amount) => pieces.saturating_add(1),
            Some(Fault::Unasked) => return Ok(StatusCode::OK),
            _ => pieces,
        };
        let body = json!({ "pieces": pieces }).to_string();
        let (host, length) = (&self.warehouse, body.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        let mut stream = TcpStream::connect(host).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok());
        status.ok_or_else(|| std::io::Error::other(answer))
    }
}
