//! Is every order answered? The model is built in code.

use choros::base::MemorySources;
use choros::data::Terms;
use choros::model::Verdict;
use choros::model::lts::{ExplicitLtsBuilder, StateId};
use choros::verbs::{QuestionSource, VerifyRequest, verify};
use choros::{Request, Settings, Stop, Workspace};

pub(crate) fn main() -> Result<(), Stop> {
    let (mut terms, mut builder) = (Terms::new(), ExplicitLtsBuilder::new());
    let [order, answer, lose] =
        ["order", "answer", "lose"].map(|name| builder.named_action(terms.names.intern(name)));
    let waiting = builder.state([(order, StateId(1))], &[], false);
    builder.state([(answer, waiting), (lose, waiting)], &[], false);

    let files = MemorySources::default();
    let mut workspace = Workspace::new(&files);
    workspace.add_system("shop", builder.finish(waiting, terms));
    let request = VerifyRequest {
        model: Request::file("shop"),
        questions: ["EF {answer} true", "AG [order] AX {answer} true"]
            .map(|formula| QuestionSource::Formula(formula.to_owned()))
            .into(),
        ..VerifyRequest::default()
    };
    let verification = verify(&mut workspace, &request, &Settings::default()).answer?;
    let verdicts: Vec<&Verdict> = verification
        .questions
        .iter()
        .map(|it| &it.verdict)
        .collect();
    assert!(matches!(
        verdicts[..],
        [Verdict::Holds(_), Verdict::Fails(_)]
    ));
    Ok(())
}
