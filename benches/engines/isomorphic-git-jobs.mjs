// The jobs of isomorphic-git, inside its process, also by the functions of another module.
import fs, { readFileSync } from 'node:fs'

export async function start(task) {
  const { job, repository: gitdir, module = 'isomorphic-git', cached = true } = task
  const { default: git } = await import(module)
  // The cache keeps the indexes between calls: without it isomorphic-git reads them again in each.
  const open = () => ({ fs, gitdir, ...(cached && { cache: {} }) })
  const oids = task.list ? readFileSync(task.list, 'latin1').trimEnd().split('\n') : []
  return {
    'first-blob': (to) => firstBlob(git, open(), task.file, to),
    blobs: (to) => blobs(git, open(), oids, to),
    mixed: (to) => objects(git, open(), oids, to),
    count: async (to) => to.text(`${(await git.log({ ...open(), ref: 'HEAD' })).length}\n`),
    commit: (to) => commit(git, open(), task.most, to),
    files: (to) => blobs(git, open(), oids, to),
    'status-matrix': (to) => changedFiles(git, task.worktree, to),
  }[job]
}

async function firstBlob(git, repo, file, to) {
  const [revision, filepath] = file.split(/:(.*)/s)
  const oid = await git.resolveRef({ ...repo, ref: revision })
  const { blob } = await git.readBlob({ ...repo, oid, filepath })
  to.text(blob)
}

async function blobs(git, repo, oids, to) {
  for (const oid of oids) {
    const { blob } = await git.readBlob({ ...repo, oid })
    to.object({ oid, type: 'blob', size: blob.byteLength }, blob)
  }
}

async function objects(git, repo, oids, to) {
  for (const oid of oids) {
    const { type, object } = await git.readObject({ ...repo, oid, format: 'content' })
    to.object({ oid, type, size: object.byteLength }, object)
  }
}

/** Where answers are checked, so are the bytes that were read: counting them takes time. */
async function commit(git, repo, most = Infinity, to) {
  const counted = to.checks ? countedClient() : { client: repo.fs, bytes: 0 }
  const asked = { ...repo, fs: counted.client }
  const oid = await git.resolveRef({ ...asked, ref: 'HEAD' })
  const { tree, parent, author } = (await git.readCommit({ ...asked, oid })).commit
  if (counted.bytes > most) throw new Error(`it reads ${counted.bytes} bytes of objects`)
  const { name, email, timestamp } = author
  to.text([oid, tree, parent.join(' '), name, email, timestamp, ''].join('\n'))
}

/** Prints the paths that differ between `HEAD` and the work tree, as `git diff-index` does. */
async function changedFiles(git, dir, to) {
  for (const [path, head, workdir, stage] of await git.statusMatrix({ fs, dir })) {
    if (head === 1 && (workdir !== 1 || stage !== 1)) to.text(`${path}\0`)
  }
}

/**
 * Returns a client of the file system, and how many bytes of packs, indexes and loose objects it has
 * read: others, such as `packed-refs`, are read again if they have just been written.
 */
function countedClient() {
  const { promises } = fs
  const counted = { bytes: 0 }
  const count = (path, length) => {
    if (`${path}`.includes('/objects/')) counted.bytes += length
  }
  const readFile = async (path, ...args) => {
    const content = await promises.readFile(path, ...args)
    count(path, content.length)
    return content
  }
  const open = async (path, ...args) => {
    const handle = await promises.open(path, ...args)
    const read = async (...args) => {
      const answer = await handle.read(...args)
      count(path, answer.bytesRead)
      return answer
    }
    return { read, stat: () => handle.stat(), close: () => handle.close() }
  }
  return Object.assign(counted, { client: { promises: { ...promises, readFile, open } } })
}
