//! What a release consists of: the archive is made from this build, unpacked elsewhere, and used.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

fn run(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("CHOROS_BIN", env!("CARGO_BIN_EXE_choros"))
        .env("CARGO_TARGET_DIR", folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_archive_is_whole_and_its_binary_works() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    run(root.join("scripts/release.sh"), &[], folder.path());
    let files = folder.path().join("release-files");
    run("sha256sum", &["--check", "SHA256SUMS"], &files);
    let sums = std::fs::read_to_string(files.join("SHA256SUMS")).unwrap();
    let archive = sums.split_whitespace().nth(1).unwrap();
    let name = archive.strip_suffix(".tar.gz").unwrap();
    assert!(name.starts_with(concat!("choros-", env!("CARGO_PKG_VERSION"), "-")));

    let elsewhere = tempfile::tempdir().unwrap();
    let packed = files.join(archive);
    run("tar", &["-xzf", packed.to_str().unwrap()], elsewhere.path());
    let unpacked = elsewhere.path().join(name);
    let choros = unpacked.join("bin/choros");
    let version = run(&choros, &["--version"], &unpacked);
    assert_eq!(version, concat!("choros ", env!("CARGO_PKG_VERSION"), "\n"));
    run(&choros, &["check", "examples/shop/shop.chor"], &unpacked);
    let page = std::fs::read_to_string(unpacked.join("man/man1/choros-drive.1")).unwrap();
    assert!(page.contains("mock\\-partners"), "{page}");
    let script = std::fs::read_to_string(unpacked.join("completions/choros.bash")).unwrap();
    assert!(script.contains("--mock-partners"));
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"] {
        assert!(unpacked.join(file).exists(), "{file}");
    }
}
