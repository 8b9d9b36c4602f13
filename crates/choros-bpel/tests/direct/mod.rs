//! Small processes of WS-BPEL as a tree of their own: made at random, written as a document, and carried out by the
//! text of the standard (`run`).

pub(crate) mod run;
mod undone;

use std::collections::BTreeSet;

use choros_testkit::Random;

/// How a correlation set is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Initiate {
    Yes,
    No,
    Join,
}

/// A condition about the number that the process knows.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Test {
    Always(bool),
    IsOne,
}

/// When an activity with links is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    Some,
    All,
    None,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Empty,
    /// Sends the number.
    Tell(usize),
    /// Sends what the variable of a scope holds.
    TellKept(usize, usize),
    /// Receives the number, perhaps with one of the correlation sets.
    Receive(usize, Option<(usize, Initiate)>),
    Throw,
    Exit,
    Sequence(Vec<usize>),
    If(Test, usize, usize),
    /// Branches and the links between them.
    Flow(Vec<usize>, Vec<usize>),
    Scope(Box<ScopeKind>),
    /// Rounds from 1 to this number, side by side or not, and how many of them are enough.
    ForEach {
        parallel: bool,
        rounds: i64,
        enough: Option<(i64, bool)>,
        body: usize,
    },
    Compensate,
}

#[derive(Debug, Default)]
pub(crate) struct ScopeKind {
    pub(crate) body: usize,
    pub(crate) catch_all: Option<usize>,
    pub(crate) compensation: Option<usize>,
    /// Whether it has a variable of its own, which begins with the number.
    pub(crate) keeps: bool,
    /// The operation of an event, and its handler, which is a scope.
    pub(crate) event: Option<(usize, usize)>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Links that leave it, each with its condition.
    pub(crate) sources: Vec<(usize, Test)>,
    pub(crate) targets: Vec<usize>,
    pub(crate) join: Join,
}

/// A process: nodes refer to each other by position, and the last is the whole.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub(crate) nodes: Vec<Node>,
    pub(crate) links: usize,
    pub(crate) operations: usize,
    /// Whether joins that fail are skipped.
    pub(crate) suppresses: bool,
}

/// Where something may stand.
#[derive(Debug, Clone, Copy)]
struct Place {
    depth: usize,
    /// In a loop, whose rounds have links and completed scopes of their own.
    looped: bool,
    /// In rounds that run side by side.
    parallel: bool,
    /// In a handler of faults or of compensation.
    handler: bool,
}

impl Made {
    /// A process of bounded size.
    pub(crate) fn random(random: &mut Random) -> Made {
        let mut made = Made {
            suppresses: random.percent(70),
            ..Made::default()
        };
        let place = Place {
            depth: 3,
            looped: false,
            parallel: false,
            handler: false,
        };
        let correlated = random.percent(40).then_some((0, Initiate::Yes));
        let first = made.receive(correlated);
        let body = made.activity(random, place);
        let whole = made.add(Kind::Sequence(vec![first, body]));
        let scope = ScopeKind {
            body: whole,
            catch_all: random.percent(40).then(|| made.handler(random, place)),
            ..ScopeKind::default()
        };
        made.add(Kind::Scope(Box::new(scope)));
        made
    }

    fn add(&mut self, kind: Kind) -> usize {
        self.nodes.push(Node {
            kind,
            sources: Vec::new(),
            targets: Vec::new(),
            join: Join::Some,
        });
        self.nodes.len() - 1
    }

    fn receive(&mut self, set: Option<(usize, Initiate)>) -> usize {
        self.operations += 1;
        self.add(Kind::Receive(self.operations - 1, set))
    }

    fn tell(&mut self) -> usize {
        self.operations += 1;
        self.add(Kind::Tell(self.operations - 1))
    }

    fn activity(&mut self, random: &mut Random, place: Place) -> usize {
        let inner = Place {
            depth: place.depth.saturating_sub(1),
            ..place
        };
        let kind = match place.depth {
            0 => random.below(6),
            _ => random.below(16),
        };
        match kind {
            0 => self.add(Kind::Empty),
            1 | 2 => self.tell(),
            3 if !place.parallel => {
                let how = [Initiate::Yes, Initiate::No, Initiate::Join][random.below(3)];
                let set = random.percent(60).then(|| (random.below(2), how));
                self.receive(set)
            }
            4 if random.percent(50) => self.add(Kind::Throw),
            5 if random.percent(20) => self.add(Kind::Exit),
            3..=5 => self.tell(),
            6 | 7 => {
                let parts = (0..2).map(|_| self.activity(random, inner)).collect();
                self.add(Kind::Sequence(parts))
            }
            8 => {
                let test = [Test::IsOne, Test::Always(true), Test::Always(false)][random.below(3)];
                let yes = self.activity(random, inner);
                let no = self.activity(random, inner);
                self.add(Kind::If(test, yes, no))
            }
            9..=11 => self.flow(random, inner),
            12 if !place.looped => self.for_each(random, inner),
            13 if !place.parallel => self.race(random, inner),
            _ => self.scope(random, inner),
        }
    }

