//! Words of changed lines, as git 2.55 prints them.

use packlens_base::ErrorKind;
use packlens_diff::{DiffOptions, Driver, TextDiff, WordMarks, WordRule, WordStyle};

const OLD: &[u8] = b"a b c\nfoo bar\n\nx\nend";
const NEW: &[u8] = b"a B c d\n  foo baz \nz\nx\nnew line\nend";

fn patch(texts: [&[u8]; 2], rule: &WordRule, marks: WordMarks, colors: bool) -> String {
    let diff = TextDiff::new(texts[0], texts[1], &DiffOptions::default()).unwrap();
    let patch = diff.word_patch(rule, WordStyle { marks, colors }, 1 << 20).unwrap();
    String::from_utf8(patch).unwrap()
}

#[test]
fn white_space_separates_words() {
    let expected = "@@ -1,5 +1,6 @@\na [-b-]{+B+} c {+d+}\n  foo [-bar-]{+baz +}\n{+z+}\nx\n\
                    {+new line+}\nend\n";
    assert_eq!(patch([OLD, NEW], &WordRule::Spaces, WordMarks::Plain, false), expected);
    let lines =
        "@@ -1,5 +1,6 @@\n a \n-b\n+B\n  c \n+d\n~\n   foo \n-bar\n+baz \n~\n+z\n~\n x\n~\n\
                 +new line\n~\n end\n~\n";
    assert_eq!(patch([OLD, NEW], &WordRule::Spaces, WordMarks::Porcelain, false), lines);
}

#[test]
fn words_may_have_colors() {
    let expected = "\x1b[36m@@ -1,5 +1,6 @@\x1b[m\na \x1b[31mb\x1b[m\x1b[32mB\x1b[m c \
                    \x1b[32md\x1b[m\n  foo \x1b[31mbar\x1b[m\x1b[32mbaz \x1b[m\n\x1b[32mz\x1b[m\n\
                    x\x1b[m\n\x1b[32mnew line\x1b[m\nend\x1b[m\n";
    assert_eq!(patch([OLD, NEW], &WordRule::Spaces, WordMarks::None, true), expected);
}

#[test]
fn an_expression_finds_words() {
    let rule = WordRule::matching(b"[a-z]").unwrap();
    let plain = |old: &[u8], new: &[u8]| patch([old, new], &rule, WordMarks::Plain, false);
    assert_eq!(plain(b"ab-c\n", b"axc\n"), "@@ -1 +1 @@\na[-b-]{+x+}c\n");
    assert_eq!(plain(b"a1\n", b"a2\n"), "@@ -1 +1 @@\na2\n", "only words are compared");
    assert_eq!(plain(b"a b\n", b""), "@@ -1 +0,0 @@\n[-a b-]\n", "removed lines are whole");
    assert_eq!(plain(b"", b" a b\n"), "@@ -0,0 +1 @@\n {+a b+}\n");
    // Words end before line feeds, and have a character at least.
    let rule = WordRule::matching(b"[[:space:]]*").unwrap();
    let changed = patch([b"a  \n\nb\n", b"a \n\nb\n"], &rule, WordMarks::Plain, false);
    assert_eq!(changed, "@@ -1,3 +1,3 @@\na[-  -]{+ +}\n\nb\n");
}

#[test]
fn characters_of_several_bytes_stay_whole() {
    let rule = WordRule::matching(b".").unwrap();
    let changed = patch(["é\n".as_bytes(), "è\n".as_bytes()], &rule, WordMarks::Plain, false);
    assert_eq!(changed, "@@ -1 +1 @@\n[-é-]{+è+}\n");
}

#[test]
fn malformed_expressions_and_long_searches_are_errors() {
    let error = WordRule::matching(b"[").err().unwrap();
    assert_eq!(error.kind(), ErrorKind::BadInput);
    let rule = WordRule::matching(b"a|b.*c").unwrap();
    let (old, new) = ("a b".repeat(200), "b a".repeat(200));
    let diff = TextDiff::new(old.as_bytes(), new.as_bytes(), &DiffOptions::default()).unwrap();
    let error = diff.word_patch(&rule, WordStyle::default(), 1000).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn languages_have_words_of_their_own() {
    let changed = |language: &str, texts: [&str; 2]| {
        let driver = Driver::named(language.as_bytes()).unwrap();
        let texts = texts.map(str::as_bytes);
        let patch = patch(texts, &WordRule::of(driver), WordMarks::Plain, false);
        patch.split_once("@@\n").unwrap().1.trim_end().to_owned()
    };
    // As git 2.55 prints them: `cargo run --example words` compares many more.
    for (language, old, new, expected) in [
        ("cpp", "a->b1 += 0x1F;", "a->b2 += 0x2F;", "a->[-b1-]{+b2+} += [-0x1F-]{+0x2F+};"),
        ("css", "a-b: 10px", "a-c: 20px", "[-a-b-]{+a-c+}: [-10-]{+20+}px"),
        ("bash", "echo $a-b", "echo $c-b", "echo [-$a-]{+$c+}-b"),
        ("scheme", "(f x.y)", "(f x.z)", "(f [-x.y-]{+x.z+})"),
        ("python", "a.b**=é", "a.c**=è", "a.[-b-]{+c+}**=[-é-]{+è+}"),
        ("markdown", "a.b c", "a.x c", "[-a.b-]{+a.x+} c"),
        // A language without words of its own.
        ("ini", "a.b<c d", "a.x<c d", "[-a.b<c-]{+a.x<c+} d"),
    ] {
        assert_eq!(changed(language, [old, new]), expected, "{language}");
    }
}
