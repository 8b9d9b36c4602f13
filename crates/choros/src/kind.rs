//! Which language a file is in.

/// A kind of input, known by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `.chor`: choreographies, roles and systems in the native language.
    Chor,
    /// `.schora`: a SChorA script.
    Schora,
    /// `.pact`: choreographies and roles in Chor, as PACT reads them.
    Pact,
    /// `.stg`: our text form of a symbolic transition graph.
    Stg,
    /// `.dot`: a graph as SChorA writes it.
    Dot,
    /// `.stga`, and `.xml` with the root `STGA`: a graph with assignments, as Prop-tester writes it.
    Stga,
    /// `.aut`: a labelled transition system in Aldebaran's form.
    Aut,
    /// `.fsa`: communicating machines, as ChorGram writes them.
    Fsa,
    /// `.prop`: properties of logs.
    Prop,
    /// `.tp`: a test purpose.
    Purpose,
    /// `.contract`: contracts of partners.
    Contract,
    /// `.gc`: a g-choreography, as ChorGram reads it.
    Gc,
    /// `.cows`: a COWS term in CMC's syntax.
    Cows,
    /// `.socl`: formulas.
    Formulas,
    /// `.abs`: abstraction rules.
    Rules,
    /// `.bpel`, and `.xml` with the root `process`: a process of WS-BPEL 2.0.
    Bpel,
}

impl FileKind {
    /// All kinds, in the order in which they are listed to people.
    pub const ALL: [FileKind; 16] = [
        FileKind::Chor,
        FileKind::Schora,
        FileKind::Pact,
        FileKind::Gc,
        FileKind::Stg,
        FileKind::Dot,
        FileKind::Stga,
        FileKind::Aut,
        FileKind::Fsa,
        FileKind::Prop,
        FileKind::Purpose,
        FileKind::Contract,
        FileKind::Cows,
        FileKind::Formulas,
        FileKind::Rules,
        FileKind::Bpel,
    ];

    /// Its name, which is its extension too.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Chor => "chor",
            FileKind::Schora => "schora",
            FileKind::Pact => "pact",
            FileKind::Stg => "stg",
            FileKind::Dot => "dot",
            FileKind::Stga => "stga",
            FileKind::Aut => "aut",
            FileKind::Fsa => "fsa",
            FileKind::Prop => "prop",
            FileKind::Purpose => "tp",
            FileKind::Contract => "contract",
            FileKind::Gc => "gc",
            FileKind::Cows => "cows",
            FileKind::Formulas => "socl",
            FileKind::Rules => "abs",
            FileKind::Bpel => "bpel",
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

    /// The kind of a document in XML, by its root element.
    pub fn of_xml(text: &str) -> Option<FileKind> {
        let mut rest = text.trim_start_matches('\u{feff}').trim_start();
        loop {
            let (opening, closing) = match rest {
                _ if rest.starts_with("<?") => ("<?", "?>"),
                _ if rest.starts_with("<!--") => ("<!--", "-->"),
                _ if rest.starts_with("<!") => ("<!", ">"),
                _ => break,
            };
            let end = rest[opening.len()..].find(closing)?;
            rest = rest[opening.len() + end + closing.len()..].trim_start();
        }
        let name = rest.strip_prefix('<')?;
        let name = name
            .split(|it: char| it.is_whitespace() || it == '>' || it == '/')
            .next()?;
        match name.rsplit(':').next()? {
            "STGA" => Some(FileKind::Stga),
            "process" => Some(FileKind::Bpel),
            _ => None,
        }
    }

    /// Whether it holds graphs with data.
    pub fn has_graphs(self) -> bool {
        matches!(
            self,
            FileKind::Chor
                | FileKind::Schora
                | FileKind::Pact
                | FileKind::Stg
                | FileKind::Dot
                | FileKind::Stga
                | FileKind::Bpel
        )
    }

    /// What it holds, in words.
    pub fn words(self) -> &'static str {
        match self {
            FileKind::Chor => "file of choreographies",
            FileKind::Schora => "SChorA script",
            FileKind::Pact => "file in Chor",
            FileKind::Stg => "symbolic transition graph",
            FileKind::Dot => "graph in DOT",
            FileKind::Stga => "graph with assignments in XML",
            FileKind::Aut => "labelled transition system",
            FileKind::Fsa => "file of communicating machines",
            FileKind::Prop => "file of properties",
            FileKind::Purpose => "test purpose",
            FileKind::Contract => "file of contracts",
            FileKind::Gc => "g-choreography",
            FileKind::Cows => "COWS term",
            FileKind::Formulas => "file of formulas",
            FileKind::Rules => "file of abstraction rules",
            FileKind::Bpel => "process of WS-BPEL",
        }
    }
}
