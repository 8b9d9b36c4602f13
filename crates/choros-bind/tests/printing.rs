//! Random bindings: what is printed is read as the same binding, and so is every other spelling in TOML.

use std::collections::BTreeSet;

use choros_base::SourceMap;
use choros_bind::{
    Binding, BindingFile, FieldPlace, FieldValues, Fields, Format, LogRules, MessageBinding,
    Opening, Part, PartSource, Pattern, Place, RequestPattern, RoleBinding, Side, Statuses, Step,
    TIME_FORMS, ValuePath,
};
use choros_model::observation::{Datum, Number};
use choros_testkit::{Random, rounds, seed_from_env};

fn read(text: &str) -> Result<Binding, String> {
    let file = SourceMap::new().add("it.bind.toml", text);
    let mut findings = Vec::new();
    let found = BindingFile::read(file, text, &mut findings);
    let reasons = findings.iter().map(|it| it.message.as_str());
    found.map(|it| it.binding).ok_or_else(|| reasons.collect())
}

#[test]
fn every_binding_is_printed_as_itself() {
    let mut random = Random::new(seed_from_env());
    for round in 0..rounds(400) {
        let binding = some_binding(&mut random);
        let head = [some_text(&mut random)];
        let text = binding.to_toml(&head);
        assert_eq!(read(&text).as_ref(), Ok(&binding), "round {round}:\n{text}");
    }
}

#[test]
fn every_spelling_is_read_as_the_same_binding() {
    let mut random = Random::new(seed_from_env());
    for round in 0..rounds(400) {
        let binding = some_binding(&mut random);
        let text = spelled(&binding, &mut random);
        assert_eq!(read(&text).as_ref(), Ok(&binding), "round {round}:\n{text}");
    }
}

/// Pieces that text, keys or places may stumble over.
const PIECES: [&str; 38] = [
    "a", "b", "Order", "x-y", "é", "日本", "", " ", "  ", ".", "..", "[", "]", "\"", "'", "\"]",
    "[\"", "'''", "\"\"\"", "\\", "\\n", "\\\"", "\n", "\r", "\r\n", "\t", "\u{0}", "\u{7f}",
    "\u{feff}", "\u{2028}", "#", "=", "{", "}", "*", "$X", "true", "1e5",
];

fn some_text(random: &mut Random) -> String {
    let count = random.below(4);
    (0..count).map(|_| *random.pick(&PIECES)).collect()
}

/// None, or up to two.
fn some<T>(random: &mut Random, make: impl Fn(&mut Random) -> T) -> Vec<T> {
    let count = random.below(3);
    (0..count).map(|_| make(random)).collect()
}

fn perhaps<T>(random: &mut Random, make: impl Fn(&mut Random) -> T) -> Option<T> {
    random.percent(40).then(|| make(random))
}

/// With different keys.
fn different<K: PartialEq, V>(pairs: Vec<(K, V)>) -> Vec<(K, V)> {
    let mut found: Vec<(K, V)> = Vec::new();
    for (key, value) in pairs {
        if found.iter().all(|(it, _)| *it != key) {
            found.push((key, value));
        }
    }
    found
}

fn some_number(random: &mut Random) -> Number {
    const NUMBERS: [&str; 13] = [
        "0",
        "-1",
        "1.5",
        "-0.25",
        "4.96",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-9223372036854775809",
        "123456789012345678901234567890",
        "1e300",
        "12345678901234567890.0625",
        "1e-400",
    ];
    Number::parse(random.pick::<&str>(&NUMBERS)).unwrap()
}

fn some_datum(random: &mut Random) -> Datum<'static> {
    match random.below(3) {
        0 => Datum::Bool(random.percent(50)),
        1 => Datum::Number(some_number(random)),
        _ => Datum::Text(some_text(random).into()),
    }
}

fn some_header(random: &mut Random) -> String {
    (*random.pick(&["a", "x-order-id", "a.b", ".", "a..", "x'y`z", "a|b", "1"])).to_owned()
}

