use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};

/// Appends what the service `s` receives from `c` and sends to it to a log that `choros monitor` reads.
#[derive(Clone)]
pub struct Observer {
    pub log: Arc<Mutex<File>>,
    pub count: Arc<AtomicU64>,
}

impl Observer {
    fn write(&self, dir: &str, op: &str, number: u64, body: &[u8]) {
        let (from, to) = if dir == "recv" { ("c", "s") } else { ("s", "c") };
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let data: Value = serde_json::from_slice(body).unwrap_or_else(|_| json!({}));
        let line = json!({ "at": since.as_millis() as u64, "by": "s", "dir": dir, "from": from, "to": to,
                           "op": op, "id": number.to_string(), "data": data });
        if let Ok(mut log) = self.log.lock() {
            let _ = writeln!(log, "{line}");
        }
    }
}

/// For `axum::middleware::from_fn_with_state`.
pub async fn observe(
    State(observer): State<Observer>,
    request: Request,
    next: Next,
) -> Result<Response, StatusCode> {
    let number = observer.count.fetch_add(1, Ordering::Relaxed);
    let op = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
    let (head, body) = request.into_parts();
    let asked = to_bytes(body, usize::MAX).await.map_err(|_| StatusCode::BAD_REQUEST)?;
    observer.write("recv", &op, number, &asked);
    let answer = next.run(Request::from_parts(head, Body::from(asked))).await;
    let (head, body) = answer.into_parts();
    let answered = to_bytes(body, usize::MAX).await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    observer.write("send", &format!("{op}Response"), number, &answered);
    Ok(Response::from_parts(head, Body::from(answered)))
}
