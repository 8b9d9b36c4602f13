//! A protobuf message without its description: fields by number.
//!
//! The wire says how long a field is and not what it means.
//! So whole numbers are read as signed 64-bit numbers, fixed ones as floating-point numbers, and what has a length as a text
//! if it is UTF-8 without control characters; if it can be read as a message, its fields stand below it too.
//! A field that comes several times is a list: its values stand at `.0`, `.1` below its number, and the first at its number
//! too if it has no parts.

use std::collections::BTreeMap;

use choros_model::observation::{Datum, Number};

use super::Opened;

const DEEPEST: usize = 16;

pub(super) fn values(bytes: &[u8]) -> Result<Opened, String> {
    let mut found = Vec::new();
    let mut pending = vec![(String::new(), bytes, 0)];
    while let Some((path, bytes, depth)) = pending.pop() {
        let Some(fields) = fields(bytes) else {
            if path.is_empty() {
                return Err("it is not a protobuf message".to_owned());
            }
            continue;
        };
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for (number, _) in &fields {
            *counts.entry(*number).or_default() += 1;
        }
        let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
        for (number, value) in fields {
            let position = seen.entry(number).or_default();
            let own = match path.as_str() {
                "" => number.to_string(),
                path => format!("{path}.{number}"),
            };
            let mut places = Vec::new();
            if *position == 0 {
                places.push(own.clone());
            }
            if counts[&number] > 1 {
                places.push(format!("{own}.{position}"));
            }
            *position += 1;
            let datum = match value {
                Field::Simple(datum) => Some(datum),
                Field::Bytes(bytes) => {
                    // At one place only, or messages within each other would be read ever more often.
                    if let Some(place) = places.last()
                        && depth < DEEPEST
                        && !bytes.is_empty()
                    {
                        pending.push((place.clone(), bytes, depth + 1));
                    }
                    text(bytes).map(|it| Datum::Text(it.to_owned().into()))
                }
            };
            if let Some(datum) = datum {
                found.extend(places.into_iter().map(|place| (place, datum.clone())));
            }
        }
    }
    Ok(found)
}

enum Field<'b> {
    Simple(Datum<'static>),
    Bytes(&'b [u8]),
}

/// The fields of a message; none if the bytes are not one.
fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, Field<'_>)>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes)?;
        let number = key >> 3;
        if number == 0 || number >= 1 << 29 {
            return None;
        }
        let field = match key & 7 {
            0 => Field::Simple(Datum::Number(Number::from(varint(&mut bytes)? as i64))),
            1 => {
                let eight = take(&mut bytes, 8)?.try_into().ok()?;
                floating(f64::from_le_bytes(eight))
            }
            2 => {
                let length = usize::try_from(varint(&mut bytes)?).ok()?;
                Field::Bytes(take(&mut bytes, length)?)
            }
            5 => {
                let four = take(&mut bytes, 4)?.try_into().ok()?;
                floating(f64::from(f32::from_le_bytes(four)))
            }
            _ => return None,
        };
        fields.push((number, field));
    }
    Some(fields)
}

fn floating(value: f64) -> Field<'static> {
    Field::Simple(match Number::parse(&value.to_string()) {
        Ok(number) => Datum::Number(number),
        Err(_) => Datum::Text(value.to_string().into()),
    })
}

fn text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let is_plain = |it: char| !it.is_control() || matches!(it, '\n' | '\t' | '\r');
    text.chars().all(is_plain).then_some(text)
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for position in 0..10 {
        let (&first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << (7 * position);
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::values;

    fn shown(bytes: &[u8]) -> String {
        let mut found = values(bytes).unwrap();
        found.sort_by(|left, right| left.0.cmp(&right.0));
        let shown: Vec<String> = found
            .iter()
            .map(|(path, value)| format!("{path}={value}"))
            .collect();
        shown.join(" ")
    }

    #[test]
    fn fields_are_told_by_their_numbers() {
        // The examples of the encoding's documentation: 1: 150, 2: "testing", 3: { 1: 150 }.
        let bytes = b"\x08\x96\x01\x12\x07testing\x1a\x03\x08\x96\x01";
        assert_eq!(shown(bytes), "1=150 2=\"testing\" 3.1=150");
        // -2 as int64, 2.5 as a double, and 4: "a" twice.
        let bytes = b"\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x11\0\0\0\0\0\0\x04\x40\x22\x01a\x22\x01b";
        assert_eq!(shown(bytes), "1=-2 2=2.5 4=\"a\" 4.0=\"a\" 4.1=\"b\"");
    }

    #[test]
    fn what_is_no_message() {
        for bytes in [
            &b"\x08"[..],
            b"\x12\x7fabc",
            b"\0\0",
            b"\x0f",
            b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
        ] {
            assert!(values(bytes).is_err(), "{bytes:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_makes_it_panic(bytes in proptest::collection::vec(0u8.., 0..60)) {
            let _ = values(&bytes);
        }
    }
}
