/** Revisions, refs and trees. */
import { codeOf, collect } from '../asking.ts'
import type { Question } from '../question.ts'

export const revisions: Question = {
  name: 'the ids of revisions',
  async ask({ open }, of) {
    await using repo = await open()
    const resolve = (spec: string) =>
      repo.resolve(spec).catch((error) => codeOf(() => Promise.reject(error)).then(() => null))
    const specs = Object.keys(of.resolve)
    // Resolving a name reads several folders, so the names are resolved concurrently.
    const found = await Promise.all(specs.map(resolve))
    return Object.fromEntries(specs.map((spec, at) => [spec, found[at]]))
  },
  expected: ({ resolve }) => resolve,
}

export const refs: Question = {
  name: 'the refs',
  async ask({ open }, of) {
    await using repo = await open()
    const list = await collect(repo.refs.list({ peel: true }))
    const tags = await collect(repo.refs.list({ prefix: 'refs/tags/' }))
    const head = await repo.refs.get('HEAD')
    const each = of.refs.map(async ({ name }) => (await repo.refs.get(name))?.oid)
    return {
      list: list.map(({ name, oid, peeled }) => ({ name, oid, peeled })),
      tags: tags.map(({ name }) => name),
      head: { symref: head?.target ?? null, oid: head?.oid ?? null },
      each: await Promise.all(each),
    }
  },
  expected: ({ refs, head }) => ({
    list: refs.map(({ name, oid, peeled }) => ({ name, oid, peeled })),
    tags: refs.map(({ name }) => name).filter((name) => name.startsWith('refs/tags/')),
    head,
    each: refs.map(({ oid }) => oid),
  }),
}

export const trees: Question = {
  name: 'the trees',
  async ask({ open }, of) {
    await using repo = await open()
    const lists: Record<string, string[]> = {}
    for (const [spec, { recursive }] of Object.entries(of.lsTree)) {
      if (recursive === undefined) continue
      const entries = await collect(repo.walk(spec, { recursive: true, sizes: true }))
      lists[spec] = entries.map(
        ({ type, oid, size, path }) => `${type} ${oid} ${size ?? '-'}\t${path}`,
      )
    }
    return lists
  },
  expected({ lsTree }) {
    const lists = Object.entries(lsTree).flatMap(([spec, { recursive }]) =>
      recursive === undefined ? [] : [[spec, linesOf(recursive)]],
    )
    return Object.fromEntries(lists)
  },
}

/** Returns what `git ls-tree -z -l` prints, without the modes. */
function linesOf(base64: string): string[] {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const lines = new TextDecoder().decode(bytes).split('\0').slice(0, -1)
  return lines.map((line) => line.replace(/^\d+ (\w+ \w+) +/, '$1 '))
}

export const absent: Question = {
  name: 'NOT_FOUND for missing objects',
  async ask({ open }, of) {
    await using repo = await open()
    const answers = []
    for (const spec of ['0'.repeat(of.objectFormat === 'sha1' ? 40 : 64), 'refs/heads/nope', 'x']) {
      answers.push(
        await codeOf(() => repo.read(spec)),
        await codeOf(() => repo.info(spec)),
        await codeOf(() => repo.resolve(`${spec}^{tree}`)),
        await codeOf(() => collect(repo.stream(spec))),
        await repo.find(spec),
        await repo.refs.get(spec),
      )
    }
    return answers
  },
  expected() {
    const codes = Array.from({ length: 4 }, () => 'NOT_FOUND')
    return [1, 2, 3].flatMap(() => [...codes, null, null])
  },
}
