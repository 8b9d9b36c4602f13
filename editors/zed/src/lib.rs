//! Tells Zed how to start `choros lsp`.

use zed_extension_api::{self as zed, LanguageServerId, Result};

struct Choros;

impl zed::Extension for Choros {
    fn new() -> Self {
        Choros
    }

    fn language_server_command(
        &mut self,
        _server: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let command = worktree
            .which("choros")
            .ok_or_else(|| "`choros` is not on the path".to_owned())?;
        Ok(zed::Command {
            command,
            args: vec!["lsp".to_owned()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Choros);