fn some_path(random: &mut Random, least: usize) -> ValuePath {
    let count = least + random.below(3);
    ValuePath::new((0..count).map(|_| some_text(random)).collect())
}

fn some_place(random: &mut Random) -> Place {
    match random.below(7) {
        0 => Place::Body(some_path(random, 0)),
        1 => Place::Path(some_text(random)),
        2 => Place::Query(some_text(random)),
        3 => Place::Header(some_header(random)),
        4 => Place::Status,
        5 => Place::Attribute(some_path(random, 1)),
        _ => Place::Record(some_path(random, 1)),
    }
}

/// One that every message may have: not a parameter of its path.
fn some_field_place(random: &mut Random) -> FieldPlace {
    let place = Some(some_place(random)).filter(|it| !matches!(it, Place::Path(_)));
    let mut steps = Vec::new();
    let factor = Number::from(random.between(1, 9));
    steps.extend(perhaps(random, |_| Step::Times(factor.clone())));
    steps.extend(perhaps(random, |_| {
        Step::DividedBy(Number::parse("-0.5").unwrap())
    }));
    steps.extend(perhaps(random, |random| Step::Plus(some_number(random))));
    steps.extend(perhaps(random, |random| Step::Minus(some_number(random))));
    FieldPlace {
        place: place.unwrap_or(Place::Status),
        steps,
    }
}

fn some_request(random: &mut Random) -> RequestPattern {
    const REQUESTS: [&str; 7] = [
        "/",
        "POST /orders",
        "GET /orders/{id}",
        "/a/*/b/**",
        "PUT /a//b/?x=1&y={z}",
        "M-SEARCH /%20'~",
        "DELETE /a/",
    ];
    RequestPattern::parse(random.pick::<&str>(&REQUESTS)).unwrap()
}

fn some_patterns(random: &mut Random) -> Vec<Pattern> {
    some(random, |random| Pattern::new(some_text(random)))
}

fn some_values(random: &mut Random) -> Vec<(String, FieldValues)> {
    different(some(random, |random| {
        let values = FieldValues {
            format: perhaps(random, |random| *random.pick(&Format::ALL)),
            examples: some(random, some_datum),
        };
        (some_text(random), values)
    }))
}

/// By what a message is recognized: a request, a response with statuses, or neither.
fn some_recognition(random: &mut Random, name: String) -> MessageBinding {
    let mut message = MessageBinding::new(name);
    message.names = some_patterns(random);
    message.topic = perhaps(random, |random| Pattern::new(some_text(random)));
    message.when = different(some(random, |random| {
        (some_place(random), some_datum(random))
    }));
    match random.below(3) {
        0 => {
            let mut requests = some(random, some_request).into_iter();
            message.request = requests.next();
            message.more_requests = requests.collect();
        }
        1 => {
            message.response = some(random, |random| some_text(random).replace('/', ""));
            message.answers = some(random, some_request);
            if message.is_response() {
                message.status = some(random, |random| {
                    Statuses::parse(random.pick::<&str>(&["200", "0", "404", "4xx", "*"])).unwrap()
                });
            }
        }
        _ => {}
    }
    message
}

fn some_message(random: &mut Random, name: String) -> MessageBinding {
    let mut message = some_recognition(random, name);
    message.from = perhaps(random, some_text);
    message.to = perhaps(random, some_text);
    message.dir = perhaps(random, |random| {
        *random.pick(&[Side::Sender, Side::Receiver])
    });
    let has_parameters = message
        .requests()
        .any(|it| it.path.parameters().count() > 0);
    message.fields = if random.percent(30) && !has_parameters {
        Fields::Listed(some(random, some_field_place))
    } else {
        let named = some(random, |random| {
            (some_text(random), some(random, some_field_place))
        });
        Fields::Named(different(named))
    };
    message.values = some_values(random);
    message
}

