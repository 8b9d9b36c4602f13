//! Someone else's folder: no library and no program in it is loaded or run.
#![cfg(target_os = "linux")]

mod support;

use std::os::unix::fs::PermissionsExt;

use support::choros;

#[test]
fn no_solver_comes_from_the_working_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("a.solve"), "var x: Int\nassert x > 3\n").unwrap();
    for place in [
        "libz3.so",
        "libz3.so.4",
        ".venv/lib/python3.11/site-packages/z3/lib/libz3.so",
        "venv/lib/python3.11/site-packages/z3/lib/libz3.so",
        "z3/lib/libz3.so",
    ] {
        let file = path.join(place);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        // Loading it fails; running it leaves a trace.
        std::fs::write(&file, "#!/bin/sh\ntouch ran\n").unwrap();
    }
    for program in ["bin/z3", "bin/cvc5"] {
        let file = path.join(program);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "#!/bin/sh\ntouch ran\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let usual = std::env::var("PATH").unwrap_or_default();
    for search in [format!("bin:.::{usual}"), "bin".to_owned()] {
        for environment in [".venv", "venv", ""] {
            let output = choros()
                .current_dir(path)
                .env("PATH", &search)
                .env("VIRTUAL_ENV", environment)
                .args(["solve", "a.solve"])
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let is_answered = output.status.success() && said.contains("x = ");
            // Without a solver of the system there is no answer, which is not the question here.
            let is_without = output.status.code() == Some(5);
            assert!(is_answered || is_without, "{output:?}");
            assert!(!path.join("ran").exists(), "{search}, {environment}");
        }
    }
}
