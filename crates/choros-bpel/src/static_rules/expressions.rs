//! Expressions: their languages, where paths start, how functions of BPEL are called, join conditions.

use choros_xml::document::Element;
use choros_xml::xpath::{CalledFunction, Outline, OutlineForm, WrittenExpression};

use super::tree::{child, children, is, is_opaque};
use super::variables::is_ncname;
use super::{Rules, rule};

rule!(SA00004 {
    code: "CH1404",
    name: "unknown-language",
    section: "5.2",
    what: "Expressions and queries are in XPath 1.0; those in XPath 2.0 and XQuery are left open, with a warning (CH1181).",
    why: "An expression in another language has no meaning here, and so has the process.",
    example: "<condition expressionLanguage='urn:my:language'>go?</condition>",
});

rule!(SA00027 {
    code: "CH1427",
    name: "path-without-variable",
    section: "8.2.4",
    what: "A path in an expression starts from a variable or from a function; in a predicate it can start from the node there.",
    why: "Expressions have no context node: `/order/id` selects nothing.",
    example: "<condition>/order/amount &gt; 10</condition>",
});

rule!(SA00028 {
    code: "CH1428",
    name: "function-in-join-condition",
    section: "8.2.5",
    what: "No join condition calls a function of BPEL.",
    why: "A join condition is about the status of links, not about data.",
    example: "<joinCondition>bpel:getVariableProperty('x', 't:p') = 1</joinCondition>",
});

rule!(SA00030 {
    code: "CH1430",
    name: "computed-argument",
    section: "8.3",
    what: "The arguments of `getVariableProperty` are texts in quotes.",
    why: "Which property of which variable is meant must be known before the process runs.",
    example: "bpel:getVariableProperty($name, 't:p')",
});

rule!(SA00031 {
    code: "CH1431",
    name: "property-argument",
    section: "8.3",
    what: "The second argument of `getVariableProperty` is a qualified name.",
    why: "Properties are defined in the namespace of a WSDL document.",
    example: "bpel:getVariableProperty('x', 'my property')",
});

rule!(SA00033 {
    code: "CH1433",
    name: "target-without-variable",
    section: "8.4",
    what: "The expression in `to` begins with a variable.",
    why: "Only variables can be assigned.",
    example: "<to>concat($x, 'a')</to>",
});

rule!(SA00039 {
    code: "CH1439",
    name: "computed-stylesheet",
    section: "8.4",
    what: "The first argument of `doXslTransform` is a text in quotes.",
    why: "The style sheet is part of what is deployed and must be known before the process runs.",
    example: "bpel:doXslTransform($sheet, $x)",
});

rule!(SA00040 {
    code: "CH1440",
    name: "unpaired-parameter",
    section: "8.4",
    what: "The arguments of `doXslTransform` after the second come in pairs of name and value.",
    why: "A name without a value, or a value without a name, is not a parameter.",
    example: "bpel:doXslTransform('a.xsl', $x, 'p')",
});

rule!(SA00041 {
    code: "CH1441",
    name: "parameter-name",
    section: "8.4",
    what: "The names of parameters of `doXslTransform` are qualified names in quotes.",
    why: "They name parameters that the style sheet declares.",
    example: "bpel:doXslTransform('a.xsl', $x, $name, 1)",
});

rule!(SA00073 {
    code: "CH1473",
    name: "join-condition",
    section: "11.6.2",
    what: "A join condition consists of Boolean operators and of the activity's incoming links.",
    why: "It is decided once the status of these links is known, and nothing else may change the answer.",
    example: "<joinCondition>$first and $amount &gt; 10</joinCondition>",
});

/// XPath 1.0 in both versions of the standard.
const XPATH: [&str; 2] = [
    "urn:oasis:names:tc:wsbpel:2.0:sublang:xpath1.0",
    "http://www.w3.org/TR/1999/REC-xpath-19991116",
];

/// Whether a function is one that BPEL adds to XPath.
pub(super) fn is_bpel_function(call: &CalledFunction) -> bool {
    let added = [
        "getVariableProperty",
        "doXslTransform",
        "getVariableData",
        "getLinkStatus",
    ];
    added.contains(&call.local())
}

fn is_qualified_name(text: &str) -> bool {
    match text.split_once(':') {
        Some((prefix, local)) => is_ncname(prefix) && is_ncname(local),
        None => is_ncname(text),
    }
}

impl<'a> Rules<'a> {
    pub(super) fn expressions(&mut self) {
        for element in self.elements.clone() {
            for attribute in ["expressionLanguage", "queryLanguage"] {
                self.language(element, attribute);
            }
            match element.local() {
                "condition"
                | "transitionCondition"
                | "for"
                | "until"
                | "repeatEvery"
                | "startCounterValue"
                | "finalCounterValue"
                | "branches" => {
                    self.expression(element);
                }
                "joinCondition" => self.join_condition(element),
                "from" | "to" if is_expression(element) => {
                    let outline = self.expression(element);
                    if let (true, Some(outline)) = (is(element, "to"), outline) {
                        self.target(element, &outline);
                    }
                }
                _ => {}
            }
        }
        for document in self.documents {
            for alias in document.root().children() {
                for query in alias.children().filter(|it| it.local() == "query") {
                    self.language(query, "queryLanguage");
                }
            }
        }
    }

