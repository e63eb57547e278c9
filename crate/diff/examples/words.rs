//! Compares the words of files of each language with those of `git diff --word-diff`, for random
//! lines.
//!
//! `cargo run --release -p packlens-diff --example words -- [--git git] [--lines 2000]
//! [--seed 1]`

mod asked;

use asked::{Asked, Random};
use packlens_diff::{DiffOptions, Driver, TextDiff, WordRule, WordStyle};
use std::error::Error;

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

fn parts(random: &mut Random) -> Vec<&'static str> {
    let count = random.below(12).saturating_add(1);
    (0..count).map(|_| random.one_of(PARTS)).collect()
}

/// Returns a line, and the same with one part replaced.
fn pair(random: &mut Random) -> [String; 2] {
    let old = parts(random);
    let mut new = old.clone();
    let at = random.below(new.len());
    if let Some(place) = new.get_mut(at) {
        *place = random.one_of(PARTS);
    }
    [old, new].map(|parts| format!("{}\n", parts.concat()))
}

/// Returns what git prints after the names of the files.
fn git_patch(asked: &Asked, name: &str, texts: &[String; 2]) -> Result<Vec<u8>, Box<dyn Error>> {
    let files = ["a", "b"].map(String::from).into_iter().zip(texts.iter().cloned());
    let out = asked.diff(name, files, &["--word-diff=porcelain"])?;
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
    let mut asked = Asked::new(2000)?;
    let mut differences = 0_usize;
    for name in LANGUAGES {
        let mut texts = [String::new(), String::new()];
        for at in 0..asked.lines {
            for (text, line) in texts.iter_mut().zip(pair(&mut asked.random)) {
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
        let expected = hunks(&git_patch(&asked, name, &texts)?);
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
    asked::end(differences)
}
