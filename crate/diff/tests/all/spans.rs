//! What two contents share, for renames. The scores are compared with git's in
//! `tests/node/renames.test.ts`.

use packlens_diff::{Shared, Spans};

fn shared(old: &[u8], new: &[u8]) -> Shared {
    Spans::of(old).shared_with(&Spans::of(new))
}

#[test]
fn lines_are_shared_wherever_they_are() {
    let cases: [(&[u8], &[u8], u64, u64); 6] = [
        (b"", b"", 0, 0),
        (b"one\ntwo\n", b"two\nthree\none\n", 8, 6),
        // As often as both have them.
        (b"a\na\na\n", b"a\nb\na\n", 4, 2),
        // The last line needs no line feed, but another one is another line.
        (b"one\ntwo", b"two\none\n", 4, 4),
        (b"one\ntwo", b"two", 3, 0),
        (b"two\n", b"", 0, 0),
    ];
    for (old, new, copied, added) in cases {
        assert_eq!(shared(old, new), Shared { copied, added });
    }
}

#[test]
fn returns_before_line_feeds_only_count_in_binary_contents() {
    assert_eq!(shared(b"one\r\ntwo\r\n", b"one\ntwo\n"), Shared { copied: 8, added: 0 });
    assert_eq!(shared(b"\0\none\r\n", b"\0\none\n"), Shared { copied: 2, added: 4 });
    // Elsewhere they count.
    assert_eq!(shared(b"a\rb\n", b"ab\n"), Shared { copied: 0, added: 3 });
}

#[test]
fn long_lines_are_shared_by_parts() {
    let old = [b'x'; 200];
    let new = [[b'x'; 128].as_slice(), b"y"].concat();
    assert_eq!(shared(&old, &new), Shared { copied: 128, added: 1 });
    assert_eq!(Spans::of(&old).content_len(), 200);
}

#[test]
fn many_spans_take_little_memory() {
    let content: Vec<u8> = (0..600_000).flat_map(|at| format!("{at}\n").into_bytes()).collect();
    let spans = Spans::of(&content);
    assert!(spans.memory() < 2 << 20, "{} bytes", spans.memory());
    let shared = spans.shared_with(&spans);
    assert_eq!(shared, Shared { copied: content.len() as u64, added: 0 });
}
