//! What the server can do, as it tells a client.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::features::{completion, tokens};
use crate::position::Encoding;

/// What the server can do.
pub(crate) fn capabilities(encoding: Encoding, verbs: &BTreeSet<&str>) -> Value {
    let commands: Vec<String> = verbs.iter().map(|it| format!("choros.{it}")).collect();
    json!({
        "positionEncoding": encoding.name(),
        "textDocumentSync": {"openClose": true, "change": 2, "save": false},
        "codeActionProvider": {"codeActionKinds": ["quickfix"]},
        "codeLensProvider": {"resolveProvider": false},
        "completionProvider": {"triggerCharacters": completion::TRIGGERS},
        "definitionProvider": true,
        "documentFormattingProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "executeCommandProvider": {"commands": commands, "workDoneProgress": true},
        "foldingRangeProvider": true,
        "hoverProvider": true,
        "inlayHintProvider": true,
        "referencesProvider": true,
        "renameProvider": {"prepareProvider": true},
        "semanticTokensProvider": {
            "legend": {"tokenTypes": tokens::TYPES, "tokenModifiers": tokens::MODIFIERS},
            "full": true,
            "range": true,
        },
    })
}
