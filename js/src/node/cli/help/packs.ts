/** Descriptions of the commands about packs and what is stored. */
import type { Description } from './description.js'

const bundle = {
  about: 'show the refs of a bundle, or verify it',
  usages: ['verify [-q | --quiet] <file>', 'list-heads <file> [<refname>...]'],
  groups: [{ options: [['-q, --[no-]quiet', 'do not show what a verified bundle has']] }],
  words: ['verify', 'list-heads'],
} as const satisfies Description

const countObjects = {
  about: 'count objects and the disk space they take',
  usages: ['[-v] [-H | --human-readable]'],
  groups: [
    {
      options: [
        ['-v, --[no-]verbose', 'also count packs, alternates and garbage'],
        ['-H, --[no-]human-readable', 'print sizes in human readable format'],
      ],
    },
  ],
} as const satisfies Description

const fsck = {
  about: 'check the objects and their connectivity',
  usages: [
    '[--tags] [--root] [--unreachable] [--cache] [--no-reflogs] [--[no-]full] [--strict] [--[no-]dangling] [--[no-]progress] [--connectivity-only] [--[no-]name-objects] [--no-references] [<object>...]',
  ],
  groups: [
    {
      options: [
        ['--[no-]unreachable', 'show unreachable objects'],
        ['--[no-]dangling', 'show dangling objects'],
        ['--[no-]tags', 'report tags'],
        ['--[no-]root', 'report root nodes'],
        ['--[no-]cache', 'make index objects head nodes'],
        ['--[no-]reflogs', 'make reflogs head nodes (default)'],
        ['--[no-]full', 'also consider packs and alternate objects'],
        ['--[no-]connectivity-only', 'check only connectivity'],
        ['--[no-]strict', 'enable more strict checking'],
        ['--[no-]references', 'check the files of refs (default)'],
        ['--[no-]progress', 'accepted: no progress is printed'],
        ['--[no-]name-objects', 'show verbose names for reachable objects'],
      ],
    },
  ],
  operands: 'revisions',
} as const satisfies Description

const indexPack = {
  about: 'make the index of a pack',
  usages: [
    '[-o <index-file>] [--[no-]rev-index] [--verify] [--keep[=<msg>]] [--threads=<n>] [--object-format=<hash>] [--strict[=<msg-id>=<severity>...]] [--fsck-objects[=<msg-id>=<severity>...]] <pack-file>',
    '--stdin [--fix-thin] [--keep[=<msg>]] [--promisor[=<msg>]] [--[no-]rev-index] [--max-input-size=<n>] [--threads=<n>] [--strict[=<msg-id>=<severity>...]] [--fsck-objects[=<msg-id>=<severity>...]] [-o <index-file>] [<pack-file>]',
  ],
  groups: [
    {
      options: [
        ['-o <file>', 'write the index to this file'],
        ['--[no-]rev-index', 'write a reverse index, too (default)'],
        ['--verify', 'check the pack and its index, and write nothing'],
        ['--stdin', 'read the pack from standard input'],
        ['--fix-thin', 'add the bases that a pack from standard input lacks'],
        ['--keep[=<message>]', 'write a .keep file with this message'],
        ['--promisor[=<message>]', 'write a .promisor file with this message'],
        ['--max-input-size=<n>', 'refuse a pack that is larger than <n> bytes'],
        ['--threads=<n>', 'how many threads read the pack; default as many as are worth it'],
        ['--object-format=<hash>', 'the hash function of ids: sha1 or sha256'],
        ['--strict[=<list>]', 'check the objects, and that those they link to exist'],
        ['--fsck-objects[=<list>]', 'check the objects; <list> are <msg-id>=<severity>'],
        ['-v', 'accepted: no progress is printed'],
      ],
    },
    {
      title: 'Only in packlens',
      options: [
        [
          '--collisions=<what>',
          'whether to look for collisions of SHA-1, as git does: detect (default) or trust',
        ],
      ],
    },
  ],
} as const satisfies Description

const showIndex = {
  about: 'list the entries of a pack index',
  usages: ['[--object-format=<hash-algorithm>] < <pack>.idx'],
  groups: [{ options: [['--object-format <hash>', 'the hash function of ids: sha1 or sha256']] }],
} as const satisfies Description

const verifyPack = {
  about: 'check packs against their indexes',
  usages: ['[-v | --verbose] [-s | --stat-only] [--object-format=<hash>] [--] <pack>.idx...'],
  groups: [
    {
      options: [
        ['-v, --[no-]verbose', 'list the objects, too'],
        ['-s, --[no-]stat-only', 'print the lengths of delta chains only'],
        ['--object-format <hash>', 'the hash function of ids: sha1 or sha256'],
      ],
    },
    {
      title: 'Only in packlens',
      options: [['--threads <n>', 'how many threads read a pack; default as many as are worth it']],
    },
  ],
} as const satisfies Description

export const PACKS = {
  bundle,
  'count-objects': countObjects,
  fsck,
  'index-pack': indexPack,
  'show-index': showIndex,
  'verify-pack': verifyPack,
}
