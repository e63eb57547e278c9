// The jobs that are compared between Node and browsers: the same code runs in both.

/** Each returns what it read, to be compared with what others read. */
const jobs = {
  'the first file': async (repo, { file }) => {
    const { size } = await repo.readBlob(file)
    return { objects: 1, bytes: size }
  },
  'a front page': async (repo, { file }) => {
    const seen = { objects: 0, bytes: 0 }
    for await (const _ of repo.refs.list()) seen.objects++
    const { entries } = await repo.readTree('HEAD')
    const blobs = entries.filter(({ type }) => type === 'blob').slice(0, 40)
    for (const row of await repo.readMany(
      blobs.map(({ oid }) => oid),
      { fields: 'size' },
    )) {
      seen.objects++
      seen.bytes += row.size
    }
    seen.bytes += (await repo.readBlob(file)).size
    for await (const _ of repo.log('HEAD', { limit: 20 })) seen.objects++
    return seen
  },
  'blobs, one call': async (repo, { blobs }) => {
    const seen = { objects: 0, bytes: 0 }
    for (let start; start !== null; ) {
      const batch = await repo.readMany(blobs, { start, order: 'pack' })
      for (const { data, dataOffset } of batch) count(seen, data, dataOffset)
      start = batch.next
    }
    return seen
  },
  'blobs, a call each': async (repo, { blobs }) => {
    const seen = { objects: 0, bytes: 0 }
    for (const oid of blobs) count(seen, (await repo.read(oid)).data)
    return seen
  },
  'every object': async (repo) => {
    const seen = { objects: 0, bytes: 0 }
    for await (const { data, dataOffset } of repo.objects({ unordered: true, lend: true })) {
      count(seen, data, dataOffset)
    }
    return seen
  },
  'commits counted': async (repo) => ({ objects: await repo.countCommits('HEAD'), bytes: 0 }),
}

export const names = Object.keys(jobs)

/** Counts a part of an object, which begins at `offset` of its content. */
function count(seen, data, offset = 0) {
  if (offset === 0) seen.objects++
  seen.bytes += data.length
}

/** Opens a source in a worker, does a job, and returns its answer, its time and what was read. */
export async function measure({ open }, source, name, given) {
  const start = performance.now()
  const repo = await open(source, { worker: true, memory: 160 << 20 })
  try {
    const answer = await jobs[name](repo, given)
    const milliseconds = performance.now() - start
    const { bytesRead, blocksRead, requests } = await repo.stats()
    return { answer, milliseconds, bytesRead, reads: requests || blocksRead }
  } finally {
    repo.close()
  }
}
