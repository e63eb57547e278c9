//! Texts are compared as git compares them: recorded by `tests/fixtures/text-diffs.mjs`.

use packlens_base::hash::Hasher;
use packlens_base::regex::{Regex, Syntax};
use packlens_base::HashKind;
use packlens_diff::{Algorithm, DiffOptions, TextDiff, Whitespace};
use serde_json::Value;

/// In the order of the recording.
const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::Myers, Algorithm::Minimal, Algorithm::Patience, Algorithm::Histogram];

fn recorded() -> Value {
    match std::env::var("PACKLENS_DIFF_CASES") {
        Ok(file) => serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap(),
        Err(_) => {
            let own = include_str!("../../../../tests/fixtures/text-diffs.json");
            serde_json::from_str(own).unwrap()
        }
    }
}

fn bytes(text: &Value) -> Vec<u8> {
    text.as_str().unwrap().chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

/// Returns the options of a command line.
fn options(flags: &Value) -> DiffOptions {
    let mut options = DiffOptions::default();
    for flag in flags.as_array().unwrap() {
        let flag = flag.as_str().unwrap();
        if let Some(number) = flag.strip_prefix("-U") {
            options.context = number.parse().unwrap();
        } else if let Some(number) = flag.strip_prefix("--inter-hunk-context=") {
            options.inter_hunk = number.parse().unwrap();
        } else if !flag.starts_with("-I") {
            match flag {
                "-w" => options.whitespace = Whitespace::All,
                "-b" => options.whitespace = Whitespace::Amount,
                "--ignore-space-at-eol" => options.whitespace = Whitespace::AtEol,
                "--ignore-cr-at-eol" => options.whitespace = Whitespace::CrAtEol,
                "-W" => options.function_context = true,
                "--ignore-blank-lines" => options.ignore_blank_lines = true,
                "--no-indent-heuristic" => options.indent_heuristic = false,
                _ => panic!("{flag} is no option"),
            }
        }
    }
    options
}

/// Returns the expressions of a command line.
fn ignored(flags: &Value) -> Vec<Regex> {
    let flags = flags.as_array().unwrap().iter().map(|flag| flag.as_str().unwrap());
    let patterns = flags.filter_map(|flag| flag.strip_prefix("-I"));
    let compiled = patterns.map(|one| Regex::written(one.as_bytes(), Syntax::Extended, false));
    compiled.map(|regex| regex.unwrap().by_line()).collect()
}

fn patch(texts: [&[u8]; 2], algorithm: Algorithm, flags: &Value) -> Vec<u8> {
    let options = DiffOptions { algorithm, ..options(flags) };
    TextDiff::ignoring(texts[0], texts[1], &options, &ignored(flags)).unwrap().patch()
}

#[test]
fn patches_of_texts_are_gits() {
    compare(&recorded()["texts"]);
}

#[test]
fn hunks_with_functions_and_without_ignored_lines_are_gits() {
    compare(&recorded()["hunks"]);
}

fn compare(cases: &Value) {
    let cases = cases.as_array().unwrap();
    let mut differing = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let texts = [&case["before"], &case["after"]].map(bytes);
        let flags = &case["options"];
        for (algorithm, answer) in ALGORITHMS.into_iter().zip(case["answers"].as_array().unwrap()) {
            let expected = bytes(&case["patches"][answer.as_u64().unwrap() as usize]);
            let found = patch([&texts[0], &texts[1]], algorithm, flags);
            if found != expected {
                let [git, own] = [&expected, &found].map(|text| String::from_utf8_lossy(text));
                differing.push(format!(
                    "text {number}, {algorithm:?} {flags}\n--- git\n{git}--- packlens\n{own}"
                ));
            }
        }
    }
    let shortest = differing.iter().min_by_key(|report| report.len()).cloned().unwrap_or_default();
    assert!(differing.is_empty(), "{} of {} differ: {shortest}", differing.len(), 4 * cases.len());
    assert!(cases.len() >= 200, "{} texts", cases.len());
}

/// The numbers of the recording.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = (self.0 * 1_103_515_245 + 12345) & 0x7fff_ffff;
        (self.0 * end) >> 31
    }
}

/// Makes the same texts as the function of this name in the recording.
fn long_texts(shape: &Value) -> [Vec<u8>; 2] {
    let number = |name: &str| shape[name].as_u64().unwrap();
    let (words, rare, often) = (number("words"), number("rare"), number("often"));
    let mut random = Random(number("seed"));
    let word = |random: &mut Random| match random.below(rare) {
        0 => format!("{}\n", random.below(words)),
        _ => format!("{}\n", random.below(1_000_000)),
    };
    let [mut before, mut after] = [String::new(), String::new()];
    for at in 0..number("length") {
        let line = word(&mut random);
        before += &line;
        let change = if at % 100 >= number("still") { random.below(often) } else { often };
        if change != 0 {
            after += &line;
        }
        if change < 2 {
            after += &word(&mut random);
        }
    }
    [before.into_bytes(), after.into_bytes()]
}

/// In these git takes shortcuts; with some algorithms and shapes it takes none.
#[test]
fn patches_of_long_texts_are_gits() {
    let recorded = recorded();
    let mut shortcuts = 0;
    for shape in recorded["long"].as_array().unwrap() {
        let [before, after] = long_texts(shape);
        let answers = shape["answers"].as_array().unwrap();
        for (algorithm, answer) in ALGORITHMS.into_iter().zip(answers) {
            let patch = patch([&before, &after], algorithm, &Value::Array(Vec::new()));
            let mut hasher = Hasher::new(HashKind::Sha1);
            hasher.update(&patch);
            assert_eq!(
                hasher.finish().to_hex(),
                answer.as_str().unwrap(),
                "{algorithm:?} of {shape}"
            );
        }
        shortcuts += usize::from(answers.get(1).is_some_and(|minimal| *minimal != answers[0]));
    }
    assert!(shortcuts > 20, "{shortcuts} texts where Myers is not minimal");
}
