//! `ExportTraceServiceRequest` in the wire format of Protocol Buffers, as the JSON that OTLP has for it.
//!
//! Only what the messages of OTLP 1 declare is taken; fields of later versions are passed over.

use serde_json::{Map, Value};

/// A message: its fields by number.
struct Schema(&'static [FieldSpec]);

struct FieldSpec {
    number: u64,
    label: &'static str,
    kind: FieldKind,
    is_repeated: bool,
}

enum FieldKind {
    Text,
    /// Bytes that are an identity, in hexadecimal digits.
    Identity,
    Bytes,
    Truth,
    /// As a text, because JSON's numbers are too small.
    Integer,
    Code,
    Fixed64,
    Fixed32,
    Double,
    Message(&'static Schema),
}

const fn one(number: u64, label: &'static str, kind: FieldKind) -> FieldSpec {
    FieldSpec {
        number,
        label,
        kind,
        is_repeated: false,
    }
}

const fn many(number: u64, label: &'static str, kind: FieldKind) -> FieldSpec {
    FieldSpec {
        number,
        label,
        kind,
        is_repeated: true,
    }
}

use FieldKind::{Bytes, Code, Double, Fixed32, Fixed64, Identity, Integer, Message, Text, Truth};

static REQUEST: Schema = Schema(&[many(1, "resourceSpans", Message(&RESOURCE_SPANS))]);
static RESOURCE_SPANS: Schema = Schema(&[
    one(1, "resource", Message(&RESOURCE)),
    many(2, "scopeSpans", Message(&SCOPE_SPANS)),
    one(3, "schemaUrl", Text),
]);
static RESOURCE: Schema = Schema(&[many(1, "attributes", Message(&KEY_VALUE))]);
static SCOPE_SPANS: Schema = Schema(&[
    one(1, "scope", Message(&SCOPE)),
    many(2, "spans", Message(&SPAN)),
    one(3, "schemaUrl", Text),
]);
static SCOPE: Schema = Schema(&[
    one(1, "name", Text),
    one(2, "version", Text),
    many(3, "attributes", Message(&KEY_VALUE)),
]);
static SPAN: Schema = Schema(&[
    one(1, "traceId", Identity),
    one(2, "spanId", Identity),
    one(3, "traceState", Text),
    one(4, "parentSpanId", Identity),
    one(5, "name", Text),
    one(6, "kind", Code),
    one(7, "startTimeUnixNano", Fixed64),
    one(8, "endTimeUnixNano", Fixed64),
    many(9, "attributes", Message(&KEY_VALUE)),
    one(10, "droppedAttributesCount", Code),
    many(11, "events", Message(&EVENT)),
    one(12, "droppedEventsCount", Code),
    many(13, "links", Message(&LINK)),
    one(14, "droppedLinksCount", Code),
    one(15, "status", Message(&STATUS)),
    one(16, "flags", Fixed32),
]);
static EVENT: Schema = Schema(&[
    one(1, "timeUnixNano", Fixed64),
    one(2, "name", Text),
    many(3, "attributes", Message(&KEY_VALUE)),
]);
static LINK: Schema = Schema(&[
    one(1, "traceId", Identity),
    one(2, "spanId", Identity),
    one(3, "traceState", Text),
    many(4, "attributes", Message(&KEY_VALUE)),
]);
static STATUS: Schema = Schema(&[one(2, "message", Text), one(3, "code", Code)]);
static KEY_VALUE: Schema = Schema(&[one(1, "key", Text), one(2, "value", Message(&ANY_VALUE))]);
static ANY_VALUE: Schema = Schema(&[
    one(1, "stringValue", Text),
    one(2, "boolValue", Truth),
    one(3, "intValue", Integer),
    one(4, "doubleValue", Double),
    one(5, "arrayValue", Message(&ARRAY)),
    one(6, "kvlistValue", Message(&KEY_VALUES)),
    one(7, "bytesValue", Bytes),
]);
static ARRAY: Schema = Schema(&[many(1, "values", Message(&ANY_VALUE))]);
static KEY_VALUES: Schema = Schema(&[many(1, "values", Message(&KEY_VALUE))]);

/// Messages are nested no deeper; values within values are all that could be.
const DEEPEST: usize = 32;

/// The request as JSON, or what is wrong with its bytes.
pub(super) fn request(bytes: &[u8]) -> Result<Value, String> {
    message(bytes, &REQUEST, 0)
}

fn message(bytes: &[u8], schema: &Schema, depth: usize) -> Result<Value, String> {
    if depth > DEEPEST {
        return Err("its messages are nested too deeply".to_owned());
    }
    let mut fields = Map::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let tag = varint(&mut rest)?;
        let raw = raw(&mut rest, tag & 7)?;
        let Some(spec) = schema.0.iter().find(|it| it.number == tag >> 3) else {
            continue;
        };
        let value = value(&raw, spec, depth)?;
        if spec.is_repeated {
            let list = fields
                .entry(spec.label)
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(list) = list {
                list.push(value);
            }
        } else {
            fields.insert(spec.label.to_owned(), value);
        }
    }
    Ok(Value::Object(fields))
}

/// A field as it is written.
enum Raw<'b> {
    Number(u64),
    Eight(u64),
    Four(u32),
    Bytes(&'b [u8]),
}

fn raw<'b>(rest: &mut &'b [u8], wire: u64) -> Result<Raw<'b>, String> {
    let cut = || "it ends within a field".to_owned();
    match wire {
        0 => varint(rest).map(Raw::Number),
        1 => {
            let (bytes, after) = rest.split_first_chunk::<8>().ok_or_else(cut)?;
            *rest = after;
            Ok(Raw::Eight(u64::from_le_bytes(*bytes)))
        }
        2 => {
            let length = usize::try_from(varint(rest)?).map_err(|_| cut())?;
            let (bytes, after) = rest.split_at_checked(length).ok_or_else(cut)?;
            *rest = after;
            Ok(Raw::Bytes(bytes))
        }
        5 => {
            let (bytes, after) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
            *rest = after;
            Ok(Raw::Four(u32::from_le_bytes(*bytes)))
        }
        other => Err(format!("it has a field of the unknown wire type {other}")),
    }
}

