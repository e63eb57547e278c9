//! Headings of hunks in files of each language: git's answers about these lines.

use packlens_diff::{DiffOptions, Driver, TextDiff};

/// Languages; lines of each with what git 2.55 prints of them, empty for none.
const RECORDED: &[(&str, &[(&str, &str)])] = &[
    (
        "bash",
        &[
            ("foo() {", "foo() {"),
            ("  foo ( ) (", "foo ( ) ("),
            ("function foo {", "function foo {"),
            ("\tfunction foo x", "function foo x"),
            ("function foo", ""),
            ("foo-bar() {", ""),
            ("x=f() {", ""),
        ],
    ),
    (
        "bibtex",
        &[
            ("@article{foo,", "@article{foo"),
            ("x @string{a = \"x\"}", "@string{a"),
            ("@{x", ""),
            ("@a1{y", "@a1"),
        ],
    ),
    (
        "cpp",
        &[
            ("int f(void)", "int f(void)"),
            ("::f()", "::f()"),
            ("label:", ""),
            ("public: // x", ""),
            ("private: int x;", "private: int x;"),
            ("  struct A {", ""),
            ("#define X", ""),
            ("A::~A()", "A::~A()"),
        ],
    ),
    (
        "css",
        &[
            ("a:hover {", "a:hover {"),
            (".a {", ".a {"),
            ("@media x {", "@media x {"),
            ("color: red;", ""),
            ("  a {", ""),
            ("* {", ""),
            ("[x] {", "[x] {"),
        ],
    ),
    (
        "dts",
        &[
            ("/ {", "/ {"),
            ("\tfoo: bar@1 {", "foo: bar@1 {"),
            ("&foo {", "&foo {"),
            ("a = <1>;", ""),
            ("&{/x} {", ""),
            ("};", ""),
        ],
    ),
    (
        "elixir",
        &[
            ("def x do", "def x do"),
            ("  defmodule X do", "defmodule X do"),
            ("defmacrop x", ""),
            ("test \"x\" do", "test \"x\" do"),
            ("defx", ""),
        ],
    ),
    (
        "fountain",
        &[
            ("INT. HOUSE", "INT. HOUSE"),
            ("int./ext. x", "int./ext. x"),
            (".x", ".x"),
            ("..x", ""),
            ("INTx", ""),
            ("est x", "est x"),
        ],
    ),
    (
        "golang",
        &[
            ("func (r *T) M() {", "func (r *T) M() {"),
            ("type T struct{}", "type T struct{"),
            ("type T interface x", "type T interface"),
            ("type T int", ""),
            ("\tfunc f()", "func f()"),
            ("var x struct {", ""),
        ],
    ),
    (
        "html",
        &[
            ("<h1>x</h1>", "<h1>x</h1>"),
            ("  <H2 class=\"x\">y", "<H2 class=\"x\">y"),
            ("<h7>x", ""),
            ("<head>", ""),
            ("x <h1>", ""),
        ],
    ),
    ("ini", &[("  [a \"b\"] # x", "  [a \"b\"]"), ("[]", ""), ("a = b", ""), ("x [a]", "")]),
    (
        "java",
        &[
            ("public class A {", "public class A {"),
            ("  List<String> f(int x)", "List<String> f(int x)"),
            ("  int f();", ""),
            ("  return f(x) {", ""),
            ("  A(x) {", ""),
            ("  @Override void f()", ""),
            ("  <T extends A> T[] f(", "<T extends A> T[] f("),
        ],
    ),
    (
        "kotlin",
        &[
            ("fun x()", "fun x()"),
            ("  private fun x", "private fun x"),
            ("data class X", "data class X"),
            ("object X", ""),
            ("fun", ""),
            ("1 fun x", ""),
        ],
    ),
    (
        "markdown",
        &[
            ("# a", "# a"),
            ("   ###### b", "   ###### b"),
            ("    # c", ""),
            ("#c", ""),
            ("####### d", ""),
        ],
    ),
    (
        "php",
        &[
            ("function x() {", "function x() {"),
            ("  public static function x(", "public static function x("),
            ("abstract class A", "abstract class A"),
            ("final interface X", ""),
            ("readonly class X", ""),
            ("$x = function() {", ""),
        ],
    ),
    (
        "python",
        &[
            ("def f(x):", "def f(x):"),
            ("  async def f", "async def f"),
            ("class A:", "class A:"),
            ("async class X:", ""),
            ("class:", ""),
            ("\tdef f   ", "def f"),
        ],
    ),
    (
        "ruby",
        &[
            ("def self.x", "def self.x"),
            ("  class A < B", "class A < B"),
            ("module M", "module M"),
            ("private def x", ""),
            ("class", ""),
        ],
    ),
    (
        "rust",
        &[
            ("fn f() {", "fn f() {"),
            ("  pub(crate) fn f", "pub(crate) fn f"),
            ("unsafe extern \"C\" fn f", ""),
            ("pub extern \"C\" fn f", "pub extern \"C\" fn f"),
            ("struct A;", ""),
            ("impl<T> A<T>", "impl<T> A<T>"),
            ("macro_rules! m {", "macro_rules! m {"),
            ("mod a;", ""),
            ("pub unsafe fn x", "pub unsafe fn x"),
        ],
    ),
    (
        "tex",
        &[
            ("\\section{x}", "\\section{x}"),
            ("\\subsection*{x} % y", "\\subsection*{x} % y"),
            ("  \\section{x}", ""),
            ("\\paragraph{x}", ""),
            ("\\part{x}", "\\part{x}"),
        ],
    ),
    (
        "perl",
        &[
            ("sub x {", "sub x {"),
            ("sub A::x ($a = 1) {", "($a = 1)"),
            ("sub x : attr {", "sub x : attr {"),
            ("sub x { y }", ""),
            ("BEGIN { # x", "BEGIN"),
            ("END { }", ""),
            ("=head1 x", "=head1 x"),
            ("=item x", ""),
            ("package A (x);", "package A (x);"),
        ],
    ),
    (
        "scheme",
        &[
            ("(foo x", "(foo x"),
            ("  (defun x", "(defun x"),
            ("   (defun x", ""),
            ("\t(define-x", "(define-x"),
            ("    (module+ x", "(module+ x"),
            (" (let x", ""),
        ],
    ),
];

#[test]
fn headings_are_those_of_git() {
    for (name, lines) in RECORDED {
        let driver = Driver::named(name.as_bytes());
        assert!(driver.is_some(), "{name}");
        let options = DiffOptions { driver, context: 0, ..DiffOptions::default() };
        for (line, heading) in *lines {
            let [before, after] = ["1", "2"].map(|last| format!("{line}\n\x02{last}\n"));
            let patch =
                TextDiff::new(before.as_bytes(), after.as_bytes(), &options).unwrap().patch();
            let space = if heading.is_empty() { "" } else { " " };
            let expected = format!("@@ -2 +2 @@{space}{heading}\n-\x021\n+\x022\n");
            assert_eq!(String::from_utf8_lossy(&patch), expected, "{name}: {line}");
        }
    }
}

#[test]
fn the_last_heading_before_a_hunk_counts() {
    let options =
        DiffOptions { driver: Driver::named(b"python"), context: 0, ..DiffOptions::default() };
    let text = |end| format!("class A:\n  def f():\n    x\nb = 1\n{end}\n");
    let (before, after) = (text(1), text(2));
    let patch = TextDiff::new(before.as_bytes(), after.as_bytes(), &options).unwrap().patch();
    assert!(patch.starts_with(b"@@ -5 +5 @@ def f():\n"));
    assert!(Driver::named(b"unknown").is_none());
}
