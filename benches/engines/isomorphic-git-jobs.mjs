// The jobs of isomorphic-git, inside its process.
import fs, { readFileSync } from 'node:fs'
import git from 'isomorphic-git'

export async function start(task) {
  const { job, repository: gitdir } = task
  // The cache keeps the indexes between calls: without it each call reads them again.
  const open = () => ({ fs, gitdir, cache: {} })
  const oids = task.list ? readFileSync(task.list, 'latin1').trimEnd().split('\n') : []
  return {
    'first-blob': (to) => firstBlob(open(), task.file, to),
    blobs: (to) => blobs(open(), oids, to),
    mixed: (to) => objects(open(), oids, to),
    count: async (to) => to.text(`${(await git.log({ ...open(), ref: 'HEAD' })).length}\n`),
  }[job]
}

async function firstBlob(repo, file, to) {
  const [revision, filepath] = file.split(/:(.*)/s)
  const oid = await git.resolveRef({ ...repo, ref: revision })
  const { blob } = await git.readBlob({ ...repo, oid, filepath })
  to.text(blob)
}

async function blobs(repo, oids, to) {
  for (const oid of oids) {
    const { blob } = await git.readBlob({ ...repo, oid })
    to.object({ oid, type: 'blob', size: blob.byteLength }, blob)
  }
}

async function objects(repo, oids, to) {
  for (const oid of oids) {
    const { type, object } = await git.readObject({ ...repo, oid, format: 'content' })
    to.object({ oid, type, size: object.byteLength }, object)
  }
}
