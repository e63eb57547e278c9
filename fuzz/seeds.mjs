#!/usr/bin/env node
// Writes the seeds of the corpus from the fixtures: what git wrote, behind the bytes by
// which a law chooses. Run `npm test fixtures` first. Findings stay as they are.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'

const own = path.dirname(fileURLToPath(import.meta.url))
const fixtures = path.join(own, '..', 'target', 'fixtures')

const read = (...names) => readFileSync(path.join(fixtures, ...names))

/** Returns the files below a folder that end so, in the order of their paths. */
function files(folder, ending = '') {
  const all = readdirSync(path.join(fixtures, folder), { recursive: true, withFileTypes: true })
  const paths = all.filter((entry) => entry.isFile() && entry.name.endsWith(ending))
  return paths.map((entry) => path.join(entry.parentPath, entry.name)).sort()
}

/** Returns some bytes with one changed, in the last third. */
function changed(content) {
  const other = Buffer.from(content)
  other[Math.floor(content.length * 0.7)] ^= 1
  return other
}

const seeds = new Map()
function seed(target, control, content = '') {
  const list = seeds.get(target) ?? []
  seeds.set(target, list)
  list.push(Buffer.concat([Buffer.from(control), Buffer.from(content)]))
}

const hashes = ['sha1', 'sha256']
for (const [hash, format] of hashes.entries()) {
  const of = (kind, ending) => files(path.join('fuzz', format, 'kinds', kind), ending)
  const graphs = (kind) => files(path.join('fuzz', format, 'graphs', kind))
  // Those of the longer hash are no other: some will do.
  const sealed = hash === 0 ? [0, 1] : [1]

  const sets = ['midx-2', 'midx-1', 'chain', 'chain', 'chain', 'midx-bitmap']
  const places = [0, 0, 0, 1, 2, 0]
  for (const [kind, name] of sets.entries()) {
    const found = of(name).filter((file) => !file.endsWith('.bitmap'))
    const content = readFileSync(found[places[kind]])
    for (const seals of sealed) seed('multi_pack_index', [hash, kind, seals, kind % 2], content)
    if (hash === 0) seed('multi_pack_index', [hash, kind, 0, 0], changed(content))
  }
  for (const [nth, file] of of('reverse').entries()) {
    for (const seals of sealed) seed('reverse', [hash, nth, seals, nth], readFileSync(file))
  }
  const bitmaps = ['bitmap', 'midx-bitmap', 'bitmap-pseudo', 'midx-bitmap-pseudo', 'chain-bitmap', 'chain-bitmap']
  for (const [kind, name] of bitmaps.entries()) {
    const content = readFileSync(of(name, '.bitmap')[kind === 5 ? 1 : 0])
    for (const seals of sealed) seed('bitmap', [hash, kind, seals, kind % 2], content)
    if (hash === 0) seed('bitmap', [hash, kind, 0, 0], changed(content))
  }
  const graphFiles = [graphs('dates')[0], graphs('levels')[0], ...graphs('chain')]
  for (const [kind, file] of graphFiles.entries()) {
    const content = readFileSync(file)
    for (const seals of sealed) {
      seed('commit_graph', [hash, kind % 4, kind, kind, seals], content)
      if (hash === 0) seed('commit_graph', [hash, 0, 0, kind, 0], changed(content))
      if (kind < 2) seed('changed_paths', [hash, kind, kind, seals], content)
    }
  }
}

