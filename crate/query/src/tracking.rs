//! Finds the upstream and the push destination of a branch from `config`:
//! <https://git-scm.com/docs/git-config>, `branch.<name>` and `remote.<name>`.

use packlens_base::block::Files;
use packlens_base::error::Result;
use packlens_base::limits::Limits;
use packlens_format::config::{config_boolean, config_section, config_value, is_true, Variable};
use packlens_format::refs::text_of;

const HEADS: &[u8] = b"refs/heads/";

/// The settings of branches and remotes.
pub(crate) struct Tracking {
    branches: Vec<Variable>,
    remotes: Vec<Variable>,
    push_default: Option<Vec<u8>>,
}

/// Git's message that says why there is no upstream or push destination.
pub(crate) type GitMessage = Vec<u8>;

impl Tracking {
    /// Reads `config`, then `config.worktree`.
    ///
    /// # Errors
    ///
    /// Missing files and bytes.
    pub(crate) fn read(files: &Files, limits: &Limits) -> Result<Tracking> {
        let text = |name: &[u8]| match files.find_fresh(name)? {
            Some(file) => text_of(files, file, limits),
            None => Ok(Vec::new()),
        };
        let mut all = text(b"config")?;
        if config_boolean(&all, "extensions", "worktreeconfig") == Some(true) {
            all.push(b'\n');
            all.extend(text(b"config.worktree")?);
        }
        Ok(Tracking {
            branches: config_section(&all, "branch"),
            remotes: config_section(&all, "remote"),
            push_default: config_value(&all, "push", "default"),
        })
    }

    /// Returns the full name of a branch's upstream ref; `branch` is given without
    /// `refs/heads/`, and `exists` says whether there is such a branch. If the remote is this
    /// repository itself, the name may be a short one.
    pub(crate) fn upstream(
        &self,
        branch: &[u8],
        exists: bool,
    ) -> std::result::Result<Vec<u8>, GitMessage> {
        let remote = last(&self.branches, branch, b"remote");
        let merge = values(&self.branches, branch, b"merge").next();
        let (Some(remote), Some(merge)) = (remote, merge) else {
            let what: &[u8] =
                if exists { b"no upstream configured for branch '" } else { b"no such branch: '" };
            return Err([what, branch, b"'"].concat());
        };
        if let Some(found) = self.tracked(remote, merge) {
            return Ok(found);
        }
        if remote == b"." {
            return Ok(merge.to_vec());
        }
        let after = b"' not stored as a remote-tracking branch";
        Err([b"upstream branch '", merge, after].concat())
    }

    /// Returns the full name of the remote-tracking ref of a branch's push destination.
    pub(crate) fn push(
        &self,
        branch: &[u8],
        exists: bool,
    ) -> std::result::Result<Vec<u8>, GitMessage> {
        let remote = self.push_remote(branch);
        let full = [HEADS, branch].concat();
        let to = |name: &[u8]| {
            self.tracked(&remote, name).ok_or_else(|| {
                let on = [b"' on remote '", remote.as_slice()].concat();
                let after = b"' has no local tracking branch";
                [b"push destination '", name, &on, after].concat()
            })
        };
        let mut push = values(&self.remotes, &remote, b"push").peekable();
        if push.peek().is_some() {
            let found = push.find_map(|spec| mapped(spec, &full)).ok_or_else(|| {
                let middle = [b"' do not include '", branch, b"'"].concat();
                [b"push refspecs for '", remote.as_slice(), &middle].concat()
            })?;
            return to(&found);
        }
        if is_on(&self.remotes, &remote, b"mirror") {
            return to(&full);
        }
        match self.push_default.as_deref().unwrap_or(b"simple") {
            b"nothing" => Err(b"push has no destination (push.default is 'nothing')".to_vec()),
            b"matching" | b"current" => to(&full),
            b"upstream" | b"tracking" => self.upstream(branch, exists),
            _ => {
                let upstream = self.upstream(branch, exists)?;
                let found = to(&full)?;
                match found == upstream {
                    true => Ok(found),
                    false => {
                        let what = b"cannot resolve 'simple' push to a single destination";
                        Err(what.to_vec())
                    }
                }
            }
        }
    }

