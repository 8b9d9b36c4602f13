//! Pictures of benchmarks.

use std::path::{Path, PathBuf};

/// Writes a picture of a benchmark to `target/bench` and says where it is.
pub fn write_picture(name: &str, svg: &str) -> std::io::Result<PathBuf> {
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
    };
    let folder = target.join("bench");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.svg"));
    std::fs::write(&path, svg)?;
    Ok(std::fs::canonicalize(&path).unwrap_or(path))
}
