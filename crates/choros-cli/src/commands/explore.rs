//! `choros explore`

use std::path::{Path, PathBuf};

use choros::report::{Block, ExitStatus, Report, SUITE};
use choros::verbs::{self, ExploreRequest, ProductRequest, Stepper, WalkRequest};
use choros::{Content, Equivalence, Request, Settings};
use clap::Args;

use crate::applicability::{GRAPHS, MACHINES, ONE_WHOLE, PARAMETERS, PROCESSES, Parts, Use, Uses};
use crate::caller::Caller;
use crate::choice::choice;
use crate::options::{
    ChannelsOption, FaultsOption, Inputs, ProcessOption, ReduceOption, SESSIONS, ServicesOption,
    SessionsOption, Shared,
};
use crate::picture_file::PictureFile;
use crate::shell::Shell;
use crate::symbolic_options::ActionsOption;

/// How big is it? States, transitions, messages, deadlocks
///
/// Counts states, transitions and messages. Where termination is a step of the language (SChorA's chorD), it counts as
/// a transition to one more state; in graphs written as graphs it does not.
#[derive(Args)]
#[command(after_help = "\
Examples, in the folder examples:
  choros explore online-shopping.schora             all components of a script
  choros explore online-shopping.chor#shop_services
                                                    one of them
  choros explore xloan/xloan-r.stg --purpose xloan/xloan-r-select.tp
                                                    the product with a test purpose
  choros explore order/order.pact --traces          how many sequences of messages are there?
  choros explore atm.fsa --bound 2                  machines over queues with two places
  choros explore atm.fsa --cut simple-atm.fsa#A -o run.dot
                                                    with one machine replaced
  choros explore atm.gc                             the machines of a g-choreography together
  choros explore atm.gc --pomsets -o atm.svg        its pomsets, counted and drawn
  choros explore xloan/xloan.bpel                   a process with its WSDL and schemas
  choros explore bank.cows                          the states of services
  choros explore bank-one-client.cows -o bank.aut   saved; .dot and .svg draw them
  choros explore bank.aut --minimize strong         bisimilar states are one
  choros explore bank.cows --interactive            step by step: choose from what can happen
  choros explore bank.cows --choose 1,1,s,q         the same without typing
  choros explore online-shopping.chor#order --walk '1 x1=3'
                                                    any model, by numbers, with data; what may follow?
  choros explore atm.fsa --walk '1; 1' -o steps.json
                                                    machines; the run is saved as tests for comply")]
pub(crate) struct Explore {
    #[command(flatten)]
    inputs: Inputs,
    /// For machines: replaces the machine of this name with another: FILE, or FILE#PARTICIPANT
    #[arg(long, value_name = "MACHINE", conflicts_with_all = ["minimize", "interactive", "choose"])]
    cut: Option<String>,
    /// Merges states that behave the same
    #[arg(long, value_parser = choice::<Equivalence>(), value_name = "EQUIVALENCE")]
    minimize: Option<Equivalence>,
    /// Writes the states to a file, or with --pomsets the pomsets: .aut, .dot, .svg, .mmd, .txt (for machines, stuck
    /// configurations are filled); with --walk the run: .tp a test purpose, .prop a property, .json tests of machines
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Steps through COWS services: type a number to choose a step, h for help
    #[arg(long, conflicts_with_all = ["output", "minimize"])]
    interactive: bool,
    /// Steps through with these choices, as if typed into --interactive
    #[arg(long, value_name = "CHOICE,…", value_delimiter = ',', conflicts_with_all = ["output", "minimize", "interactive"])]
    choose: Vec<String>,
    /// Takes these steps and shows where the run is and what can follow: numbers from 1, with values where a step
    /// binds variables, as in '1 x1=3; 2'; '' takes none
    #[arg(long, value_name = "STEPS", conflicts_with_all = ["minimize", "interactive", "choose", "cut", "traces"])]
    walk: Option<String>,
    /// Counts the distinct sequences of messages from start to end, without listing them
    #[arg(long)]
    traces: bool,
    #[command(flatten)]
    services: ServicesOption,
    #[command(flatten)]
    channels: ChannelsOption,
    /// For a g-choreography: counts its pomsets, linearisations and prefixes
    #[arg(long, conflicts_with_all = ["cut", "channels", "bound", "reduce"])]
    pomsets: bool,
    /// For a g-choreography: repeats loops up to this many times
    #[arg(long, value_name = "N", requires = "pomsets")]
    unfold: Option<u32>,
    #[command(flatten)]
    reduce: ReduceOption,
    /// Explores the product with this test purpose (.tp), before and after pruning
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cut", "minimize", "interactive", "choose", "pomsets"])]
    purpose: Option<String>,
    #[command(flatten)]
    actions: ActionsOption,
    #[command(flatten)]
    process: ProcessOption,
    #[command(flatten)]
    faults: FaultsOption,
    #[command(flatten)]
    sessions: SessionsOption,
    #[command(flatten)]
    shared: Shared,
}

