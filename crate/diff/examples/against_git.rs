//! Compares the patches of real changes with git's:
//!
//!     npm run check:diffs -- --git-dir DIR [--cases 2000] [--seed 1] [--git git] [--pairs FILE]
//!
//! Cases are pairs of blobs from the history of a repository: a version of a file and the next
//! one, or a later one. Or they are the pairs of a file, in its order, whose lines begin with the
//! names of two objects, such as `.sliders` files have; without a seed these have git's default
//! options. Else each round of cases has options of its own, and is compared with all four
//! algorithms. git before 2.54 answers otherwise with two of them, so those are not compared then.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a check of this project may panic"
)]

use packlens_base::regex::{Regex, Syntax};
use packlens_diff::{is_binary, Algorithm, DiffOptions, TextDiff, Whitespace};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// So many pairs are compared with the same options.
const ROUND: usize = 50;
const SIDES: [&str; 2] = ["before", "after"];

type Pair = [Vec<u8>; 2];

struct Request {
    git: String,
    git_dir: String,
    /// How many; all pairs of the file if not given.
    cases: Option<usize>,
    /// Pairs of a file are compared without options if not given.
    seed: Option<u64>,
    pairs: Option<String>,
}

fn request() -> Option<Request> {
    let mut git_dir = None;
    let mut request =
        Request { git: "git".into(), git_dir: String::new(), cases: None, seed: None, pairs: None };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next()?;
        match &*name {
            "--git" => request.git = value,
            "--git-dir" => git_dir = Some(value),
            "--cases" => request.cases = Some(value.parse().ok()?),
            "--pairs" => request.pairs = Some(value),
            "--seed" => request.seed = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    request.git_dir = git_dir?;
    Some(request)
}

/// Numbers that are the same in every run with a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn one<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}

fn output(command: &mut Command) -> Vec<u8> {
    let output = command.stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 1), "{command:?} failed");
    output.stdout
}

/// Returns the ids of the old and the new blob of each change in a history, by path.
fn changes(request: &Request) -> Vec<Vec<[String; 2]>> {
    let flags = ["log", "--all", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=M"];
    let mut git = Command::new(&request.git);
    let log = output(git.arg("--git-dir").arg(&request.git_dir).args(flags).arg("--format="));
    let mut paths: BTreeMap<String, Vec<[String; 2]>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&log).lines() {
        let words: Vec<&str> = line.split([' ', '\t']).collect();
        // Submodules have mode 160000.
        if let [":100644" | ":100755", "100644" | "100755", old, new, "M", path, ..] = words[..] {
            paths.entry(path.into()).or_default().push([old.into(), new.into()]);
        }
    }
    paths.into_values().collect()
}

/// Returns the first two words of each line, which name blobs.
fn named(file: &str) -> Vec<[String; 2]> {
    let text = std::fs::read(file).unwrap();
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let line = String::from_utf8_lossy(line);
            let mut words = line.split(' ').map(String::from);
            words.next().zip(words.next()).unwrap().into()
        })
        .collect()
}

/// Returns pairs of blobs, a round after the other.
enum Cases {
    Random(Vec<Vec<[String; 2]>>),
    Named(std::vec::IntoIter<[String; 2]>),
}

impl Cases {
    fn next(&mut self, random: &mut Random) -> [String; 2] {
        match self {
            Cases::Random(paths) => {
                let path = random.one(paths);
                let [old, new] = random.one(path);
                let new = if random.below(3) == 0 { &random.one(path)[1] } else { new };
                [old.clone(), new.clone()]
            }
            Cases::Named(pairs) => pairs.next().unwrap(),
        }
    }
}

