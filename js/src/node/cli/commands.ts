/** The commands that are loaded when one of them is run: all but those that end soon. */
import { archive } from './archive.js'
import { blame } from './blame.js'
import { bundle } from './bundle.js'
import { checkAttr } from './check-attr.js'
import { checkIgnore } from './check-ignore.js'
import { checkRefFormat } from './check-ref-format.js'
import type { Run } from './command.js'
import { completion } from './completion.js'
import { config } from './config.js'
import { countObjects } from './count-objects.js'
import { describe } from './describe.js'
import { diff } from './diff.js'
import { diffTree } from './diff-tree.js'
import { forEachRef } from './for-each-ref.js'
import { fsck } from './fsck.js'
import { grep } from './grep.js'
import type { CommandName } from './help/all.js'
import { indexPack } from './index-pack.js'
import { lastModified } from './last-modified.js'
import { log } from './log.js'
import { lsFiles } from './ls-files.js'
import { mergeBase } from './merge-base.js'
import { nameRev } from './name-rev.js'
import { reflog } from './reflog.js'
import { revList } from './rev-list.js'
import { serve } from './serve.js'
import { shortlog } from './shortlog.js'
import { show } from './show.js'
import { showIndex } from './show-index.js'
import { showRef } from './show-ref.js'
import { status } from './status.js'
import { symbolicRef } from './symbolic-ref.js'
import { verifyPack } from './verify-pack.js'

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
