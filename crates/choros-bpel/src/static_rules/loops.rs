//! `forEach`.

use choros_xml::document::Element;
use choros_xml::xpath::{Outline, OutlineForm, WrittenExpression};
use num_traits::ToPrimitive;

use super::tree::{child, declared};
use super::{Rules, rule};

rule!(SA00074 {
    code: "CH1474",
    name: "counter-value",
    section: "11.7",
    what: "A constant in `startCounterValue` or `finalCounterValue` is a whole number from 0 to 4294967295.",
    why: "At run time the activity raises `invalidExpressionValue`; the standard lets a processor reject the process, and here it is a warning.",
    example: "<startCounterValue>-1</startCounterValue>",
});

rule!(SA00075 {
    code: "CH1475",
    name: "too-many-branches",
    section: "11.7",
    what: "A constant in `branches` is not larger than the number of rounds, if that is constant too.",
    why: "At run time the activity raises `invalidBranchCondition`; the standard lets a processor reject the process, and here it is a warning.",
    example: "<startCounterValue>1</startCounterValue><finalCounterValue>2</finalCounterValue><completionCondition><branches>3</branches></completionCondition>",
});

rule!(SA00076 {
    code: "CH1476",
    name: "counter-declared",
    section: "11.7",
    what: "The scope of a `forEach` does not declare a variable with the name of the counter.",
    why: "The counter is declared there already.",
    example: "<forEach counterName='i' …><scope><variables><variable name='i' type='xs:int'/></variables> …",
});

/// A constant, in words if it is none that counts.
fn constant(element: Element<'_>) -> Option<Result<u32, String>> {
    let outline = Outline::of(&WrittenExpression::text_of(element))?;
    match outline.form {
        OutlineForm::Number(number) => Some(if number.is_integer() {
            number.to_integer().to_u32().ok_or(number.to_string())
        } else {
            Err(element.text().trim().to_owned())
        }),
        OutlineForm::Text(text) => Some(text.trim().parse().map_err(|_| text)),
        _ => None,
    }
}

impl<'a> Rules<'a> {
    pub(super) fn loops(&mut self) {
        for element in self.all(&["forEach"]) {
            let bounds = ["startCounterValue", "finalCounterValue"]
                .map(|local| child(element, local).and_then(|it| self.counter(it)));
            let branches =
                child(element, "completionCondition").and_then(|it| child(it, "branches"));
            if let Some(branches) = branches {
                self.branches(branches, bounds);
            }
            let name = element.attribute("counterName");
            let scope = child(element, "scope");
            let own = scope
                .into_iter()
                .flat_map(|it| declared(it, "variables", "variable"));
            let own: Vec<Element<'a>> = own.filter(|it| it.attribute("name") == name).collect();
            if let (Some(name), Some(own)) = (name, own.first()) {
                let message = format!("the counter `{name}` is declared again");
                let span = own.attribute_span("name");
                self.report(&SA00076, message, span, "declared again");
                self.also(element.attribute_span("counterName"), "the counter");
            }
        }
    }

    fn counter(&mut self, bound: Element<'a>) -> Option<u32> {
        match constant(bound)? {
            Ok(number) => Some(number),
            Err(text) => {
                let message = format!("`{text}` is not a value of a counter");
                let span = bound.text_span();
                self.warn(&SA00074, message, span, "a whole number from 0 is expected");
                None
            }
        }
    }

    fn branches(&mut self, branches: Element<'a>, bounds: [Option<u32>; 2]) {
        let span = branches.text_span();
        match (constant(branches), bounds) {
            (Some(Err(text)), _) => {
                let message = format!("`{text}` is not a number of branches");
                self.warn(&SA00075, message, span, "a whole number from 0 is expected");
            }
            (Some(Ok(wanted)), [Some(first), Some(last)]) => {
                let rounds = (u64::from(last) + 1).saturating_sub(u64::from(first));
                if u64::from(wanted) > rounds {
                    let message = format!("{wanted} branches are awaited of {rounds}");
                    self.warn(&SA00075, message, span, "never reached");
                }
            }
            _ => {}
        }
    }
}
