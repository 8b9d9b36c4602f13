//! Values as services write them in JSON: which of them are the value that a test expects.
//!
//! A number is what it is worth, however it is written and also in a text; nothing is rounded.
//! A text is not a number, and `true`, `null` and the empty text are not 1 or 0.

use choros_data::{Sort, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

/// A value that is expected, and one that is written.
#[derive(Debug, Clone)]
pub struct WrittenValue {
    /// What is expected.
    pub value: Value,
    /// What stands in the body, as JSON.
    pub written: String,
    /// Whether that is it.
    pub is_same: bool,
}

/// What is expected, what is that, and what is not.
type Row = (Value, &'static [&'static str], &'static [&'static str]);

impl WrittenValue {
    /// All of them.
    pub fn table() -> Vec<WrittenValue> {
        let real = |above: i64, below: i64| {
            Value::Real(BigRational::new(BigInt::from(above), BigInt::from(below)))
        };
        let rows: Vec<Row> = vec![
            (
                Value::int(5),
                &[
                    "5", "5.0", "5e0", "50e-1", "\"5\"", "\"5.0\"", "\"+5\"", "\"10/2\"",
                ],
                &[
                    "6", "5.5", "-5", "true", "null", "\"\"", "\" 5\"", "\"five\"", "\"0x5\"",
                    "\"5/0\"", "[5]", "{}",
                ],
            ),
            (Value::int(1), &["1"], &["true", "\"true\"", "[]"]),
            (
                Value::int(0),
                &["0", "-0", "0.0"],
                &["false", "null", "\"\""],
            ),
            (Value::int(10), &["10", "1e1"], &["\"1_0\"", "\"1,0\""]),
            (
                Value::int(9_007_199_254_740_993_i64),
                &["9007199254740993"],
                &["9007199254740992", "9007199254740993.5"],
            ),
            (
                real(3, 10),
                &["0.3", "0.30", "3e-1", "\"0.3\"", "\"3/10\""],
                &["0.30000000000000004", "0.30000000000000000001", "3", "null"],
            ),
            (
                real(1, 3),
                &["\"1/3\"", "\"2/6\""],
                &["0.3333333333333333", "0.33"],
            ),
            (Value::text("5"), &["\"5\""], &["5", "\"5.0\"", "\" 5\""]),
            (
                Value::text("true"),
                &["\"true\""],
                &["true", "\"True\"", "1"],
            ),
            (Value::text(""), &["\"\""], &["null", "0", "false", "\" \""]),
            (Value::text("ä€𝄞"), &["\"\\u00e4€𝄞\""], &["\"ä€\""]),
            (
                Value::Bool(true),
                &["true"],
                &["false", "1", "\"true\"", "null"],
            ),
            (Value::Bool(false), &["false"], &["0", "\"\"", "null", "[]"]),
        ];
        let mut table = Vec::new();
        for (value, same, others) in rows {
            let all = same.iter().map(|it| (it, true));
            for (written, is_same) in all.chain(others.iter().map(|it| (it, false))) {
                table.push(WrittenValue {
                    value: value.clone(),
                    written: (*written).to_owned(),
                    is_same,
                });
            }
        }
        let large = BigInt::from(10).pow(400);
        for (written, is_same) in [
            (large.to_string(), true),
            ("1e400".to_owned(), true),
            ("1e401".to_owned(), false),
            ((&large + BigInt::from(1)).to_string(), false),
        ] {
            let value = Value::Int(large.clone());
            table.push(WrittenValue {
                value,
                written,
                is_same,
            });
        }
        table
    }

    /// The sort of what is expected.
    pub fn sort(&self) -> Sort {
        match self.value {
            Value::Bool(_) => Sort::BOOL,
            Value::Int(_) => Sort::INT,
            Value::Real(_) => Sort::REAL,
            _ => Sort::STRING,
        }
    }
}