// Packs: their entries, whole ones without their checksum, and some made entry by entry.
for (const [hash, name] of ['tiny', 'tiny-sha256'].entries()) {
  const pack = readFileSync(files(`${name}/objects/pack`, '.pack')[0])
  const checksum = hash === 0 ? 20 : 32
  seed('index_pack', [hash, hash], pack.subarray(11, -checksum))
  seed('pack_entry', [hash, hash, 12], pack.subarray(0, 80))
}
for (const [hash, name] of ['ref-delta', 'fuzz/sha256'].entries()) {
  const pack = readFileSync(files(`${name}/objects/pack`, '.pack')[0])
  if (pack.length < 4000) seed('index_pack', [hash, 0], pack.subarray(11, hash === 0 ? -20 : -32))
}
seed('pack_entry', [0, 0, 200], Buffer.concat([Buffer.alloc(200), Buffer.from([0xe5, 0x81, 0x10, 9])]))
seed('pack_entry', [1, 1, 1], Buffer.alloc(50, 0xf4))
seed('pack_entry', [0, 2, 0], Buffer.alloc(30, 0xbf))
const copy = [0x91, 2, 4, 3, 0x78, 0x79, 0x7a]
seed('delta', [0, 8], Buffer.concat([Buffer.from('baseline'), Buffer.from([8, 7, ...copy])]))
seed('delta', [0xff, 30], Buffer.concat([Buffer.alloc(30, 'far'), Buffer.from([0x90, 0xbf, 5, 0x80, 0x80, 4, 0x80])]))
const sized = (choice, bytes) => [choice, bytes.length, ...Buffer.from(bytes)]
const entries = [
  ...sized(0, 'baseline'),
  ...sized(1, [8, 7, ...copy]),
  ...sized(3, [8, 4, 0x90, 4]),
  ...sized(2 + (1 << 2), [7, 2, 0x91, 1, 2]),
]
seed('made_pack', [0], Buffer.from(entries))
seed('made_pack', [1], Buffer.from([...entries, ...sized(3 + (2 << 2), [4, 1, 1, 0x41]), ...entries]))
seed('inflate', [13, 0], 'some text, and some text again')
seed('inflate', [0x83, 1], 'many times the same, fifty')
seed('inflate', [0, 2], deflateSync('whole as it is', { level: 9 }))
seed('inflate', [0, 1], deflateSync('stored', { level: 0 }))

// Indexes as git wrote them, and rows to make others of.
for (const [hash, name] of ['tiny', 'tiny-sha256', 'tiny-v1'].entries()) {
  const content = readFileSync(files(`${name}/objects/pack`, '.idx')[0])
  seed('index', [hash % 2, hash, 0], content)
}
for (const version of [0, 1]) {
  const rows = [1, 0, 0, 1, 9, 5, 2, 0, 0, 2, 9, 6, 7, 0xff, 1, 2, 3, 7, 0x41, 0xff, 1, 2, 4, 8, 4, 9, 9, 9, 9, 9]
  seed('index', [version, version, 1, version], Buffer.from(rows))
}

// Objects, loose ones as they are in files.
const commit = `tree ${'1'.repeat(40)}\nparent ${'2'.repeat(40)}\nparent ${'3'.repeat(40)}
author A U Thor <author@example.com> 1112912053 +0200
committer C <c@e> 99999999999999999999 -1234567\nencoding UTF-8\ngpgsig -----BEGIN\n \n lines
mergetag object\n\nMessage\n`
seed('commit', [0], commit)
seed('commit', [1], commit.replaceAll(/([123])\1{39}/g, (id) => id[0].repeat(64)))
seed('commit', [0], `tree ${'1'.repeat(40)}\nauthor\n\n`)
seed('tag', [0], `object ${'1'.repeat(40)}\ntype commit\ntag v1\ntagger T <t@e> 1 +0000\n\nA tag\n`)
seed('tag', [0], `object ${'1'.repeat(40)} more\ntype commit\ntag v1\n`)
seed('tag', [1], `object ${'1'.repeat(64)}\ntype tag\ntag \n`)
const entry = (mode, name, length) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.alloc(length, 7)])
seed('tree', [0], Buffer.concat([entry('100644', 'a', 20), entry('40000', 'b', 20), entry('040000', 'c', 20)]))
seed('tree', [1], Buffer.concat([entry('160000', 'a', 32), entry('0', 'b', 32)]))
seed('loose', [0, 1, 1], 'blob 4\0text')
seed('loose', [1, 0, 1], `tag 40\0${'x'.repeat(40)}`)
seed('loose', [0, 2, 0], deflateSync('tree 0\0'))

