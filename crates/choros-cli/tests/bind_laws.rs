//! Traffic of the saga under names that no one chose for Choros: a proposed binding gives the verdict of the native
//! form, or says what it could not match; it never makes a right conversation wrong, or a wrong one right.

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use choros_testkit::{Random, Traffic, TrafficForm, rounds, seed_from_env};
use serde_json::{Map, Value};

use support::saga::{Judgement, LOGS, PATHS, STATUSES, agrees, asked, audited, saga, write_logs};

/// New names for operations, fields and roles; the paths of requests.
struct Renaming {
    operations: BTreeMap<String, String>,
    fields: BTreeMap<String, String>,
    roles: BTreeMap<String, String>,
    paths: BTreeMap<String, String>,
}

const FIELDS: [&str; 6] = ["id", "sku", "qty", "amount", "charged", "total"];
const ROLES: [&str; 4] = ["client", "order", "inventory", "payment"];

fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        if letter.is_uppercase() || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

/// A name as another team might write it; sometimes one that says nothing.
fn other_name(random: &mut Random, name: &str, number: usize) -> String {
    let words = words(name);
    match random.below(9) {
        0 => words.join("_"),
        1 => words.join("-"),
        2 => words.join(".").to_uppercase(),
        3 => format!("com.acme.shop.{name}.v{}", 1 + random.below(9)),
        4 => format!("shop/{}", words.join("-")),
        5 => format!("{name}Event"),
        6 => format!("evt{number}"),
        // What a line of TOML must keep to itself.
        7 => format!("{} \"{number}\"\nschema = 2", words.join(" ")),
        _ => name.to_owned(),
    }
}

fn other_field(random: &mut Random, name: &str, number: usize) -> String {
    match random.below(9) {
        0 => format!("order_{name}"),
        1 => format!("the{}{}", name[..1].to_uppercase(), &name[1..]),
        2 => format!("meta.{name}").replace('.', "_"),
        3 if name == "qty" => "quantity".to_owned(),
        4 => format!("x{number}"),
        5 => format!("the {name}"),
        6 => format!("{name} \"{number}\""),
        _ => name.to_owned(),
    }
}

fn other_role(random: &mut Random, name: &str, number: usize) -> String {
    match random.below(6) {
        0 => format!("{name}-service"),
        1 => format!("{name}-svc-7f9"),
        2 => format!("{name}.shop.svc.cluster.local:8080"),
        3 => format!("node{number}"),
        _ => name.to_owned(),
    }
}

fn other_path(random: &mut Random, path: &str, number: usize) -> String {
    match random.below(5) {
        0 => format!("/api/v2{path}"),
        1 => format!("{path}s"),
        2 => format!("/x{number}"),
        _ => path.to_owned(),
    }
}

impl Renaming {
    fn random(random: &mut Random) -> Renaming {
        type Rename = fn(&mut Random, &str, usize) -> String;
        let mut all = |names: Vec<&str>, rename: Rename| {
            let named = names.into_iter().enumerate();
            named
                .map(|(number, name)| (name.to_owned(), rename(random, name, number)))
                .collect()
        };
        let operations = PATHS.iter().map(|it| it.0);
        let operations = operations.chain(STATUSES.iter().map(|it| it.0));
        Renaming {
            operations: all(operations.collect(), other_name),
            fields: all(FIELDS.to_vec(), other_field),
            roles: all(ROLES.to_vec(), other_role),
            paths: all(PATHS.iter().map(|it| it.1).collect(), other_path),
        }
    }