    /// Branches; links lead from an earlier one to a later one, so they are in no circle.
    fn flow(&mut self, random: &mut Random, inner: Place) -> usize {
        let mut branches = Vec::new();
        let mut inside: Vec<Vec<usize>> = Vec::new();
        for _ in 0..2 {
            let branch = self.activity(random, inner);
            inside.push(self.linkable(branch));
            branches.push(branch);
        }
        let mut links = Vec::new();
        let mut pairs = BTreeSet::new();
        for _ in 0..random.below(3) {
            if inner.looped {
                break;
            }
            let (source, target) = (*random.pick(&inside[0]), *random.pick(&inside[1]));
            // Two links never lead from and to the same activities (SA00067).
            if !pairs.insert((source, target)) {
                continue;
            }
            let link = self.links;
            self.links += 1;
            links.push(link);
            let test = [Test::Always(true), Test::Always(false), Test::IsOne][random.below(3)];
            self.nodes[source].sources.push((link, test));
            let target = &mut self.nodes[target];
            target.targets.push(link);
            target.join = [Join::Some, Join::All, Join::None][random.below(3)];
        }
        self.add(Kind::Flow(branches, links))
    }

    /// What links of a flow may lead from and to in a branch: not over the border of a loop or handler.
    fn linkable(&self, node: usize) -> Vec<usize> {
        let mut found = vec![node];
        match &self.nodes[node].kind {
            Kind::Sequence(parts) | Kind::Flow(parts, _) => {
                found.extend(parts.iter().flat_map(|&it| self.linkable(it)));
            }
            &Kind::If(_, yes, no) => {
                found.extend(self.linkable(yes));
                found.extend(self.linkable(no));
            }
            Kind::Scope(scope) => found.extend(self.linkable(scope.body)),
            _ => {}
        }
        found
    }

    fn scope(&mut self, random: &mut Random, inner: Place) -> usize {
        let mut scope = ScopeKind {
            body: self.activity(random, inner),
            ..ScopeKind::default()
        };
        if random.percent(50) {
            scope.catch_all = Some(self.handler(random, inner));
        }
        scope.keeps = random.percent(40);
        let mut kept = None;
        if random.percent(60) && !inner.handler {
            let handler = self.handler(random, inner);
            scope.compensation = Some(handler);
            kept = scope.keeps.then_some(handler);
        }
        // The moment in which a `forEach` is over and its scope is not: only one of the two has it.
        let mut inside = self.within(scope.body).into_iter();
        let loops = inside.any(|it| matches!(self.nodes[it].kind, Kind::ForEach { .. }));
        if random.percent(25) && !inner.parallel && !inner.looped && !loops {
            self.operations += 1;
            let operation = self.operations - 1;
            let body = self.tell();
            scope.event = Some((operation, body));
        }
        let whole = self.add(Kind::Scope(Box::new(scope)));
        self.tell_kept(kept, whole);
        whole
    }

    /// Lets a handler send the variable of its scope.
    fn tell_kept(&mut self, handler: Option<usize>, scope: usize) {
        let first = handler.map(|it| match &self.nodes[it].kind {
            Kind::Sequence(parts) => parts[0],
            _ => it,
        });
        if let Some(first) = first
            && let Kind::Tell(operation) = self.nodes[first].kind
        {
            self.nodes[first].kind = Kind::TellKept(operation, scope);
        }
    }

    /// A scope in which a fault comes with a message, whatever else is going on.
    fn race(&mut self, random: &mut Random, inner: Place) -> usize {
        let (message, fault) = (self.receive(None), self.add(Kind::Throw));
        let faulty = self.add(Kind::Sequence(vec![message, fault]));
        let other = self.scope(random, inner);
        let branches = vec![faulty, other];
        let body = self.add(Kind::Flow(branches, Vec::new()));
        let scope = ScopeKind {
            body,
            catch_all: random.percent(50).then(|| self.handler(random, inner)),
            ..ScopeKind::default()
        };
        self.add(Kind::Scope(Box::new(scope)))
    }

    /// What a handler does: it tells, and may compensate.
    fn handler(&mut self, random: &mut Random, _: Place) -> usize {
        let tell = self.tell();
        if random.percent(50) {
            return tell;
        }
        let compensate = self.add(Kind::Compensate);
        self.add(Kind::Sequence(vec![tell, compensate]))
    }

