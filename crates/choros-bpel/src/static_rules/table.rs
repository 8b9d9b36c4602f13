//! The table of the appendix: every rule and where it is checked.

/// A rule of the appendix.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its number: 18 is SA00018.
    pub number: u8,
    /// The section of the standard from which it is taken.
    pub section: &'static str,
    /// What it forbids, or what it is about.
    pub about: &'static str,
    pub coverage: Coverage,
}

/// Where a rule is checked.
#[derive(Debug, Clone, Copy)]
pub enum Coverage {
    /// By the diagnostic with the rule's number: CH14NN.
    Own,
    /// By a diagnostic that checks other things too.
    Shared(&'static str),
    /// By the diagnostic with the rule's number, and in part by another one.
    Both(&'static str),
    /// Nowhere, for this reason.
    Nowhere(&'static str),
}

impl Rule {
    /// The codes that report it.
    pub fn codes(&self) -> Vec<String> {
        let own = format!("CH14{:02}", self.number);
        match self.coverage {
            Coverage::Own => vec![own],
            Coverage::Shared(code) => vec![code.to_owned()],
            Coverage::Both(code) => vec![own, code.to_owned()],
            Coverage::Nowhere(_) => Vec::new(),
        }
    }
}

const fn rule(number: u8, section: &'static str, about: &'static str, coverage: Coverage) -> Rule {
    Rule {
        number,
        section,
        about,
        coverage,
    }
}

use Coverage::{Both, Nowhere, Own, Shared};

/// All rules, in the order of their numbers.
pub const RULES: &[Rule] = &[
    rule(
        1,
        "3",
        "port types with solicit-response or notification operations",
        Own,
    ),
    rule(2, "3", "overloaded operation names in a port type", Own),
    rule(
        3,
        "5.2",
        "handlers of standard faults under `exitOnStandardFault`",
        Own,
    ),
    rule(4, "5.2", "languages of expressions and queries", Own),
    rule(5, "5.2", "the attribute `portType`", Own),
    rule(
        6,
        "5.2",
        "`rethrow` outside fault handlers",
        Shared("CH1149"),
    ),
    rule(
        7,
        "5.2",
        "`compensateScope` outside handlers",
        Shared("CH1149"),
    ),
    rule(8, "5.2", "`compensate` outside handlers", Shared("CH1149")),
    rule(9, "5.3", "mandatory extensions", Own),
    rule(
        10,
        "5.4",
        "definitions that are used and not imported",
        Shared("CH1105"),
    ),
    rule(11, "5.4", "the namespace of an import", Own),
    rule(12, "5.4", "imports without a namespace", Own),
    rule(13, "5.4", "the type of an import", Own),
    rule(
        14,
        "5.4",
        "conflicting definitions in imported documents",
        Shared("CH1110"),
    ),
    rule(
        15,
        "5.5",
        "processes without a start activity",
        Shared("CH1150"),
    ),
    rule(16, "6.2", "partner links without a role", Own),
    rule(17, "6.2", "`initializePartnerRole` without a partner", Own),
    rule(18, "6.2", "names of partner links", Own),
    rule(19, "7.2", "types of properties", Own),
    rule(20, "7.3", "attributes of aliases", Own),
    rule(21, "7.3", "properties without an alias", Shared("CH1146")),
    rule(22, "7.3", "two aliases for one type", Own),
    rule(23, "8.1", "names of variables", Shared("CH1110")),
    rule(24, "8.1", "characters in names of variables", Own),
    rule(25, "8.1", "types of variables", Own),
    rule(
        26,
        "8.1",
        "idempotent functions in the initialization of variables",
        Nowhere(
            "every function that is accepted (those of XPath 1.0 and of BPEL) is idempotent; others are refused (CH1116)",
        ),
    ),
    rule(27, "8.2.4", "paths without a variable in expressions", Own),
    rule(28, "8.2.5", "functions of BPEL in join conditions", Own),
    rule(
        29,
        "8.2.6",
        "variables and functions of BPEL in aliases",
        Own,
    ),
    rule(30, "8.3", "arguments of `getVariableProperty`", Own),
    rule(31, "8.3", "the property in `getVariableProperty`", Own),
    rule(32, "8.4", "variants of `from` and `to`", Own),
    rule(33, "8.4", "expressions in `to`", Own),
    rule(34, "8.4", "`part` of a variable without parts", Own),
    rule(35, "8.4", "copies of the own endpoint reference", Own),
    rule(36, "8.4", "copies of the partner's endpoint reference", Own),
    rule(37, "8.4", "copies to a partner link", Own),
    rule(38, "8.4", "contents of literals", Own),
    rule(39, "8.4", "the style sheet of `doXslTransform`", Own),
    rule(40, "8.4", "pairs of parameters of `doXslTransform`", Own),
    rule(41, "8.4", "names of parameters of `doXslTransform`", Own),
    rule(42, "8.4.2", "`keepSrcElementName` without elements", Own),
    rule(43, "8.4.3", "copies between incompatible variables", Own),
    rule(44, "9.1", "names of correlation sets", Own),
    rule(45, "9.2", "types of correlation properties", Own),
    rule(46, "9.2", "the pattern of a correlation", Own),
    rule(47, "10.3", "messages without a variable", Own),
    rule(48, "10.3", "variables of `invoke`", Both("CH1143")),
    rule(
        49,
        "",
        "",
        Nowhere("the appendix has no rule with this number"),
    ),
    rule(50, "10.3.1", "parts that are left out of `toParts`", Own),
    rule(51, "10.3.1", "`inputVariable` with `toParts`", Own),
    rule(52, "10.3.1", "`outputVariable` with `fromParts`", Own),
    rule(53, "10.3.1", "parts of `fromPart`", Own),
    rule(54, "10.3.1", "parts of `toPart`", Own),
    rule(55, "10.4", "`receive` with `variable` and `fromParts`", Own),
    rule(
        56,
        "10.4",
        "activities before or in parallel with a start activity",
        Own,
    ),
    rule(
        57,
        "10.4",
        "correlation sets of several start activities",
        Own,
    ),
    rule(
        58,
        "10.4",
        "variables of `receive` and `reply`",
        Both("CH1143"),
    ),
    rule(59, "10.4", "`reply` with `variable` and `toParts`", Own),
    rule(60, "10.4.1", "requests that are open at the same time", Own),
    rule(61, "10.4.1", "names of message exchanges", Own),
    rule(
        62,
        "11.5",
        "alarms in a `pick` that starts the process",
        Own,
    ),
    rule(
        63,
        "11.5",
        "`onMessage` with `variable` and `fromParts`",
        Own,
    ),
    rule(64, "11.6", "names of links", Own),
    rule(
        65,
        "11.6.1",
        "links that are not declared",
        Shared("CH1147"),
    ),
    rule(
        66,
        "11.6.1",
        "links without exactly one source and one target",
        Shared("CH1147"),
    ),
    rule(67, "11.6.1", "two links between the same activities", Own),
    rule(68, "11.6.1", "sources of an activity", Own),
    rule(69, "11.6.1", "targets of an activity", Own),
    rule(
        70,
        "11.6.1",
        "links over the border of a loop, an event handler or a compensation handler",
        Shared("CH1152"),
    ),
    rule(
        71,
        "11.6.1",
        "links into fault and termination handlers",
        Own,
    ),
    rule(72, "11.6.1", "cycles of links", Own),
    rule(73, "11.6.2", "contents of join conditions", Own),
    rule(74, "11.7", "constant bounds of `forEach`", Own),
    rule(75, "11.7", "constant numbers of branches", Own),
    rule(76, "11.7", "the counter of `forEach`", Own),
    rule(77, "12.4.3.1", "the target of `compensateScope`", Own),
    rule(
        78,
        "12.4.3.1",
        "the kind of the target of `compensateScope`",
        Own,
    ),
    rule(79, "12.4.4.3", "compensation handlers in handlers", Own),
    rule(80, "12.5", "empty `faultHandlers`", Own),
    rule(81, "12.5", "variables and types of `catch`", Own),
    rule(82, "12.5.2", "scopes that depend on each other", Own),
    rule(83, "12.7", "empty `eventHandlers`", Own),
    rule(
        84,
        "12.7.1",
        "the partner link of `onEvent`",
        Shared("CH1141"),
    ),
    rule(
        85,
        "12.7.1",
        "`onEvent` with `variable` and `fromParts`",
        Own,
    ),
    rule(
        86,
        "12.7.1",
        "variables of `onEvent` that are declared again",
        Own,
    ),
    rule(87, "12.7.1", "the type of `onEvent`", Own),
    rule(
        88,
        "12.7.1",
        "correlation sets of `onEvent`",
        Shared("CH1145"),
    ),
    rule(89, "12.7.1", "message exchanges of `onEvent`", Own),
    rule(90, "12.7.1", "`onEvent` with a variable without type", Own),
    rule(91, "12.8", "isolated scopes inside each other", Own),
    rule(92, "12.4.3", "names of scopes", Own),
    rule(93, "12.5", "identical `catch`", Own),
    rule(
        94,
        "8.4.2",
        "`keepSrcElementName` and substitution groups",
        Own,
    ),
    rule(
        95,
        "12.7.1",
        "variables of `onEvent` that are declared outside",
        Own,
    ),
];