    /// The observations of a log under these names.
    fn traffic(&self, log: &str) -> Traffic {
        let path = saga("logs").join(format!("{log}.jsonl"));
        let text = std::fs::read_to_string(path).expect(log);
        let mut renamed = String::new();
        for line in text.lines() {
            let mut row: Value = serde_json::from_str(line).expect("JSON");
            let mut rename = |key: &str, names: &BTreeMap<String, String>| {
                if let Some(name) = row[key].as_str().and_then(|it| names.get(it)) {
                    row[key] = name.clone().into();
                }
            };
            rename("op", &self.operations);
            for end in ["by", "from", "to"] {
                rename(end, &self.roles);
            }
            if let Some(data) = row["data"].as_object() {
                let fields = data.iter().map(|(name, value)| {
                    let name = self.fields.get(name).unwrap_or(name);
                    (name.clone(), value.clone())
                });
                let fields: Map<String, Value> = fields.collect();
                row["data"] = fields.into();
            }
            renamed.push_str(&format!("{row}\n"));
        }
        let new = |name: &str| self.operations[name].clone();
        let paths: Vec<(String, String)> = PATHS
            .iter()
            .map(|(name, path)| (new(name), self.paths[*path].clone()))
            .collect();
        let statuses: Vec<(String, u16)> = STATUSES
            .iter()
            .map(|(name, code)| (new(name), *code))
            .collect();
        let paths: Vec<(&str, &str)> = paths.iter().map(|(a, b)| (&**a, &**b)).collect();
        let statuses: Vec<(&str, u16)> = statuses.iter().map(|(a, b)| (&**a, *b)).collect();
        Traffic::new(&renamed, &paths, &statuses)
    }

    /// Files are named by the role of the model, whatever records call it.
    fn options(&self, folder: &Path, log: &str, form: TrafficForm) -> Vec<String> {
        let mut options = write_logs(folder, log, &self.traffic(log), form);
        for option in &mut options {
            for (role, name) in &self.roles {
                if let Some(file) = option.strip_prefix(&format!("{name}=")) {
                    *option = format!("{role}={file}");
                    break;
                }
            }
        }
        options
    }
}

/// The exit code of `bind` for a whole proposal, and for one with something left to do.
const WHOLE: i32 = 0;
const OPEN: i32 = 4;

#[test]
fn a_proposal_is_right_or_says_what_is_missing() {
    let seed = seed_from_env();
    let mut random = Random::new(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let forms = [
        TrafficForm::Native,
        TrafficForm::CloudEvents,
        TrafficForm::Kcat,
        TrafficForm::Kafka,
        TrafficForm::KafkaBus,
        TrafficForm::Csv,
        TrafficForm::Otlp,
        TrafficForm::OtlpMessages,
        TrafficForm::KafkaWrapped,
        TrafficForm::Access,
    ];
    let mut natives: BTreeMap<&str, Judgement> = BTreeMap::new();
    let mut wholes = 0;
    for round in 0..rounds(16) {
        let form = *random.pick(&forms);
        let renaming = Renaming::random(&mut random);
        let binding = folder.join(format!("{round}.bind.toml"));
        let mut words = vec!["bind".to_owned(), saga("saga.chor").display().to_string()];
        words.extend(renaming.options(folder, "correct", form));
        words.extend(["-o".to_owned(), binding.display().to_string()]);
        let output = asked(&words);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let code = output.status.code();
        let wrong = String::from_utf8_lossy(&output.stderr);
        let context = || {
            let file = std::fs::read_to_string(&binding).unwrap_or_default();
            let log = renaming.traffic("correct").logs(form).remove(0).1;
            let head: String = log.chars().take(1_500).collect();
            format!("CHOROS_SEED={seed}, round {round}, {form:?}\n{said}{wrong}\n{file}\n{head}")
        };
        assert!(
            code == Some(WHOLE) || code == Some(OPEN),
            "{code:?} {}",
            context()
        );
        wholes += u32::from(code == Some(WHOLE));
        for log in ["correct", LOGS[1 + random.below(LOGS.len() - 1)]] {
            let native = natives.entry(log).or_insert_with(|| {
                let path = saga("logs").join(format!("{log}.jsonl"));
                let options = ["--log".to_owned(), path.display().to_string()];
                audited(&options, log, TrafficForm::Native)
            });
            let mut options = renaming.options(folder, log, form);
            options.extend(["--binding".to_owned(), binding.display().to_string()]);
            let found = audited(&options, log, form);
            assert!(
                agrees(&found, native),
                "{log}: {found:?}, native {native:?}\n{}",
                context()
            );
        }
    }
    // A law about proposals that are all refused would say nothing.
    assert!(wholes > 0, "no proposal was whole (CHOROS_SEED={seed})");
}
