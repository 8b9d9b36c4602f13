//! No text brings a reader down: mappings, records of what was done, and what services answer.

use choros_bind::translate;
use choros_data::{Sort, Terms};
use choros_drive::{pieces, read_done};
use choros_suite::{from_json, json_leaves};
use choros_testkit::{fuzz, seed_from_env};

const MAPPING: &str = r#"{ "headers": {"Authorization": "Bearer ${TOKEN}"}, "operations": {
    "Ask": { "method": "PUT", "path": "/ask/{order.id}?n={n}", "fields": ["id", "order/lines/0"], "answers": ["Big", "Small"] },
    "Small": { "status": 404, "fields": ["id"] } } }"#;
const DONE: &str = "{\"suite\":\"0a1b\"}\n{\"test\":\"test_1\",\"verdict\":\"pass\",\"seed\":7}\n";
const ANSWER: &str = r#"{"order":{"id":123456789012345678901234567890,"price":1.5e-7,"lines":[{"text":"a\u0000b"},null,true]}}"#;

#[test]
fn no_text_brings_a_reader_down() {
    fuzz(seed_from_env(), 4_000, &[MAPPING, DONE, ANSWER], |text| {
        let _ = translate(text);
        let _ = read_done(text);
        let _ = json_leaves(text.as_bytes());
        assert!(pieces(text).len() <= text.len() + 1);
        if let Ok(json) = serde_json::from_str(text) {
            let mut terms = Terms::new();
            for sort in [Sort::INT, Sort::REAL, Sort::BOOL, Sort::STRING] {
                let _ = from_json(&json, sort, &mut terms);
            }
        }
    });
}
