/** Descriptions of the commands about histories and changes. */
import { CHANGES, MERGES } from './change-options.js'
import { type Description, withoutNames } from './description.js'
import { IGNORED, MESSAGES, PRETTY, SELECTED } from './history-options.js'

/** In `log`, options about changes have these names. */
const DIGITS = ['--abbrev', '--no-abbrev']
const PICKAXE = ['-G']

const diffTree: Description = {
  about: 'compare two trees, or a commit with its parent',
  usages: [
    '[<options>] <tree-ish> <tree-ish> [--] [<path>...]',
    '[<options>] <commit> [--] [<path>...]',
  ],
  groups: [
    {
      options: [
        ['-r', 'recurse into subtrees'],
        ['-t', 'show trees when recursing'],
        ['--root', 'compare the first commit with the empty tree'],
        ['--no-commit-id', 'do not print the id of the commit'],
        ['-s, --no-patch', 'print only the id of the commit'],
        ['--exit-code', 'exit code 1 if the last trees that were compared differ'],
        ['--quiet', 'the same, and print no changes'],
        ['-m', 'compare a merge with each of its parents'],
        ['-c', 'compare a merge with all of its parents'],
        ['--cc', 'the same, only hunks that differ from all parents'],
        ['--combined-all-paths', 'after -c or --cc, print the path in each parent, too'],
        [
          '--stdin',
          'compare what the lines of standard input name: <commit>, or <commit> <parent>..., or <tree> <tree>',
        ],
        ['--merge-base', 'compare with the merge base of the two commits'],
        ['-i, --regexp-ignore-case', '-S and -G ignore case'],
      ],
    },
    {
      title: 'How commits are shown',
      options: [
        ['--pretty[=<format>], --format=<format>', 'in a format of log, before their changes'],
        ['-v', 'the same, in the format medium'],
        ['--oneline', 'ids and subjects'],
        ['--[no-]abbrev-commit', 'shorten ids of commits as --abbrev says'],
        ['--date <style>', 'how dates are printed'],
        ['--relative-date', 'short for --date=relative'],
        ['--encoding <encoding>', 'print messages in this encoding'],
        ['--[no-]expand-tabs[=<n>]', 'expand tabs of messages to <n> columns (default: 8)'],
        ['--[no-]notes', 'print notes'],
      ],
    },
    ...CHANGES,
  ],
  operands: 'revisions',
}

const diff: Description = {
  about: 'compare two commits',
  usages: [
    '[<options>] <commit> <commit> [--] [<path>...]',
    '[<options>] <commit>..<commit> [--] [<path>...]',
    '[<options>] <commit>...<commit> [--] [<path>...]',
    '[<options>] <merge> <parent> <parent>... [--] [<path>...]',
    '[<options>] <blob> <blob>',
  ],
  groups: [
    {
      options: [
        ['--merge-base', 'compare with the merge base of the two commits'],
        ['-r', 'accepted: directories are always entered'],
        ['-t', 'show the trees whose entries are compared'],
        ['--exit-code', 'exit with 1 if there were differences, otherwise 0'],
        ['--quiet', 'print nothing (implies --exit-code)'],
        ['-s, --no-patch', 'print nothing'],
        ['-i, --regexp-ignore-case', '-S and -G ignore case'],
        ['-c', 'of a merge, all that differs from all parents'],
        ['--cc', 'the same, only hunks that differ from all parents (default)'],
        ['-m', 'accepted: a merge is always compared with all parents'],
        ['--combined-all-paths', 'after -c or --cc, print the path in each parent, too'],
      ],
    },
    ...CHANGES,
  ],
  operands: 'revisions',
}

/** What `log` and `show` follow. */
const FOLLOWED = [
  ['-g, --walk-reflogs', 'show the commits that refs pointed at'],
  [
    '-L <start>,<end>:<file>, -L :<function>:<file>',
    'show what changed lines of a file; may be repeated',
  ],
] as const