    /// Returns the remote that a branch is fetched from, and the ref there.
    pub(crate) fn remote_of<'a>(&'a self, branch: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let remote = last(&self.branches, branch, b"remote")?;
        Some((remote, values(&self.branches, branch, b"merge").next().unwrap_or_default()))
    }

    /// Returns the remote that the configuration names for pushing a branch.
    pub(crate) fn pushed_to<'a>(&'a self, branch: &'a [u8]) -> Option<&'a [u8]> {
        let of_all = || config_last(&self.remotes, b"pushdefault");
        last(&self.branches, branch, b"pushremote")
            .or_else(of_all)
            .or_else(|| last(&self.branches, branch, b"remote"))
    }

    /// Returns the remote that a branch is pushed to; by default the only one, or `origin`.
    fn push_remote(&self, branch: &[u8]) -> Vec<u8> {
        if let Some(said) = self.pushed_to(branch) {
            return said.to_vec();
        }
        let mut names: Vec<&[u8]> = self.remotes.iter().filter_map(|(key, _)| named(key)).collect();
        names.dedup();
        match names.as_slice() {
            [only] => only.to_vec(),
            _ => b"origin".to_vec(),
        }
    }

    /// Returns the remote-tracking ref of a ref in a remote.
    fn tracked(&self, remote: &[u8], name: &[u8]) -> Option<Vec<u8>> {
        let all = || values(&self.remotes, remote, b"fetch");
        let left_out = |spec: &[u8]| {
            spec.strip_prefix(b"^").is_some_and(|pattern| matched(pattern, name).is_some())
        };
        if all().any(left_out) {
            return None;
        }
        all().find_map(|spec| mapped(spec, name))
    }
}

/// Returns the subsection that a variable is in.
fn named(key: &[u8]) -> Option<&[u8]> {
    key.get(..key.iter().rposition(|byte| *byte == b'.')?)
}

/// Returns the values of a variable in a subsection, in file order; `None` for those without
/// `=`.
fn settings<'a>(
    all: &'a [Variable],
    section: &'a [u8],
    name: &'a [u8],
) -> impl Iterator<Item = Option<&'a [u8]>> {
    all.iter().filter_map(move |(key, value)| {
        let own = key.strip_prefix(section)?.strip_prefix(b".")?;
        (own == name).then_some(value.as_deref())
    })
}

/// As [`settings`], without those that have no `=`.
fn values<'a>(
    all: &'a [Variable],
    section: &'a [u8],
    name: &'a [u8],
) -> impl Iterator<Item = &'a [u8]> {
    settings(all, section, name).flatten()
}

/// Returns whether the last value of a variable in a subsection means true.
fn is_on(all: &[Variable], section: &[u8], name: &[u8]) -> bool {
    settings(all, section, name).last().is_some_and(is_true)
}

fn last<'a>(all: &'a [Variable], section: &'a [u8], name: &'a [u8]) -> Option<&'a [u8]> {
    values(all, section, name).last()
}

fn config_last<'a>(all: &'a [Variable], name: &[u8]) -> Option<&'a [u8]> {
    all.iter().rev().find(|(key, _)| key == name).and_then(|(_, value)| value.as_deref())
}

/// Maps a name by a refspec.
fn mapped(spec: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let spec = spec.strip_prefix(b"+").unwrap_or(spec);
    let colon = spec.iter().position(|byte| *byte == b':')?;
    let (from, to) = spec.split_at_checked(colon)?;
    let to = to.get(1..)?;
    let middle = matched(from, name)?;
    match to.iter().position(|byte| *byte == b'*') {
        Some(star) => {
            let (before, after) = to.split_at_checked(star)?;
            Some([before, middle, after.get(1..)?].concat())
        }
        None => Some(to.to_vec()),
    }
    .filter(|found| !found.is_empty())
}

