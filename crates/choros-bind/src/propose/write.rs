//! The proposed file, with comments that say why, and what is left to do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use choros_base::SourceMap;

use crate::toml_text::{comment, key, one_or_list, quoted, texts};
use crate::{Binder, BindingFile, Place, RankedEnvelope, Side, ValuePath};

use super::assign::Answer;
use super::control::Control;
use super::conversations::SessionKey;
use super::fields::{FieldMatch, message_records, parameter};
use super::kinds::{Call, Kind, ends};
use super::{Findings, Proposal, ProposedMessage, SampledLog};

/// Writes the file, and tries it on the records.
pub(super) fn written(model: &str, control: &Control, findings: &Findings<'_>) -> Proposal {
    let mut proposal = Proposal {
        records: findings.logs.iter().map(|it| it.records.len() as u64).sum(),
        ..Proposal::default()
    };
    let mut body = String::new();
    findings.roles_text(&mut body, &mut proposal);
    findings.session_text(&mut body);
    findings.messages_text(&mut body, &mut proposal);
    findings.others_text(&mut body, &mut proposal);
    let mut head = format!("schema = 1\nmodel = {}\n", quoted(model));
    if let Some(place) = &findings.op {
        let place = quoted(&place.to_string());
        let _ = writeln!(head, "op = {place} # what the message is called");
    }
    findings.try_out(&format!("{head}{body}"), control, &mut proposal);
    proposal.make_printable();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "# How the messages of {} look outside, proposed by `choros bind` from",
        comment(model)
    );
    for log in findings.logs {
        let more = if log.is_cut {
            ", the first of them"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "#   {} ({}, {}{more})",
            comment(&log.path),
            log.form,
            counted(log.records.len() as u64)
        );
    }
    let (all, follow) = proposal.conversations;
    let _ = writeln!(
        text,
        "# {} of {} records are messages of the model; {follow} of {all} conversations follow its order.",
        proposal.bound, proposal.records
    );
    for line in proposal.choices.iter().chain(&proposal.missing) {
        let _ = writeln!(text, "# TO DO: {line}");
    }
    if !proposal.is_whole() {
        head.push_str("draft = true # no verdict rests on it: remove this line when all is done\n");
    }
    proposal.text = format!("{text}{head}{body}");
    proposal
}

