/** Fields of commits, trees and tags: literal values of tests/fixtures/history.sh. */
import type { CommitObject, GitObject, TagObject, TreeObject } from 'packlens'
import { openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { looseObjects } from './sources.ts'
import { codeOf, fixture, fixtures, folderOf } from './support.ts'

const repo = openSync(folderOf(fixture('main')))
afterAll(() => repo.close())

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const read = <T extends GitObject>(name: string) => repo.read(`refs/odd/${name}`) as T
const commit = (name: string) => read<CommitObject>(name)
const tag = (name: string) => read<TagObject>(name)
const signature = ({ name, email, seconds, offset }: CommitObject['author']) => [
  name,
  email,
  seconds,
  offset,
]

describe('A commit', () => {
  test('has its tree, parents, people and message', () => {
    const head = repo.read('HEAD') as CommitObject
    expect(head.type).toBe('commit')
    expect(head.tree).toBe(repo.resolve('HEAD^{tree}'))
    expect(head.parents).toEqual([repo.resolve('HEAD^1')])
    expect([head.author.name, head.author.email]).toEqual(['A U Thor', 'author@example.com'])
    expect([head.committer.name, head.committer.email]).toEqual([
      'C O Mitter',
      'committer@example.com',
    ])
    expect(head.message).toBe(
      'Finish\n\nThe subject is short,\nthe body has two lines.\n\nSigned-off-by: A U Thor <author@example.com>\n',
    )
    expect(head.encoding).toBeNull()
    expect(head.gpgsig).toBeNull()
    expect(head.headers.map(({ key }) => key)).toEqual(['tree', 'parent', 'author', 'committer'])
  })

  test('may have four parents, none, or the same one twice', () => {
    const merges = fixture('main').objects.filter(({ type }) => type === 'commit')
    const most = merges.map(({ oid }) => (repo.read(oid) as CommitObject).parents.length)
    expect(Math.max(...most)).toBe(4)
    expect(Math.min(...most)).toBe(0)
    const [first, second] = commit('same-parent-twice').parents
    expect(first).toBe(second)
    expect(commit('empty-tree').parents).toEqual([])
  })

  test('is decoded by its encoding header', () => {
    const { message, messageBytes, encoding } = commit('latin1')
    expect(encoding).toBe('ISO-8859-1')
    expect(message).toBe('Café in Latin-1\n')
    expect(latin1(messageBytes)).toBe('Caf\xe9 in Latin-1\n')
    expect(commit('unknown-encoding').encoding).toBe('no-such-encoding')
    expect(commit('unknown-encoding').message).toBe('Caf\ufffd\n')
    expect(commit('not-utf8').message).toBe('Caf\ufffd that claims to be UTF-8\n')
    expect(latin1(commit('not-utf8').messageBytes)).toBe('Caf\xe9 that claims to be UTF-8\n')
  })

  test.each([
    ['no-final-newline', 'No newline at the end'],
    ['empty-message', ''],
    ['no-blank-line', ''],
    ['blank-lines', '\n\n  Blank lines first\n\n\n'],
    ['nul-in-message', 'Before\0after the zero byte\n'],
    ['signed', 'Signed\n'],
    ['mergetag', 'Merge tag merged\n'],
  ])('called %s has its message unchanged', (name, message) => {
    expect(commit(name).message).toBe(message)
  })

  test('has its signature without the folding', () => {
    expect(commit('signed').gpgsig).toBe(
      '-----BEGIN PGP SIGNATURE-----\n\niQFakeFakeFakeFakeFake\n=fake\n-----END PGP SIGNATURE-----',
    )
    using other = openSync(folderOf(fixture('sha256')))
    const signed = other.read('refs/odd/signed') as CommitObject
    expect(signed.gpgsig).toBe(commit('signed').gpgsig)
  })

  test('keeps the mergetag header, and unknown headers', () => {
    const merged = commit('mergetag').headers.find(({ key }) => key === 'mergetag')
    expect(latin1(merged?.value ?? new Uint8Array())).toBe(
      `object ${repo.resolve('topic/one')}\ntype commit\ntag merged\n` +
        'tagger A U Thor <author@example.com> 1112920000 +0000\n\nA tag that was merged\n\nWith a body',
    )
    const extra = commit('extra-headers').headers.slice(4)
    expect(extra.map(({ key, value }) => [key, latin1(value)])).toEqual([
      ['HG:extra', 'rebase_source:abc'],
      ['HG:rename-source', 'hg'],
      ['unknown', ''],
      ['empty', ''],
      ['folded', 'one\ntwo\n three'],
    ])
  })

  test.each([
    ['zones', 1112920000, -450, 1112920000, 345],
    ['absurd-zones', 1112920000, 99 * 60 + 99, 1112920000, -(12345 * 60 + 67)],
    ['epoch', 0, 0, 0, 0],
    ['far-future', 4102444800, 0, 253402300800, 0],
    ['largest-time', Number(9223372036854775807n), 0, Number(18446744073709551615n), 0],
    ['no-dates', null, 0, null, 0],
  ])('called %s has the dates it was given', (name, authored, zone, committed, other) => {
    const { author, committer } = commit(name)
    expect([author.seconds, author.offset]).toEqual([authored, zone])
    expect([committer.seconds, committer.offset]).toEqual([committed, other])
  })

  test.each([
    ['no-name', ['', 'nameless@example.com', 1112920000, 0]],
    ['no-email', ['Mailless', '', 1112920000, 0]],
    ['brackets', ['A', 'B', 1112920000, 0]],
    ['empty-author', ['', '', null, 0]],
    ['no-people', ['', '', null, 0]],
  ])('called %s has an author nevertheless', (name, author) => {
    expect(signature(commit(name).author)).toEqual(author)
  })

  test('keeps the bytes of names that are not UTF-8', () => {
    const { author } = commit('bytes-in-names')
    expect([author.name, author.email]).toEqual(['caf\ufffd', 'caf\ufffd@example.com'])
    expect(latin1(author.raw)).toBe('caf\xe9 <caf\xe9@example.com> 1112920000 +0000')
  })
})

describe('A tree', () => {
  test('has the modes in stored form', () => {
    const { entries } = read<TreeObject>('tree-modes')
    expect(entries.map(({ mode, type, name }) => [mode.toString(8), type, name])).toEqual([
      ['100664', 'blob', 'group-writable'],
      ['100600', 'blob', 'private'],
      ['100775', 'blob', 'program'],
      ['160000', 'commit', 'submodule'],
      ['120000', 'blob', 'symlink'],
      ['40000', 'tree', 'zero-in-front'],
    ])
    expect(entries[0]?.oid).toBe(repo.resolve('main:README.md'))
    expect(entries[5]?.oid).toBe(repo.resolve('main~2:src'))
  })

  test('has names as bytes and as text', () => {
    const { entries } = read<TreeObject>('tree-names')
    expect(entries.map(({ name }) => name)).toEqual([
      '..',
      '.git',
      'a/b',
      'caf\ufffd',
      'new\nline',
      '\u202eright-to-left',
    ])
    expect(latin1(entries[3]?.nameBytes ?? new Uint8Array())).toBe('caf\xe9')
  })

  test('keeps the order of entries, and duplicate names', () => {
    expect(read<TreeObject>('tree-unsorted').entries.map(({ name }) => name)).toEqual([
      'z',
      'm',
      'a',
    ])
    const twice = read<TreeObject>('tree-twice').entries
    expect(twice.map(({ name }) => name)).toEqual(['name', 'name'])
    expect(twice[0]?.oid).not.toBe(twice[1]?.oid)
    expect(read<TreeObject>('tree-empty').entries).toEqual([])
  })

  test('has the entries that `git ls-tree` prints', () => {
    let compared = 0
    for (const of of fixtures) {
      using other = openSync(folderOf(of))
      for (const [spec, { flat }] of Object.entries(of.lsTree)) {
        const lines = Buffer.from(flat, 'base64').toString('latin1').split('\0').slice(0, -1)
        const { entries } = other.read(`${spec}^{tree}`) as TreeObject
        const found = entries.map(
          ({ type, oid, nameBytes }) => `${type} ${oid} ${latin1(nameBytes)}`,
        )
        const expected = lines.map((line) => line.replace(/^\d+ (\w+ \w+) +\S+\t/, '$1 '))
        expect(found).toEqual(expected)
        compared += found.length
      }
    }
    expect(compared).toBeGreaterThan(1000)
  })
})

describe('A tag', () => {
  test('has its target, name, tagger and message', () => {
    const { target, targetType, name, tagger, message } = repo.read('v1.1') as TagObject
    expect([target, targetType, name]).toEqual([repo.resolve('main~1'), 'commit', 'v1.1'])
    expect(tagger?.name).toBe('C O Mitter')
    expect(message).toBe('Second version\n\nWith a body.\n')
    expect((repo.read('nested') as TagObject).targetType).toBe('tag')
    expect((repo.read('a-tree') as TagObject).targetType).toBe('tree')
    expect((repo.read('a-blob') as TagObject).target).toBe(repo.resolve('main:README.md'))
  })

  test('may lack its tagger, its message, or both', () => {
    expect(tag('tag-no-tagger').tagger).toBeNull()
    expect(tag('tag-no-tagger').message).toBe('As the oldest tags were\n')
    expect(tag('tag-no-blank-line').message).toBe('')
    expect(tag('tag-empty-message').message).toBe('')
    expect(tag('tag-signed').message).toContain('-----BEGIN PGP SIGNATURE-----\n\niQFake')
    expect(tag('tag-bytes').name).toBe('caf\ufffd')
    expect(latin1(tag('tag-bytes').messageBytes)).toBe('Bytes \xe9\0\xff\n')
  })
})

test('Commits and tags have the fields that `git cat-file -p` prints', () => {
  let compared = 0
  for (const of of fixtures) {
    using other = openSync(folderOf(of))
    for (const [spec, printed] of Object.entries(of.catFileP)) {
      const object = other.read(spec)
      if (object.type !== 'commit' && object.type !== 'tag') continue
      const text = Buffer.from(printed, 'base64').toString('latin1')
      const head = object.headers.map(({ key, value }) => {
        return value.length ? `${key} ${latin1(value).replaceAll('\n', '\n ')}` : key
      })
      const spaced = (line: string) => line.replace(/ $/, '')
      const end = text.indexOf('\n\n')
      const expected = (end < 0 ? text : text.slice(0, end)).split('\n').filter(Boolean)
      expect(head.join('\n').split('\n').map(spaced)).toEqual(expected.map(spaced))
      // git re-encodes a message that names its encoding.
      if (object.type === 'tag' || object.encoding === null) {
        expect(latin1(object.messageBytes)).toBe(end < 0 ? '' : text.slice(end + 2))
      }
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(100)
})

test('An object whose content does not fit its type is CORRUPT when its fields are accessed', async () => {
  const { store, oids } = looseObjects([
    ['commit', 'parent 1\n\nNo tree\n'],
    ['tag', 'type commit\n\nNo object\n'],
    ['tree', '100644 name\0too short'],
    ['tree', '10x644 name\0aaaaaaaaaaaaaaaaaaaa'],
  ])
  using odd = openSync(store)
  const [headless, pointless, short, modeless] = oids.map((oid) => odd.read(oid))
  expect(await codeOf(() => (headless as CommitObject).tree)).toBe('CORRUPT')
  expect((headless as CommitObject).message).toBe('No tree\n')
  expect(await codeOf(() => (pointless as TagObject).target)).toBe('CORRUPT')
  expect((pointless as TagObject).targetType).toBe('commit')
  expect(await codeOf(() => (short as TreeObject).entries)).toBe('CORRUPT')
  expect(await codeOf(() => (modeless as TreeObject).entries)).toBe('CORRUPT')
})
