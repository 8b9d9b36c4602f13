//! HTTP tests as one file for pytest.

use super::{
    BodyKind, Expected, HeaderPart, HttpCall, HttpStep, HttpSuite, HttpTest, MessageValue,
    PartnerCall, ServiceMessage,
};
use crate::{Code, FileSet, Identifiers, NamingCase, TargetLanguage};

const JSON_BODIES: &str = include_str!("json_bodies.py");
const XML_BODIES: &str = include_str!("xml_bodies.py");
const NUMBERS: &str = include_str!("numbers.py");
const CALLS: &str = include_str!("calls.py");
const PARTNERS: &str = include_str!("partners.py");

/// One file, `test_SERVICE.py`, which needs pytest and `requests` and nothing else.
pub fn python(suite: &HttpSuite) -> FileSet {
    let mut code = Code::new();
    head(suite, &mut code);
    let mut names = Identifiers::new(TargetLanguage::Python);
    for test in &suite.tests {
        code.line("").line("");
        function(
            suite,
            test,
            &names.name(NamingCase::Snake, &test.name),
            &mut code,
        );
    }
    let mut files = FileSet::new();
    let name = NamingCase::Snake.of(&suite.service);
    files.add(&format!("test_{name}.py"), code.finish());
    files
}

fn head(suite: &HttpSuite, code: &mut Code) {
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
# Not checked, and left to `choros drive`: values that the condition only restricts, what the service says too early,
# and what it says after the end. Where the model allows another answer, the test takes it too, says which branch was
# seen (pytest -rP), and ends there.",
    );
    code.lines(if suite.partners.is_empty() { "\
# Partners of the service are not played: they must do what the remarks of a test say that it needs." } else { "\
# Partners of the service are played here, where PARTNERS says; the service must look for them there." });
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
    code.lines(imports);
    let (partner_imports, partners) = PARTNERS.split_once("\n\n\n").unwrap_or(("", PARTNERS));
    if !suite.partners.is_empty() {
        code.line("").lines(partner_imports);
    }
    code.line("");
    code.line(format!(
        "TARGET = os.environ.get(\"TARGET\", {}).rstrip(\"/\")",
        literal(&suite.target)
    ));
    code.line("# Seconds per unit of time of the model.");
    code.line(format!(
        "TICK = float(os.environ.get(\"TICK\", \"{}.{:03}\"))",
        suite.tick / 1000,
        suite.tick % 1000
    ));
    code.line("# Seconds to wait for a response.");
    code.line("TIMEOUT = float(os.environ.get(\"TIMEOUT\", \"10\"))");
    code.line("# Headers of every request.");
    if suite.headers.is_empty() {
        code.line("HEADERS = {}")
    } else {
        code.block("HEADERS = {", "}", |code| {
            for (name, parts) in &suite.headers {
                let parts = parts.iter().map(|part| match part {
                    HeaderPart::Text(text) => literal(text),
                    HeaderPart::Environment(name) => format!("os.environ[{}]", literal(name)),
                });
                let parts: Vec<String> = parts.collect();
                let value = if parts.is_empty() {
                    literal("")
                } else {
                    parts.join(" + ")
                };
                code.line(format!("{}: {value},", literal(name)));
            }
        })
    };
    if !suite.partners.is_empty() {
        code.line("# Where partners are played; PARTNER_NAME=host:port says otherwise.");
        code.block("PARTNERS = {", "}", |code| {
            for (role, address) in &suite.partners {
                let variable = format!("PARTNER_{}", NamingCase::Snake.of(role).to_uppercase());
                code.line(format!(
                    "{}: os.environ.get({}, {}),",
                    literal(role),
                    literal(&variable),
                    literal(address)
                ));
            }
        });
    }
    code.line("").line("").lines(bodies);
    code.line("").line("").lines(NUMBERS);
    code.line("").line("").lines(CALLS);
    if !suite.partners.is_empty() {
        code.line("").line("").lines(partners);
    }
}

fn function(suite: &HttpSuite, test: &HttpTest, name: &str, code: &mut Code) {
    let may_differ =
        |step: &HttpStep| matches!(step, HttpStep::Call(call) if !call.others.is_empty());
    if test.steps.iter().any(may_differ) {
        code.line("@either");
    }
    code.line(format!("def {name}():"));
    code.indented(|code| {
        for conjunct in &test.condition {
            code.line(remark(&format!("where {conjunct}")));
        }
        for need in &test.needs {
            code.line(remark(&format!("needs {need}")));
        }
        let (mut number, mut asked) = (0, 0);
        for step in &test.steps {
            match step {
                HttpStep::Tick => {
                    code.line("time.sleep(TICK)");
                }
                HttpStep::Asked(one) => {
                    partner(suite.bodies, one, asked, code);
                    asked += 1;
                }
                HttpStep::Call(one) => {
                    call(suite.bodies, one, number, code);
                    number += 1;
                }
            }
        }
        if asked > 0 {
            code.line("settle()");
        }
        if test.steps.is_empty() {
            code.line("pass");
        }
    });
}

