//! Writes the entries of an archive in its format.

use super::tar::Tar;
use super::zip::Zip;
use super::Header;
use crate::path_attributes::PathAttributes;
use packlens_base::error::Result;

pub(super) enum Writer {
    Tar(Tar),
    Zip(Box<Zip>),
    List,
}

impl Writer {
    pub(super) fn directory(&mut self, header: &Header<'_>, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.header(header, b"", out),
            Writer::Zip(zip) => zip.directory(header, out),
            Writer::List => line(header.path, out),
        }
    }

    pub(super) fn file(
        &mut self,
        header: &Header<'_>,
        content: &[u8],
        deflated: Option<Vec<u8>>,
        attributes: &PathAttributes,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match self {
            Writer::Tar(tar) if header.mode.is_file() => {
                tar.header(header, b"", out)?;
                tar.content(content, out)?;
                tar.end_content(out)
            }
            Writer::Tar(tar) => tar.header(header, content, out),
            Writer::Zip(zip) => zip.file(header, content, deflated, attributes, out),
            Writer::List => line(header.path, out),
        }
    }

    pub(super) fn begin_content(
        &mut self,
        header: &Header<'_>,
        attributes: &PathAttributes,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.header(header, b"", out),
            Writer::Zip(zip) => zip.begin_content(header, attributes, out),
            Writer::List => line(header.path, out),
        }
    }

    pub(super) fn content(&mut self, part: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.content(part, out),
            Writer::Zip(zip) => zip.content(part, out),
            Writer::List => Ok(()),
        }
    }

    pub(super) fn end_content(&mut self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.end_content(out),
            Writer::Zip(zip) => zip.end_content(out),
            Writer::List => Ok(()),
        }
    }

    pub(super) fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Writer::Tar(tar) => tar.end(out),
            Writer::Zip(zip) => zip.end(out),
            Writer::List => Ok(()),
        }
    }
}

fn line(path: &[u8], out: &mut Vec<u8>) -> Result<()> {
    out.extend_from_slice(path);
    out.push(b'\n');
    Ok(())
}
