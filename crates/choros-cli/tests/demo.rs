//! `make demo`, with the binary of this build: every command ends as it should, and every picture is there.
#![cfg(unix)]

#[path = "../../../examples/shop/vendor.rs"]
mod vendor;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use vendor::{Fault, Vendor, service};

#[test]
fn the_demo_ends_with_its_pictures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let release = folder.path().join("release");
    std::fs::create_dir(&release).unwrap();
    symlink(env!("CARGO_BIN_EXE_choros"), release.join("choros")).unwrap();

    let warehouse = choros_testkit::free_address().unwrap().to_string();
    let (_, fault) = Fault::ALL.into_iter().find(|it| it.0 == "zero").unwrap();
    let vendor = Vendor {
        warehouse: warehouse.clone(),
        fault: Some(fault),
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap().to_string();
    runtime.spawn(async move { axum::serve(listener, service(vendor)).await });

    let output = Command::new("scripts/demo.sh")
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", folder.path())
        .env("CHOROS_DEMO_VENDOR", address)
        .env("CHOROS_DEMO_WAREHOUSE", warehouse)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{output:?}");
    assert!(said.contains("can never happen"), "{said}");
    assert!(said.contains("vendor -> warehouse: Reserve(0)"), "{said}");
    assert!(said.contains("examples/shop/log.jsonl:15"), "{said}");
    for picture in ["shop", "changed", "drive", "audit"] {
        let place = folder.path().join(format!("demo/{picture}.svg"));
        let text = std::fs::read_to_string(&place).unwrap();
        assert!(text.starts_with("<svg"), "{picture}: {text}");
        assert!(said.contains(&place.display().to_string()), "{said}");
    }
}