fn call(bodies: BodyKind, call: &HttpCall, number: usize, code: &mut Code) {
    code.line(remark(&call.about));
    let name = format!("answer_{}", number + 1);
    let function = if call.others.is_empty() {
        "call"
    } else {
        "call_either"
    };
    code.block(&format!("{name} = {function}("), ")", |code| {
        code.line(format!("{},", literal(&call.method)));
        code.line(format!("{},", literal(&call.path)));
        let headers: Vec<String> = call
            .headers
            .iter()
            .map(|(name, value)| format!("{}: {}", literal(name), literal(value)))
            .collect();
        code.line(format!("{{{}}},", headers.join(", ")));
        code.lines(&body(&call.body));
        code.line(format!("{},", copied(&call.copies)));
        code.line(format!("{},", status(call.status)));
        if !call.others.is_empty() {
            checks("lambda answer: [", "],", bodies, &call.expected, code);
            code.block("[", "],", |code| {
                for other in &call.others {
                    let head = format!("({}, {}, ", literal(&other.about), status(other.status));
                    let head = format!("{head}lambda answer: [");
                    checks(&head, "]),", bodies, &other.expected, code);
                }
            });
        }
        if call.ticks > 0 {
            code.line(format!("ticks={},", call.ticks));
        }
    });
    if call.others.is_empty() {
        for (path, expected) in &call.expected {
            code.line(expectation(bodies, &name, path, expected));
        }
    }
}

fn status(status: Option<u16>) -> String {
    status.map_or("None".to_owned(), |status| status.to_string())
}

/// A function that checks an answer.
fn checks(
    head: &str,
    tail: &str,
    bodies: BodyKind,
    expected: &[(String, Expected)],
    code: &mut Code,
) {
    if expected.is_empty() {
        code.line(format!("{head}{tail}"));
    } else {
        code.block(head, tail, |code| {
            for (path, expected) in expected {
                code.line(format!(
                    "{},",
                    expectation(bodies, "answer", path, expected)
                ));
            }
        });
    }
}

fn partner(bodies: BodyKind, asked: &PartnerCall, number: usize, code: &mut Code) {
    code.line(remark(&asked.about));
    code.block(&format!("asked_{} = partner(", number + 1), ")", |code| {
        code.line(format!("{},", literal(&asked.role)));
        code.line(format!("{},", literal(&asked.title)));
        code.line(format!("{},", asked.status));
        let kind = asked.content_type.as_ref();
        let kind = kind.map(|kind| format!("\"content-type\": {}", literal(kind)));
        code.line(format!("{{{}}},", kind.unwrap_or_default()));
        code.lines(&body(&asked.body));
        // What the service has said by then is not known yet.
        code.line(format!("lambda: {},", copied(&asked.copies)));
        code.block("lambda asked: [", "],", |code| {
            for (path, expected) in &asked.expected {
                code.line(format!("{},", expectation(bodies, "asked", path, expected)));
            }
        });
    });
}

/// A body as literals that follow each other and so are one, so that it is read line by line.
fn body(text: &str) -> String {
    let mut lines: Vec<String> = text
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
    format!("{},", lines.join("\n"))
}

fn copied(copies: &[(String, MessageValue)]) -> String {
    let copies: Vec<String> = copies
        .iter()
        .map(|(path, from)| format!("{}: {}", literal(path), place(from)))
        .collect();
    format!("{{{}}}", copies.join(", "))
}

fn expectation(bodies: BodyKind, said: &str, path: &str, expected: &Expected) -> String {
    let path = literal(path);
    let value = match expected {
        Expected::Count(count) => return format!("expect_count({said}, {path}, {count})"),
        Expected::Value(text) => match (bodies, text.as_str()) {
            (BodyKind::Xml, text) => literal(text),
            (BodyKind::Json, "true") => "True".to_owned(),
            (BodyKind::Json, "false") => "False".to_owned(),
            (BodyKind::Json, "null") => "None".to_owned(),
            // Texts of JSON are those of Python.
            (BodyKind::Json, text) => text.to_owned(),
        },
        Expected::Number(text) => {
            return format!("expect_number({said}, {path}, {})", literal(text));
        }
        Expected::Same(from) => place(from),
        Expected::SameNumber(from) => {
            return format!("expect_number({said}, {path}, {})", place(from));
        }
    };
    format!("expect({said}, {path}, {value})")
}

fn place(place: &MessageValue) -> String {
    let path = literal(&place.path);
    match place.said {
        ServiceMessage::Answer(number) => format!("answer_{}[{path}]", number + 1),
        ServiceMessage::Asked(number) => format!("asked_{}[{path}]", number + 1),
    }
}

fn literal(text: &str) -> String {
    TargetLanguage::Python.text_literal(text)
}

fn remark(text: &str) -> String {
    TargetLanguage::Python.comment(text)
}
