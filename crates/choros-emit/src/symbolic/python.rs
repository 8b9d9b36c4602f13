//! HTTP tests as one file for pytest.

use super::{BodyKind, Expected, HttpCall, HttpStep, HttpSuite, HttpTest, Place};
use crate::{Case, Code, FileSet, Identifiers, Language};

const JSON_BODIES: &str = include_str!("json_bodies.py");
const XML_BODIES: &str = include_str!("xml_bodies.py");
const CALLS: &str = include_str!("calls.py");

/// One file, `test_SERVICE.py`, which needs pytest and `requests` and nothing else.
pub fn python(suite: &HttpSuite) -> FileSet {
    let mut code = Code::new();
    head(suite, &mut code);
    let mut names = Identifiers::new(Language::Python);
    for test in &suite.tests {
        code.line("").line("");
        function(suite, test, &names.name(Case::Snake, &test.name), &mut code);
    }
    let mut files = FileSet::new();
    let name = Case::Snake.of(&suite.service);
    files.add(&format!("test_{name}.py"), code.finish());
    files
}

fn head(suite: &HttpSuite, code: &mut Code) {
    let literal = |text: &str| Language::Python.text_literal(text);
    code.line(remark(&format!(
        "Tests of {} from {}, each a path of its symbolic execution tree with concrete values.",
        suite.service, suite.model
    )));
    code.lines(
        "#
#     pip install pytest requests
#     TARGET=http://127.0.0.1:8080 pytest
#
# Checked: the status of each response, and every value of it that the condition of the path leaves no choice for.
# Values that the service chooses (the number of a file) are read from its response where later requests must repeat
# them; where a request must fit a response in another way, it has the value of one possible run.
# Not checked, and left to `choros drive`: values that the condition only restricts, the lengths of lists, what the
# service says to others, what it says too early or too often. A test also fails where partners of the service do not
# do what it needs them to do, or where the service takes another branch that the model allows too;
# `choros drive` tells these from faults of the service.",
    );
    for (name, reason) in &suite.left_out {
        code.line(remark(&format!("Left out: {name}: {reason}.")));
    }
    code.line("");
    let runtime = match suite.bodies {
        BodyKind::Json => JSON_BODIES,
        BodyKind::Xml => XML_BODIES,
    };
    // Imports first, then what may be changed, then what need not be read.
    let (imports, bodies) = runtime.split_once("\n\n\n").unwrap_or(("", runtime));
    code.lines(imports).line("");
    code.line(format!(
        "TARGET = os.environ.get(\"TARGET\", {}).rstrip(\"/\")",
        literal(&suite.target)
    ));
    code.line("# So many seconds pass when the model says that a unit of time does.");
    code.line(format!(
        "TICK = float(os.environ.get(\"TICK\", \"{}.{:03}\"))",
        suite.tick / 1000,
        suite.tick % 1000
    ));
    code.line("# So many seconds a response may take.");
    code.line("TIMEOUT = float(os.environ.get(\"TIMEOUT\", \"10\"))");
    code.line("").line("").lines(bodies);
    code.line("").line("").lines(CALLS);
}

fn function(suite: &HttpSuite, test: &HttpTest, name: &str, code: &mut Code) {
    code.line(format!("def {name}():"));
    code.indented(|code| {
        for conjunct in &test.condition {
            code.line(remark(&format!("where {conjunct}")));
        }
        for need in &test.needs {
            code.line(remark(&format!("needs {need}")));
        }
        let mut number = 0;
        for step in &test.steps {
            match step {
                HttpStep::Tick => {
                    code.line("time.sleep(TICK)");
                }
                HttpStep::Call(one) => {
                    call(suite.bodies, one, number, code);
                    number += 1;
                }
            }
        }
        if test.steps.is_empty() {
            code.line("pass");
        }
    });
}

fn call(bodies: BodyKind, call: &HttpCall, number: usize, code: &mut Code) {
    let literal = |text: &str| Language::Python.text_literal(text);
    let place = |place: &Place| format!("answer_{}[{}]", place.call + 1, literal(&place.path));
    code.line(remark(&call.about));
    code.block(&format!("answer_{} = call(", number + 1), ")", |code| {
        code.line(format!("{},", literal(&call.method)));
        code.line(format!("{},", literal(&call.path)));
        let headers: Vec<String> = call
            .headers
            .iter()
            .map(|(name, value)| format!("{}: {}", literal(name), literal(value)))
            .collect();
        code.line(format!("{{{}}},", headers.join(", ")));
        // Literals that follow each other are one, so that a body is read line by line.
        let mut lines: Vec<String> = call
            .body
            .split_inclusive('\n')
            .map(|line| match line.strip_suffix('\n') {
                Some(line) => {
                    let text = literal(line);
                    format!("{}\\n\"", text.strip_suffix('"').unwrap_or(&text))
                }
                None => literal(line),
            })
            .collect();
        if lines.is_empty() {
            lines.push(literal(""));
        }
        code.lines(&format!("{},", lines.join("\n")));
        let copies: Vec<String> = call
            .copies
            .iter()
            .map(|(path, from)| format!("{}: {}", literal(path), place(from)))
            .collect();
        code.line(format!("{{{}}},", copies.join(", ")));
        code.line(format!(
            "{},",
            call.status
                .map_or("None".to_owned(), |status| status.to_string())
        ));
    });
    for (path, expected) in &call.expected {
        let value = match expected {
            Expected::Value(text) => match (bodies, text.as_str()) {
                (BodyKind::Xml, text) => literal(text),
                (BodyKind::Json, "true") => "True".to_owned(),
                (BodyKind::Json, "false") => "False".to_owned(),
                (BodyKind::Json, "null") => "None".to_owned(),
                // Numbers and texts of JSON are those of Python.
                (BodyKind::Json, text) => text.to_owned(),
            },
            Expected::Same(from) => place(from),
        };
        code.line(format!(
            "expect(answer_{}, {}, {value})",
            number + 1,
            literal(path)
        ));
    }
}

fn remark(text: &str) -> String {
    Language::Python.comment(text)
}