    fn for_each(&mut self, random: &mut Random, inner: Place) -> usize {
        let parallel = random.percent(50);
        let place = Place {
            depth: inner.depth.min(1),
            looped: true,
            parallel,
            ..inner
        };
        let depth = if parallel { 0 } else { random.below(2) };
        let mut body = match random.below(3) {
            0 => self.tell(),
            1 => self.activity(random, Place { depth, ..place }),
            _ => {
                let (tell, more) = (self.tell(), self.add(Kind::Throw));
                let none = self.add(Kind::Empty);
                let maybe = self.add(Kind::If(Test::IsOne, more, none));
                self.add(Kind::Sequence(vec![tell, maybe]))
            }
        };
        let scope = ScopeKind {
            body,
            catch_all: random.percent(50).then(|| self.tell()),
            compensation: random.percent(40).then(|| self.tell()),
            keeps: random.percent(50),
            event: None,
        };
        let kept = scope.compensation.filter(|_| scope.keeps);
        body = self.add(Kind::Scope(Box::new(scope)));
        self.tell_kept(kept, body);
        let enough = random
            .percent(50)
            .then(|| (random.between(1, 3), random.percent(50)));
        let rounds = if parallel { 2 } else { random.between(0, 2) };
        self.add(Kind::ForEach {
            parallel,
            rounds,
            enough,
            body,
        })
    }

    /// The process as a document.
    pub(crate) fn text(&self) -> String {
        let suppresses = if self.suppresses { "yes" } else { "no" };
        let Kind::Scope(scope) = &self.nodes[self.nodes.len() - 1].kind else {
            unreachable!("the process is a scope")
        };
        format!(
            "<process name=\"P\" suppressJoinFailure=\"{suppresses}\" \
             xmlns=\"http://docs.oasis-open.org/wsbpel/2.0/process/executable\" xmlns:t=\"urn:t\">\n\
             <import importType=\"http://schemas.xmlsoap.org/wsdl/\" namespace=\"urn:t\" location=\"s.wsdl\"/>\n\
             <partnerLinks><partnerLink name=\"U\" partnerLinkType=\"t:L\" myRole=\"s\"/>\
             <partnerLink name=\"W\" partnerLinkType=\"t:K\" partnerRole=\"w\"/></partnerLinks>\n\
             <variables><variable name=\"x\" messageType=\"t:m\"/></variables>\n\
             <correlationSets><correlationSet name=\"c0\" properties=\"t:p\"/>\
             <correlationSet name=\"c1\" properties=\"t:p\"/></correlationSets>\n{}</process>\n",
            self.inside(scope, true)
        )
    }

    /// The documents that it imports.
    pub(crate) fn wsdl(&self) -> String {
        let operations = |prefix: &str| -> String {
            let one = |number| {
                format!("<operation name=\"{prefix}{number}\"><input message=\"t:m\"/></operation>")
            };
            (0..self.operations).map(one).collect()
        };
        format!(
            "<definitions targetNamespace=\"urn:t\" xmlns=\"http://schemas.xmlsoap.org/wsdl/\" xmlns:t=\"urn:t\" \
             xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:k=\"http://docs.oasis-open.org/wsbpel/2.0/plnktype\" \
             xmlns:v=\"http://docs.oasis-open.org/wsbpel/2.0/varprop\">\n\
             <message name=\"m\"><part name=\"n\" type=\"xs:int\"/></message>\n\
             <portType name=\"S\">{}</portType><portType name=\"T\">{}</portType>\n\
             <k:partnerLinkType name=\"L\"><k:role name=\"s\" portType=\"t:S\"/></k:partnerLinkType>\n\
             <k:partnerLinkType name=\"K\"><k:role name=\"w\" portType=\"t:T\"/></k:partnerLinkType>\n\
             <v:property name=\"p\" type=\"xs:int\"/>\
             <v:propertyAlias propertyName=\"t:p\" messageType=\"t:m\" part=\"n\"/>\n</definitions>\n",
            operations("r"),
            operations("w")
        )
    }

    /// The variable of a scope.
    fn variable(&self, scope: &ScopeKind, node: usize) -> String {
        if !scope.keeps {
            return String::new();
        }
        format!(
            "<variables><variable name=\"v{node}\" messageType=\"t:m\"><from variable=\"x\"/></variable></variables>"
        )
    }

