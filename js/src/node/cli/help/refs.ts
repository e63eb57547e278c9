/** Descriptions of the commands about refs, and about commits named after them. */
import type { Description } from './description.js'

const checkRefFormat = {
  about: 'check whether a refname is well formed',
  usages: ['[--normalize] [<options>] <refname>', '--branch <branchname-shorthand>'],
  groups: [
    {
      options: [
        ['--normalize, --print', 'print the name without needless slashes'],
        ['--[no-]allow-onelevel', 'the name may have no slash'],
        ['--refspec-pattern', 'the name may have one *'],
        ['--branch <name>', 'check the name of a branch, or print the one of @{-<n>}'],
      ],
    },
  ],
  operands: 'refs',
} as const satisfies Description

const describe = {
  about: 'name commits after the most recent tags that they reach',
  usages: ['[--all] [--tags] [--abbrev=<n>] [<commit-ish>...]'],
  groups: [
    {
      options: [
        ['--[no-]contains', 'find the tag that comes after the commit'],
        ['--[no-]all', 'use any ref'],
        ['--[no-]tags', 'use any tag, even unannotated'],
        ['--[no-]long', 'always use long format'],
        ['--[no-]first-parent', 'only follow first parent'],
        ['--[no-]abbrev[=<n>]', 'use <n> digits to display object names'],
        ['--[no-]exact-match', 'only output exact matches'],
        ['--[no-]candidates <n>', 'consider <n> most recent tags (default: 10)'],
        ['--[no-]match <pattern>', 'only consider tags matching <pattern>'],
        ['--[no-]exclude <pattern>', 'do not consider tags matching <pattern>'],
        ['--[no-]always', 'show abbreviated commit object as fallback'],
      ],
    },
  ],
  operands: 'revisions',
} as const satisfies Description

const forEachRef = {
  about: 'list refs in any order and format',
  usages: [
    '[<options>] [<pattern>...]',
    '[--points-at <object>]',
    '[--merged <commit>] [--no-merged <commit>]',
    '[--contains <commit>] [--no-contains <commit>]',
  ],
  groups: [
    {
      options: [
        ['-s, --[no-]shell', 'quote placeholders suitably for shells'],
        ['-p, --[no-]perl', 'quote placeholders suitably for perl'],
        ['--[no-]python', 'quote placeholders suitably for python'],
        ['--[no-]tcl', 'quote placeholders suitably for Tcl'],
      ],
    },
    {
      options: [
        ['--count <n>', 'show only <n> matched refs'],
        ['--format <format>', 'format to use for the output'],
        ['--[no-]sort <key>', 'field name to sort on'],
        ['--points-at <object>', 'print only refs that point at the object'],
        ['--merged <commit>', 'print only refs that are merged'],
        ['--no-merged <commit>', 'print only refs that are not merged'],
        ['--contains <commit>', 'print only refs which contain the commit'],
        ['--no-contains <commit>', "print only refs which don't contain the commit"],
        ['--[no-]ignore-case', 'sorting and filtering are case insensitive'],
        ['--[no-]exclude <pattern>', 'do not print matching refs'],
        ['--[no-]omit-empty', 'do not print empty lines'],
        ['--[no-]stdin', 'read patterns from standard input'],
        ['--[no-]start-after <ref>', 'print only refs after this one'],
        ['--[no-]include-root-refs', 'also print HEAD ref and pseudorefs'],
        ['--[no-]color[=<when>]', 'respect format colors'],
      ],
    },
  ],
  operands: 'refs',
} as const satisfies Description

const nameRev = {
  about: 'name commits after refs that reach them',
  usages: ['[<options>] <commit>...', '[<options>] --all', '[<options>] --annotate-stdin'],
  groups: [
    {
      options: [
        ['--[no-]name-only', 'print only names, not what they are of'],
        ['--[no-]tags', 'use only tags'],
        ['--[no-]refs <pattern>', 'use only refs that match <pattern>'],
        ['--[no-]exclude <pattern>', 'do not use refs that match <pattern>'],
        ['--[no-]all', 'list all commits that refs reach'],
        ['--[no-]annotate-stdin', 'copy standard input, with the names of the ids in it'],
        ['--[no-]stdin', 'the same, by its former name'],
        ['--[no-]undefined', "print 'undefined' for commits without a name (default)"],
        ['--[no-]always', 'with --no-undefined, print their ids instead'],
      ],
    },
  ],
  operands: 'revisions',
} as const satisfies Description

const reflog = {
  about: 'show how refs changed',
  usages: ['[show] [<options>] [<ref>...]', 'exists <ref>'],
  groups: [
    {
      options: [
        ['-n <n>, --max-count=<n>', 'show <n> changes'],
        ['--skip=<n>', 'do not show the first <n>'],
        ['--all', 'the reflogs of all refs, by their dates'],
        ['--date=<style>', 'when each change was made, not which one it was'],
        ['--abbrev[=<n>]', 'print <n> digits of ids'],
        ['--no-abbrev, --no-abbrev-commit', 'print all digits of ids'],
        ['--abbrev-commit', 'print as few digits as are unique (default)'],
      ],
    },
  ],
  words: ['show', 'exists'],
  operands: 'revisions',
} as const satisfies Description

const showRef = {
  about: 'list refs and their object ids',
  usages: [
    '[--head] [-d | --dereference] [-s | --hash[=<n>]] [--abbrev[=<n>]] [--branches] [--tags] [--] [<pattern>...]',
    '--verify [-q | --quiet] [-d | --dereference] [-s | --hash[=<n>]] [--abbrev[=<n>]] [--] [<ref>...]',
    '--exists <ref>',
  ],
  groups: [
    {
      options: [
        ['--[no-]tags', 'only show tags (can be combined with --branches)'],
        ['--[no-]branches, --[no-]heads', 'only show branches (can be combined with --tags)'],
        ['--[no-]exists', 'check for reference existence without resolving'],
        ['--[no-]verify', 'stricter reference checking, requires exact ref path'],
        ['--[no-]head', 'show the HEAD reference, even if it would be filtered out'],
        ['-d, --[no-]dereference', 'dereference tags into object IDs'],
        ['-s, --hash[=<n>]', 'only show SHA1 hash using <n> digits'],
        ['--[no-]abbrev[=<n>]', 'use <n> digits to display object names'],
        ['-q, --[no-]quiet', 'do not print results to stdout (useful with --verify)'],
      ],
    },
  ],
  operands: 'refs',
} as const satisfies Description

const symbolicRef = {
  about: 'print the target of a symbolic ref',
  usages: ['[-q] [--short] [--no-recurse] <name>'],
  groups: [
    {
      options: [
        ['-q, --[no-]quiet', 'suppress error message for non-symbolic (detached) refs'],
        ['--[no-]short', 'shorten ref output'],
        ['--[no-]recurse', 'recursively dereference (default)'],
      ],
    },
  ],
  operands: 'refs',
} as const satisfies Description

export const REFS = {
  'check-ref-format': checkRefFormat,
  describe,
  'for-each-ref': forEachRef,
  'name-rev': nameRev,
  reflog,
  'show-ref': showRef,
  'symbolic-ref': symbolicRef,
}
