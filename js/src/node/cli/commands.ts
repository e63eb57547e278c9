/** The commands that are loaded when one of them is run: all but those that end soon. */
import type { MaybePromise } from '../../base/maybe.js'
import type { CommandName } from './help/all.js'
import type { Run } from './opening/command.js'

/** What loads each command: parsing the code of all takes longer than most of them run. */
export const COMMANDS = {
  archive: () => import('./commands/archive.js').then(({ archive }) => archive),
  blame: () => import('./commands/blame.js').then(({ blame }) => blame),
  bundle: () => import('./commands/bundle.js').then(({ bundle }) => bundle),
  'check-attr': () => import('./commands/check-attr.js').then(({ checkAttr }) => checkAttr),
  'check-ignore': () => import('./commands/check-ignore.js').then(({ checkIgnore }) => checkIgnore),
  'check-ref-format': () =>
    import('./commands/check-ref-format.js').then(({ checkRefFormat }) => checkRefFormat),
  completion: () => import('./commands/completion.js').then(({ completion }) => completion),
  config: () => import('./commands/config.js').then(({ config }) => config),
  'count-objects': () =>
    import('./commands/count-objects.js').then(({ countObjects }) => countObjects),
  describe: () => import('./commands/describe.js').then(({ describe }) => describe),
  diff: () => import('./commands/diff.js').then(({ diff }) => diff),
  'diff-tree': () => import('./commands/diff-tree.js').then(({ diffTree }) => diffTree),
  'for-each-ref': () => import('./commands/for-each-ref.js').then(({ forEachRef }) => forEachRef),
  fsck: () => import('./commands/fsck.js').then(({ fsck }) => fsck),
  grep: () => import('./commands/grep.js').then(({ grep }) => grep),
  'index-pack': () => import('./commands/index-pack.js').then(({ indexPack }) => indexPack),
  'last-modified': () =>
    import('./commands/last-modified.js').then(({ lastModified }) => lastModified),
  log: () => import('./commands/log.js').then(({ log }) => log),
  'ls-files': () => import('./commands/ls-files.js').then(({ lsFiles }) => lsFiles),
  'merge-base': () => import('./commands/merge-base.js').then(({ mergeBase }) => mergeBase),
  'name-rev': () => import('./commands/name-rev.js').then(({ nameRev }) => nameRev),
  reflog: () => import('./commands/reflog.js').then(({ reflog }) => reflog),
  'rev-list': () => import('./commands/rev-list.js').then(({ revList }) => revList),
  serve: () => import('./commands/serve.js').then(({ serve }) => serve),
  shortlog: () => import('./commands/shortlog.js').then(({ shortlog }) => shortlog),
  show: () => import('./commands/show.js').then(({ show }) => show),
  'show-index': () => import('./commands/show-index.js').then(({ showIndex }) => showIndex),
  'show-ref': () => import('./commands/show-ref.js').then(({ showRef }) => showRef),
  status: () => import('./commands/status.js').then(({ status }) => status),
  'symbolic-ref': () => import('./commands/symbolic-ref.js').then(({ symbolicRef }) => symbolicRef),
  'verify-pack': () => import('./commands/verify-pack.js').then(({ verifyPack }) => verifyPack),
} as const satisfies Readonly<Record<Exclude<CommandName, ShortName>, () => Promise<Run>>>

/** The commands that are loaded with the program: `main.ts`. */
export type ShortName = 'cat-file' | 'ls-tree' | 'rev-parse'

export type Commands = Readonly<Record<keyof typeof COMMANDS, () => MaybePromise<Run>>>
