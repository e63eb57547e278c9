/** Descriptions of the commands that show the index and the configuration. */
import type { Description } from './description.js'

const checkAttr = {
  about: 'print the attributes of paths',
  usages: [
    '[--source <tree-ish>] [-a | --all | <attr>...] [--] <path>...',
    '--stdin [-z] [--source <tree-ish>] [-a | --all | <attr>...]',
  ],
  groups: [
    {
      options: [
        ['-a, --[no-]all', 'print all attributes that something is said of'],
        ['--[no-]cached', 'use the files .gitattributes of the index alone'],
        ['--[no-]stdin', 'read paths from standard input'],
        ['-z', 'paths end with NUL, and are not quoted'],
        ['--[no-]source <tree-ish>', 'use the files .gitattributes of a tree'],
      ],
    },
  ],
} as const satisfies Description

const checkIgnore = {
  about: 'print which paths are ignored, and by which line',
  usages: ['[<options>] <path>...', '[<options>] --stdin'],
  groups: [
    {
      options: [
        ['-q, --[no-]quiet', 'print nothing; the exit code says whether the path is ignored'],
        ['-v, --[no-]verbose', 'print the file, the number and the text of the line that decides'],
        ['-n, --[no-]non-matching', 'with -v, print also paths for which no line decides'],
        ['--[no-]stdin', 'read paths from standard input'],
        ['-z', 'paths end with NUL, and are not quoted'],
        ['--[no-]index', 'paths in the index are not ignored (the default)'],
      ],
    },
  ],
} as const satisfies Description

const config = {
  about: 'print variables of the configuration',
  usages: [
    'list [<file-option>] [<display-option>] [--includes]',
    'get [<file-option>] [<display-option>] [--includes] [--all] [--regexp] [--value=<pattern>] [--fixed-value] [--default=<default>] <name>',
    '[<options>] (--list | [--get | --get-all | --get-regexp] <name> [<value-pattern>])',
  ],
  groups: [
    {
      title: 'Config file location',
      options: [
        ['--[no-]local', 'use repository config file'],
        ['--[no-]worktree', 'use per-worktree config file'],
      ],
    },
    {
      title: 'Action',
      options: [
        ['-l, --list', 'list all variables'],
        ['--get', 'get the last value: <name> [<value-pattern>]'],
        ['--get-all', 'get all values: <name> [<value-pattern>]'],
        ['--get-regexp', 'get values for a regular expression: <name-regex> [<value-pattern>]'],
      ],
    },
    {
      title: 'Filter',
      options: [
        ['--[no-]all', 'with get: return all values'],
        ['--[no-]regexp', 'with get: interpret the name as a regular expression'],
        ['--[no-]value <pattern>', 'with get: show values that match this pattern'],
        ['--[no-]fixed-value', 'values equal the pattern'],
        ['--[no-]default <value>', 'use this value if there is none'],
        ['--[no-]includes', 'respect include directives on lookup'],
      ],
    },
    {
      title: 'Display options',
      options: [
        ['-z, --[no-]null', 'terminate values with NUL byte'],
        ['--[no-]name-only', 'show variable names only'],
        ['--[no-]show-names', 'show config keys in addition to their values'],
        ['--[no-]show-origin', 'show origin of config'],
        ['--[no-]show-scope', 'show scope of config (worktree, local)'],
      ],
    },
  ],
  words: ['list', 'get'],
} as const satisfies Description

const lsFiles = {
  about: 'list the paths of the index',
  usages: ['[<options>] [--] [<path>...]'],
  groups: [
    {
      options: [
        ['-c, --[no-]cached', 'list the paths of the index (the default)'],
        ['-s, --[no-]stage', 'show modes, ids and stages'],
        ['-u, --[no-]unmerged', 'list only paths in conflict, as -s'],
        ['-t', 'begin lines with H, M for paths in conflict, S for skipped ones'],
        ['-v', 'as -t, with lower case for files assumed to be unchanged'],
        ['-z', 'end lines with NUL, and quote no paths'],
        ['--[no-]full-name', 'show paths from the top of the work tree'],
        ['--[no-]error-unmatch', 'fail if a path selects nothing'],
        ['--[no-]abbrev[=<n>]', 'use <n> digits to display object names'],
        ['--[no-]deduplicate', 'list a path in conflict once'],
        ['--[no-]sparse', 'show the directories of a sparse index'],
      ],
    },
  ],
} as const satisfies Description

const status = {
  about: 'show how the work tree, the index and HEAD differ',
  usages: ['[<options>] [--] [<path>...]'],
  groups: [
    {
      options: [
        ['-s, --[no-]short', 'show status concisely'],
        ['-b, --[no-]branch', 'show branch information'],
        ['--[no-]show-stash', 'show stash information'],
        ['--[no-]ahead-behind', 'compute full ahead/behind values'],
        ['--[no-]porcelain[=<version>]', 'output for programs: v1 (the default) or v2'],
        ['--[no-]long', 'show status in long format (the default)'],
        ['-z, --[no-]null', 'terminate entries with NUL'],
        [
          '-u, --[no-]untracked-files[=<mode>]',
          'show untracked files: all (the default), normal, no',
        ],
        ['--[no-]ignored[=<mode>]', 'show ignored files: traditional (the default), matching, no'],
        ['--ignore-submodules[=<when>]', 'ignore changes to submodules: dirty, untracked, none'],
        [
          '--[no-]column[=<style>]',
          'list untracked files in columns: always (the default), never, auto, column, row, plain, dense, nodense',
        ],
        ['--[no-]renames', 'detect renames'],
        ['-M, --find-renames[=<n>]', 'detect renames, of files that are so similar'],
      ],
    },
  ],
} as const satisfies Description

export const FILES = {
  'check-attr': checkAttr,
  'check-ignore': checkIgnore,
  config,
  'ls-files': lsFiles,
  status,
} as const
