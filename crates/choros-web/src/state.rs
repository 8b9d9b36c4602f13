//! What all windows share.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::Form;
use crate::answers::Answers;
use crate::checks::Token;
use crate::files::Root;
use crate::gallery::Example;
use crate::job::Lanes;

/// What all windows share.
pub(crate) struct State {
    pub(crate) address: SocketAddr,
    pub(crate) token: Token,
    pub(crate) command: PathBuf,
    pub(crate) project: Root,
    pub(crate) gallery: Root,
    pub(crate) examples: &'static [Example],
    pub(crate) forms: Vec<Form>,
    pub(crate) answers: Answers,
    pub(crate) lanes: Arc<Lanes>,
    /// Options and the values they get unless a form says otherwise.
    pub(crate) defaults: Vec<(String, String)>,
    pub(crate) language_words: Vec<String>,
}

impl State {
    pub(crate) fn root(&self, name: &str) -> Option<&Root> {
        [&self.project, &self.gallery]
            .into_iter()
            .find(|it| it.name == name)
    }
}
