//! Correlation sets and their use.

use choros_base::Span;
use choros_data::Terms;
use choros_xml::document::{Element, Library, QName};
use choros_xml::schema::Shape;
use choros_xml::wsdl::{Definitions, PartHolds};

use super::tree::{children, declared, is, repeated};
use super::{Rules, rule};

rule!(SA00044 {
    code: "CH1444",
    name: "repeated-correlation-set",
    section: "9.1",
    what: "The correlation sets of a scope have different names.",
    why: "An activity could mean either of them.",
    example: "<correlationSet name='c' …/><correlationSet name='c' …/>",
});

rule!(SA00045 {
    code: "CH1445",
    name: "complex-correlation",
    section: "9.2",
    what: "The properties of a correlation set have simple types.",
    why: "Messages are compared by the texts of these properties.",
    example: "<vprop:property name='p' type='t:Address'/> … <correlationSet name='c' properties='t:p'/>",
});

rule!(SA00046 {
    code: "CH1446",
    name: "correlation-pattern",
    section: "9.2",
    what: "A correlation of an `invoke` has the attribute `pattern` if the operation answers, and not if it is one-way.",
    why: "With an answer there are two messages, and the set could be about either.",
    example: "<invoke partnerLink='W' operation='tell' inputVariable='x'><correlations><correlation set='c' pattern='request'/></correlations></invoke>",
});

rule!(SA00057 {
    code: "CH1457",
    name: "unjoined-starts",
    section: "10.4",
    what: "If several start activities have correlation sets, they share one, and each uses the shared sets with `initiate=\"join\"`.",
    why: "Any of them can come first, and the others must find the instance that the first one created.",
    example: "<flow><receive … createInstance='yes'><correlations><correlation set='c' initiate='yes'/></correlations></receive> …",
});

/// The places of correlation sets that have a property of a complex type, and the property.
pub(super) fn complex_properties(
    library: &mut Library<'_>,
    terms: &mut Terms,
    definitions: &mut Definitions,
    root: Element<'_>,
) -> Vec<(Span, QName)> {
    let mut found = Vec::new();
    let known = library.diagnostics.len();
    for set in super::tree::elements(root) {
        if set.local() != "correlationSet" {
            continue;
        }
        let properties = set.attribute("properties").unwrap_or("");
        for property in properties.split_whitespace() {
            let Ok(property) = set.resolve(property) else {
                continue;
            };
            let Some(declared) = definitions.properties.get(&property).cloned() else {
                continue;
            };
            let schema = &mut definitions.schema;
            let id = match &declared.holds {
                PartHolds::Element(it) => schema.element_type(library, terms, it, declared.span),
                PartHolds::Type(it) => schema.named_type(library, terms, it, declared.span),
            };
            if id.is_some_and(|id| matches!(schema.get(id).shape, Shape::Complex(_))) {
                found.push((set.attribute_span("properties"), property));
            }
        }
    }
    if found.is_empty() {
        // What the types lack is said where the process is read.
        library.diagnostics.truncate(known);
    }
    found
}

impl<'a> Rules<'a> {
    pub(super) fn correlation(&mut self, complex: &[(Span, QName)]) {
        for scope in self.scopes_and_process() {
            let sets = declared(scope, "correlationSets", "correlationSet");
            for (again, first) in repeated(sets, "name") {
                let name = again.attribute("name").unwrap_or("");
                let span = again.attribute_span("name");
                let message = format!("two correlation sets of one scope are called `{name}`");
                self.report(&SA00044, message, span, "the second one");
                self.also(first, "the first one");
            }
        }
        for (span, property) in complex {
            let message = format!("the property `{}` has a complex type", property.local);
            self.report(&SA00045, message, *span, "a simple type is expected");
        }
        for invoke in self.all(&["invoke"]) {
            self.patterns(invoke);
        }
        self.joined_starts();
    }

    fn patterns(&mut self, invoke: Element<'a>) {
        let Some(operation) = self.operation(invoke) else {
            return;
        };
        for correlation in declared(invoke, "correlations", "correlation") {
            let name = correlation.attribute("set").unwrap_or("");
            let span = correlation.attribute_span("pattern");
            match (&operation.output, correlation.attribute("pattern")) {
                (Some(_), None) if self.is_executable() => {
                    let message = format!("which message carries `{name}` is not said");
                    let label = "`pattern` is missing: the operation has two messages";
                    self.report(&SA00046, message, span, label);
                }
                (None, Some(_)) => {
                    let message = format!("the operation `{}` is one-way", operation.name);
                    self.report(&SA00046, message, span, "`pattern` is not allowed");
                }
                _ => {}
            }
        }
    }

    /// The correlations of start activities; a pick has those of each of its messages.
    fn joined_starts(&mut self) {
        let starts = self.all(&["receive", "pick"]);
        let starts = starts
            .into_iter()
            .filter(|it| it.attribute("createInstance") == Some("yes"));
        let mut count = 0;
        let mut receptions: Vec<(Element<'a>, Vec<Element<'a>>)> = Vec::new();
        for start in starts {
            let messages: Vec<Element<'a>> = if is(start, "pick") {
                children(start, "onMessage").collect()
            } else {
                vec![start]
            };
            let before = receptions.len();
            for message in messages {
                let own: Vec<_> = declared(message, "correlations", "correlation").collect();
                if !own.is_empty() {
                    receptions.push((message, own));
                }
            }
            count += usize::from(receptions.len() > before);
        }
        if count < 2 {
            return;
        }
        let has = |own: &[Element<'a>], name: &str| {
            own.iter().any(|it| it.attribute("set") == Some(name))
        };
        let first = receptions[0].1.iter().filter_map(|it| it.attribute("set"));
        let common: Vec<&str> = first
            .filter(|name| receptions.iter().all(|(_, own)| has(own, name)))
            .collect();
        if common.is_empty() {
            let span = receptions[1].0.span();
            let message = "the start activities share no correlation set";
            self.report(&SA00057, message, span, "cannot join an instance");
            self.also(receptions[0].0.span(), "starts one too");
            return;
        }
        for correlation in receptions.iter().flat_map(|(_, own)| own) {
            let name = correlation.attribute("set").unwrap_or("");
            if common.contains(&name) && correlation.attribute("initiate") != Some("join") {
                let span = correlation.attribute_span("initiate");
                let message = format!("several start activities share `{name}`");
                self.report(&SA00057, message, span, "`initiate=\"join\"` is expected");
            }
        }
    }
}