/// What its options are about.
pub(crate) const USES: Uses = Uses {
    verb: "explore",
    models: &["files"],
    parts: Parts::Of(GRAPHS, ONE_WHOLE),
    always: &[
        "minimize",
        "output",
        "interactive",
        "choose",
        "walk",
        "pomsets",
        "unfold",
        "purpose",
        "purpose_actions",
        "faults",
    ],
    some: &[
        Use::of(&["traces"], GRAPHS)
            .hint("`--pomsets` counts the linearisations of a g-choreography"),
        Use::of(&["cut", "reduce"], MACHINES),
        Use::of(&["channels", "bound"], MACHINES).unless("faults"),
        Use::of(&["no_best_match"], &[Content::Service]),
        PROCESSES,
        PARAMETERS,
        Use::of(SESSIONS, &[Content::Graphs]),
    ],
};

impl Explore {
    pub(crate) fn run(self, caller: &Caller) -> ExitStatus {
        let shell = self.shared.shell(caller);
        let mut settings = self.shared.settings(&shell);
        self.channels.apply(&mut settings);
        self.process.apply(&mut settings);
        self.sessions.apply(&mut settings);
        self.services.apply(&mut settings);
        self.reduce.apply(&mut settings);
        self.faults.apply(&mut settings);
        settings.gchor.pomsets = self.pomsets;
        settings.gchor.unfold = self.unfold;
        let mut workspace = shell.workspace();
        let requests = self.inputs.requests();
        if self.interactive || !self.choose.is_empty() {
            return match requests.as_slice() {
                [request] => {
                    let stepper = verbs::step(&mut workspace, request, &settings);
                    match stepper {
                        Ok(stepper) => interact(stepper, &self.choose, &shell),
                        Err(diagnostics) => {
                            let report = Report {
                                verb: "explore",
                                diagnostics,
                                ..Report::default()
                            };
                            shell.finish(&report, &workspace.sources)
                        }
                    }
                }
                _ => shell.usage_error("--interactive steps through one model"),
            };
        }
        if let Some(steps) = &self.walk {
            let output = self.output.as_deref();
            return walk(&requests, steps, output, &shell, &settings);
        }
        if let Some(purpose) = &self.purpose {
            return self.product(&requests, purpose, &shell, &settings);
        }
        if self.cut.is_none() && self.output.is_none() && self.minimize.is_none() {
            let request = ExploreRequest {
                files: requests,
                traces: self.traces,
                ..ExploreRequest::default()
            };
            let answered = verbs::explore(&mut workspace, &request, &settings);
            return shell.finish(&answered.report(&workspace.terms), &workspace.sources);
        }
        let forms = ["aut", "dot", "svg", "mmd", "txt"];
        let output = match PictureFile::asked(self.output.as_deref(), &forms) {
            Ok(output) => output,
            Err(message) => return shell.usage_error(&message),
        };
        let [request] = requests.as_slice() else {
            return shell.usage_error("--cut, --minimize and -o are about one file");
        };
        let asked = ExploreRequest {
            files: requests.clone(),
            component: self.cut.as_deref().map(|it| Request::parse(it, None)),
            minimize: self.minimize,
            picture: output.as_ref().map(|file| file.picture),
            traces: self.traces,
        };
        let answered = verbs::explore(&mut workspace, &asked, &settings);
        let mut report = answered.report(&workspace.terms);
        if let Some(file) = &output
            && let Err(message) = file.write(&request.path, &mut report, "one file", &shell)
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &workspace.sources)
    }
}