// Refs.
const line = (digit, name) => `${digit.repeat(40)} ${name}\n`
const packed = [line('1', 'refs/heads/a'), line('2', 'refs/heads/b'), line('3', 'refs/tags/v1'), `^${'4'.repeat(40)}\n`, line('5', 'refs/tags/v2')].join('')
seed('packed_refs', [0, 0], `# pack-refs with: peeled fully-peeled sorted \n${packed}`)
seed('packed_refs', [0, 1], `# pack-refs with: peeled \n${line('6', 'refs/x')}${packed}`)
seed('packed_refs', [0, 2], packed)
seed('packed_refs', [0, 1], packed.replaceAll(' refs', '\trefs').replace(/\^(4+)/, '$1\trefs/tags/v1^{}'))
const three = (...texts) => Buffer.concat(texts.map((text) => Buffer.from(sized(text.length, text).slice(1))))
seed('loose_refs', [0, 0], three('ref: refs/heads/a\n', 'ref:refs/heads/b', `${'a'.repeat(40)}\n`))
seed('loose_refs', [1, 1], three('ref: refs/heads/a', 'ref: HEAD', `${'0'.repeat(64)} behind`))
for (const name of ['refs/heads/main', 'HEAD', '@', 'a..b', 'a/b.lock/c', 'refs/*/x', 'a@{b', '/x//y.', '-x']) {
  seed('refname', [name.length % 2, 1], name)
}
seed('available', [5, 1, 4, 0x11, 0x42, 0x80, 0xc6, 1, 0x11, 2, 0x40, 0x83, 6, 0x10, 0x41, 0x95, 0xff, 0, 2])
seed('available', [7, 2, 3, 1, 2, 0x41, 0, 1, 0x81, 4, 1, 0x41, 0x81, 2])
const logged = (old, now, rest) => `${old.repeat(40)} ${now.repeat(40)} ${rest}\n`
const log = logged('0', '1', 'A <a> 1112912053 +0200\tfirst') + logged('1', '2', 'B <b@c> 5 -0000') + logged('2', '3', 'C <> 0 +0000\tnone')
seed('reflog', [0, 0, 0], log)
seed('reflog', [0, 2, 0xff], `${log}cut`)

// Reftables.
const tables = ['jgit-small', 'jgit-one-level', 'git-stack-sha1', 'git-stack-sha256', 'jgit-logs']
for (const [at, name] of tables.entries()) {
  const [first, second] = files(`reftables/${name}`, '.ref')
  const file = name.startsWith('git') ? second : first
  const content = readFileSync(file)
  if (content.length < 4000) for (const seals of [0, 1]) seed('reftable', [name.endsWith('256') ? 1 : 0, at, seals], content)
}
const refs = Buffer.from(Array.from({ length: 600 }, (_, at) => 97 + ((at * at * 7 + (at >> 3)) % 26)))
for (const at of [0, 1, 2, 3]) seed('reftable_write', [at % 2, at, at, 50, at, at, at], refs.subarray(at * 40))

// Texts.
for (const [at, name] of ['whole-v2', 'whole-v3', 'thin', 'filtered', 'sha256'].entries()) {
  const content = read('bundles', `${name}.bundle`)
  seed('bundle', [at % 4], content.subarray(0, content.indexOf('PACK') + 8))
}
seed('config', [0], '[core] bare\n[Core "a.b"]\n\tk = one two # no\n b="x ; y" z\\\n more\n[a.B] c\n[extensions]\r\n\tobjectFormat = sha256\r\n')
seed('config', [1], Buffer.from([...[0x28, 1, 3, 0x61, 0x20, 0x62], ...[0x6c, 0x22, 0x5c, 0x61, 0, 4, 0x20, 9, 0x22, 0x5c], ...[0x50, 2, 0]]))
seed('config', [0], '[submodule "a"]\n\tpath = a\n\turl = ../a\n[submodule "b"] path = a\n branch = .\n')
seed('revision', [0, 0, 0], Buffer.from([0, 7, 17, 9, 19, 20]))
seed('revision', [1, 1, 0], Buffer.from([28, 3, 5, 6, 18]))
seed('revision', [0, 2, 1], 'v1-again^{commit}~2:folder/1')
for (const [pattern, text] of [['refs/*/a', 'refs/x/a'], ['**/f[a-c]o', 'a/b/fbo'], ['a/**/b', 'a/b'], ['[[:alpha:]!]?\\*', 'xy*'], ['[^]-a]', 'B']]) {
  seed('wildmatch', [pattern.length % 2], Buffer.from([...sized(pattern.length, pattern).slice(1), ...Buffer.from(text)]))
}
seed('grafts', [0, 0, 0], Buffer.from([0x81, 32, 0x83, 32, 0x84, 10, 35, 10, 0x82, 10]))
seed('grafts', [1, 1, 1], Buffer.from([0x82, 10, 0x83, 10]))
seed('alternates', [0, 0, 1], '# none\n../../base.git/objects\n/srv/./x/../objects/\n"/q\\"\\101\\n"\n"open\n')
seed('alternates', [1, 1, 0], Buffer.from([0, 5, 46, 46, 47, 97, 58, 1, 4, 47, 34, 200, 98, 0, 3, 34, 35, 97]))


