//! Prints the newest commits: `log <git-dir> <revision> <count>`. A line has the id, the
//! author, the date in git's raw form, and the first line of the message.

mod host;

use host::{ask, open};
use packlens::{Commit, ObjectId, ObjectType, Output, RevList, RevListOptions};
use std::error::Error;
use std::io::Write;
use std::path::Path;

/// How many bytes of ids the walk returns at a time.
const PAGE: usize = 4096;

/// Returns a line for each of the newest `count` commits that a revision reaches.
pub fn log(git_dir: &Path, revision: &str, count: u64) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut repository = open(git_dir)?;
    let options = RevListOptions { limit: Some(count), ..RevListOptions::default() };
    let mut list = RevList::new(vec![revision.into()], options);
    let mut lines = Vec::new();
    loop {
        let mut page = Output::default();
        let is_complete =
            ask(&mut repository, git_dir, |repository| list.fill(repository, PAGE, &mut page))?;
        for hex in page.as_slice().split(|byte| *byte == b'\n').filter(|hex| !hex.is_empty()) {
            let (id, content) = ask(&mut repository, git_dir, |repository| {
                let id = repository.resolve(hex)?;
                Ok((id, repository.read_of_type(&id, ObjectType::Commit)?))
            })?;
            write_commit(&id, &content, &mut lines)?;
        }
        if is_complete {
            return Ok(lines);
        }
    }
}

fn write_commit(id: &ObjectId, content: &[u8], lines: &mut Vec<u8>) -> Result<(), Box<dyn Error>> {
    let commit = Commit::decode(id.hash(), content)?;
    let author = commit.author();
    write!(lines, "{} ", id.to_hex())?;
    lines.write_all(author.name)?;
    let sign = if author.offset_minutes < 0 { '-' } else { '+' };
    let minutes = author.offset_minutes.unsigned_abs();
    let (hours, minutes) = (minutes / 60, minutes % 60);
    write!(lines, " {} {sign}{hours:02}{minutes:02} ", author.seconds.unwrap_or_default())?;
    lines.extend(commit.message().split(|byte| *byte == b'\n').next().unwrap_or_default());
    lines.push(b'\n');
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [git_dir, revision, count] = arguments.as_slice() else {
        return Err("usage: log <git-dir> <revision> <count>".into());
    };
    let lines = log(Path::new(git_dir), revision, count.parse()?)?;
    Ok(std::io::stdout().write_all(&lines)?)
}
