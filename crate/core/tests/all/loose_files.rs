//! Repositories made here, of loose objects and refs.

use crate::common::Host;
use flate2::{write::ZlibEncoder, Compression};
use packlens::{object_id, HashKind, ObjectId, ObjectType, Options};
use std::io::Write;

/// The tree of every commit made here.
const NO_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// Objects and refs, each a file.
#[derive(Default)]
pub struct LooseFiles {
    files: Vec<(String, Vec<u8>)>,
}

impl LooseFiles {
    pub fn put(&mut self, object_type: ObjectType, content: &[u8]) -> ObjectId {
        let id = object_id(HashKind::Sha1, object_type, content);
        self.put_as(&id, object_type, content);
        id
    }

    /// Adds an object under an id that may be of other content.
    pub fn put_as(&mut self, id: &ObjectId, object_type: ObjectType, content: &[u8]) {
        let mut deflated = ZlibEncoder::new(Vec::new(), Compression::fast());
        let header = format!("{} {}\0", object_type.name(), content.len());
        deflated.write_all(header.as_bytes()).unwrap();
        deflated.write_all(content).unwrap();
        let hex = id.to_hex();
        let path = format!("objects/{}/{}", &hex[..2], &hex[2..]);
        self.files.push((path, deflated.finish().unwrap()));
    }

    /// Adds a commit; the number is its date and its message.
    pub fn commit(&mut self, number: u64, parents: &[ObjectId]) -> ObjectId {
        let parents: String =
            parents.iter().map(|id| format!("parent {}\n", id.to_hex())).collect();
        let by = format!("A <a@b> {} +0000", 1_400_000_000 + number);
        let text = format!("tree {NO_TREE}\n{parents}author {by}\ncommitter {by}\n\n{number}\n");
        self.put(ObjectType::Commit, text.as_bytes())
    }

    /// Adds commits, each the parent of the next; returns the first and the last.
    pub fn history(&mut self, count: u64) -> [ObjectId; 2] {
        let first = self.commit(0, &[]);
        [first, (1..count).fold(first, |last, number| self.commit(number, &[last]))]
    }

    pub fn tag(&mut self, name: &str, of: &ObjectId, object_type: ObjectType) -> ObjectId {
        let (of, kind) = (of.to_hex(), object_type.name());
        let text = format!("object {of}\ntype {kind}\ntag {name}\ntagger A <a@b> 1 +0000\n\nx\n");
        self.put(ObjectType::Tag, text.as_bytes())
    }

    /// Adds tags, each of the one before; returns the last.
    pub fn tags(&mut self, count: usize, commit: &ObjectId) -> ObjectId {
        let first = self.tag("t0", commit, ObjectType::Commit);
        (1..count).fold(first, |last, at| self.tag(&format!("t{at}"), &last, ObjectType::Tag))
    }

    pub fn reference(&mut self, name: &str, id: &ObjectId) {
        self.files.push((name.into(), format!("{}\n", id.to_hex()).into_bytes()));
    }

    pub fn text(&mut self, path: &str, text: &str) {
        self.bytes(path, text.as_bytes());
    }

    pub fn bytes(&mut self, path: &str, bytes: &[u8]) {
        self.files.push((path.into(), bytes.to_vec()));
    }

    /// Opens the repository. Replace refs apply.
    pub fn open(&self) -> Host {
        let files = self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        let options = Options { hash: Some(HashKind::Sha1), ..Options::default() };
        let mut host = Host::of_files(&files.collect::<Vec<_>>(), 1 << 30, options).unwrap();
        host.repository.boundaries().replace_base = Some(b"refs/replace/".to_vec());
        host.ask(packlens::Repository::prepare).unwrap();
        host
    }
}
