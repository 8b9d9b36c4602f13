//! Models to look at: copies of them lie in a folder of their own as long as the page is served.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A model of the gallery.
pub struct Example {
    /// Its path in the gallery.
    pub path: &'static str,
    pub text: &'static str,
    /// Where it comes from: a paper's short name.
    pub source: &'static str,
    /// What it shows, in one sentence; empty for files that belong to others.
    pub about: &'static str,
}

/// The copies; dropping it removes them.
pub(crate) struct Copies(PathBuf);

impl Copies {
    pub(crate) fn write(examples: &[Example]) -> std::io::Result<Copies> {
        let random = crate::checks::Token::random()?;
        let folder = std::env::temp_dir().join(format!("choros-gallery-{}", random.text()));
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder)?;
        let copies = Copies(folder);
        for example in examples {
            let place = copies.0.join(example.path);
            if let Some(folder) = place.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(place, example.text)?;
        }
        Ok(copies)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn listing(examples: &[Example]) -> Value {
    let shown = examples.iter().filter(|it| !it.about.is_empty());
    shown
        .map(|it| json!({"path": it.path, "source": it.source, "about": it.about}))
        .collect()
}