const log: Description = {
  about: 'show commits and what they changed, the newest first',
  usages: ['[<options>] [<revision-range>] [--] [<path>...]'],
  groups: [
    {
      options: [
        ['--[no-]follow', 'show one file through its renames'],
        ...FOLLOWED,
        ['--source', 'show which revision the walk came from'],
      ],
    },
    ...withoutNames(SELECTED, PICKAXE),
    ...withoutNames(PRETTY, DIGITS),
    ...MESSAGES,
    ...MERGES,
    ...CHANGES,
    ...IGNORED,
  ],
  operands: 'revisions',
}

const show: Description = {
  about: 'show commits with their patches, tags, trees and blobs',
  usages: ['[<options>] [<object>...]'],
  groups: [
    ...withoutNames(PRETTY, DIGITS),
    ...MESSAGES,
    ...MERGES,
    ...CHANGES,
    ...withoutNames(SELECTED, PICKAXE),
    ...IGNORED,
    { options: [...FOLLOWED, ['--no-follow', 'accepted: no file is followed']] },
  ],
  operands: 'revisions',
}

const shortlog: Description = {
  about: 'list commits by their authors: those of a range, or of a log on standard input',
  usages: ['[<options>] [<revision-range>] [[--] <path>...]'],
  groups: [
    {
      options: [
        ['-c, --committer', 'group by committers'],
        ['-n, --[no-]numbered', 'sort by the number of commits'],
        ['-s, --[no-]summary', 'print numbers only'],
        ['-e, --[no-]email', 'print addresses, too'],
        ['-w[<width>[,<indent1>[,<indent2>]]]', 'wrap lines'],
        [
          '--[no-]group <group>',
          'author, committer, trailer:<key> or format:<text>; may be repeated',
        ],
      ],
    },
    ...withoutNames(SELECTED, ['-n', '--committer', '--grep-reflog']),
    ...withoutNames(PRETTY, ['--no-abbrev', '--graph', '--graph-indent']),
    ...MESSAGES,
    ...IGNORED,
    {
      options: [['--no-graph, --[no-]color[=<when>]', 'accepted: nothing is drawn or has colors']],
    },
  ],
  operands: 'revisions',
}

const revList: Description = {
  about: 'list commits, the newest first',
  usages: ['[<options>] <commit>... [--] [<path>...]'],
  groups: [
    ...withoutNames(SELECTED, ['--max-count-oldest']),
    ...PRETTY,
    {
      title: 'What is listed',
      options: [
        ['--header', 'the raw commits, each with a NUL byte after it'],
        ['--[no-]commit-header', 'a line with the id before a format (default)'],
        ['--timestamp', 'the date of the committer'],
        ['-z', 'NUL bytes after ids'],
        ['--count', 'only how many there are'],
        ['--objects', 'also the trees, blobs and tags that are reached'],
        ['--[no-]object-names', 'their paths (default)'],
        ['--quiet', 'nothing: the exit code says whether all is readable'],
        ['--bisect-vars', 'as shell variables, which commit halves the history'],
        ['--bisect-all', 'all commits, those that halve it best first'],
        ['-g, --walk-reflogs', 'the commits that refs pointed at'],
        ['--use-bitmap-index', 'use the bitmaps of packs'],
        ['--unpacked', 'only commits and objects that are in no pack'],
        ['--disk-usage[=human]', 'only how many bytes the listed objects take in packs or files'],
        ['--filter=<filter-spec>', 'with --objects, list only objects that pass'],
        ['--no-filter', 'ignore the filters before this'],
        ['--filter-provided-objects', 'requested objects must pass, too'],
        ['--filter-print-omitted', 'list omitted objects at the end, after ~'],
        [
          '--missing=<action>',
          'missing objects: error, allow-any, allow-promisor, print, print-info',
        ],
        [
          '--[no-]color[=<when>]',
          'colors of a graph and a format: always, never or auto (default)',
        ],
        ['--expand-tabs[=<n>], --no-expand-tabs', 'accepted: tabs are not expanded'],
      ],
    },
  ],
  operands: 'revisions',
}

