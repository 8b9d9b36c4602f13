//! Which question goes where.

use serde_json::Value;

use crate::documents::Document;
use crate::features::{
    About, actions, completion, folding, formatting, hints, hover, lenses, navigation, outline,
    rename, tokens,
};
use crate::findings::Finding;
use crate::protocol::{INVALID_PARAMS, METHOD_NOT_FOUND, REQUEST_FAILED, Refusal};

/// Answers a request that is answered at once: about a buffer, in which something is shown.
pub(crate) fn answer<'a>(
    method: &str,
    params: &Value,
    about: impl FnOnce() -> Result<About<'a>, Refusal>,
    shown: impl Fn(&Document) -> Vec<Finding>,
) -> Result<Value, Refusal> {
    let Some(feature) = method.strip_prefix("textDocument/") else {
        return Err(unknown(method));
    };
    if !KNOWN.contains(&feature) {
        return Err(unknown(method));
    }
    let about = about()?;
    let offset = || {
        let offset = about.offset(params);
        offset.ok_or_else(|| (INVALID_PARAMS, "there is no position".to_owned()))
    };
    Ok(match feature {
        "codeAction" => {
            let within = range(about, params)?;
            let shown = shown(about.document);
            actions::actions(about, &shown, within, params["context"].get("only"))
        }
        "codeLens" => lenses::lenses(about),
        "completion" => completion::completion(about, offset()?),
        "definition" => navigation::definition(about, offset()?),
        "documentHighlight" => navigation::highlights(about, offset()?),
        "documentSymbol" => outline::outline(about),
        "foldingRange" => folding::folds(about),
        "formatting" => formatting::formatting(about),
        "hover" => hover::hover(about, offset()?),
        "inlayHint" => hints::hints(about, range(about, params)?),
        "prepareRename" => rename::prepare(about, offset()?),
        "references" => {
            let with_declarations = params["context"]["includeDeclaration"] != false;
            navigation::references(about, offset()?, with_declarations)
        }
        "rename" => {
            let Some(new) = params["newName"].as_str() else {
                return Err((INVALID_PARAMS, "there is no new name".to_owned()));
            };
            let renamed = rename::rename(about, offset()?, new);
            renamed.map_err(|reason| (REQUEST_FAILED, reason))?
        }
        "semanticTokens/full" => tokens::tokens(about, None),
        "semanticTokens/range" => tokens::tokens(about, Some(range(about, params)?)),
        _ => return Err(unknown(method)),
    })
}

const KNOWN: [&str; 15] = [
    "codeAction",
    "codeLens",
    "completion",
    "definition",
    "documentHighlight",
    "documentSymbol",
    "foldingRange",
    "formatting",
    "hover",
    "inlayHint",
    "prepareRename",
    "references",
    "rename",
    "semanticTokens/full",
    "semanticTokens/range",
];

fn unknown(method: &str) -> Refusal {
    (METHOD_NOT_FOUND, format!("there is no method `{method}`"))
}

fn range(about: About<'_>, params: &Value) -> Result<std::ops::Range<usize>, Refusal> {
    let range = about.asked_range(params);
    range.ok_or_else(|| (INVALID_PARAMS, "there is no range".to_owned()))
}