/// Reads blobs, in order.
struct Blobs {
    git: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Blobs {
    fn new(request: &Request) -> Blobs {
        let mut git = Command::new(&request.git);
        git.arg("--git-dir").arg(&request.git_dir).args(["cat-file", "--batch"]);
        let mut git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = git.stdin.take().unwrap();
        let output = BufReader::new(git.stdout.take().unwrap());
        Blobs { git, input, output }
    }

    fn end(mut self) {
        drop(self.input);
        self.git.wait().unwrap();
    }

    fn read(&mut self, id: &str) -> Vec<u8> {
        writeln!(self.input, "{id}").unwrap();
        let mut header = String::new();
        self.output.read_line(&mut header).unwrap();
        let size: usize = header.trim_end().rsplit(' ').next().unwrap().parse().unwrap();
        let mut content = vec![0; size + 1];
        self.output.read_exact(&mut content).unwrap();
        content.pop();
        content
    }
}

/// Returns random options, and the same for git.
fn options(random: &mut Random) -> (DiffOptions, Vec<String>) {
    let mut options = DiffOptions::default();
    let mut flags = Vec::new();
    let whitespace = random.one(&[
        (Whitespace::Exact, ""),
        (Whitespace::Exact, ""),
        (Whitespace::Exact, ""),
        (Whitespace::Exact, ""),
        (Whitespace::All, "-w"),
        (Whitespace::Amount, "-b"),
        (Whitespace::AtEol, "--ignore-space-at-eol"),
        (Whitespace::CrAtEol, "--ignore-cr-at-eol"),
    ]);
    options.whitespace = whitespace.0;
    flags.extend((!whitespace.1.is_empty()).then(|| whitespace.1.to_string()));
    if random.below(4) == 0 {
        options.ignore_blank_lines = true;
        flags.push("--ignore-blank-lines".into());
    }
    if random.below(5) == 0 {
        options.indent_heuristic = false;
        flags.push("--no-indent-heuristic".into());
    }
    if random.below(2) == 0 {
        options.context = *random.one(&[0, 0, 1, 2, 6, 25]);
        flags.push(format!("-U{}", options.context));
    }
    if random.below(4) == 0 {
        options.inter_hunk = random.below(12) as u32;
        flags.push(format!("--inter-hunk-context={}", options.inter_hunk));
    }
    if random.below(3) == 0 {
        options.function_context = true;
        flags.push("-W".into());
    }
    (options, flags)
}

/// Returns random expressions of lines that do not count, and the flags for git.
fn ignored(random: &mut Random) -> (Vec<Regex>, Vec<String>) {
    let count = [0, 0, 0, 1, 2][random.below(5)];
    let patterns: Vec<&str> = (0..count)
        .map(|_| {
            *random.one(&["^[^a-z]*$", "e", "[;{}]$", "^[[:space:]]*([*/#]|$)", "^$", "[0-9]"])
        })
        .collect();
    let compiled = patterns.iter().map(|pattern| {
        Regex::written(pattern.as_bytes(), Syntax::Extended, false).unwrap().by_line()
    });
    (compiled.collect(), patterns.iter().map(|pattern| format!("-I{pattern}")).collect())
}

/// Returns git's patches by the number of the pair; nothing where git prints no hunks.
fn patches(git: &str, folder: &Path, name: &str, flags: &[String]) -> BTreeMap<usize, Vec<u8>> {
    let mut command = Command::new(git);
    command
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.args(["diff", "--no-index", &format!("--diff-algorithm={name}")]).args(flags);
    let printed = output(command.args(SIDES));
    let mut patches = BTreeMap::new();
    let mut current: Option<&mut Vec<u8>> = None;
    for line in printed.split_inclusive(|byte| *byte == b'\n') {
        if let Some(rest) = line.strip_prefix(b"diff --git a/before/") {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
            let number = digits.fold(0, |number, digit| number * 10 + usize::from(digit - b'0'));
            current = Some(patches.entry(number).or_default());
        } else if let Some(patch) = &mut current {
            if !patch.is_empty() || line.starts_with(b"@@ ") {
                patch.extend_from_slice(line);
            }
        }
    }
    patches
}

/// Returns whether git is new enough to be compared with all algorithms.
fn is_new(git: &str) -> bool {
    let version = output(Command::new(git).arg("--version"));
    let version = String::from_utf8_lossy(&version).into_owned();
    let numbers = version.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
    numbers.take(2).collect::<Vec<u32>>() >= vec![2, 54]
}

fn write(folder: &Path, pairs: &[Pair]) {
    for (side, name) in SIDES.iter().enumerate() {
        let folder = folder.join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (number, pair) in pairs.iter().enumerate() {
            std::fs::write(folder.join(number.to_string()), &pair[side]).unwrap();
        }
    }
}

fn main() {
    let Some(request) = request() else {
        eprintln!(
            "usage: against_git --git-dir DIR [--cases N] [--seed N] [--git PATH] [--pairs FILE]"
        );
        std::process::exit(2);
    };
    let mut algorithms = vec![("myers", Algorithm::Myers), ("patience", Algorithm::Patience)];
    if is_new(&request.git) {
        algorithms.extend([("minimal", Algorithm::Minimal), ("histogram", Algorithm::Histogram)]);
    } else {
        println!("git is older than 2.54: minimal and histogram are not compared");
    }
    let folder: PathBuf =
        std::env::temp_dir().join(format!("packlens-diffs-{}", std::process::id()));
    let (mut cases, count) = match &request.pairs {
        Some(file) => {
            let pairs = named(file);
            let count = pairs.len();
            (Cases::Named(pairs.into_iter()), count)
        }
        None => (Cases::Random(changes(&request)), 2000),
    };
    let mut random = Random(request.seed.unwrap_or(1));
    let plain = request.pairs.is_some() && request.seed.is_none();
    let mut blobs = Blobs::new(&request);
    let (mut compared, mut binary, mut lines, mut differing) = (0, 0, 0, 0);
    let mut left = request.cases.unwrap_or(count);
    while left > 0 {
        let count = left.min(ROUND);
        left -= count;
        let pairs: Vec<Pair> = (0..count)
            .map(|_| {
                let [old, new] = cases.next(&mut random);
                [blobs.read(&old), blobs.read(&new)]
            })
            .collect();
        write(&folder, &pairs);
        let ((options, mut flags), (ignored, more)) =
            if plain { Default::default() } else { (options(&mut random), ignored(&mut random)) };
        flags.extend(more);
        for (name, algorithm) in &algorithms {
            let options = DiffOptions { algorithm: *algorithm, ..options };
            let git = patches(&request.git, &folder, name, &flags);
            for (number, [old, new]) in pairs.iter().enumerate() {
                if is_binary(old) || is_binary(new) {
                    binary += 1;
                    assert!(git.get(&number).is_none_or(Vec::is_empty), "git has a text");
                    continue;
                }
                let patch = TextDiff::ignoring(old, new, &options, &ignored).unwrap().patch();
                let expected = git.get(&number).map(Vec::as_slice).unwrap_or_default();
                compared += 1;
                lines += expected.split(|byte| *byte == b'\n').count();
                if patch != expected {
                    differing += 1;
                    let kept = std::env::temp_dir().join(format!("differs-{differing}"));
                    write(&kept, &[[old.clone(), new.clone()]]);
                    println!("{name} {} differs: {}", flags.join(" "), kept.display());
                }
            }
        }
    }
    blobs.end();
    let _ = std::fs::remove_dir_all(&folder);
    println!("{compared} patches of {lines} lines, {binary} binary, {differing} differ");
    std::process::exit(i32::from(differing > 0));
}
