//! The vendor `v` of the choreographies in `online-shopping.chor`, as a service with axum.

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

/// `POST /orders` is the choreography `order`, `POST /purchases` the choreography `shop`.
pub(crate) fn service(vendor: Vendor) -> Router {
    Router::new()
        .route("/orders", post(order))
        .route("/purchases", post(purchase))
        .with_state(Arc::new(vendor))
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
    let least = match vendor.fault {
        Some(Fault::Zero) => 0,
        _ => 1,
    };
    if pieces < least {
        return state(StatusCode::UNPROCESSABLE_ENTITY, "impossible");
    }
    let sold = match vendor.fault {
        Some(Fault::Amount) => pieces.saturating_add(1),
        _ => pieces,
    };
    if vendor.fault != Some(Fault::Unasked) && sell(&vendor.warehouse, sold).await.is_err() {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    state(StatusCode::OK, "sold")
}

fn pieces(body: &str) -> Option<i64> {
    let json: Value = serde_json::from_str(body).ok()?;
    json["pieces"].as_i64()
}

fn state(status: StatusCode, word: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (status, kind, json!({ "state": word }).to_string()).into_response()
}

/// Asks the warehouse for so many pieces, and waits until it has said something.
async fn sell(warehouse: &str, pieces: i64) -> std::io::Result<()> {
    let body = json!({ "pieces": pieces }).to_string();
    let length = body.len();
    let request = format!(
        "POST /sales HTTP/1.1\r\nHost: {warehouse}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    let mut stream = TcpStream::connect(warehouse).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    if answer.starts_with("HTTP/1.1 200") {
        Ok(())
    } else {
        Err(std::io::Error::other(answer))
    }
}