const mergeBase: Description = {
  about: 'find the common ancestors of commits',
  usages: [
    '[-a | --all] <commit> <commit>...',
    '[-a | --all] --octopus <commit>...',
    '--is-ancestor <commit> <commit>',
    '--independent <commit>...',
    '--fork-point <ref> [<commit>]',
  ],
  groups: [
    {
      options: [
        ['-a, --[no-]all', 'output all common ancestors'],
        ['--octopus', 'find ancestors for a single n-way merge'],
        ['--independent', 'list revs not reachable from others'],
        ['--is-ancestor', 'is the first one ancestor of the other?'],
        ['--fork-point', 'find where <commit> forked from the reflog of <ref>'],
      ],
    },
  ],
  operands: 'revisions',
}

const lastModified: Description = {
  about: 'show which commits last changed the entries of directories',
  usages: [
    '[--recursive] [--show-trees] [--max-depth=<depth>] [-z] [<revision-range>] [[--] <path>...]',
  ],
  groups: [
    {
      options: [
        ['-r, --[no-]recursive', 'enter all directories'],
        ['-t, --[no-]show-trees', 'show directories that are entered, too'],
        ['--[no-]max-depth <n>', 'enter this many levels of directories'],
        ['-z', 'end lines with NUL, and quote no paths'],
      ],
    },
  ],
  operands: 'revisions',
}

const blame: Description = {
  about: 'show which commits last changed the lines of a file',
  usages: ['[<options>] [<rev> | <range>] [--] <file>'],
  groups: [
    {
      title: 'What is printed',
      options: [
        ['-p, --[no-]porcelain', 'print a format for machines'],
        ['--[no-]line-porcelain', 'print it with all facts about each line'],
        ['--[no-]incremental', 'print ranges of lines as they are found'],
        ['-c', "print what 'git annotate' prints"],
        ['-l', 'print all digits of ids'],
        ['-t', 'print raw dates'],
        ['-s', 'print no authors and dates'],
        ['-f, --[no-]show-name', 'print the names of files'],
        ['-n, --[no-]show-number', 'print the numbers of lines in their commits'],
        ['-e, --[no-]show-email', 'print addresses instead of names'],
        ['-b', 'print no ids of boundary commits'],
        ['--[no-]root', 'commits without parents are no boundaries'],
        ['--[no-]abbrev[=<n>]', 'print <n> digits of ids'],
        ['--date <format>', 'how dates are printed'],
        ['--encoding <encoding>', 'print names and subjects in this encoding'],
        ['--[no-]color-lines', 'color lines of the commit of the line before'],
        ['--[no-]color-by-age', 'color lines by the age of their commit'],
        ['--[no-]progress', 'accepted: no progress is printed'],
      ],
    },
    {
      title: 'Where lines are from',
      options: [
        ['-L <start>,<end>, -L :<function>', 'only these lines; may be repeated'],
        ['-w', 'ignore white space'],
        ['-M[<n>]', 'also find lines that were moved'],
        ['-C[<n>]', 'also find lines that were copied; may be repeated'],
        ['--first-parent', 'follow only first parents'],
        ['--[no-]ignore-rev <rev>', 'lines of <rev> are guessed to be older ones'],
        ['--[no-]ignore-revs-file <file>', 'the same, of the ids in a file'],
        ['--since <epoch>, --after <epoch>', 'do not follow lines beyond older commits'],
        ['--max-age <epoch>', 'the same'],
        ['--reverse', 'find the last commits of lines of <start>..<end>'],
        ['--minimal', 'make the smallest patches'],
        ['--diff-algorithm <name>', 'myers, minimal, patience or histogram'],
        ['--[no-]indent-heuristic', 'move hunks to where they read well (default)'],
      ],
    },
  ],
  operands: 'revisions',
}

export const HISTORY = {
  blame,
  diff,
  'diff-tree': diffTree,
  'last-modified': lastModified,
  log,
  'merge-base': mergeBase,
  'rev-list': revList,
  shortlog,
  show,
}
