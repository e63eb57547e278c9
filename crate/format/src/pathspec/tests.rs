use super::*;
use packlens_base::error::ErrorKind;

const TREE: Mode = Mode(0o40000);
const FILE: Mode = Mode(0o100644);
const SUBMODULE: Mode = Mode(0o160000);

/// Paths of files, and of a submodule.
const PATHS: &[(&str, Mode)] = &[
    ("Top.H", FILE),
    ("[a]", FILE),
    ("a", FILE),
    ("axb", FILE),
    ("doc/readme.TXT", FILE),
    ("foo/bar/y", FILE),
    ("foo/x", FILE),
    ("foobar/x", FILE),
    ("foobar/z.c", FILE),
    ("sub", SUBMODULE),
    ("top.c", FILE),
];

/// Returns the paths that are selected, and checks that their directories are descended into.
fn selected(elements: &[&str]) -> Vec<&'static str> {
    let pathspec = Pathspec::parse(elements).unwrap();
    let is_selected = |(path, mode): &&(&str, Mode)| {
        let file = path.rfind('/').map_or(0, |slash| slash + 1);
        let selected = pathspec.select(path.as_bytes(), file, *mode, true).is_selected;
        for (end, _) in path.match_indices('/') {
            let start = path[..end].rfind('/').map_or(0, |slash| slash + 1);
            let tree = pathspec.select(&path.as_bytes()[..end], start, TREE, true);
            assert!(!selected || tree.descends, "{elements:?} does not descend to {path}");
        }
        selected
    };
    PATHS.iter().filter(is_selected).map(|(path, _)| *path).collect()
}

/// As `git diff-tree -r --name-only <empty tree> HEAD -- <elements>` lists them.
#[test]
fn paths_are_selected_as_git_selects_them() {
    let foo = ["foo/bar/y", "foo/x"];
    let all_foo = ["foo/bar/y", "foo/x", "foobar/x", "foobar/z.c"];
    let cases: &[(&[&str], &[&str])] = &[
        (&["foo"], &foo),
        (&["foo/"], &foo),
        (&["./foo//bar/.."], &foo),
        (&["foo*"], &all_foo),
        (&[":(glob)foo*"], &[]),
        (&[":(glob)foo*/**"], &all_foo),
        (&[":(glob)**/x"], &["foo/x", "foobar/x"]),
        (&[":(glob)foo**/x"], &["foo/x", "foobar/x"]),
        (&[":(glob)*"], &["Top.H", "[a]", "a", "axb", "sub", "top.c"]),
        (&[":(icase)TOP.*"], &["Top.H", "top.c"]),
        (&[":(icase)FOO/"], &foo),
        (&[":(icase,prefix:1)FOO"], &[]),
        (&[":(icase,prefix:1)fOO"], &foo),
        (&[":(icase,glob)**/README.*"], &["doc/readme.TXT"]),
        (&["[a]"], &["[a]", "a"]),
        (&[":(literal)[a]"], &["[a]"]),
        (&["a?b"], &["axb"]),
        (&["foo?x"], &["foo/x"]),
        (&[":(glob)foo?x"], &[]),
        (&["fo\\o/x"], &["foo/x"]),
        (&["foo*/"], &[]),
        (&["top.c/"], &[]),
        (&["sub/"], &["sub"]),
        (&["sub/x"], &[]),
        (&["su*/"], &[]),
        (&[":(top)foo/x"], &["foo/x"]),
        (&[":/foo/x"], &["foo/x"]),
        (&[":/:foo/x"], &["foo/x"]),
        (&["::foo/x"], &["foo/x"]),
        (&[":(,top)foo/x"], &["foo/x"]),
        (&["foo", ":!foo/bar", ":^*x"], &[]),
        (&["foo", ":(exclude)foo/b*"], &["foo/x"]),
        (&[":!foo*", ":!*o*"], &["[a]", "a", "axb", "sub"]),
        (&[":(exclude,glob)*", ":!foo"], &["doc/readme.TXT", "foobar/x", "foobar/z.c"]),
        (&[":!"], &[]),
    ];
    for (elements, expected) in cases {
        assert_eq!(&selected(elements), expected, "{elements:?}");
    }
    for all in [":", ":/", ".", "*", ":(icase)", "foo/.."] {
        assert_eq!(selected(&[all]).len(), PATHS.len(), "{all}");
    }
}

#[test]
fn subtrees_without_selected_paths_are_not_entered() {
    let cases: &[(&[&str], &str, bool)] = &[
        (&["foo/bar/y"], "foo", true),
        (&["foo/bar/y"], "foo/ba", false),
        (&["foo/bar/y"], "foobar", false),
        (&["foo/b*"], "foo/c", false),
        (&["foo/b*"], "foo/bar", true),
        (&["doc/*.txt"], "foo", false),
        (&["*.txt"], "foo", true),
        (&[":(icase)DOC/*.txt"], "doc", true),
        (&[":(icase)DOC/*.txt"], "dog", false),
        (&[":!foo"], "foo", false),
        (&[":!foo/bar"], "foo", true),
        (&["foo", ":!*"], "foo", true),
        (&[":!"], "foo", false),
    ];
    for (elements, tree, descends) in cases {
        let pathspec = Pathspec::parse(elements).unwrap();
        let start = tree.rfind('/').map_or(0, |slash| slash + 1);
        let selection = pathspec.select(tree.as_bytes(), start, TREE, true);
        assert_eq!(selection.descends, *descends, "{elements:?} {tree}");
    }
}