impl Explore {
    /// The product of a model and a purpose.
    fn product(
        &self,
        requests: &[Request],
        purpose: &str,
        shell: &Shell,
        settings: &Settings,
    ) -> ExitStatus {
        let forms = ["aut", "dot", "svg", "mmd", "txt"];
        let output = match PictureFile::asked(self.output.as_deref(), &forms) {
            Ok(output) => output,
            Err(message) => return shell.usage_error(&message),
        };
        let [request] = requests else {
            return shell.usage_error("--purpose is about one file");
        };
        let mut workspace = shell.workspace();
        let picture = output.as_ref().map(|file| file.picture);
        let product = ProductRequest {
            model: request.clone(),
            purpose: purpose.to_owned(),
            actions: self.actions.actions(),
            picture,
        };
        let answered = verbs::explore_product(&mut workspace, &product, settings);
        let mut report = answered.report(&workspace.terms);
        if let Some(file) = &output
            && let Err(message) = file.write(&request.path, &mut report, "one file", shell)
        {
            return shell.usage_error(&message);
        }
        shell.finish(&report, &workspace.sources)
    }
}

/// Takes steps through one model, and keeps the run.
fn walk(
    requests: &[Request],
    text: &str,
    output: Option<&Path>,
    shell: &Shell,
    settings: &Settings,
) -> ExitStatus {
    let (Ok(steps), [model]) = (steps(text), requests) else {
        return shell.usage_error("--walk goes through one model, by steps such as '1 x1=3; 2'");
    };
    let ending = |path: &Path| {
        path.extension()
            .and_then(|it| it.to_str().map(str::to_owned))
    };
    let output = match output.map(|path| (path, ending(path))) {
        None => None,
        Some((path, Some(ending))) if ["tp", "prop", "json"].contains(&ending.as_str()) => {
            Some((path, ending))
        }
        Some((path, _)) => {
            return shell.usage_error(&format!(
                "cannot save a run as `{}`: its extension must be one of .tp, .prop, .json",
                path.display()
            ));
        }
    };
    let request = WalkRequest {
        model: model.clone(),
        steps,
    };
    let mut workspace = shell.workspace();
    let answered = verbs::walk(&mut workspace, &request, settings);
    let mut report = answered.report(&workspace.terms);
    if let Some((path, ending)) = output
        && !report.outcomes.is_empty()
    {
        let form = if ending == "json" { SUITE } else { &ending };
        let blocks = report.outcomes.iter().flat_map(|it| &it.blocks);
        let mut kept = blocks.filter_map(|it| match it {
            Block::Picture { format, text } if *format == form => Some(text.clone()),
            _ => None,
        });
        match kept.next() {
            Some(text) => {
                shell.write_beside(path, &text, &mut report);
                if report.world_failed.is_none() {
                    let line = format!("the run was written to {}", path.display());
                    report.outcomes[0].blocks.push(Block::Line(line));
                }
            }
            None => {
                let place = path.display();
                return shell.usage_error(&format!(
                    "this run cannot be saved as `{place}`: the answer of --walk says which forms it has"
                ));
            }
        }
    }
    shell.finish(&report, &workspace.sources)
}

/// Steps and the values that they bring: `1 x=3; 2`.
#[allow(clippy::type_complexity)]
fn steps(text: &str) -> Result<Vec<(usize, Vec<(String, String)>)>, ()> {
    let mut quoted = false;
    let mut parts: Vec<Vec<String>> = vec![vec![String::new()]];
    for sign in text.chars() {
        quoted ^= sign == '"';
        let Some(words) = parts.last_mut() else {
            break;
        };
        match sign {
            ';' if !quoted => parts.push(vec![String::new()]),
            sign if sign.is_whitespace() && !quoted => words.push(String::new()),
            sign => words
                .iter_mut()
                .last()
                .into_iter()
                .for_each(|it| it.push(sign)),
        }
    }
    let mut steps = Vec::new();
    for mut words in parts {
        words.retain(|it| !it.is_empty());
        let Some((number, values)) = words.split_first() else {
            continue;
        };
        let value = |it: &String| {
            let (name, value) = it.split_once('=').ok_or(())?;
            Ok((name.to_owned(), value.to_owned()))
        };
        let values = values.iter().map(value).collect::<Result<_, ()>>()?;
        steps.push((number.parse().map_err(|_| ())?, values));
    }
    Ok(steps)
}

/// Obeys the choices given, or those read line by line until the end of the input.
fn interact(mut stepper: Stepper, choices: &[String], shell: &Shell) -> ExitStatus {
    shell.print(&stepper.view());
    let typed = std::io::stdin().lines().map_while(Result::ok);
    let lines: Box<dyn Iterator<Item = String>> = if choices.is_empty() {
        Box::new(typed)
    } else {
        Box::new(choices.iter().cloned())
    };
    for line in lines {
        match stepper.obey(&line) {
            Some(answer) => shell.print(&answer),
            None => break,
        }
    }
    ExitStatus::Success
}
