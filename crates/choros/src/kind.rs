//! Which language a file is in.

/// A kind of input, known by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `.chor`: choreographies, roles and systems in the native language.
    Chor,
    /// `.schora`: a SChorA script.
    Schora,
    /// `.stg`: our text form of a symbolic transition graph.
    Stg,
    /// `.dot`: a graph as SChorA writes it.
    Dot,
    /// `.aut`: a labelled transition system in Aldebaran's form.
    Aut,
    /// `.fsa`: communicating machines, as ChorGram writes them.
    Fsa,
}

impl FileKind {
    /// All kinds, in the order in which they are listed to people.
    pub const ALL: [FileKind; 6] = [
        FileKind::Chor,
        FileKind::Schora,
        FileKind::Stg,
        FileKind::Dot,
        FileKind::Aut,
        FileKind::Fsa,
    ];

    /// Its name, which is its extension too.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Chor => "chor",
            FileKind::Schora => "schora",
            FileKind::Stg => "stg",
            FileKind::Dot => "dot",
            FileKind::Aut => "aut",
            FileKind::Fsa => "fsa",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<FileKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind of a path, by its extension.
    pub fn of_path(path: &str) -> Option<FileKind> {
        let (_, extension) = path.rsplit_once('.')?;
        Self::named(&extension.to_ascii_lowercase())
    }

    /// What it holds, in words.
    pub fn words(self) -> &'static str {
        match self {
            FileKind::Chor => "file of choreographies",
            FileKind::Schora => "SChorA script",
            FileKind::Stg => "symbolic transition graph",
            FileKind::Dot => "graph in DOT",
            FileKind::Aut => "labelled transition system",
            FileKind::Fsa => "file of communicating machines",
        }
    }
}
