//! Where a solver is looked for.
//!
//! In this order: `$CHOROS_LIBZ3` (a library, or `none` to do without any solver); the tool's data folder; the system's `libz3`; the library inside a Python
//! `z3-solver` package; a `z3` or `cvc5` executable by pipe.
//! A library in process is several times faster than a pipe, so every library comes before every executable.

use std::path::{Path, PathBuf};

use crate::{Backend, Cached, CheckedSolver, Dialect, InProcess, Pipe, Solver, SolverError};

/// What Z3's library is called.
const LIBRARY: &str = if cfg!(target_os = "macos") {
    "libz3.dylib"
} else {
    "libz3.so"
};

/// The environment, as far as it says where solvers are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// A library the user has named; no other is tried.
    pub named: Option<PathBuf>,
    /// Folders of the tool's own data.
    pub data: Vec<PathBuf>,
    /// Whether the system's loader is asked.
    pub system: bool,
    /// Folders that hold Python packages.
    pub packages: Vec<PathBuf>,
    /// Folders that hold executables.
    pub programs: Vec<PathBuf>,
}

/// Something that may be a solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Candidate {
    /// Z3's library; a bare file name means wherever the system's loader finds it.
    Library(PathBuf),
    /// An executable that speaks SMT-LIB.
    Program(PathBuf, Dialect),
}

impl Places {
    /// What the environment variables and the current folder say.
    pub fn from_environment() -> Places {
        let variable = |name: &str| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        if variable("CHOROS_LIBZ3").is_some_and(|value| value == Path::new("none")) {
            return Places::default();
        }
        let home = variable("HOME");
        let data_home = variable("XDG_DATA_HOME")
            .or_else(|| home.as_ref().map(|home| home.join(".local/share")));
        let mut environments: Vec<PathBuf> = variable("VIRTUAL_ENV").into_iter().collect();
        // Nothing from the current folder: the author of a model there could choose the code that is run.
        environments.retain(|it| it.is_absolute());
        environments.extend(home.iter().map(|home| home.join(".local")));
        environments.extend(["/usr/local", "/usr"].map(PathBuf::from));
        Places {
            named: variable("CHOROS_LIBZ3"),
            data: variable("CHOROS_DATA")
                .into_iter()
                .chain(data_home.map(|folder| folder.join("choros")))
                .collect(),
            system: true,
            packages: environments
                .iter()
                .flat_map(|folder| package_folders(folder))
                .collect(),
            programs: std::env::var_os("PATH")
                .map(|path| {
                    let folders = std::env::split_paths(&path);
                    folders.filter(|it| it.is_absolute()).collect()
                })
                .unwrap_or_default(),
        }
    }

    /// What to try, in order; files that do not exist are left out.
    pub fn candidates(&self) -> Vec<Candidate> {
        if let Some(path) = &self.named {
            return vec![Candidate::Library(path.clone())];
        }
        let in_data = self.data.iter().map(|folder| folder.join(LIBRARY));
        let in_packages = self
            .packages
            .iter()
            .map(|folder| folder.join("z3/lib").join(LIBRARY));
        let existing = |path: &PathBuf| path.is_file();
        let mut candidates: Vec<Candidate> =
            in_data.filter(existing).map(Candidate::Library).collect();
        if self.system {
            // The first name comes with the development package only.
            for name in [LIBRARY, "libz3.so.4"] {
                candidates.push(Candidate::Library(PathBuf::from(name)));
            }
        }
        candidates.extend(in_packages.filter(existing).map(Candidate::Library));
        for (name, dialect) in [("z3", Dialect::Z3), ("cvc5", Dialect::Cvc5)] {
            let found = self
                .programs
                .iter()
                .map(|folder| folder.join(name))
                .find(existing);
            candidates.extend(found.map(|path| Candidate::Program(path, dialect)));
        }
        candidates
    }
}

impl Candidate {
    /// Loads or starts it.
    pub fn open(&self) -> Result<Box<dyn Backend>, SolverError> {
        Ok(match self {
            Candidate::Library(path) => Box::new(InProcess::load(path)?),
            Candidate::Program(path, dialect) => {
                Box::new(Pipe::start(&path.to_string_lossy(), *dialect)?)
            }
        })
    }
}

/// The first solver that works.
///
/// A library named by the user must work: silently taking another one would hide the mistake.
pub fn find_backend(places: &Places) -> Result<Box<dyn Backend>, SolverError> {
    for candidate in places.candidates() {
        match candidate.open() {
            Ok(backend) => return Ok(backend),
            Err(error) if places.named.is_some() => return Err(error),
            Err(_) => {}
        }
    }
    Err(SolverError::NotFound)
}

/// The first solver that works, checked and with a cache in front.
pub fn find() -> Result<Box<dyn Solver>, SolverError> {
    find_in(&Places::from_environment())
}

/// The same, in these places only.
pub(crate) fn find_in(places: &Places) -> Result<Box<dyn Solver>, SolverError> {
    let backend = find_backend(places)?;
    Ok(Box::new(Cached::new(CheckedSolver::new(backend))))
}

/// The folders of Python packages under a prefix such as `/usr` or a virtual environment, newest Python first.
fn package_folders(prefix: &Path) -> Vec<PathBuf> {
    let mut folders = vec![prefix.join("lib/python3/dist-packages")];
    let entries = std::fs::read_dir(prefix.join("lib"));
    let mut versions: Vec<(u32, PathBuf)> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name();
            let minor = name.to_str()?.strip_prefix("python3.")?.parse().ok()?;
            Some((minor, entry.path()))
        })
        .collect();
    versions.sort_by_key(|(minor, _)| std::cmp::Reverse(*minor));
    for (_, folder) in versions {
        folders.push(folder.join("site-packages"));
        folders.push(folder.join("dist-packages"));
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, "").expect("written");
    }

    #[test]
    fn libraries_come_before_programs_and_data_before_packages() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        touch(&at("data").join(LIBRARY));
        touch(&at("venv/lib/python3.9/site-packages/z3/lib").join(LIBRARY));
        touch(&at("venv/lib/python3.11/site-packages/z3/lib").join(LIBRARY));
        touch(&at("bin/cvc5"));
        touch(&at("bin/z3"));
        let places = Places {
            named: None,
            data: vec![at("missing"), at("data")],
            system: false,
            packages: package_folders(&at("venv")),
            programs: vec![at("bin")],
        };
        let newest = at("venv/lib/python3.11/site-packages/z3/lib").join(LIBRARY);
        let older = at("venv/lib/python3.9/site-packages/z3/lib").join(LIBRARY);
        assert_eq!(
            places.candidates(),
            [
                Candidate::Library(at("data").join(LIBRARY)),
                Candidate::Library(newest),
                Candidate::Library(older),
                Candidate::Program(at("bin/z3"), Dialect::Z3),
                Candidate::Program(at("bin/cvc5"), Dialect::Cvc5),
            ]
        );
    }

    #[test]
    fn without_any_solver_one_line_says_how_to_get_one() {
        let error = find_backend(&Places::default()).err().expect("none");
        let text = error.to_string();
        assert!(text.starts_with("no solver found: install Z3"), "{text}");
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn a_named_library_that_is_none_is_an_error_and_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("libz3.so");
        touch(&path);
        let places = Places {
            named: Some(path),
            ..Places::from_environment()
        };
        let error = find_backend(&places).err().expect("not a library");
        assert!(matches!(error, SolverError::Library { .. }), "{error}");
    }
}
