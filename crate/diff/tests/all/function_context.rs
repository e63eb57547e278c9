//! Hunks of whole functions in texts longer than the recorded ones.

use packlens_diff::{DiffOptions, TextDiff};

#[test]
fn a_function_ends_far_after_its_last_change() {
    let options = DiffOptions { context: 0, function_context: true, ..DiffOptions::default() };
    let text = |word| format!("f()\n  {word}\n{}g()\n  end\n", "  same\n".repeat(2000));
    let (before, after) = (text("one"), text("two"));
    let diff = TextDiff::new(before.as_bytes(), after.as_bytes(), &options).unwrap();
    let ends: Vec<_> = diff.hunks().iter().map(|hunk| hunk.before.end).collect();
    assert_eq!(ends, [2002]);
}