    fn language(&mut self, element: Element<'_>, attribute: &str) {
        let Some(language) = element.attribute(attribute) else {
            return;
        };
        if XPATH.contains(&language) {
            return;
        }
        let span = element.attribute_span(attribute);
        let lower = language.to_lowercase();
        // Known languages are named where their expressions are left open.
        if ["xpath2.0", "xpath20", "xquery"]
            .iter()
            .any(|it| lower.contains(it))
        {
            return;
        }
        self.covers(element.span(), false);
        let message = format!("the language `{language}` is unknown");
        self.report(&SA00004, message, span, "XPath 1.0 is expected");
    }

    /// The rules for every expression.
    fn expression(&mut self, element: Element<'a>) -> Option<Outline> {
        if is_opaque(element) {
            return None;
        }
        let outline = Outline::of(&WrittenExpression::text_of(element))?;
        if let Some(&span) = outline.bare_paths.first() {
            self.covers(element.text_span(), true);
            let message = "a path in an expression must start from a variable";
            self.report(&SA00027, message, span, "no node to start from");
        }
        for call in &outline.calls {
            match call.local() {
                "getVariableProperty" => self.variable_property(element, call),
                "doXslTransform" => self.transform(element, call),
                _ => {}
            }
        }
        Some(outline)
    }

    fn variable_property(&mut self, element: Element<'a>, call: &CalledFunction) {
        if let Some((_, span)) = call.arguments.iter().find(|(text, _)| text.is_none()) {
            self.covers(element.text_span(), true);
            let message = "`getVariableProperty` takes texts in quotes";
            self.report(&SA00030, message, *span, "computed");
        } else if let Some((Some(name), span)) = call.arguments.get(1)
            && !is_qualified_name(name)
        {
            self.covers(element.text_span(), true);
            let message = format!("`{name}` is not the name of a property");
            self.report(&SA00031, message, *span, "a qualified name is expected");
        }
    }

    fn transform(&mut self, element: Element<'a>, call: &CalledFunction) {
        let whole = element.text_span();
        if let Some((None, span)) = call.arguments.first() {
            self.covers(whole, true);
            let message = "the style sheet of `doXslTransform` is a text in quotes";
            self.report(&SA00039, message, *span, "computed");
        }
        let parameters = call.arguments.get(2..).unwrap_or_default();
        if parameters.len() % 2 == 1 {
            self.covers(whole, true);
            let message = "`doXslTransform` has a parameter without a value";
            self.report(&SA00040, message, call.span, "an odd number of arguments");
        }
        for pair in parameters.chunks(2) {
            let (name, span) = &pair[0];
            if !name.as_deref().is_some_and(is_qualified_name) {
                self.covers(whole, true);
                let message = "the name of a parameter is a qualified name in quotes";
                self.report(&SA00041, message, *span, "not a name in quotes");
            }
        }
    }

    fn target(&mut self, element: Element<'a>, outline: &Outline) {
        let starts = matches!(
            outline.form,
            OutlineForm::Variable(_) | OutlineForm::PathOfVariable | OutlineForm::TextOfVariable
        );
        if !starts && outline.bare_paths.is_empty() {
            self.covers(element.text_span(), true);
            self.covers(element.span(), false);
            let message = "the target of a copy must begin with a variable";
            let span = element.text_span();
            self.report(&SA00033, message, span, "cannot be assigned");
        }
    }

    fn join_condition(&mut self, element: Element<'a>) {
        let Some(outline) = Outline::of(&WrittenExpression::text_of(element)) else {
            return;
        };
        let whole = element.text_span();
        if let Some(call) = outline.calls.iter().find(|it| is_bpel_function(it)) {
            // BPEL4WS 1.1 asks for the status of a link with a function.
            if call.local() != "getLinkStatus" {
                self.covers(whole, true);
                let message = format!("a join condition must not call `{}`", call.name);
                self.report(&SA00028, message, call.span, "not about links");
            }
            return;
        }
        let incoming: Vec<&str> = element
            .parent()
            .into_iter()
            .flat_map(|targets| children(targets, "target"))
            .filter_map(|target| target.attribute("linkName"))
            .collect();
        let other = outline.variables.iter();
        let other = other.filter(|(name, _)| !incoming.contains(&&**name));
        let other = other.map(|(_, span)| *span).next();
        if let Some(span) = outline.not_boolean.or(other) {
            self.covers(whole, true);
            let message = "a join condition must be about the incoming links alone";
            let label = match &incoming[..] {
                [] => "not an incoming link".to_owned(),
                known => format!("the incoming links are `${}`", known.join("`, `$")),
            };
            self.report(&SA00073, message, span, label);
        }
    }
}

/// Whether `from` or `to` is written as an expression.
fn is_expression(element: Element<'_>) -> bool {
    let attributes = ["variable", "partnerLink"];
    attributes.iter().all(|it| element.attribute(it).is_none())
        && child(element, "literal").is_none()
        && !element.text().trim().is_empty()
}
