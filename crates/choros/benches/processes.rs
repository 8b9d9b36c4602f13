//! Processes of WS-BPEL: how fast they are read and explored, and tests of those whose states multiply.
//!
//! The first table counts processes per second; the second has time and the highest memory of the run so far for
//! `tests -k 8` on flows, parallel `forEach` and nested scopes that grow.

use std::time::Instant;

use choros::base::MemorySources;
use choros::report::Stat;
use choros::verbs::{ExploreRequest, TestsRequest, explore, tests};
use choros::{Request, Settings, Workspace};

const WSDL: &str = r#"<definitions targetNamespace="urn:t" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:t="urn:t"
    xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:plnk="http://docs.oasis-open.org/wsbpel/2.0/plnktype">
  <message name="m"><part name="n" type="xs:int"/></message>
  <portType name="Offered"><operation name="a"><input message="t:m"/></operation></portType>
  <portType name="Used"><operation name="tell"><input message="t:m"/></operation></portType>
  <plnk:partnerLinkType name="Link"><plnk:role name="service" portType="t:Offered"/></plnk:partnerLinkType>
  <plnk:partnerLinkType name="Other"><plnk:role name="worker" portType="t:Used"/></plnk:partnerLinkType>
</definitions>"#;

const TELL: &str = r#"<invoke partnerLink="W" operation="tell" inputVariable="x"/>"#;

fn main() {
    #[expect(clippy::print_stdout, reason = "a benchmark prints its table")]
    let line = |text: String| println!("{text}");
    line("processes per second: read with their documents, and explored".to_owned());
    let process = process(&TELL.repeat(5));
    let rounds = 50;
    let started = Instant::now();
    for _ in 0..rounds {
        let files = files(&process);
        let mut workspace = Workspace::new(&files);
        let asked = ExploreRequest {
            files: vec![Request::file("p.bpel")],
            ..ExploreRequest::default()
        };
        explore(&mut workspace, &asked, &Settings::default());
    }
    let rate = f64::from(rounds) / started.elapsed().as_secs_f64();
    line(format!("{rate:.0} a second"));
    line(format!(
        "{:<22} {:>8} {:>8} {:>10} {:>10}",
        "tests -k 8", "nodes", "tests", "ms", "peak MB"
    ));
    for branches in 2..=6 {
        let body = format!("<flow>{}</flow>", TELL.repeat(branches));
        measure(&format!("flow of {branches}"), &body, &line);
    }
    for branches in [2, 4, 6, 8] {
        let body = format!(
            r#"<forEach counterName="i" parallel="no"><startCounterValue>1</startCounterValue><finalCounterValue>{branches}</finalCounterValue><scope>{TELL}</scope></forEach>"#
        );
        measure(&format!("forEach of {branches}"), &body, &line);
    }
    for depth in [2, 4, 8] {
        let handlers = "<scope><faultHandlers><catchAll><empty/></catchAll></faultHandlers>";
        let body = format!(
            "{}{TELL}{}",
            handlers.repeat(depth),
            "</scope>".repeat(depth)
        );
        measure(&format!("scopes nested {depth}"), &body, &line);
    }
}

fn measure(name: &str, body: &str, line: &dyn Fn(String)) {
    let files = files(&process(body));
    let mut workspace = Workspace::new(&files);
    let mut asked = TestsRequest {
        model: Request::file("p.bpel"),
        ..TestsRequest::default()
    };
    asked.symbolic.derivation.depth = 8;
    let started = Instant::now();
    let answered = tests(&mut workspace, &asked, &Settings::default());
    let report = answered.report(&workspace.terms);
    let elapsed = started.elapsed();
    let stat = |which| {
        let all = report.outcomes.iter();
        all.filter_map(|it| it.sizes.stats.get(which))
            .max()
            .unwrap_or(0)
    };
    line(format!(
        "{name:<22} {:>8} {:>8} {:>10.1} {:>10}",
        stat(Stat::Nodes),
        stat(Stat::Tests),
        elapsed.as_secs_f64() * 1000.0,
        peak_megabytes()
    ));
}

fn files(process: &str) -> MemorySources {
    let mut files = MemorySources::default();
    files.add("s.wsdl", WSDL);
    files.add("p.bpel", process);
    files
}

fn process(body: &str) -> String {
    format!(
        r#"<process name="P" xmlns="http://docs.oasis-open.org/wsbpel/2.0/process/executable" xmlns:t="urn:t" targetNamespace="urn:p">
  <import importType="http://schemas.xmlsoap.org/wsdl/" namespace="urn:t" location="s.wsdl"/>
  <partnerLinks>
    <partnerLink name="USER" partnerLinkType="t:Link" myRole="service"/>
    <partnerLink name="W" partnerLinkType="t:Other" partnerRole="worker"/>
  </partnerLinks>
  <variables><variable name="x" messageType="t:m"/></variables>
  <sequence>
    <receive partnerLink="USER" operation="a" variable="x" createInstance="yes"/>
    {body}
  </sequence>
</process>"#
    )
}

/// The highest memory of this process so far, as Linux counts it; 0 elsewhere.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