// Index files as git wrote them, and one to be made; objects that are nearly right.
for (const [at, name] of ['v2', 'v3', 'v4', 'cached-trees', 'stages', 'bad-order', 'v4sha256'].entries()) {
  const content = read('index-files', name, 'index')
  const hash = name.endsWith('256') ? 1 : 0
  if (content.length < 2000) for (const seals of [1, 2]) seed('index_file', [hash, at % 6, seals], content)
}
// Entries of each mode, some with extended flags or stages; trees; what was undone.
const ofIndex = [
  ...[0, 1, 1, 1, 65, 0],
  ...[9, 2, 0, 0, 0],
  ...[2, 3, 2, 1, 66, 0],
  ...[3, 0, 4, 0, 0],
  ...[0x10, 4, 3, 0, 0],
  ...[0x28, 5, 3, 0, 0],
  ...[4, 6, 2, 2, 67, 68, 255],
  ...[5, 1, 6, 2, 7, 7, 15, 8],
]
for (const version of [0, 1, 2]) {
  seed('index_file', [version % 2, version, (version << 2) + 0x40], Buffer.from(ofIndex))
}
const entriesOfTree = [0, 1, 1, 0, 1, 3, 1, 1, 5, 1, 1, 1, 2, 8, 2, 1, 13, 0, 5, 3, 33, 7, 0, 12]
// A directory of a name that a file has, with others between them.
seed('checks', [0, 0, 1, 1], Buffer.from([0, 1, 0, 0, 1, 4, 0, 1, 3, 1, 1, 0]))
for (const sorts of [0, 1]) seed('checks', [0, sorts, sorts + 1, sorts], Buffer.from(entriesOfTree))
for (const kind of [1, 2]) {
  seed('checks', [kind, 0, kind, 0], Buffer.from([0, 80, 0x10, 0, 90, 0xd0, 60]))
  seed('checks', [kind, 1, kind, 2], Buffer.from([0, 130, 0x60, 3, 0, 100, 5, 0, 60, 0x9f]))
  const whole = kind === 1 ? [0, 255, 8, 1, 255, 8, 2, 10, 11, 12, 13, 15, 8, 3, 10, 11, 12, 13, 15, 9] : [4, 255, 8, 5, 17, 8, 6, 18, 8, 7, 10, 11, 12, 13, 16, 8, 24, 9]
  seed('checks', [kind, 0, kind, 3], Buffer.from(whole))
}
seed('checks', [3], Buffer.from([2, 3, 2, 0, 1, 1, 4, 1, 5, 3, 1, 2, 3, 0]))
const thinEntries = [...sized(0, 'more'), ...sized(6, 'text'), ...sized(3, '!'), ...sized(2, '?'), ...sized(0x80, [8, 7])]
const withPlace = (entries) => {
  const out = []
  for (let at = 0; at < entries.length; at += 2 + entries[at + 1]) out.push(entries[at], at, ...entries.slice(at + 1, at + 2 + entries[at + 1]))
  return out
}
seed('thin', [0, 1], Buffer.from(withPlace(thinEntries.slice(0, -4))))
seed('thin', [1, 1], Buffer.from(withPlace(thinEntries)))
seed('thin', [4, 2], Buffer.from(withPlace([...sized(5, ''), ...sized(5, 'x'), ...sized(5, 'xyz'), ...sized(7, 'a blob')])))
for (const folder of ['thin', 'tiny/objects/pack']) {
  const pack = readFileSync(files(folder, '.pack').find((file) => !file.includes('fixed')))
  if (pack.length < 2500) seed('thin', [1, 0], pack)
}

