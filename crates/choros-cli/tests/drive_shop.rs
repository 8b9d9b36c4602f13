//! The vendor of the online shop, a service with axum, driven over JSON and HTTP: the right one passes, and each fault
//! is found.

#[path = "../../../examples/shop/vendor.rs"]
mod vendor;

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse;
use support::{choros, free_address};
use vendor::{Fault, Vendor, service};

/// A vendor that listens, and the address where the tester is to play its warehouse.
struct Running {
    // The vendor ends with it.
    _runtime: tokio::runtime::Runtime,
    url: String,
    warehouse: String,
}

fn start(fault: Option<Fault>) -> Running {
    start_as(fault, |service| service)
}

/// A vendor whose service is changed.
fn start_as(fault: Option<Fault>, change: impl FnOnce(Router) -> Router) -> Running {
    let warehouse = free_address();
    let vendor = Vendor {
        warehouse: warehouse.clone(),
        fault,
    };
    let service = change(service(vendor));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move { axum::serve(listener, service).await });
    Running {
        _runtime: runtime,
        url,
        warehouse,
    }
}

/// The exit code, and everything that was said.
fn drive(vendor: &Running, component: &str, more: &[&str]) -> (i32, String) {
    let (model, role, partner, mapping) = match component {
        "Shop" => (
            "shop/shop.chor",
            "vendor",
            "warehouse",
            "shop/shop.bind.toml",
        ),
        _ => (
            "online-shopping.chor",
            "v",
            "w",
            "shop/online-shopping.bind.toml",
        ),
    };
    let output = choros()
        .arg("drive")
        .arg(format!("{}#{component}", example(model).display()))
        .args(["--role", role, "--mock-partners", "--target", &vendor.url])
        .args(["--mock-at", &format!("{partner}={}", vendor.warehouse)])
        .arg("--binding")
        .arg(example(mapping))
        .args(more)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
}

#[test]
fn the_right_vendor_passes_whatever_the_values() {
    let vendor = start(None);
    for component in ["order", "shop", "Shop"] {
        let (code, text) = drive(&vendor, component, &[]);
        assert_eq!(code, 0, "{text}");
        for seed in ["1", "2", "3", "4", "5"] {
            let (code, text) = drive(&vendor, component, &["--values", "random", "--seed", seed]);
            assert_eq!(code, 0, "{component}, seed {seed}: {text}");
        }
    }
}

#[test]
fn nothing_is_waited_for_after_an_answer_of_another_name() {
    let vendor = start(None);
    for component in ["order", "shop"] {
        let begun = std::time::Instant::now();
        let (code, text) = drive(&vendor, component, &["--answer-within", "60000"]);
        assert_eq!(code, 0, "{text}");
        assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    }
}

#[test]
fn each_fault_is_found_with_what_shows_it() {
    let cases = [
        ("order", Fault::Limit, "no branch allows v -> b: Confirm"),
        ("order", Fault::Branch, "no branch allows v -> b: Abort"),
        ("order", Fault::Silent, "v -> b: Abort did not come in time"),
        ("shop", Fault::Zero, "no branch allows v -> w: sell"),
        ("shop", Fault::Amount, "no branch allows v -> w: sell"),
        ("shop", Fault::Unasked, "no branch allows v -> b: resp"),
        (
            "Shop",
            Fault::Zero,
            "no branch allows vendor -> warehouse: Reserve",
        ),
        (
            "Shop",
            Fault::Amount,
            "no branch allows vendor -> warehouse: Reserve",
        ),
        (
            "Shop",
            Fault::Unasked,
            "no branch allows vendor -> buyer: Sold",
        ),
    ];
    for (name, fault) in Fault::ALL {
        let is_there = cases.iter().any(|(_, it, _)| *it == fault);
        assert!(is_there, "no one looks for {name}");
    }
    for (component, fault, expected) in cases {
        let vendor = start(Some(fault));
        let (code, text) = drive(&vendor, component, &["--answer-within", "1000"]);
        assert_eq!(code, 1, "{fault:?}: {text}");
        assert!(text.contains(expected), "{fault:?}: {text}");
        // The other choreography of the same vendor has nothing to do with it.
        let other = match component {
            "order" => "shop",
            _ => "order",
        };
        let (code, text) = drive(&vendor, other, &[]);
        assert_eq!(code, 0, "{fault:?}, {other}: {text}");
    }
}

const FAULTS: [&str; 4] = [
    "--faults",
    "slow,twice,hangup,error,nonsense",
    "--answer-within",
    "3000",
];

#[test]
fn the_right_vendor_is_not_blamed_for_its_partners() {
    let vendor = start(None);
    for component in ["order", "Shop"] {
        let (code, text) = drive(&vendor, component, &FAULTS);
        assert_eq!(code, 0, "{text}");
        assert!(text.contains("was injected"), "{text}");
    }
}

/// After its warehouse has failed once, this vendor sells nothing any more.
#[test]
fn a_vendor_that_never_recovers_is_found() {
    let is_broken = Arc::new(AtomicBool::new(false));
    let vendor = start_as(None, |service| {
        service.layer(from_fn(move |request: Request, next: Next| {
            let is_broken = is_broken.clone();
            async move {
                if is_broken.load(Ordering::Relaxed) {
                    return StatusCode::INTERNAL_SERVER_ERROR.into_response();
                }
                let response = next.run(request).await;
                if response.status() == StatusCode::BAD_GATEWAY {
                    is_broken.store(true, Ordering::Relaxed);
                }
                response
            }
        }))
    });
    let (code, text) = drive(&vendor, "shop", &FAULTS);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("was injected"), "{text}");
    assert!(text.contains("other conversations fail"), "{text}");
}