fn some_log(random: &mut Random) -> LogRules {
    let mut parts = Vec::new();
    for part in Part::ALL {
        let sources = perhaps(random, |random| {
            some(random, |random| match random.below(2) {
                0 => PartSource::Path(some_text(random)),
                _ => PartSource::Value(some_text(random)),
            })
        });
        parts.extend(sources.map(|it| (part, it)));
    }
    let sent = some(random, |random| (some_text(random), true));
    let received = some(random, |random| (some_text(random), false));
    LogRules {
        files: some_patterns(random),
        form: perhaps(random, some_text),
        parts,
        time: perhaps(random, |random| (*random.pick(&TIME_FORMS)).to_owned()),
        directions: sent.into_iter().chain(received).collect(),
        element: perhaps(random, some_text),
        open: different(some(random, |random| {
            (some_place(random), *random.pick(&Opening::ALL))
        })),
        fields: perhaps(random, |random| {
            (*random.pick(&["attribute.app.{field}", "body[\"{field} \\\\\"]"])).to_owned()
        }),
        lossy: perhaps(random, |random| random.percent(50)),
    }
}

fn some_binding(random: &mut Random) -> Binding {
    let mut names = BTreeSet::new();
    names.extend((0..random.below(4)).map(|_| some_text(random)));
    let mut binding = Binding {
        model: perhaps(random, some_text),
        draft: random.percent(20),
        session: some(random, some_place),
        id: some(random, some_place),
        op: some(random, some_place),
        others_by_name: random.percent(30),
        values: some_values(random),
        logs: some(random, some_log),
        ..Binding::default()
    };
    for name in names {
        if random.percent(70) {
            binding.messages.push(some_message(random, name));
        } else {
            binding.ignored.push(some_recognition(random, name));
        }
    }
    let roles: BTreeSet<String> = some(random, some_text).into_iter().collect();
    for name in roles {
        let headers = some(random, |random| {
            let text = some_text(random).replace(char::is_control, "");
            (some_header(random), text)
        });
        binding.roles.push(RoleBinding {
            name,
            address: perhaps(random, |random| format!("http://{}", some_text(random))),
            listen: perhaps(random, some_text),
            names: some_patterns(random),
            headers: different(headers),
        });
    }
    binding.hide.secret = some(random, |random| {
        (*random.pick(&["card", "*.password", "a\"b.c'd", "\\"])).to_owned()
    });
    binding.hide.noise = some(random, some_place);
    binding.hide.keep_known_secrets = random.percent(30);
    binding
}

/// A value in TOML: a spelling, or a table of them, or a list of tables.
enum Node {
    Leaf(String),
    Table(Vec<(String, Node)>),
    Tables(Vec<Vec<(String, Node)>>),
}

/// One of the ways to write a binding that `to_toml` does not choose.
fn spelled(binding: &Binding, random: &mut Random) -> String {
    let top = Speller { random }.binding(binding);
    let mut text = String::new();
    write_section(&mut text, "", top, random);
    text
}

struct Speller<'r> {
    random: &'r mut Random,
}

type Entries = Vec<(String, Node)>;

