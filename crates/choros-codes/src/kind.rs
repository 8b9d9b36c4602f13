//! Which language a file is in, and what such files hold.

/// A kind of input, known by its extension.
#[derive(Debug, Clone, Copy)]
pub struct FileKind {
    name: &'static str,
    extension: &'static str,
    words: &'static str,
    content: Content,
    /// The root element by which a `.xml` file is recognised.
    root: Option<&'static str>,
}

/// What a file holds, whatever its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Choreographies, roles and systems: graphs with data.
    Graphs,
    /// A process with its interface: a graph with data too.
    Process,
    /// A system of states.
    States,
    /// Machines that talk over channels.
    Machines,
    /// A g-choreography.
    Gchor,
    /// A term of services.
    Service,
    /// Properties of logs.
    Properties,
    /// A test purpose.
    Purpose,
    /// Contracts of partners.
    Contracts,
    /// Questions about models, in SocL.
    Formulas,
    /// Abstraction rules.
    Rules,
    /// How messages look outside.
    Binding,
}

impl FileKind {
    /// All kinds, in the order in which they are listed to people.
    pub const ALL: [FileKind; 17] = [
        FileKind::new("chor", "file of choreographies", Content::Graphs),
        FileKind::new("schora", "SChorA script", Content::Graphs),
        FileKind::new("pact", "file in Chor", Content::Graphs),
        FileKind::new("gc", "g-choreography", Content::Gchor),
        FileKind::GRAPH,
        FileKind::new("dot", "graph in DOT", Content::Graphs),
        FileKind::new("stga", "graph with assignments in XML", Content::Graphs).with_root("STGA"),
        FileKind::SYSTEM,
        FileKind::new("fsa", "file of communicating machines", Content::Machines),
        FileKind::new("prop", "file of properties", Content::Properties),
        FileKind::new("tp", "test purpose", Content::Purpose),
        FileKind::new("contract", "file of contracts", Content::Contracts),
        FileKind::new("cows", "COWS term", Content::Service),
        FileKind::new("socl", "file of formulas", Content::Formulas),
        FileKind::new("abs", "file of abstraction rules", Content::Rules),
        FileKind::new("bpel", "process of WS-BPEL", Content::Process).with_root("process"),
        FileKind::new("bind", "binding", Content::Binding).with_extension("bind.toml"),
    ];

    /// What a graph that was built in code counts as.
    pub const GRAPH: FileKind = FileKind::new("stg", "symbolic transition graph", Content::Graphs);

    /// What a system of states that was built in code counts as.
    pub const SYSTEM: FileKind =
        FileKind::new("aut", "labelled transition system", Content::States);

    const fn new(name: &'static str, words: &'static str, content: Content) -> FileKind {
        FileKind {
            name,
            extension: name,
            words,
            content,
            root: None,
        }
    }

    const fn with_root(mut self, root: &'static str) -> FileKind {
        self.root = Some(root);
        self
    }

    const fn with_extension(mut self, extension: &'static str) -> FileKind {
        self.extension = extension;
        self
    }

    /// Its name, by which options choose it.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// How its files end, after a dot.
    pub fn extension(self) -> &'static str {
        self.extension
    }

    /// What it holds, in words.
    pub fn words(self) -> &'static str {
        self.words
    }

    /// What it holds.
    pub fn content(self) -> Content {
        self.content
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<FileKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kinds that hold this.
    pub fn holding(contents: &[Content]) -> Vec<FileKind> {
        let mut kinds = Self::ALL.to_vec();
        kinds.retain(|kind| contents.contains(&kind.content()));
        kinds
    }

    /// The kind of a path, by its extension.
    pub fn of_path(path: &str) -> Option<FileKind> {
        let path = path.to_ascii_lowercase();
        let ends = |kind: &FileKind| {
            let stem = path.strip_suffix(kind.extension);
            stem.is_some_and(|it| it.ends_with('.'))
        };
        Self::ALL.into_iter().find(ends)
    }

    /// The kind of a document in XML, by its root element.
    pub fn of_xml(text: &str) -> Option<FileKind> {
        let root = root_element(text)?;
        let mut kinds = Self::ALL.into_iter();
        kinds.find(|kind| kind.root == Some(root))
    }

    /// Whether it holds something that has behaviour of its own, and is not about something else.
    pub fn is_model(self) -> bool {
        use Content::{Gchor, Graphs, Machines, Process, Service, States};
        matches!(
            self.content(),
            Graphs | Process | States | Machines | Gchor | Service
        )
    }

    /// Whether it holds graphs with data.
    pub fn has_graphs(self) -> bool {
        matches!(self.content(), Content::Graphs | Content::Process)
    }
}

impl PartialEq for FileKind {
    fn eq(&self, other: &FileKind) -> bool {
        self.name == other.name
    }
}

impl Eq for FileKind {}

/// The extensions of kinds, as a sentence lists them.
pub fn extensions(kinds: &[FileKind]) -> String {
    let names: Vec<String> = kinds
        .iter()
        .map(|it| format!("`.{}`", it.extension()))
        .collect();
    match &names[..] {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        names => names.concat(),
    }
}

/// The local name of the root element.
fn root_element(text: &str) -> Option<&str> {
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
    let name = name.split(|it: char| it.is_whitespace() || it == '>' || it == '/');
    name.into_iter().next()?.rsplit(':').next()
}
