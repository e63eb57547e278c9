// The ways in which content is delivered to JavaScript, in Node and in a browser.

/** Enough memory that nothing is read or inflated twice. */
const MEMORY = 512 << 20
const BATCH = 1 << 20

/**
 * Each form takes a repository and ids, and delivers the same objects; `look` is
 * called with the values that a user would access. Records name the forms: `readSync` is
 * `read` of what `openSync` returns.
 */
export const forms = {
  'readMany into one buffer, nobody looks': {
    run: (repo, oids) => batches(repo, oids, { into: new ArrayBuffer(BATCH) }, () => {}),
  },
  'readMany into one buffer': {
    run: (repo, oids, look) => batches(repo, oids, { into: new ArrayBuffer(BATCH) }, each(look)),
  },
  'readMany, a fresh buffer each time': {
    run: (repo, oids, look) => batches(repo, oids, { size: BATCH }, each(look)),
  },
  'readSync, an object each': {
    run: (repo, oids, look) => {
      for (const oid of oids) {
        const { type, size, data } = repo.read(oid)
        look(type, size, data)
      }
    },
  },
  'readSync, a plain object and a copied array each': {
    run: (repo, oids, look) => {
      for (const oid of oids) {
        const found = repo.read(oid)
        const { type, size, deltaDepth } = found
        const copied = { oid, type, size, deltaDepth, data: found.data.slice() }
        look(copied.type, copied.size, copied.data)
      }
    },
  },
  'await read, an object each': {
    promises: true,
    run: async (repo, oids, look) => {
      for (const oid of oids) {
        const { type, size, data } = await repo.read(oid)
        look(type, size, data)
      }
    },
  },
}

/** The form that the others are compared with. */
export const measure = 'readMany into one buffer'

function batches(repo, oids, options, take) {
  for (let start; start !== null; ) {
    const batch = repo.readMany(oids, { ...options, start })
    take(batch)
    start = batch.next
  }
}

function each(look) {
  return (batch) => {
    for (const row of batch) look(row.type, row.size, row.data)
  }
}

/**
 * Opens the pack and returns what runs a form on it: `{ seconds, seen, inflated }`,
 * `seen` being a sum over all accessed values.
 */
export function makeRunner(packlens, { pack, idx, oids }) {
  return async (name) => {
    // Each form has a repository of its own, and inflates everything once.
    const { open, openSync } = packlens
    const how = forms[name].promises ? open : openSync
    const repo = await how({ packs: [{ pack, idx }] }, { memory: MEMORY, verify: 'none' })
    let seen = 0
    const look = (type, size, data) => {
      seen += type.length + size + data.byteLength + (data.byteLength > 0 ? data[0] : 0)
    }
    const start = performance.now()
    await forms[name].run(repo, oids, look)
    const seconds = (performance.now() - start) / 1000
    const { inflatedBytes } = repo.stats()
    repo.close()
    return { seconds, seen, inflated: inflatedBytes }
  }
}
