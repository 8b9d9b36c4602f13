//! Explanations in the words of CMC: Figure 14 of Fantechi et al.

use super::{ExplainedStep, Explanation, ExplanationReason, Numbering, PathEnd};
use crate::unfolding::UnfoldedLts;

/// The text that CMC prints for *Explain The Result*, in its shape.
pub fn cmc_text(explanation: &Explanation, graph: &mut UnfoldedLts<'_>) -> String {
    let numbering = Numbering::of(explanation, graph);
    let mut writer = Writer {
        graph,
        numbering,
        out: "-----\n".to_owned(),
    };
    writer.out.push_str("The formula:\n");
    writer.claim(explanation);
    writer.reason(explanation);
    writer.out.push_str("-----\n");
    writer.out
}

struct Writer<'a, 'l> {
    graph: &'a mut UnfoldedLts<'l>,
    numbering: Numbering,
    out: String,
}

impl Writer<'_, '_> {
    fn claim(&mut self, explanation: &Explanation) {
        let found = if explanation.holds { "TRUE" } else { "FALSE" };
        let state = self.numbering.name(explanation.state);
        self.out.push_str(&format!(
            "{}\nis FOUND_{found} in State {state}\n",
            explanation.formula
        ));
    }

    fn step(&mut self, taken: &ExplainedStep) {
        let from = self.numbering.name(taken.from);
        let to = self.numbering.name(taken.to);
        let label = if taken.label.is_empty() {
            String::new()
        } else {
            format!(" {{ {} }}", taken.label)
        };
        let detail = self.graph.step_text(taken.from, taken.action, taken.to);
        self.out
            .push_str(&format!("{from} --> {to}{label} /* {detail} */\n"));
    }

    fn parts(&mut self, parts: &[Explanation], word: &str) {
        for (index, part) in parts.iter().enumerate() {
            let word = if index == 0 { word } else { "and" };
            self.out.push_str(&format!("{word} the formula:\n"));
            self.claim(part);
            self.reason(part);
        }
    }

    fn reason(&mut self, explanation: &Explanation) {
        match &explanation.reason {
            ExplanationReason::Constant | ExplanationReason::Label(_) => {}
            ExplanationReason::Parts(parts) => self.parts(parts, "because"),
            ExplanationReason::NoStep => self.because("no transition is possible"),
            ExplanationReason::Step(taken, parts) => {
                self.out.push_str("This happens because:\n");
                self.step(taken);
                self.parts(parts, "and");
            }
            ExplanationReason::Steps { matching, of } => {
                if matching.is_empty() {
                    self.because("no transition satisfies the action formula");
                    return;
                }
                self.because(&format!(
                    "of {of} transitions, {} satisfy the action formula:",
                    matching.len()
                ));
                for (taken, parts) in matching {
                    self.step(taken);
                    self.parts(parts, "and");
                }
            }
            ExplanationReason::Path(path) => {
                if !path.steps.is_empty() {
                    self.out.push_str("This happens because:\n");
                }
                for taken in &path.steps {
                    self.step(taken);
                }
                match path.end {
                    PathEnd::State | PathEnd::Step | PathEnd::Refused => {}
                    PathEnd::Stopped => {
                        let last = path.steps.last().map_or(explanation.state, |it| it.to);
                        let name = self.numbering.name(last);
                        self.out.push_str(&format!("and State {name} is final\n"));
                    }
                    PathEnd::Cycle(back) => {
                        let again = path.steps.get(back).map_or(explanation.state, |it| it.from);
                        let name = self.numbering.name(again);
                        self.out.push_str(&format!(
                            "and the path continues from State {name} forever\n"
                        ));
                    }
                }
                let word = if path.steps.is_empty() {
                    "because"
                } else {
                    "and"
                };
                self.parts(&path.parts, word);
            }
            ExplanationReason::Everywhere { states, example } => {
                self.because(&format!("of all paths, through {states} states"));
                if let Some(example) = example {
                    self.out.push_str("For example, the formula:\n");
                    self.claim(example);
                    self.reason(example);
                }
            }
            ExplanationReason::Omitted => self.because("of more than is shown here"),
        }
    }

    fn because(&mut self, why: &str) {
        self.out.push_str(&format!("This happens because {why}\n"));
    }
}
