/** The commands that are loaded when one of them is run: all but those that end soon. */
import { archive } from './commands/archive.js'
import { blame } from './commands/blame.js'
import { bundle } from './commands/bundle.js'
import { checkAttr } from './commands/check-attr.js'
import { checkIgnore } from './commands/check-ignore.js'
import { checkRefFormat } from './commands/check-ref-format.js'
import { completion } from './commands/completion.js'
import { config } from './commands/config.js'
import { countObjects } from './commands/count-objects.js'
import { describe } from './commands/describe.js'
import { diff } from './commands/diff.js'
import { diffTree } from './commands/diff-tree.js'
import { forEachRef } from './commands/for-each-ref.js'
import { fsck } from './commands/fsck.js'
import { grep } from './commands/grep.js'
import { indexPack } from './commands/index-pack.js'
import { lastModified } from './commands/last-modified.js'
import { log } from './commands/log.js'
import { lsFiles } from './commands/ls-files.js'
import { mergeBase } from './commands/merge-base.js'
import { nameRev } from './commands/name-rev.js'
import { reflog } from './commands/reflog.js'
import { revList } from './commands/rev-list.js'
import { serve } from './commands/serve.js'
import { shortlog } from './commands/shortlog.js'
import { show } from './commands/show.js'
import { showIndex } from './commands/show-index.js'
import { showRef } from './commands/show-ref.js'
import { status } from './commands/status.js'
import { symbolicRef } from './commands/symbolic-ref.js'
import { verifyPack } from './commands/verify-pack.js'
import type { CommandName } from './help/all.js'
import type { Run } from './opening/command.js'

export const COMMANDS = {
  archive,
  blame,
  bundle,
  'check-attr': checkAttr,
  'check-ignore': checkIgnore,
  'check-ref-format': checkRefFormat,
  completion,
  config,
  'count-objects': countObjects,
  describe,
  diff,
  'diff-tree': diffTree,
  'for-each-ref': forEachRef,
  fsck,
  grep,
  'index-pack': indexPack,
  'last-modified': lastModified,
  log,
  'ls-files': lsFiles,
  'merge-base': mergeBase,
  'name-rev': nameRev,
  reflog,
  'rev-list': revList,
  serve,
  shortlog,
  show,
  'show-index': showIndex,
  'show-ref': showRef,
  status,
  'symbolic-ref': symbolicRef,
  'verify-pack': verifyPack,
} as const satisfies Readonly<Record<Exclude<CommandName, ShortName>, Run>>

/** The commands that are loaded with the program: `main.ts`. */
export type ShortName = 'cat-file' | 'ls-tree' | 'rev-parse'

export type Commands = Readonly<Record<keyof typeof COMMANDS, Run>>