impl Findings<'_> {
    fn roles_text(&self, out: &mut String, proposal: &mut Proposal) {
        for role in &self.vocabulary.roles {
            let called: Vec<(&String, &super::roles::RoleMatch)> = self
                .roles
                .known
                .iter()
                .filter(|(_, it)| it.role == *role)
                .collect();
            let others: Vec<&(&String, &super::roles::RoleMatch)> =
                called.iter().filter(|(name, _)| *name != role).collect();
            let names: Vec<String> = called.iter().map(|(name, _)| (*name).clone()).collect();
            proposal.roles.push((role.clone(), names));
            if others.is_empty() {
                continue;
            }
            let _ = writeln!(out, "\n[roles.{}]", key(role));
            let _ = writeln!(out, "names = [");
            for (name, it) in others {
                let _ = writeln!(
                    out,
                    "    {}, # {}, in {}",
                    quoted(name),
                    it.how,
                    counted(it.count)
                );
            }
            let _ = writeln!(out, "]");
        }
        for (name, count) in &self.roles.unknown {
            let _ = writeln!(
                out,
                "# {} is in {} and is not a role of the model.",
                quoted(name),
                counted(*count)
            );
        }
    }

    fn session_text(&self, out: &mut String) {
        match &self.conversations.key {
            SessionKey::Form => {
                out.push_str("\n# Conversations: by the session that the records have (trace, key, subject).\n");
            }
            SessionKey::Field(field) => {
                let mut places: BTreeSet<String> = BTreeSet::new();
                for it in self.fields.iter().filter(|it| it.field == *field) {
                    places.extend(
                        it.place
                            .as_ref()
                            .map(|place| self.named_place(it.message, place)),
                    );
                }
                let places: Vec<String> = places.iter().map(|it| quoted(it)).collect();
                let _ = writeln!(
                    out,
                    "\n# Conversations: every message has `{}`.",
                    comment(field)
                );
                let _ = writeln!(out, "[session]\nat = [{}]", places.join(", "));
            }
            SessionKey::Nothing => {
                out.push_str("\n# Conversations: nothing in the records separates them.\n");
            }
        }
    }

    fn messages_text(&self, out: &mut String, proposal: &mut Proposal) {
        let groups = message_records(&self.kinds, &self.assignment, self.logs);
        for (number, message) in self.vocabulary.messages.iter().enumerate() {
            let is_first = self
                .vocabulary
                .messages
                .iter()
                .position(|it| it.name == message.name);
            if is_first != Some(number) {
                continue;
            }
            let same = |it: usize| self.vocabulary.messages[it].name == message.name;
            let calls: Vec<(usize, &Kind)> = self
                .kinds
                .iter()
                .enumerate()
                .filter(|(kind, _)| self.assignment.message_of(*kind).is_some_and(same))
                .collect();
            let answers: Vec<(usize, &Answer)> = self
                .assignment
                .answers
                .iter()
                .flat_map(|(kind, answers)| answers.iter().map(move |it| (*kind, it)))
                .filter(|(_, it)| matches!(it.messages[..], [only] if same(only)))
                .collect();
            let count: usize = groups
                .iter()
                .filter(|it| same(it.message))
                .map(|it| it.records.len())
                .sum();
            let looks = self.looks(&calls, &answers);
            let (from, to) = (&message.from, &message.to);
            let ends = format!("{from} → {to}");
            let _ = writeln!(out, "\n# {}: {}", comment(&ends), counted(count as u64));
            if looks.is_none() {
                let asked = self.is_asked(&same);
                let name = &message.name;
                if !asked && self.is_elsewhere(&[from, to]) {
                    proposal.unseen.push(format!(
                        "there is no log of `{from}` or `{to}`: `{name}` is not judged"
                    ));
                } else if !asked {
                    proposal
                        .missing
                        .push(format!("`{name}` is in none of the records"));
                }
                let _ = writeln!(out, "# [messages.{}]", key(&message.name));
                if asked {
                    self.choice_text(&same, out, proposal);
                }
            } else {
                let _ = writeln!(out, "[messages.{}]", key(&message.name));
                self.calls_text(&calls, number, out);
                self.answers_text(&answers, out);
                self.fields_text(&same, out, proposal);
            }
            proposal.messages.push(ProposedMessage {
                name: message.name.clone(),
                looks,
                count: count as u64,
            });
        }
    }

    /// Whether none of the roles wrote a record, so that what they say to each other is not in the logs.
    fn is_elsewhere(&self, roles: &[&String]) -> bool {
        let records = self
            .logs
            .iter()
            .flat_map(|log| log.records.iter().map(move |it| (log, it)));
        let writer = |(log, record): (&SampledLog, &RankedEnvelope)| {
            let envelope = &record.envelope;
            let (from, to) = ends(envelope, log.own.as_deref(), &self.roles);
            let by = envelope.by.as_deref().and_then(|it| self.roles.role(it));
            let by = log.own.clone().or(by);
            by.or(match envelope.side {
                Some(Side::Sender) => from,
                Some(Side::Receiver) => to,
                None => None,
            })
        };
        // Whoever is not known may be one of them.
        let mut writers = records.map(writer).peekable();
        writers.peek().is_some() && writers.all(|it| it.is_some_and(|it| !roles.contains(&&it)))
    }

    fn looks(&self, calls: &[(usize, &Kind)], answers: &[(usize, &Answer)]) -> Option<String> {
        let calls = calls.iter().map(|(kind, it)| match &it.call {
            Call::Request { .. } => self.request(*kind),
            call => call.text(),
        });
        let answers = answers.iter().map(|(kind, it)| {
            let request = self.assignment.message_of(*kind);
            let request = request.map_or("", |it| &self.vocabulary.messages[it].name);
            let status = it.look.status.map_or(String::new(), |it| format!("{it} "));
            let value = it.look.value.as_ref();
            let value = value.map_or(String::new(), |(place, text)| {
                format!(" with {place} {text}")
            });
            format!("{status}of {request}{value}")
        });
        let all: Vec<String> = calls.chain(answers).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// The request of a kind, its parameters with the names of their fields.
    fn request(&self, kind: usize) -> String {
        let Call::Request { method, path } = &self.kinds[kind].call else {
            return String::new();
        };
        let message = self.assignment.message_of(kind);
        let parts: Vec<String> = path
            .split('/')
            .map(|part| match (parameter(part), message) {
                (Some(name), Some(message)) => {
                    format!("{{{}}}", self.parameter_name(message, name))
                }
                _ => part.to_owned(),
            })
            .collect();
        let path = parts.join("/");
        match method {
            Some(method) => format!("{method} {path}"),
            None => path,
        }
    }

    /// A parameter is called as the field that is there.
    fn parameter_name(&self, message: usize, number: &str) -> String {
        let place = format!("path.{number}");
        let field = self
            .fields
            .iter()
            .find(|it| it.message == message && it.place.as_ref() == Some(&place));
        field.map_or_else(|| format!("part{number}"), |it| it.field.clone())
    }

    fn named_place(&self, message: usize, place: &str) -> String {
        match place.strip_prefix("path.") {
            Some(number) => format!("path.{}", self.parameter_name(message, number)),
            None => place.to_owned(),
        }
    }

    fn calls_text(&self, calls: &[(usize, &Kind)], message: usize, out: &mut String) {
        let own = &self.vocabulary.messages[message].name;
        let mut names = Vec::new();
        for (kind, it) in calls {
            match &it.call {
                Call::Request { .. } => {
                    let _ = writeln!(out, "request = {}", quoted(&self.request(*kind)));
                }
                Call::Named(name) if name != own && !names.contains(name) => {
                    names.push(name.clone())
                }
                Call::Named(_) => {}
            }
        }
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|it| quoted(it)).collect();
            let _ = writeln!(out, "names = [{}]", names.join(", "));
        }
    }

    fn answers_text(&self, answers: &[(usize, &Answer)], out: &mut String) {
        let mut requests: BTreeSet<String> = BTreeSet::new();
        let mut statuses: BTreeMap<u16, (u64, &str)> = BTreeMap::new();
        for (kind, it) in answers {
            let request = self.assignment.message_of(*kind);
            requests.extend(request.map(|it| self.vocabulary.messages[it].name.clone()));
            if let Some(status) = it.look.status {
                let known = statuses.entry(status).or_insert((0, it.how));
                known.0 += it.count;
            }
        }
        if requests.is_empty() {
            return;
        }
        let _ = writeln!(out, "response = {}", texts(requests.into_iter()));
        let how: BTreeSet<&str> = statuses
            .values()
            .map(|it| it.1)
            .filter(|it| !it.is_empty())
            .collect();
        let how: Vec<&str> = how.into_iter().collect();
        let comment = if how.is_empty() {
            String::new()
        } else {
            format!(" # {}", how.join(", "))
        };
        let list: Vec<String> = statuses.keys().map(ToString::to_string).collect();
        if !list.is_empty() {
            let _ = writeln!(out, "status = {}{comment}", one_or_list(&list));
        }
        let values: BTreeSet<&(String, String)> = answers
            .iter()
            .filter_map(|(_, it)| it.look.value.as_ref())
            .collect();
        if let [(place, text)] = values.into_iter().collect::<Vec<_>>()[..] {
            let place = quoted(&Place::Body(ValuePath::dotted(place)).to_string());
            let _ = writeln!(out, "when = {{ {place} = {} }}", quoted(text));
        }
    }

    fn fields_text(&self, same: &dyn Fn(usize) -> bool, out: &mut String, proposal: &mut Proposal) {
        let fields: Vec<&FieldMatch> = self.fields.iter().filter(|it| same(it.message)).collect();
        let mut lines: BTreeMap<&str, (BTreeSet<String>, String)> = BTreeMap::new();
        let mut unseen: BTreeSet<&String> = BTreeSet::new();
        for it in &fields {
            let (name, field) = (&self.vocabulary.messages[it.message].name, &it.field);
            let Some(place) = &it.place else {
                let found = fields
                    .iter()
                    .any(|other| other.field == *field && other.place.is_some());
                let mut line = format!("no record of `{name}` has a value for `{field}`");
                if !it.others.is_empty() {
                    let few = it.others.iter().take(4).map(|it| format!("`{it}`"));
                    let few: Vec<String> = few.collect();
                    let more = if it.others.len() > 4 { ", …" } else { "" };
                    line.push_str(&format!("; it may be {}{more}", few.join(", ")));
                }
                if found || proposal.missing.contains(&line) {
                    continue;
                }
                if it.is_unseen {
                    unseen.insert(field);
                } else {
                    proposal.missing.push(line);
                }
                continue;
            };
            let place = self.named_place(it.message, place);
            let is_usual = it.is_usual || place == format!("path.{field}");
            if !is_usual {
                let comment = format!("{}, in {} of {} records", it.how, it.there, it.of);
                let entry = lines.entry(field).or_insert((BTreeSet::new(), comment));
                entry.0.insert(place);
            }
        }
        for (number, (field, (places, comment))) in lines.into_iter().enumerate() {
            if number == 0 {
                let name = fields.first().map_or(0, |it| it.message);
                let _ = writeln!(
                    out,
                    "[messages.{}.fields]",
                    key(&self.vocabulary.messages[name].name)
                );
            }
            let value = texts(places.into_iter());
            let _ = writeln!(out, "{} = {value} # {comment}", key(field));
        }
        if let (Some(first), false) = (fields.first(), unseen.is_empty()) {
            let name = &self.vocabulary.messages[first.message].name;
            let fields: Vec<String> = unseen.iter().map(|it| format!("`{it}`")).collect();
            let fields = fields.join(", ");
            let _ = writeln!(
                out,
                "# The records do not have {}: only the order of this message is judged.",
                comment(&fields)
            );
            proposal.unseen.push(format!(
                "the records of `{name}` do not have {fields}: only its order is judged"
            ));
        }
    }

    /// Whether a message is one of several that something may be.
    fn is_asked(&self, same: &dyn Fn(usize) -> bool) -> bool {
        let is_open = |list: &Vec<usize>| list.len() > 1 && list.iter().any(|it| same(*it));
        let answers = self.assignment.answers.values().flatten();
        self.assignment.calls.values().any(is_open)
            || answers.into_iter().any(|it| is_open(&it.messages))
    }

    /// What may be this message and others: lines to choose from.
    fn choice_text(&self, same: &dyn Fn(usize) -> bool, out: &mut String, proposal: &mut Proposal) {
        let name = |it: &usize| format!("`{}`", self.vocabulary.messages[*it].name);
        let names = |list: &[usize]| list.iter().map(name).collect::<Vec<_>>().join(" or ");
        for (kind, calls) in &self.assignment.calls {
            if calls.len() > 1 && calls.iter().any(|it| same(*it)) {
                let call = &self.kinds[*kind].call;
                let _ = match call {
                    Call::Request { .. } => writeln!(out, "# request = {}", quoted(&call.text())),
                    Call::Named(name) => writeln!(out, "# names = [{}]", quoted(name)),
                };
                choose(
                    proposal,
                    format!("choose whether {} is {}", call.text(), names(calls)),
                );
            }
        }
        for (kind, answers) in &self.assignment.answers {
            let open = answers.iter().filter(|it| it.messages.len() > 1);
            for answer in open.filter(|it| it.messages.iter().any(|it| same(*it))) {
                let request = self.assignment.message_of(*kind);
                let request = request.map_or("?", |it| &self.vocabulary.messages[it].name);
                let status = answer
                    .look
                    .status
                    .map_or("?".to_owned(), |it| it.to_string());
                let _ = writeln!(out, "# response = {}\n# status = {status}", quoted(request));
                let line = format!(
                    "choose whether a {status} of `{request}` ({}) is {}",
                    counted(answer.count),
                    names(&answer.messages)
                );
                choose(proposal, line);
            }
        }
    }

    fn others_text(&self, out: &mut String, proposal: &mut Proposal) {
        for (number, kind) in self.kinds.iter().enumerate() {
            if !self.assignment.calls.contains_key(&number) {
                let ends = |roles: &BTreeSet<String>| {
                    let roles: Vec<&str> = roles.iter().map(String::as_str).collect();
                    if roles.is_empty() {
                        "?".to_owned()
                    } else {
                        roles.join(", ")
                    }
                };
                let text = format!(
                    "{} ({} → {})",
                    kind.call.text(),
                    ends(&kind.from),
                    ends(&kind.to)
                );
                proposal.others.push((text, kind.records.len() as u64));
            }
        }
        if !proposal.others.is_empty() {
            out.push_str("\n# Records that are not messages of the model:\n");
        }
        for (text, count) in &proposal.others {
            let _ = writeln!(out, "#   {}: {}", comment(text), counted(*count));
        }
    }

    /// Reads the file as everyone will, and counts what it makes of the records.
    fn try_out(&self, text: &str, control: &Control, proposal: &mut Proposal) {
        let mut findings = Vec::new();
        let file = SourceMap::new().add("proposal", text);
        let Some(read) = BindingFile::read(file, text, &mut findings) else {
            let reason = findings
                .first()
                .map_or(String::new(), |it| it.message.clone());
            proposal
                .missing
                .push(format!("the proposal cannot be read: {reason}"));
            return;
        };
        let binder = Binder::new(read.binding, self.vocabulary.clone());
        let mut conversations: BTreeMap<String, BTreeMap<String, Vec<(u64, usize)>>> =
            BTreeMap::new();
        for log in self.sampled {
            let rules = binder.binding.log_rules(&log.path);
            for record in &log.records {
                let sighting = binder.observe(&record.envelope, rules, log.own.as_deref());
                proposal.bound += u64::from(!sighting.observations.is_empty());
                for (half, seen) in sighting.observations.iter().enumerate() {
                    let is_it = |it: &crate::KnownMessage| {
                        it.name == seen.operation && it.from == seen.from && it.to == seen.to
                    };
                    let Some(message) = self.vocabulary.messages.iter().position(is_it) else {
                        continue;
                    };
                    let session = seen.session.as_deref().unwrap_or_default().to_owned();
                    let roles = conversations.entry(session).or_default();
                    let rank = if half == 0 { record.start } else { record.end };
                    let list = roles.entry(seen.by.to_string()).or_default();
                    list.push((rank, message));
                }
            }
        }
        let mut pairs: BTreeSet<(&str, usize)> = BTreeSet::new();
        for (role, list) in conversations.values().flatten() {
            for (_, seen) in list {
                let ends = |it: usize| {
                    let message = &self.vocabulary.messages[it];
                    (&message.from, &message.to)
                };
                let all = 0..self.vocabulary.messages.len();
                let alike = all.filter(|it| ends(*it) == ends(*seen));
                pairs.extend(alike.map(|it| (role.as_str(), it)));
            }
        }
        let follows = |roles: &BTreeMap<String, Vec<(u64, usize)>>| {
            roles.iter().all(|(role, list)| {
                let mut list = list.clone();
                list.sort_unstable();
                let messages: Vec<usize> = list.into_iter().map(|it| it.1).collect();
                let is_seen = |message: usize| pairs.contains(&(role.as_str(), message));
                control.follows(&messages, &is_seen).0
            })
        };
        let following = conversations.values().filter(|it| follows(it)).count();
        proposal.conversations = (conversations.len() as u64, following as u64);
    }
}

fn choose(proposal: &mut Proposal, line: String) {
    if !proposal.choices.contains(&line) {
        proposal.choices.push(line);
    }
}

fn counted(records: u64) -> String {
    match records {
        1 => "1 record".to_owned(),
        many => format!("{many} records"),
    }
}