impl Speller<'_> {
    fn binding(&mut self, it: &Binding) -> Entries {
        let mut top = Vec::new();
        let none_or_one = self.random.percent(50).then(|| Node::Leaf("1".to_owned()));
        top.extend(none_or_one.map(|it| ("schema".to_owned(), it)));
        self.put_text(&mut top, "model", it.model.as_deref());
        if it.draft || self.random.percent(20) {
            top.push(("draft".to_owned(), Node::Leaf(it.draft.to_string())));
        }
        for (name, places) in [("session", &it.session), ("id", &it.id), ("op", &it.op)] {
            let list = self.list(places.iter().map(ToString::to_string).collect());
            match (places.is_empty(), self.random.below(3)) {
                (true, 0) => {}
                (_, 1) => {
                    let inner = vec![("at".to_owned(), Node::Leaf(list))];
                    top.push((name.to_owned(), Node::Table(inner)));
                }
                _ => top.push((name.to_owned(), Node::Leaf(list))),
            }
        }
        if it.others_by_name {
            self.put_text(&mut top, "others", Some("by-name"));
        }
        let roles = it.roles.iter().map(|it| (it.name.clone(), self.role(it)));
        let roles: Entries = roles.collect();
        top.push(("roles".to_owned(), Node::Table(roles)));
        let messages = it
            .messages
            .iter()
            .map(|it| (it.name.clone(), self.message(it)));
        let messages: Entries = messages.collect();
        top.push(("messages".to_owned(), Node::Table(messages)));
        let ignored = it.ignored.iter();
        let ignored = ignored.map(|it| (it.name.clone(), Node::Table(self.recognition(it))));
        let ignored: Entries = ignored.collect();
        top.push(("ignore".to_owned(), Node::Table(ignored)));
        top.push(("values".to_owned(), self.values(&it.values)));
        let mut hide = Vec::new();
        self.put_list(&mut hide, "secret", it.hide.secret.clone());
        let noise = it.hide.noise.iter().map(ToString::to_string).collect();
        self.put_list(&mut hide, "noise", noise);
        let keep = Node::Leaf(it.hide.keep_known_secrets.to_string());
        hide.push(("keep-known-secrets".to_owned(), keep));
        top.push(("hide".to_owned(), Node::Table(hide)));
        let logs = it.logs.iter().map(|it| self.log(it)).collect::<Vec<_>>();
        if !logs.is_empty() {
            top.push(("logs".to_owned(), Node::Tables(logs)));
        }
        top
    }

    fn role(&mut self, it: &RoleBinding) -> Node {
        let mut found = Vec::new();
        self.put_text(&mut found, "address", it.address.as_deref());
        self.put_text(&mut found, "listen", it.listen.as_deref());
        self.put_list(&mut found, "names", texts(&it.names));
        let headers = it.headers.iter();
        let headers = headers.map(|(name, it)| (name.clone(), Node::Leaf(self.text(it))));
        let headers: Entries = headers.collect();
        found.push(("headers".to_owned(), Node::Table(headers)));
        Node::Table(found)
    }

    fn recognition(&mut self, it: &MessageBinding) -> Entries {
        let mut found = Vec::new();
        self.put_list(&mut found, "names", texts(&it.names));
        let requests = it.requests().map(ToString::to_string).collect();
        self.put_list(&mut found, "request", requests);
        // Without a response both are mistakes, even as empty lists.
        if it.is_response() {
            let answers = it.answers.iter().map(ToString::to_string);
            // Names and requests are told apart by their slashes, in any order.
            let calls = answers.chain(it.response.iter().cloned()).collect();
            self.put_list(&mut found, "response", calls);
            let statuses = it.status.iter().map(ToString::to_string).collect();
            self.put_list(&mut found, "status", statuses);
        }
        let topic = it.topic.as_ref().map(Pattern::text);
        self.put_text(&mut found, "topic", topic);
        let when = it.when.iter();
        let when = when.map(|(place, it)| (place.to_string(), Node::Leaf(self.datum(it))));
        let when: Entries = when.collect();
        found.push(("when".to_owned(), Node::Table(when)));
        found
    }

    fn message(&mut self, it: &MessageBinding) -> Node {
        let mut found = self.recognition(it);
        self.put_text(&mut found, "from", it.from.as_deref());
        self.put_text(&mut found, "to", it.to.as_deref());
        let dir = it.dir.map(Side::name);
        self.put_text(&mut found, "dir", dir);
        let fields = match &it.fields {
            Fields::Listed(places) => {
                let places = places.iter().map(|it| self.text(&it.to_string()));
                let places: Vec<String> = places.collect();
                Node::Leaf(format!("[{}]", places.join(",")))
            }
            Fields::Named(named) => {
                let named = named.iter().map(|(name, places)| {
                    let places = places.iter().map(ToString::to_string).collect();
                    (name.clone(), Node::Leaf(self.list(places)))
                });
                Node::Table(named.collect())
            }
        };
        found.push(("fields".to_owned(), fields));
        found.push(("values".to_owned(), self.values(&it.values)));
        Node::Table(found)
    }

    fn values(&mut self, all: &[(String, FieldValues)]) -> Node {
        let values = all.iter().map(|(name, it)| {
            let mut found = Vec::new();
            let format = it.format.map(Format::name);
            self.put_text(&mut found, "format", format);
            let examples = it.examples.iter().map(|it| self.datum(it)).collect();
            found.push(("examples".to_owned(), Node::Leaf(self.items(examples))));
            (name.clone(), Node::Table(found))
        });
        Node::Table(values.collect())
    }

    fn log(&mut self, it: &LogRules) -> Entries {
        let mut found = Vec::new();
        self.put_list(&mut found, "files", texts(&it.files));
        self.put_text(&mut found, "form", it.form.as_deref());
        // Not in the order of the parts.
        for (part, sources) in it.parts.iter().rev() {
            let sources = sources.iter().map(|it| match it {
                PartSource::Path(path) => self.text(path),
                PartSource::Value(text) => format!("{{value={}}}", self.text(text)),
            });
            let sources = sources.collect();
            found.push((part.name().to_owned(), Node::Leaf(self.items(sources))));
        }
        self.put_text(&mut found, "time", it.time.as_deref());
        for (name, sends) in [("recv", false), ("send", true)] {
            let words = it.directions.iter().filter(|it| it.1 == sends);
            let words = words.map(|it| it.0.clone()).collect();
            self.put_list(&mut found, name, words);
        }
        self.put_text(&mut found, "element", it.element.as_deref());
        let open = it.open.iter();
        let open = open.map(|(at, how)| (at.to_string(), Node::Leaf(self.text(how.name()))));
        let open: Entries = open.collect();
        found.push(("open".to_owned(), Node::Table(open)));
        self.put_text(&mut found, "fields", it.fields.as_deref());
        let lossy = it.lossy.map(|it| Node::Leaf(it.to_string()));
        found.extend(lossy.map(|it| ("lossy".to_owned(), it)));
        found
    }

    fn put_text(&mut self, entries: &mut Entries, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            entries.push((key.to_owned(), Node::Leaf(self.text(text))));
        }
    }

    fn put_list(&mut self, entries: &mut Entries, key: &str, items: Vec<String>) {
        if !items.is_empty() || self.random.percent(20) {
            entries.push((key.to_owned(), Node::Leaf(self.list(items))));
        }
    }

    fn list(&mut self, items: Vec<String>) -> String {
        let items = items.iter().map(|it| self.text(it)).collect();
        self.items(items)
    }

    /// One value may stand alone.
    fn items(&mut self, items: Vec<String>) -> String {
        match &items[..] {
            [one] if self.random.percent(50) => one.clone(),
            [] => "[ ]".to_owned(),
            _ if self.random.percent(50) => format!("[{}]", items.join(",")),
            _ => format!("[ # all of them\n  {},\n]", items.join(", # next\n  ")),
        }
    }

    fn datum(&mut self, datum: &Datum<'_>) -> String {
        match datum {
            Datum::Bool(truth) => truth.to_string(),
            Datum::Number(number) => match number.to_i64() {
                Some(whole) if whole >= 0 && self.random.percent(50) => format!("0x{whole:x}"),
                Some(whole) if whole >= 0 && self.random.percent(50) => format!("+{whole}"),
                Some(_) => number.to_string(),
                None if number.is_whole() => format!("{number}e0"),
                None => format!("{number}e+0_0"),
            },
            other => self.text(other.text().unwrap()),
        }
    }

    /// A text in one of the four kinds of quotes.
    fn text(&mut self, text: &str) -> String {
        let is_raw = |it: char| !it.is_control() || it == '\t';
        match self.random.below(4) {
            0 if text.chars().all(|it| is_raw(it) && it != '\'') => format!("'{text}'"),
            1 if text
                .chars()
                .all(|it| (is_raw(it) || it == '\n') && it != '\'') =>
            {
                format!("'''\n{text}'''")
            }
            2 => {
                let letters = text.chars().map(|it| match it {
                    '\n' => "\n".to_owned(),
                    it => self.letter(it),
                });
                let letters: String = letters.collect();
                format!("\"\"\"\n{letters}\"\"\"")
            }
            _ => format!("\"{}\"", self.letters(text)),
        }
    }

    fn letters(&mut self, text: &str) -> String {
        text.chars().map(|it| self.letter(it)).collect()
    }

    /// A letter between double quotes, as an escape where it must be one, and sometimes where it need not.
    fn letter(&mut self, letter: char) -> String {
        let is_free = !(letter.is_control() || letter == '"' || letter == '\\');
        match (letter, self.random.below(4)) {
            ('"' | '\\', 0) => format!("\\{letter}"),
            ('\n', 0) => "\\n".to_owned(),
            (_, 1) => format!("\\U{:08X}", u32::from(letter)),
            (_, 2 | 3) if is_free => letter.to_string(),
            _ if u32::from(letter) < 0x10000 => format!("\\u{:04x}", u32::from(letter)),
            _ => letter.to_string(),
        }
    }
}

