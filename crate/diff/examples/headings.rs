//! Compares the headings of hunks in files of each language with those of `git diff`, for random
//! lines.
//!
//! `cargo run --release -p packlens-diff --example headings -- [--git git] [--lines 3000]
//! [--seed 1]`

mod asked;

use asked::{Asked, Random};
use packlens_diff::{DiffOptions, Driver, TextDiff};
use std::error::Error;

/// What lines of any language are made of.
const COMMON: &[&str] = &[
    " ", " ", " ", " ", "\t", "  ", "(", ")", "{", "}", ";", ":", "::", ",", ".", "=", "<", ">",
    "x", "Foo", "_a", "1", "b2", "\"s\"", "*", "&", "[", "]", "#", "//", "é", "-", "@", "int",
    "()", "() {", "$", "?", "/",
];

/// The languages, each with its own words.
const LANGUAGES: &[(&str, &[&str])] = &[
    ("bash", &["function", "function ", "foo()", "((", "[[", "( )", "if"]),
    ("bibtex", &["@", "@article{", "@book", "string"]),
    (
        "cpp",
        &["class", "::", "public:", "struct ", "namespace", "default :", "A::B", "~", "template"],
    ),
    ("css", &[".a", "#b", ":hover", "{", "color:", "red;", "@media", "A"]),
    ("dts", &["/ {", "foo: ", "&foo {", "compatible = ", "};", "@1 {", "/"]),
    (
        "elixir",
        &[
            "def ",
            "defp",
            "defmodule ",
            "defmacro",
            "defprotocol ",
            "defimpl",
            "test ",
            "defmacrop ",
        ],
    ),
    ("fountain", &["INT", "ext", "EST", "I/E", "./", "/EXT", ".", " "]),
    ("golang", &["func ", "func", "type ", "struct", "interface", "struct {", "type"]),
    ("html", &["<h1>", "<h2", "<H3 ", "</h1>", "<h7>", "<h", "6"]),
    ("ini", &["[a]", "[", "]", "a = b"]),
    (
        "java",
        &[
            "class ",
            "public ",
            "static ",
            "enum ",
            "interface ",
            "record ",
            "void ",
            "new ",
            "return ",
            "if ",
            "f(",
            "List<X>",
            "int[] ",
            "<T> ",
            "throws ",
            "non-sealed ",
            "for",
            "do",
            "x.y",
            "instanceof ",
        ],
    ),
    (
        "kotlin",
        &["fun ", "class ", "private ", "interface ", "data ", "fun", "object ", "a1 ", "A "],
    ),
    ("markdown", &["#", "##", "#", "# ", "######", "   "]),
    (
        "perl",
        &["sub ", "sub x", "($)", "package ", "=head1 ", "BEGIN", "END {", " : ", "# c", "A::b"],
    ),
    (
        "php",
        &[
            "function ",
            "function",
            "public ",
            "private ",
            "static ",
            "abstract ",
            "final ",
            "class ",
            "interface ",
            "trait",
            "enum ",
            "protected ",
            "readonly ",
        ],
    ),
    ("python", &["def ", "class ", "async ", "def", "class"]),
    ("ruby", &["def ", "class ", "module ", "self.", "end"]),
    (
        "rust",
        &[
            "fn ",
            "pub ",
            "pub(crate) ",
            "struct ",
            "enum ",
            "impl",
            "mod ",
            "trait ",
            "unsafe ",
            "async ",
            "const ",
            "extern \"C\" ",
            "macro_rules! ",
            "union ",
            "<T>",
            "pub(",
            "extern ",
            "fn",
        ],
    ),
    (
        "scheme",
        &[
            "(define ",
            "(module",
            "(def",
            "(let ",
            "(library ",
            "(",
            "*",
            "(class",
            "(struct+ ",
            "define-",
        ],
    ),
    (
        "tex",
        &["\\section", "\\subsection{", "\\chapter{", "\\part", "*", "{", "\\sub", "section", "\\"],
    ),
];

fn line(random: &mut Random, own: &[&str]) -> String {
    let mut line = String::new();
    if random.below(3) == 0 {
        line.push_str(random.one_of(&[" ", "\t", "   ", "    "]));
    }
    for _ in 0..=random.below(7) {
        let words = if random.below(2) == 0 { own } else { COMMON };
        line.push_str(random.one_of(words));
    }
    line
}

/// Returns the first text with a last line that differs in the second.
fn texts(line: &str) -> [String; 2] {
    ["\x02 1", "\x02 2"].map(|last| format!("{line}\n{last}\n"))
}

/// Returns what is after the second `@@` of the only hunk.
fn heading_of(patch: &[u8]) -> Vec<u8> {
    let line = patch.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.strip_prefix(b"@@ -2 +2 @@").unwrap_or(line).to_vec()
}

/// Returns the headings that git prints, by the number of the line.
fn git_headings(
    asked: &Asked,
    name: &str,
    lines: &[String],
) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let files = lines.iter().enumerate().flat_map(|(at, line)| {
        let files = ["a", "b"].into_iter().zip(texts(line));
        files.map(move |(side, text)| (format!("{side}/{at}"), text))
    });
    let out = asked.diff(name, files, &[])?;
    let mut headings = vec![b"no hunk".to_vec(); lines.len()];
    let mut at = 0;
    for line in out.split(|byte| *byte == b'\n') {
        if let Some(path) = line.strip_prefix(b"+++ b/b/") {
            at = std::str::from_utf8(path)?.parse()?;
        } else if line.starts_with(b"@@ ") {
            if let Some(place) = headings.get_mut(at) {
                *place = heading_of(line);
            }
        }
    }
    Ok(headings)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut asked = Asked::new(3000)?;
    let number = asked.lines;
    let mut differences = 0_usize;
    for (name, own) in LANGUAGES {
        let lines: Vec<String> = (0..number).map(|_| line(&mut asked.random, own)).collect();
        let driver = Driver::named(name.as_bytes());
        let options = DiffOptions { driver, context: 0, ..DiffOptions::default() };
        let (mut found, mut wrong) = (0_usize, 0_usize);
        for (line, expected) in lines.iter().zip(git_headings(&asked, name, &lines)?) {
            let [before, after] = texts(line);
            let patch = TextDiff::new(before.as_bytes(), after.as_bytes(), &options)?.patch();
            let heading = heading_of(&patch);
            found = found.saturating_add(usize::from(!expected.is_empty()));
            if heading != expected {
                wrong = wrong.saturating_add(1);
                let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
                if wrong < 4 {
                    println!("  {line:?}: git {:?}, here {:?}", shown(&expected), shown(&heading));
                }
            }
        }
        println!("{name}: {number} lines, {found} headings, {wrong} differences");
        differences = differences.saturating_add(wrong);
    }
    asked::end(differences)
}
