//! Whatever a description says, what is made of it can be read: the model by its language, the binding by its reader.

use std::sync::Arc;

use choros_base::{SourceError, SourceMap, has_errors};
use choros_bind::BindingFile;
use choros_data::Terms;
use choros_import::{Description, ImportOptions, import};
use choros_lang::chor;
use choros_testkit::{fuzz, seed_from_env};

const ORDER: &str = include_str!("../../../examples/openapi/order.yaml");
const PAYMENT: &str = include_str!("../../../examples/openapi/payment.yaml");
const PROBLEMS: &str = include_str!("../../../examples/openapi/problems.yaml");

/// Names and values that mean something in one of the languages.
const NASTY: &str = r##"
openapi: 3.1.0
info: { title: "a \"b\" \n # c", version: 1 }
servers: [ { url: "https://ex\"ample.com/v1/{x}" } ]
security: [ { "k\"": [] } ]
paths:
  /a b: { get: { responses: {} } }
  /{id}/{id}/*/**: { get: { operationId: "star", responses: { "2XX": {}, 200: {}, default: {}, 999: {}, "": {} } } }
  /if/{in}:
    post:
      operationId: if
      parameters:
        - { name: in, in: path, schema: { type: string, enum: [if, then, red] } }
        - { name: "x y", in: query, required: true, schema: { type: string } }
        - { name: "a]\"", in: header, required: true, schema: { type: string } }
        - { name: "", in: query, required: true, schema: { type: string } }
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [length, prefix, if, then, "0", "", "a.b", "q\"q", client, order, String, color, color2, n, m, deep, const]
              properties:
                if: { type: boolean }
                length: { type: string, minLength: 2, enum: [length, contains] }
                prefix: { type: string, minLength: 2 }
                then: { type: integer, minimum: -1e2, maximum: 1e-2 }
                "0": { type: number, minimum: -0.5, enum: [0.5, 1] }
                "": { type: string }
                a.b: { type: string, enum: ["x\"y", "z\\"] }
                "q\"q": { type: string }
                client: { type: string, format: uuid, minLength: 36 }
                order: { type: array, items: { type: object, required: [if], properties: { if: { type: integer } } } }
                String: { type: string, enum: [String, Int] }
                color: { type: string, enum: [red, green] }
                color2: { type: string, enum: [green, blue] }
                n: { type: integer, enum: [1, 1.5] }
                m: { type: integer, multipleOf: 0 }
                deep: { type: object, required: [deep], properties: { deep: { type: array, items: { type: array, items: { type: string } } } } }
                const: { const: 12 }
      responses:
        "201": { content: { application/json: { schema: { type: array, items: { type: string } } } } }
        "202": { content: { application/json: { schema: { type: integer } } } }
        "400": { content: { application/problem+json: { schema: { type: object, required: [if], properties: { if: { type: string } } } } } }
      callbacks: { if: { "{$x}": { post: { responses: { 200: {} } } } } }
webhooks: { if: { post: { responses: { 200: {} } } } }
"##;

/// What was made of a description, if it is one; both files are read.
fn imported(texts: &[&str], optional: bool) -> Option<String> {
    let mut sources = SourceMap::new();
    let mut descriptions = Vec::new();
    for text in texts {
        let text: Arc<str> = Arc::from(*text);
        descriptions.push(Description {
            path: "api.yaml".to_owned(),
            file: sources.add("api.yaml", text.clone()),
            text,
            role: None,
        });
    }
    let problems: Arc<str> = Arc::from(PROBLEMS);
    let file = sources.add("problems.yaml", problems.clone());
    let mut open = |path: &str| match path {
        "problems.yaml" => Ok((file, problems.clone())),
        _ => Err(SourceError {
            path: path.to_owned(),
            reason: "no such file".to_owned(),
        }),
    };
    let options = ImportOptions {
        client: "client".to_owned(),
        name: None,
        optional,
    };
    let (imported, findings) = import(&descriptions, &options, &mut open);
    let Some(imported) = imported else {
        assert!(
            has_errors(&findings),
            "nothing was made, and nothing is wrong"
        );
        return None;
    };
    let mut terms = Terms::new();
    let file = sources.add("model.chor", imported.model.clone());
    let (_, findings) = chor::read(file, &imported.model, &mut terms);
    assert!(!has_errors(&findings), "{findings:?}\n{}", imported.model);
    let formatted = chor::format(file, &imported.model, &mut terms.names);
    assert!(formatted.is_ok(), "{}", imported.model);
    let file = sources.add("model.bind.toml", imported.binding.clone());
    let mut findings = Vec::new();
    BindingFile::read(file, &imported.binding, &mut findings);
    assert!(findings.is_empty(), "{findings:?}\n{}", imported.binding);
    Some(imported.model)
}

#[test]
fn both_files_are_read_back() {
    for optional in [false, true] {
        assert!(imported(&[ORDER], optional).is_some());
        assert!(imported(&[ORDER, PAYMENT], optional).is_some());
        assert!(imported(&[ORDER, PAYMENT, ORDER, NASTY], optional).is_some());
        assert!(imported(&[NASTY], optional).is_some());
    }
}

#[test]
fn damaged_descriptions_give_readable_files_or_a_mistake() {
    fuzz(seed_from_env(), 300, &[ORDER, PAYMENT, NASTY], |text| {
        imported(&[text], text.len() % 2 == 0);
    });
}
