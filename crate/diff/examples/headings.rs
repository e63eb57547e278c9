//! Compares the headings of hunks in files of each language with those of `git diff`, for random
//! lines.
//!
//! `cargo run --release -p packlens-diff --example headings -- [--git git] [--lines 3000]
//! [--seed 1]`

use packlens_diff::{DiffOptions, Driver, TextDiff};
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

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

struct Random(u64);

impl Random {
    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0).checked_rem(end).unwrap_or(0)
    }

    fn line(&mut self, own: &[&str]) -> String {
        let mut line = String::new();
        if self.below(3) == 0 {
            line.push_str([" ", "\t", "   ", "    "].get(self.below(4)).unwrap_or(&""));
        }
        for _ in 0..=self.below(7) {
            let words = if self.below(2) == 0 { own } else { COMMON };
            line.push_str(words.get(self.below(words.len())).unwrap_or(&""));
        }
        line
    }
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
fn git_headings(git: &str, name: &str, lines: &[String]) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let root = env::temp_dir().join(format!("packlens-headings-{}", std::process::id()));
    drop(fs::remove_dir_all(&root));
    for side in ["a", "b"] {
        fs::create_dir_all(root.join(side))?;
    }
    let run = |arguments: &[&str]| {
        let mut command = Command::new(git);
        command.args(arguments).current_dir(&root).env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("LC_ALL", "C.UTF-8").output()
    };
    run(&["init", "-q", "."])?;
    fs::write(root.join(".gitattributes"), format!("* diff={name}\n"))?;
    for (at, line) in lines.iter().enumerate() {
        for (side, text) in ["a", "b"].iter().zip(texts(line)) {
            fs::write(root.join(side).join(at.to_string()), text)?;
        }
    }
    let out = run(&["diff", "--no-index", "-U0", "a", "b"])?.stdout;
    fs::remove_dir_all(&root)?;
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
    let given: Vec<String> = env::args().skip(1).collect();
    let value = |name: &str| {
        let pairs = given.iter().zip(given.iter().skip(1));
        pairs.filter(|(option, _)| *option == name).map(|(_, value)| value.clone()).next_back()
    };
    let git = value("--git").unwrap_or_else(|| "git".into());
    let number: usize = value("--lines").unwrap_or_else(|| "3000".into()).parse()?;
    let mut random = Random(value("--seed").unwrap_or_else(|| "1".into()).parse()?);
    let git = match git.contains('/') {
        true => Path::new(&git).canonicalize()?.display().to_string(),
        false => git,
    };
    let mut differences = 0_usize;
    for (name, own) in LANGUAGES {
        let lines: Vec<String> = (0..number).map(|_| random.line(own)).collect();
        let driver = Driver::named(name.as_bytes());
        let options = DiffOptions { driver, context: 0, ..DiffOptions::default() };
        let (mut found, mut wrong) = (0_usize, 0_usize);
        for (line, expected) in lines.iter().zip(git_headings(&git, name, &lines)?) {
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
    println!("{differences} differences");
    std::process::exit(i32::from(differences > 0));
}
