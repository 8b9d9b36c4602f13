//! Words of g-choreographies and their machines as they are saved.

use choros_base::{Name, Names};
use choros_certify::WordProof;
use choros_model::gchor::Interaction;
use choros_model::pomset::Event;

use super::{ProofMistake, malformed};
use crate::certificate_file::{SavedClaim, SavedEnd, SavedEvidence, SavedLetter, SavedProof};

impl SavedProof {
    /// A proof about a g-choreography and its machines.
    pub fn of_words(proof: &WordProof, names: &Names) -> SavedProof {
        let saved = |event: &Event| saved(*event, names);
        let run = |run: &[Event], end| SavedProof {
            claim: SavedClaim::Fails,
            evidence: SavedEvidence::Word {
                run: run.iter().map(saved).collect(),
                end,
            },
        };
        match proof {
            WordProof::Realised(all) => SavedProof {
                claim: SavedClaim::Holds,
                evidence: SavedEvidence::Words {
                    all: all.iter().map(|(from, it)| (*from, saved(it))).collect(),
                },
            },
            WordProof::Excess(events) => run(events, SavedEnd::Excess),
            WordProof::Stuck(events) => run(events, SavedEnd::Stuck),
        }
    }

    /// The proof about a g-choreography and its machines.
    pub fn words(&self, names: &Names) -> Result<WordProof, ProofMistake> {
        match (&self.claim, &self.evidence) {
            (SavedClaim::Holds, SavedEvidence::Words { all }) => {
                let all = all.iter().map(|(from, it)| Ok((*from, read(it, names)?)));
                Ok(WordProof::Realised(all.collect::<Result<_, _>>()?))
            }
            (SavedClaim::Fails, SavedEvidence::Word { run, end }) => {
                let run = run.iter().map(|it| read(it, names));
                let run = run.collect::<Result<_, _>>()?;
                Ok(match end {
                    SavedEnd::Excess => WordProof::Excess(run),
                    SavedEnd::Stuck => WordProof::Stuck(run),
                })
            }
            _ => Err(malformed(
                "its evidence does not support this claim about a g-choreography",
            )),
        }
    }
}

fn saved(event: Event, names: &Names) -> SavedLetter {
    let Interaction { from, to, message } = event.interaction;
    let text = |name: Name| names.text(name).to_owned();
    let sign = if event.is_output { "!" } else { "?" };
    (text(from), text(to), text(message), sign.to_owned())
}

fn read((from, to, message, sign): &SavedLetter, names: &Names) -> Result<Event, ProofMistake> {
    let name = |text: &String| {
        let unknown = || malformed(format!("the machines know nothing of `{text}`"));
        names.get(text).ok_or_else(unknown)
    };
    let is_output = match sign.as_str() {
        "!" => true,
        "?" => false,
        other => return Err(malformed(format!("`{other}` is neither `!` nor `?`"))),
    };
    let (from, to, message) = (name(from)?, name(to)?, name(message)?);
    Ok(Event {
        interaction: Interaction { from, to, message },
        is_output,
    })
}
