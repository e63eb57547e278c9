//! Compares the words of files of each language with those of `git diff --word-diff`, for random
//! lines.
//!
//! `cargo run --release -p packlens-diff --example words -- [--git git] [--lines 2000]
//! [--seed 1]`

use packlens_diff::{DiffOptions, Driver, TextDiff, WordRule, WordStyle};
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The languages with words of their own.
const LANGUAGES: &[&str] = &[
    "bash", "bibtex", "cpp", "css", "dts", "golang", "html", "java", "kotlin", "markdown", "php",
    "python", "ruby", "rust", "scheme",
];

/// What lines are made of.
const PARTS: &[&str] = &[
    " ", " ", " ", "\t", "x", "foo", "A_b", "_", "é", "1", "0", "42", "0x", "0xFF", "0b1", "e",
    "E", "f", "L", "u", "i", ".", ".", "..", "-", "-", "+", "+", "=", "=", "<", ">", "&", "|", "!",
    "*", "/", "%", "^", ":", "?", "~", "@", "$", "#", "'", "\"", "(", ")", "{", "}", "[", "]", ",",
    ";", "\\", "==", "<=", "->", "px", "j", "_1",
];

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0).checked_rem(end).unwrap_or(0)
    }

    fn parts(&mut self) -> Vec<&'static str> {
        let count = self.below(12).saturating_add(1);
        (0..count).map(|_| PARTS.get(self.below(PARTS.len())).copied().unwrap_or("")).collect()
    }

    /// Returns a line, and the same with one part replaced.
    fn pair(&mut self) -> [String; 2] {
        let old = self.parts();
        let mut new = old.clone();
        let at = self.below(new.len());
        if let Some(place) = new.get_mut(at) {
            *place = PARTS.get(self.below(PARTS.len())).copied().unwrap_or("");
        }
        [old, new].map(|parts| format!("{}\n", parts.concat()))
    }
}

/// Returns what git prints after the names of the files.
fn git_patch(git: &str, name: &str, texts: &[String; 2]) -> Result<Vec<u8>, Box<dyn Error>> {
    let root = env::temp_dir().join(format!("packlens-words-{}", std::process::id()));
    drop(fs::remove_dir_all(&root));
    fs::create_dir_all(&root)?;
    let run = |arguments: &[&str]| {
        let mut command = Command::new(git);
        command.args(arguments).current_dir(&root).env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C.UTF-8").output()
    };
    run(&["init", "-q", "."])?;
    fs::write(root.join(".gitattributes"), format!("* diff={name}\n"))?;
    for (side, text) in ["a", "b"].iter().zip(texts) {
        fs::write(root.join(side), text)?;
    }
    let out = run(&["diff", "--no-index", "-U0", "--word-diff=porcelain", "a", "b"])?.stdout;
    fs::remove_dir_all(&root)?;
    let start =
        out.windows(3).position(|bytes| bytes == b"\n@@").map_or(0, |at| at.saturating_add(1));
    Ok(out.get(start..).unwrap_or_default().to_vec())
}

/// Splits a patch into hunks, without their headings.
fn hunks(patch: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(patch).into_owned();
    let hunks = text.split("\n@@ ").map(|hunk| {
        let (head, rest) = hunk.split_once('\n').unwrap_or((hunk, ""));
        let place = head.trim_start_matches("@@ ").split(" @@").next().unwrap_or("");
        format!("{place}\n{}", rest.trim_end())
    });
    hunks.collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = env::args().skip(1).collect();
    let value = |name: &str| {
        let pairs = given.iter().zip(given.iter().skip(1));
        pairs.filter(|(option, _)| *option == name).map(|(_, value)| value.clone()).next_back()
    };
    let git = value("--git").unwrap_or_else(|| "git".into());
    let number: usize = value("--lines").unwrap_or_else(|| "2000".into()).parse()?;
    let mut random = Random(value("--seed").unwrap_or_else(|| "1".into()).parse()?);
    let git = match git.contains('/') {
        true => Path::new(&git).canonicalize()?.display().to_string(),
        false => git,
    };
    let mut differences = 0_usize;
    for name in LANGUAGES {
        let mut texts = [String::new(), String::new()];
        for at in 0..number {
            for (text, line) in texts.iter_mut().zip(random.pair()) {
                text.push_str(&line);
                // A line that both have keeps pairs apart.
                text.push_str(&format!("== {at}\n"));
            }
        }
        let driver = Driver::named(name.as_bytes());
        let options = DiffOptions { driver, context: 0, ..DiffOptions::default() };
        let diff = TextDiff::new(texts[0].as_bytes(), texts[1].as_bytes(), &options)?;
        let rule = driver.map_or(WordRule::Spaces, WordRule::of);
        let own = hunks(&diff.word_patch(&rule, WordStyle::default(), options.most_steps)?);
        let expected = hunks(&git_patch(&git, name, &texts)?);
        let mut wrong = own.len().abs_diff(expected.len());
        for (one, other) in own.iter().zip(&expected).filter(|(one, other)| one != other) {
            wrong = wrong.saturating_add(1);
            if wrong < 4 {
                println!("  git {other:?}\n  here {one:?}");
            }
        }
        println!("{name}: {} changed lines, {wrong} differences", expected.len());
        differences = differences.saturating_add(wrong);
    }
    println!("{differences} differences");
    std::process::exit(i32::from(differences > 0));
}