fn varint(rest: &mut &[u8]) -> Result<u64, String> {
    let mut value = 0u64;
    for (position, byte) in rest.iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f)
            .checked_shl(7 * position as u32)
            .unwrap_or(0);
        if byte & 0x80 == 0 {
            *rest = &rest[position + 1..];
            return Ok(value);
        }
    }
    Err("it has a number without an end".to_owned())
}

fn value(raw: &Raw<'_>, spec: &FieldSpec, depth: usize) -> Result<Value, String> {
    Ok(match (&spec.kind, raw) {
        (FieldKind::Text, Raw::Bytes(bytes)) => {
            let text = std::str::from_utf8(bytes);
            Value::from(text.map_err(|_| format!("`{}` is not UTF-8 text", spec.label))?)
        }
        (FieldKind::Identity, Raw::Bytes(bytes)) => {
            let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
            Value::from(digits.collect::<String>())
        }
        (FieldKind::Bytes, Raw::Bytes(bytes)) => Value::from(base64(bytes)),
        (FieldKind::Truth, Raw::Number(number)) => Value::Bool(*number != 0),
        (FieldKind::Integer, Raw::Number(number)) => Value::from(number.cast_signed().to_string()),
        (FieldKind::Code, Raw::Number(number)) => Value::from(*number),
        (FieldKind::Fixed64, Raw::Eight(number)) => Value::from(number.to_string()),
        (FieldKind::Fixed32, Raw::Four(number)) => Value::from(*number),
        (FieldKind::Double, Raw::Eight(bits)) => {
            let number = f64::from_bits(*bits);
            // JSON has no infinity; its protobuf mapping has these words.
            if number.is_finite() {
                Value::from(number)
            } else {
                Value::from(number.to_string())
            }
        }
        (FieldKind::Message(schema), Raw::Bytes(bytes)) => message(bytes, schema, depth + 1)?,
        _ => return Err(format!("`{}` is of another type", spec.label)),
    })
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut bits = 0u32;
        for at in 0..3 {
            bits = bits << 8 | u32::from(chunk.get(at).copied().unwrap_or(0));
        }
        for at in 0..4 {
            if at <= chunk.len() {
                let letter = bits >> (18 - 6 * at) & 63;
                text.push(char::from(LETTERS[letter as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{base64, request};
    use choros_testkit::{fuzz, seed_from_env};
    use serde_json::json;

    /// A field with a length.
    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let mut all = vec![number << 3 | 2, bytes.len() as u8];
        all.extend_from_slice(bytes);
        all
    }

    fn attribute(key: &str, value: &[u8]) -> Vec<u8> {
        [field(1, key.as_bytes()), field(2, value)].concat()
    }

    #[test]
    fn a_span_as_it_is_sent() {
        let mut span = field(1, &[0xab; 16]);
        span.extend(field(2, &[1; 8]));
        span.extend(field(5, b"POST /orders"));
        span.extend([6 << 3, 3]);
        span.push(7 << 3 | 1);
        span.extend(1_767_225_600_000_000_001u64.to_le_bytes());
        span.extend(field(
            9,
            &attribute(
                "qty",
                &[
                    3 << 3,
                    0xff,
                    0xff,
                    0xff,
                    0xff,
                    0xff,
                    0xff,
                    0xff,
                    0xff,
                    0xff,
                    1,
                ],
            ),
        ));
        span.extend(field(9, &attribute("raw", &field(7, b"hi"))));
        // A field of a later version.
        span.extend([0xf8, 0x01, 5]);
        let resource = field(1, &attribute("service.name", &field(1, b"order")));
        let scope = field(2, &span);
        let all = field(1, &[field(1, &resource), field(2, &scope)].concat());
        assert_eq!(
            request(&all).expect("a request"),
            json!({ "resourceSpans": [{
                "resource": { "attributes": [{ "key": "service.name", "value": { "stringValue": "order" } }] },
                "scopeSpans": [{ "spans": [{
                    "traceId": "ab".repeat(16), "spanId": "01".repeat(8), "name": "POST /orders", "kind": 3,
                    "startTimeUnixNano": "1767225600000000001",
                    "attributes": [
                        { "key": "qty", "value": { "intValue": "-1" } },
                        { "key": "raw", "value": { "bytesValue": "aGk=" } },
                    ],
                }] }],
            }] })
        );
        for length in 1..all.len() {
            // No byte of it is read beyond its end.
            let _ = request(&all[..length]);
        }
    }

    #[test]
    fn what_is_not_a_request() {
        for bytes in [&[0x0a, 0x05, 0x01][..], &[0x0b], &[0xff; 12], &[0x08, 0x01]] {
            assert!(request(bytes).is_err(), "{bytes:?}");
        }
        let mut deep = field(1, b"x");
        for _ in 0..60 {
            deep = field(5, &field(1, &deep[..deep.len().min(120)]));
        }
        let _ = request(&field(1, &field(1, &field(1, &field(2, &deep)))));
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"abc"), "YWJj");
    }

    /// Bytes are written as letters, so that they are damaged like texts.
    #[test]
    fn no_text_brings_the_reader_of_traces_down() {
        let span = [
            field(1, &[0x7b; 16]),
            field(5, b"ask"),
            field(9, &attribute("x", &[3 << 3, 1])),
        ];
        let span = field(2, &field(2, &span.concat()));
        let resource = field(1, &field(1, &attribute("service.name", &field(1, b"s"))));
        let export = field(1, &[resource, span].concat());
        let deep = (0..40).fold(vec![3 << 3, 1], |value, _| field(5, &field(1, &value)));
        let letters = |bytes: &[u8]| bytes.iter().map(|it| char::from(*it)).collect::<String>();
        let corpus = [letters(&export), letters(&attribute("a", &deep))];
        let corpus: Vec<&str> = corpus.iter().map(String::as_str).collect();
        fuzz(seed_from_env(), 4_000, &corpus, |text| {
            let bytes: Vec<u8> = text.chars().map(|it| u32::from(it) as u8).collect();
            let _ = request(&bytes);
        });
    }
}