// Logs, dates, and expressions.
seed('logged', [0, 1, 0], Buffer.from([2, 1, 3, 0, 2, 4, 1, 3, 4, 0x32, 5, 2, 0x8c, 9, 1, 65, 66, 10, 67, 68, 69, 70, 71, 72, 3, 1, 9]))
seed('logged', [1, 0, 0], Buffer.from([0, 1, 1, 0x30, 2, 2, 0x40, 3, 15, 1, 4, 3]))
seed('logged', [0, 0, 1], Buffer.from([35, 3, 6, 22, 13, 13, 1, 0x8a, 3, 0x39]))
seed('logged', [0, 0, 1], Buffer.from([30, 1, 28, 23, 59, 60, 0x44, 0x11, 9, 0x2b]))
for (const bytes of [[4, 0, 0, 8, 1, 24, 2, 3, 5, 0, 3, 7, 6, 1, 0, 2, 0, 0, 1, 2, 0, 1, 5], [2, 6, 2, 0x23, 6, 5, 2, 3, 1, 13, 1, 0, 5, 6, 7, 8, 9], [3, 6, 1, 16, 0, 3, 1, 8, 1, 3, 3, 5, 7, 1, 4, 4, 0]]) {
  seed('regex', [0], Buffer.from(bytes))
}
for (const pattern of ['(a|b)*c{2,3}[[:alpha:]]', '(((a){9}){9}){9}', 'a**+?{1}', '[^]a-c]\\b|()']) {
  seed('regex', [1], Buffer.from([...sized(0, pattern).slice(1), ...Buffer.from('abcc, a b')]))
}

// Elements of pathspecs, and a path.
for (const [text, ...elements] of [
  ['doc/readme.TXT', 'doc/*.md', ':(icase)DOC/*.txt', ':!*.png'],
  ['a/b/c', ':(glob)a/**/c', ':(exclude,literal)a/*'],
  ['src/x.c', ':(prefix:4,icase)src/X.*'],
  ['foo/bar', ':/foo/', '.', ':(attr:x)y'],
  ['a[b/c', 'a[b', ':^:a/../a\\b'],
]) {
  const all = elements.flatMap((element) => [...sized(0, element).slice(1)])
  seed('pathspec', [elements.length], Buffer.from([...all, ...Buffer.from(text)]))
}

for (const { files, info } of JSON.parse(readFileSync(path.join(own, '..', 'tests', 'fixtures', 'attributes.json'), 'utf8')).trees.slice(0, 8)) {
  const text = [...Object.values(files), info].join('\n')
  seed('attributes', [1, 3, 97, 47, 98, 0], Buffer.from(text, 'latin1'))
}

for (const { files, paths } of JSON.parse(readFileSync(path.join(own, '..', 'tests', 'fixtures', 'ignores.json'), 'utf8')).trees.slice(0, 10)) {
  const [name] = Object.keys(paths)
  const all = Buffer.from(name.replace(/\/$/, ''), 'latin1')
  seed('ignored_paths', [all.length, ...all, name.endsWith('/') ? 1 : 0], Buffer.from(Object.values(files).join('\n'), 'latin1'))
}

// Pairs of texts, of which the last control byte says where the second one begins.
const texts = JSON.parse(readFileSync(path.join(own, '..', 'tests', 'fixtures', 'text-diffs.json'), 'utf8')).texts
for (const [at, { before, after }] of texts.entries()) {
  const content = Buffer.from(before + after, 'latin1')
  const share = Math.ceil((before.length * 256) / content.length)
  if (at % 16 !== 0 || content.length < 40 || content.length > 600 || share > 255) continue
  seed('text_diff', [at % 5, at % 3, at % 2, at % 4, at % 7, share], content)
}

// Split indexes, with entries that are added, replaced and deleted.
for (const version of [0, 1, 2]) {
  seed('index_file', [version % 2, version, (version << 2) + 0xc0], Buffer.from([...ofIndex, ...ofIndex]))
}
for (const [target, list] of seeds) {
  const folder = path.join(own, 'corpus', target)
  mkdirSync(folder, { recursive: true })
  const old = readdirSync(folder).filter((name) => name.startsWith('seed-'))
  for (const name of old) rmSync(path.join(folder, name))
  for (const [at, content] of list.entries()) {
    writeFileSync(path.join(folder, `seed-${String(at).padStart(2, '0')}`), content)
  }
}