fn texts(patterns: &[Pattern]) -> Vec<String> {
    patterns.iter().map(|it| it.text().to_owned()).collect()
}

fn spelled_key(key: &str, random: &mut Random) -> String {
    let is_bare = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    if !key.is_empty() && key.chars().all(is_bare) && random.percent(70) {
        return key.to_owned();
    }
    format!("\"{}\"", Speller { random }.letters(key))
}

/// What is in a table: values and tables in braces or by dots first, then tables with a head of their own.
///
/// Tables of one table keep their order.
fn write_section(text: &mut String, path: &str, entries: Entries, random: &mut Random) {
    let is_leaf = |it: &Node| matches!(it, Node::Leaf(_));
    let (leaves, tables): (Entries, Entries) = entries.into_iter().partition(|it| is_leaf(&it.1));
    for (key, leaf) in leaves {
        let key = spelled_key(&key, random);
        write_line(text, &key, leaf, random);
    }
    let mut heads = random.below(3) == 0;
    for (key, table) in tables {
        heads |= random.percent(40) || matches!(table, Node::Tables(_));
        let key = spelled_key(&key, random);
        let whole = match path {
            "" => key.clone(),
            path => format!("{path} . {key}"),
        };
        match table {
            Node::Table(entries) if heads => {
                text.push_str(&format!("\n[ {whole} ] # a table\n"));
                write_section(text, &whole, entries, random);
            }
            Node::Tables(tables) => {
                for entries in tables {
                    text.push_str(&format!("\n[[{whole}]]\n"));
                    write_section(text, &whole, entries, random);
                }
            }
            table => write_line(text, &key, table, random),
        }
    }
}

fn write_line(text: &mut String, key: &str, node: Node, random: &mut Random) {
    match node {
        Node::Table(entries) if !entries.is_empty() && random.percent(50) => {
            for (inner, node) in entries {
                let inner = spelled_key(&inner, random);
                write_line(text, &format!("{key}.{inner}"), node, random);
            }
        }
        node => {
            let value = inline(node, random);
            text.push_str(&format!("{key}={value} # said\n"));
        }
    }
}

fn inline(node: Node, random: &mut Random) -> String {
    match node {
        Node::Leaf(spelling) => spelling,
        Node::Table(entries) => {
            let entries = entries.into_iter().map(|(key, node)| {
                let key = spelled_key(&key, random);
                format!("{key} = {}", inline(node, random))
            });
            let entries: Vec<String> = entries.collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Node::Tables(_) => unreachable!("lists of tables have heads"),
    }
}
