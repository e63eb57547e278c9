//! What the recording has too little of.

use packlens_base::ErrorKind;
use packlens_diff::{is_binary, Algorithm, DiffOptions, LineCounts, TextDiff};

fn patch(before: &[u8], after: &[u8], context: u32) -> String {
    let options = DiffOptions { context, ..DiffOptions::default() };
    let patch = TextDiff::new(before, after, &options).unwrap().patch();
    String::from_utf8_lossy(&patch).into_owned()
}

#[test]
fn content_is_binary_with_a_nul_among_its_first_8000_bytes() {
    let mut content = vec![b'x'; 8001];
    assert!(!is_binary(&content));
    content[8000] = 0;
    assert!(!is_binary(&content));
    content[7999] = 0;
    assert!(is_binary(&content));
    assert!(!is_binary(b""));
}

#[test]
fn a_comparison_ends_after_its_steps() {
    let mut random = 1_u32;
    let mut text = || -> String {
        let mut line = || {
            random = random.wrapping_mul(1_103_515_245).wrapping_add(12345);
            format!("{}\n", (random >> 16) % 50)
        };
        (0..3000).map(|_| line()).collect()
    };
    let (before, after) = (text(), text());
    for algorithm in
        [Algorithm::Myers, Algorithm::Minimal, Algorithm::Patience, Algorithm::Histogram]
    {
        let options = DiffOptions { algorithm, most_steps: 20_000, ..DiffOptions::default() };
        let error = TextDiff::new(before.as_bytes(), after.as_bytes(), &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{algorithm:?}");
        assert!(error.to_string().contains("most_steps"), "{error}");
    }
}

#[test]
fn equal_and_empty_texts_have_no_hunks() {
    for text in [&b""[..], b"a", b"a\n", b"\n\n"] {
        let diff = TextDiff::new(text, text, &DiffOptions::default()).unwrap();
        assert!(diff.hunks().is_empty() && diff.changes().is_empty());
        assert_eq!(diff.counts(), LineCounts::default());
    }
    assert_eq!(patch(b"", b"a", 3), "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n");
    assert_eq!(patch(b"a\nb\n", b"", 3), "@@ -1,2 +0,0 @@\n-a\n-b\n");
}

#[test]
fn any_context_is_allowed() {
    let [before, after] = ["a\nb\nc\n", "a\nx\nc\n"].map(str::as_bytes);
    assert_eq!(patch(before, after, u32::MAX), "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
    assert_eq!(patch(before, after, 0), "@@ -2 +2 @@ a\n-b\n+x\n");
}

/// git leaves out blocks of 1024 bytes at the end, so that no change moves into these.
#[test]
fn changes_without_context_stay_before_the_same_end() {
    for (count, header) in [
        (511, "@@ -511,0 +512 @@ a\n"),
        (512, "@@ -1,0 +2 @@ a\n"),
        (513, "@@ -2,0 +3 @@ a\n"),
        (700, "@@ -189,0 +190 @@ a\n"),
        (1100, "@@ -77,0 +78 @@ a\n"),
    ] {
        let [before, after] = [count, count + 1].map(|count| b"a\n".repeat(count));
        assert_eq!(patch(&before, &after, 0), format!("{header}+a\n"));
    }
    let [before, after] = ["x\n", "z\n"].map(|begin| begin.to_string() + &"y".repeat(2000));
    assert_eq!(patch(before.as_bytes(), after.as_bytes(), 0), "@@ -1 +1 @@\n-x\n+z\n");
}

/// Returns the heading of a hunk whose only line before is this one.
fn heading(line: &[u8]) -> Vec<u8> {
    let before = [line, b"\n1\n2\n3\n4\n"].concat();
    let after = [line, b"\n1\n2\n3\n5\n"].concat();
    let diff = TextDiff::new(&before, &after, &DiffOptions::default()).unwrap();
    diff.hunks()[0].heading.to_vec()
}

#[test]
fn headings_are_gits() {
    assert_eq!(heading(b"int f() \t\r"), b"int f()");
    assert_eq!(heading(b"$x"), b"$x");
    assert_eq!(heading(b" no"), b"");
    assert_eq!(heading(b"9"), b"");
    // 80 bytes, of which the last one may be a part of a character.
    assert_eq!(heading(&[b'a'; 90]), [b'a'; 80]);
    assert_eq!(heading(&[&[b'a'; 79], "é".as_bytes()].concat()), [b'a'; 79]);
    assert_eq!(heading(&[&[b'a'; 78], &b"  b"[..]].concat()), [b'a'; 78]);
    // Nothing after bytes that are not UTF-8.
    assert_eq!(heading(b"caf\xe9 au lait"), b"caf");
    assert_eq!(heading(b"f\xef\xbf\xbe x"), b"f");
    assert_eq!(heading(b"f\xef\xbf\xbf x"), b"f");
    assert_eq!(heading("f\u{1f600}\u{fdd0}".as_bytes()), "f\u{1f600}\u{fdd0}".as_bytes());
}
