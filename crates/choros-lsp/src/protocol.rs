//! The words of the protocol for what went wrong.

/// Why a request has no answer: a code of the protocol, and words.
pub(crate) type Refusal = (i64, String);

pub(crate) const PARSE_ERROR: i64 = -32700;
pub(crate) const INVALID_REQUEST: i64 = -32600;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
pub(crate) const INTERNAL_ERROR: i64 = -32603;
pub(crate) const NOT_INITIALIZED: i64 = -32002;
pub(crate) const CONTENT_MODIFIED: i64 = -32801;
pub(crate) const REQUEST_CANCELLED: i64 = -32800;
pub(crate) const REQUEST_FAILED: i64 = -32803;
