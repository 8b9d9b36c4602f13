//! Is every order answered? The model is built in code.

use choros::base::MemorySources;
use choros::model::lts::Transitions;
use choros::verbs::{VerifyRequest, verify};
use choros::{Settings, Stop, Workspace};

pub(crate) fn main() -> Result<(), Stop> {
    let files = MemorySources::default();
    let mut workspace = Workspace::new(&files);
    let shop = Transitions::new()
        .step("waiting", "order", "asked")
        .step("asked", "answer", "waiting")
        .step("asked", "lose", "waiting");
    workspace.add_system("shop", shop.build());
    let request = VerifyRequest::new("shop", ["EF {answer} true", "AG [order] AX {answer} true"]);
    let found = verify(&mut workspace, &request, &Settings::default()).answer?;
    let words = found.questions.iter().map(|it| it.verdict.word());
    assert_eq!(words.collect::<Vec<_>>(), ["holds", "fails"]);
    Ok(())
}
