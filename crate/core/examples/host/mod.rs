use packlens::{Error, Need, Options, Repository, Result};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Opens the repository with this git directory. Each call of `prepare` is one step.
pub fn open(git_dir: &Path) -> io::Result<Repository> {
    let mut repository = Repository::new(Options::default());
    while ask(&mut repository, git_dir, Repository::prepare)?.is_some() {}
    Ok(repository)
}

/// Asks a question, and asks it again as long as something is missing.
pub fn ask<T, Q>(repository: &mut Repository, git_dir: &Path, mut question: Q) -> io::Result<T>
where
    Q: FnMut(&mut Repository) -> Result<T>,
{
    let number = repository.files.new_question(None);
    loop {
        repository.files.resume_question(number);
        let answer = question(repository);
        let Some(need) = answer.as_ref().err().and_then(Error::need) else {
            repository.end_question(number);
            return answer.map_err(io::Error::other);
        };
        provide(repository, git_dir, need)?;
    }
}

/// Does the I/O for a need, and stores the result in `repository.files`.
fn provide(repository: &mut Repository, git_dir: &Path, need: &Need) -> io::Result<()> {
    let place = |path: &[u8]| git_dir.join(String::from_utf8_lossy(path).as_ref());
    let files = &mut repository.files;
    match need {
        Need::File { path, .. } => match fs::metadata(place(path)) {
            Ok(file) if file.is_file() => {
                let stamp = file.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
                files.found(path, file.len(), stamp.as_nanos() as u64);
            }
            _ => files.absent(path),
        },
        Need::Directory(path) => {
            let mut names = Vec::new();
            for entry in fs::read_dir(place(path)).into_iter().flatten().flatten() {
                let slash = if entry.path().is_dir() { "/" } else { "" };
                names.push([entry.file_name().as_encoded_bytes(), slash.as_bytes()].concat());
            }
            files.listed(path, names);
        }
        Need::Bytes { file, offset, .. } | Need::Range { file, offset, .. } => {
            let mut source = File::open(place(files.path(*file).unwrap_or_default()))?;
            source.seek(SeekFrom::Start(*offset))?;
            let mut bytes = Vec::new();
            // A file that has become shorter would be asked for without end.
            if source.take(1 << 16).read_to_end(&mut bytes)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            files.add(*file, *offset, bytes).map_err(io::Error::other)?;
        }
        // This host can fetch from no remote. A question that takes long offers a turn.
        Need::Objects(ids) => repository.fetched(ids),
        Need::Turn => {}
        // Only a build with the feature `reader` asks for that.
        Need::Module { .. } => return Err(io::ErrorKind::Unsupported.into()),
    }
    Ok(())
}