/// As `git diff-tree -t` lists them, with `-r` and without.
#[test]
fn trees_are_listed_as_git_lists_them() {
    let cases: &[(&str, &str, bool, bool)] = &[
        ("foo/ba", "foo", true, true),
        ("foo*", "doc", true, false),
        ("foo*", "doc/x", false, false),
        ("foo*", "foobar", true, true),
        ("foo*y", "foo", true, false),
        ("foo/b[a]r/y", "foo", true, true),
        (":!foo", "foo", true, true),
        (":!", "foo", false, false),
    ];
    for (element, tree, recursive, alone) in cases {
        let pathspec = Pathspec::parse(&[element]).unwrap();
        let start = tree.rfind('/').map_or(0, |slash| slash + 1);
        let listed = [true, false]
            .map(|recursive| pathspec.select(tree.as_bytes(), start, TREE, recursive).is_selected);
        assert_eq!(listed, [*recursive, *alone], "{element} {tree}");
    }
}

#[test]
fn paths_without_wildcards_are_known() {
    let of = |elements: &[&str]| {
        let pathspec = Pathspec::parse(elements).unwrap();
        let text = |paths: Vec<Vec<u8>>| {
            paths.into_iter().map(|path| String::from_utf8(path).unwrap()).collect::<Vec<_>>()
        };
        let leading = pathspec.leading_paths();
        let leading = leading.map(|paths| paths.into_iter().map(<[u8]>::to_vec).collect());
        (pathspec.plain_paths().map(text), leading.map(text))
    };
    let paths = |all: &[&str]| Some(all.iter().map(|path| path.to_string()).collect::<Vec<_>>());
    let cases: &[(&[&str], _, _)] = &[
        (&["a/b", ":(literal)c*/"], paths(&["a/b", "c*/"]), paths(&["a/b", "c*"])),
        (&["."], paths(&[""]), None),
        (&["a/b*"], None, paths(&["a"])),
        (&["a/b", "d/*", ":!x"], None, paths(&["a/b", "d"])),
        (&["a", "b*"], None, None),
        (&[":(icase)a/b"], None, None),
        (&[":(icase,prefix:2)a/b"], None, paths(&["a"])),
        (&[":!a"], None, None),
    ];
    for (elements, plain, leading) in cases {
        assert_eq!(of(elements), (plain.clone(), leading.clone()), "{elements:?}");
    }
    assert!(Pathspec::parse(&["."]).unwrap().is_all());
    assert!(!Pathspec::parse(&[":!a"]).unwrap().is_all());
}

#[test]
fn malformed_elements_are_errors() {
    for (element, kind, part) in [
        ("", ErrorKind::BadInput, "empty"),
        ("../x", ErrorKind::BadInput, "outside"),
        ("a/../..", ErrorKind::BadInput, "outside"),
        (":(top", ErrorKind::BadInput, "')'"),
        (":(no)x", ErrorKind::BadInput, "unknown magic"),
        (":(prefix:x)x", ErrorKind::BadInput, "unknown magic"),
        (":(literal,glob)x", ErrorKind::BadInput, "incompatible"),
        (":\"x", ErrorKind::BadInput, "unknown magic character"),
        (":(attr:x)x", ErrorKind::Unsupported, "attr"),
        (&"x".repeat((64 << 10) + 1), ErrorKind::Limit, "too long"),
    ] {
        let error = Pathspec::parse(&[element]).err().unwrap();
        assert_eq!(error.kind(), kind, "{element}");
        assert!(error.what().contains(part), "{element}: {}", error.what());
    }
}

#[test]
fn a_depth_is_measured_from_each_element() {
    let enters = |elements: &[&str], path: &str, most| {
        Pathspec::parse(elements).unwrap().enters_within(path.as_bytes(), most)
    };
    // Without elements, as if each entry of the root was one.
    assert_eq!([0, 1].map(|most| enters(&[], "one", most)), [false, true]);
    assert_eq!([1, 2].map(|most| enters(&[], "one/two", most)), [false, true]);
    // Trees above an element are entered, the element itself is not, with 0.
    assert!(enters(&["one/two"], "one", 0));
    assert_eq!([0, 1].map(|most| enters(&["one/two"], "one/two", most)), [false, true]);
    // The nearest element counts, and names end at slashes.
    assert!(enters(&["one", "one/two"], "one/two/three", 2));
    assert!(!enters(&["one"], "one/two/three", 2));
    assert!(!enters(&["one"], "onetwo", 9));
}
