//! Processes of WS-BPEL, where the façade is built without them.

use super::{Language, Reader};

pub(super) static LANGUAGE: Language = Language {
    name: "bpel",
    declares_integers: false,
    reader: Reader::NoModel("this Choros was built without WS-BPEL (the feature `bpel`)"),
    formatter: None,
};