/// Returns the part of a name that matches the `*` of a pattern; `None` if the name does not
/// match.
fn matched<'a>(pattern: &[u8], name: &'a [u8]) -> Option<&'a [u8]> {
    match pattern.iter().position(|byte| *byte == b'*') {
        Some(star) => {
            let (before, after) = pattern.split_at_checked(star)?;
            name.strip_prefix(before)?.strip_suffix(after.get(1..)?)
        }
        None => (pattern == name).then_some(b""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tracking(text: &str) -> Tracking {
        let text = text.as_bytes();
        Tracking {
            branches: config_section(text, "branch"),
            remotes: config_section(text, "remote"),
            push_default: config_value(text, "push", "default"),
        }
    }

    fn text(answer: std::result::Result<Vec<u8>, GitMessage>) -> String {
        let (Ok(bytes) | Err(bytes)) = answer;
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn refspecs_lead_from_a_name_to_another() {
        let of = |spec: &str, name: &str| {
            mapped(spec.as_bytes(), name.as_bytes()).map(|b| String::from_utf8(b).unwrap())
        };
        let all = "+refs/heads/*:refs/remotes/origin/*";
        assert_eq!(of(all, "refs/heads/a/b").as_deref(), Some("refs/remotes/origin/a/b"));
        assert_eq!(of(all, "refs/tags/a"), None);
        assert_eq!(of("refs/heads/a:refs/x", "refs/heads/a").as_deref(), Some("refs/x"));
        assert_eq!(of("refs/*/a:refs/x-*-y", "refs/one/a").as_deref(), Some("refs/x-one-y"));
        assert_eq!(of("refs/heads/a", "refs/heads/a"), None);
        assert_eq!(of("refs/heads/a:", "refs/heads/a"), None);
    }

    #[test]
    fn a_branch_is_pushed_where_git_pushes_it() {
        let config =
            "[remote \"o\"]\nfetch = +refs/heads/*:refs/remotes/o/*\nfetch = ^refs/heads/no\n\
             [branch \"a\"]\nremote = o\nmerge = refs/heads/a\n\
             [branch \"b\"]\nremote = o\nmerge = refs/heads/a\n\
             [branch \"no\"]\nremote = o\nmerge = refs/heads/no\n\
             [branch \"here\"]\nremote = .\nmerge = refs/heads/a\n";
        let plain = tracking(config);
        assert_eq!(text(plain.upstream(b"b", true)), "refs/remotes/o/a");
        assert_eq!(text(plain.upstream(b"here", true)), "refs/heads/a");
        assert_eq!(
            text(plain.upstream(b"no", true)),
            "upstream branch 'refs/heads/no' not stored as a remote-tracking branch"
        );
        assert_eq!(text(plain.push(b"a", true)), "refs/remotes/o/a");
        assert_eq!(
            text(plain.push(b"b", true)),
            "cannot resolve 'simple' push to a single destination"
        );
        let push = |default: &str, branch: &str| {
            let more = format!("{config}[push]\ndefault = {default}\n");
            text(tracking(&more).push(branch.as_bytes(), true))
        };
        assert_eq!(push("current", "b"), "refs/remotes/o/b");
        assert_eq!(push("upstream", "b"), "refs/remotes/o/a");
        assert_eq!(push("nothing", "b"), "push has no destination (push.default is 'nothing')");
        for mirror in ["mirror", "mirror = yes", "mirror = 2"] {
            let mirrored = format!("{config}[remote \"o\"]\n{mirror}\n");
            assert_eq!(text(tracking(&mirrored).push(b"b", true)), "refs/remotes/o/b");
        }
        let specs = format!("{config}[remote \"o\"]\npush = refs/heads/b:refs/heads/z\n");
        assert_eq!(text(tracking(&specs).push(b"b", true)), "refs/remotes/o/z");
        assert_eq!(
            text(tracking(&specs).push(b"a", true)),
            "push refspecs for 'o' do not include 'a'"
        );
    }
}
