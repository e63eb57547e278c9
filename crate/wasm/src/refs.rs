//! Refs, as JavaScript gets them.

use crate::session::Session;
use packlens::{Append, ErrorKind, RefRecord, RefValue, Result};

impl Session {
    pub(crate) fn refs(&mut self, peel: bool) -> Result<()> {
        let refs = *self.repository.refs();
        let records = refs.list(&self.repository.files, &self.input)?;
        self.ref_records(records, peel)
    }

    pub(crate) fn reference(&mut self) -> Result<()> {
        let refs = *self.repository.refs();
        let record = refs.get(&self.repository.files, &self.input)?;
        self.ref_records(record.into_iter().collect(), true)
    }

    /// Outputs of each ref: its name, the target of a symbolic one, the id it
    /// leads to and the id that peels to, each behind its length in 4 bytes.
    fn ref_records(&mut self, records: Vec<RefRecord>, peel: bool) -> Result<()> {
        let refs = *self.repository.refs();
        let mut rows = Vec::new();
        for record in records {
            // Looking each name up again would take a question a ref.
            let (target, id) = match record.value {
                RefValue::Id(id) => (Vec::new(), Some(id)),
                RefValue::Broken => (Vec::new(), None),
                RefValue::Symbolic(target) => match refs.follow(&self.repository.files, &target) {
                    Ok((_, id)) => (target, id),
                    Err(error) if error.is_missing() => return Err(error),
                    Err(_) => (target, None),
                },
            };
            let peeled = match (record.peeled, id) {
                (Some(peeled), _) => peeled,
                (None, Some(id)) if peel => match self.repository.peel(&id, None) {
                    Ok(peeled) => Some(peeled).filter(|peeled| *peeled != id),
                    Err(error) if error.kind() == ErrorKind::NotFound => None,
                    Err(error) => return Err(error),
                },
                _ => None,
            };
            rows.push((record.name, target, id, peeled));
        }
        let mut out = self.fresh_output();
        for (name, target, id, peeled) in rows {
            out.string(&name)?;
            out.string(&target)?;
            for id in [id, peeled] {
                out.string(id.as_ref().map_or(&[], |id| id.as_bytes()))?;
            }
        }
        Ok(())
    }
}