    /// What a scope contains, handlers first.
    fn inside(&self, scope: &ScopeKind, is_process: bool) -> String {
        let mut text = String::new();
        if let Some(handler) = scope.catch_all {
            let handler = self.written(handler);
            text += &format!("<faultHandlers><catchAll>{handler}</catchAll></faultHandlers>");
        }
        if let (Some(handler), false) = (scope.compensation, is_process) {
            let handler = self.written(handler);
            text += &format!("<compensationHandler>{handler}</compensationHandler>");
        }
        if let Some((operation, handler)) = scope.event {
            let handler = self.written(handler);
            text += &format!(
                "<eventHandlers><onEvent partnerLink=\"U\" operation=\"r{operation}\" variable=\"e{operation}\" \
                 messageType=\"t:m\"><scope>{handler}</scope></onEvent></eventHandlers>"
            );
        }
        text + &self.written(scope.body)
    }

    fn written(&self, node: usize) -> String {
        let Node {
            kind,
            sources,
            targets,
            join,
        } = &self.nodes[node];
        let mut links = String::new();
        if !targets.is_empty() {
            let words: Vec<String> = targets.iter().map(|it| format!("$l{it}")).collect();
            let condition = match join {
                Join::Some => String::new(),
                Join::All => words.join(" and "),
                Join::None => format!("not({})", words.join(" or ")),
            };
            links += "<targets>";
            if !condition.is_empty() {
                links += &format!("<joinCondition>{condition}</joinCondition>");
            }
            for link in targets {
                links += &format!("<target linkName=\"l{link}\"/>");
            }
            links += "</targets>";
        }
        if !sources.is_empty() {
            links += "<sources>";
            for (link, test) in sources {
                let test = test.text();
                links += &format!(
                    "<source linkName=\"l{link}\"><transitionCondition>{test}</transitionCondition></source>"
                );
            }
            links += "</sources>";
        }
        let all = |parts: &[usize]| parts.iter().map(|&it| self.written(it)).collect::<String>();
        match kind {
            Kind::Empty => format!("<empty>{links}</empty>"),
            Kind::Tell(operation) => format!(
                "<invoke partnerLink=\"W\" operation=\"w{operation}\" inputVariable=\"x\">{links}</invoke>"
            ),
            Kind::TellKept(operation, scope) => format!(
                "<invoke partnerLink=\"W\" operation=\"w{operation}\" inputVariable=\"v{scope}\">{links}</invoke>"
            ),
            Kind::Receive(operation, set) => {
                let start = if node == 0 {
                    " createInstance=\"yes\""
                } else {
                    ""
                };
                let set = set.map_or(String::new(), |(set, how)| {
                    let how = format!("{how:?}").to_lowercase();
                    format!("<correlations><correlation set=\"c{set}\" initiate=\"{how}\"/></correlations>")
                });
                format!(
                    "<receive partnerLink=\"U\" operation=\"r{operation}\" variable=\"x\"{start}>{links}{set}</receive>"
                )
            }
            Kind::Throw => format!("<throw faultName=\"t:f\">{links}</throw>"),
            Kind::Exit => format!("<exit>{links}</exit>"),
            Kind::Sequence(parts) => format!("<sequence>{links}{}</sequence>", all(parts)),
            Kind::If(test, yes, no) => format!(
                "<if>{links}<condition>{}</condition>{}<else>{}</else></if>",
                test.text(),
                self.written(*yes),
                self.written(*no)
            ),
            Kind::Flow(branches, own) => {
                let own: String = own
                    .iter()
                    .map(|it| format!("<link name=\"l{it}\"/>"))
                    .collect();
                let own = if own.is_empty() {
                    own
                } else {
                    format!("<links>{own}</links>")
                };
                format!("<flow>{links}{own}{}</flow>", all(branches))
            }
            Kind::Scope(scope) => {
                format!(
                    "<scope name=\"s{node}\">{links}{}{}</scope>",
                    self.variable(scope, node),
                    self.inside(scope, false)
                )
            }
            Kind::ForEach {
                parallel,
                rounds,
                enough,
                body,
            } => {
                let parallel = if *parallel { "yes" } else { "no" };
                let enough = enough.map_or(String::new(), |(count, only)| {
                    let only = if only { "yes" } else { "no" };
                    format!(
                        "<completionCondition><branches successfulBranchesOnly=\"{only}\">{count}</branches></completionCondition>"
                    )
                });
                format!(
                    "<forEach counterName=\"i\" parallel=\"{parallel}\">{links}<startCounterValue>1</startCounterValue>\
                     <finalCounterValue>{rounds}</finalCounterValue>{enough}{}</forEach>",
                    self.written(*body)
                )
            }
            Kind::Compensate => format!("<compensate>{links}</compensate>"),
        }
    }
}

impl Test {
    fn text(self) -> &'static str {
        match self {
            Test::Always(true) => "true()",
            Test::Always(false) => "false()",
            Test::IsOne => "$x.n = 1",
        }
    }
}
