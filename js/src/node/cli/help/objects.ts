/** Descriptions of the commands that show objects and trees. */
import type { Description } from './description.js'

const archive = {
  about: 'make a tar or zip file of the files of a tree',
  usages: ['[<options>] <tree-ish> [<path>...]', '--list'],
  groups: [
    {
      options: [
        ['--[no-]format <fmt>', 'the format: tar, tgz, tar.gz or zip'],
        ['--[no-]prefix <prefix>', 'put this before each path in the archive'],
        ['-o, --[no-]output <file>', 'write the archive to this file'],
        ['-v, --[no-]verbose', 'list the paths of the entries on standard error'],
        ['--mtime <time>', 'the modification time of the entries'],
        ['-#', 'compress less and faster, from -0, or more, to -9'],
        ['-l, --[no-]list', 'list the formats'],
      ],
    },
  ],
  operands: 'revisions',
} as const satisfies Description

const catFile = {
  about: 'print objects, or their types and sizes; also in batches',
  usages: [
    '<type> <object>',
    '(-e | -p | -t | -s) <object>',
    '(--batch | --batch-check | --batch-command) [--batch-all-objects] [--buffer] [--unordered] [--filter=<filter-spec>] [-z | -Z] [--frames [--chunk-size=<n>]]',
  ],
  groups: [
    {
      title: 'Check object existence or emit object contents',
      options: [
        ['-e', 'check if <object> exists'],
        ['-p', 'pretty-print <object> content'],
      ],
    },
    {
      title: 'Emit object attributes',
      options: [
        ['-t', "show object type ('blob', 'tree', 'commit' or 'tag')"],
        ['-s', 'show object size'],
        ['--[no-]mailmap, --[no-]use-mailmap', 'replace persons as the mailmap says'],
      ],
    },
    {
      title: 'Batch objects requested on stdin (or --batch-all-objects)',
      options: [
        ['--batch[=<format>]', 'show full <object> or <rev> contents'],
        ['--batch-check[=<format>]', "like --batch, but don't emit <contents>"],
        ['--batch-command[=<format>]', 'read commands from stdin'],
        ['-z', 'stdin is NUL-terminated'],
        ['-Z', 'stdin and stdout are NUL-terminated'],
        ['--batch-all-objects', 'with --batch[-check]: ignores stdin, batches all known objects'],
      ],
    },
    {
      title: 'Change or optimize batch output',
      options: [
        ['--[no-]buffer', 'buffer --batch output'],
        ['--[no-]unordered', 'do not order objects before emitting them'],
        [
          '--[no-]filter <spec>',
          'leave objects out: blob:none, blob:limit=<n>[kmg] and all blobs from that size on, object:type=<type> and all of other types',
        ],
      ],
    },
    {
      title: 'Only in packlens',
      options: [
        [
          '--[no-]frames',
          'emit each answer of a batch as a part of frames: a length in 4 bytes, high ones first, then that many bytes; 0 ends the part',
        ],
        ['--chunk-size <n>', 'the most bytes of a frame, up to 64m; 32k if not given'],
      ],
    },
  ],
  notes: `A <format> has the elements %(objectname), %(objecttype), %(objectsize),
%(objectsize:disk), %(deltabase) and %(rest).`,
  operands: 'revisions',
} as const satisfies Description

const grep = {
  about: 'print the lines of files that match a pattern',
  usages: ['[<options>] [-e] <pattern> <tree-ish or blob>... [[--] <path>...]'],
  groups: [
    {
      title: 'Patterns',
      options: [
        ['-e <pattern>', 'a pattern; several are alternatives'],
        ['-f <file>', 'read patterns from a file'],
        ['--and, --or, --not, (, )', 'combine patterns'],
        ['--[no-]all-match', 'show only matches from files that match all patterns'],
        ['-v, --[no-]invert-match', 'show non-matching lines'],
        ['-i, --[no-]ignore-case', 'case insensitive matching'],
        ['-w, --[no-]word-regexp', 'match patterns only at word boundaries'],
        ['-E, --[no-]extended-regexp', 'use extended POSIX regular expressions'],
        ['-G, --[no-]basic-regexp', 'use basic POSIX regular expressions (default)'],
        ['-F, --[no-]fixed-strings', 'interpret patterns as fixed strings'],
      ],
    },
    {
      title: 'Files',
      options: [
        ['-a, --[no-]text', 'process binary files as text'],
        ['-I', "don't match patterns in binary files"],
        ['-r, --[no-]recursive', 'search in subdirectories (default)'],
        ['--max-depth <n>', 'descend at most <n> levels'],
        ['--threads <n>', 'accepted, and ignored'],
      ],
    },
    {
      title: 'Output',
      options: [
        ['-n, --[no-]line-number', 'show line numbers'],
        ['--[no-]column', 'show column number of first match'],
        ['-h', "don't show filenames"],
        ['-H', 'show filenames'],
        ['--[no-]full-name', 'show filenames relative to top directory'],
        ['-l, --[no-]files-with-matches', 'show only filenames instead of matching lines'],
        ['--[no-]name-only', 'the same as --files-with-matches'],
        ['-L, --[no-]files-without-match', 'show only the names of files without match'],
        ['-z, --[no-]null', 'print NUL after filenames'],
        ['-o, --[no-]only-matching', 'show only matching parts of a line'],
        ['-c, --[no-]count', 'show the number of matches instead of matching lines'],
        ['--[no-]break', 'print empty line between matches from different files'],
        ['--[no-]heading', 'show filename only once above matches from same file'],
        ['--[no-]color[=<when>]', 'highlight matches'],
        ['-C, --context <n>', 'show <n> context lines around matches'],
        ['-#', 'a number, as -3, is short for -C'],
        ['-B, --before-context <n>', 'show <n> context lines before matches'],
        ['-A, --after-context <n>', 'show <n> context lines after matches'],
        ['-p, --[no-]show-function', 'show a line with the function name before matches'],
        ['-W, --[no-]function-context', 'show the surrounding function'],
        ['-m, --max-count <n>', 'the most results of a file'],
        ['-q, --[no-]quiet', 'print nothing; the exit code says whether a line matches'],
      ],
    },
  ],
  operands: 'revisions',
} as const satisfies Description

const lsTree = {
  about: 'list the entries of a tree',
  usages: ['[<options>] <tree-ish> [<path>...]'],
  groups: [
    {
      options: [
        ['-d', 'only show trees'],
        ['-r', 'recurse into subtrees'],
        ['-t', 'show trees when recursing'],
        ['-z', 'terminate entries with NUL byte'],
        ['-l, --long', 'include object size'],
        ['--name-only', 'list only filenames'],
        ['--name-status', 'list only filenames'],
        ['--object-only', 'list only objects'],
        ['--[no-]full-name', 'use full path names'],
        ['--[no-]full-tree', 'list entire tree; not just current directory (implies --full-name)'],
        ['--format <format>', 'format to use for the output'],
        ['--[no-]abbrev[=<n>]', 'use <n> digits to display object names'],
      ],
    },
  ],
  operands: 'revisions',
} as const satisfies Description

const revParse = {
  about: 'print the ids that revisions stand for',
  usages: [
    '[--verify] [-q | --quiet] [--short[=<n>]] [--not] [--default <revision>] <revision>...',
    '(--abbrev-ref[=(strict|loose)] | --symbolic-full-name | --symbolic) <revision>...',
    '[--exclude=<pattern>] (--all | --branches[=<pattern>] | --tags[=<pattern>] | ...)',
    '(--git-dir | --is-bare-repository | --show-object-format)',
  ],
  groups: [
    {
      options: [
        ['--verify', 'there must be one revision, and it must name an object'],
        ['-q, --quiet', 'with --verify: print no error, only exit with 1'],
        ['--short[=<n>]', 'print ids with <n> digits, or as few as are unique'],
        ['--not', 'print ^ before ids without it, and none before those with it'],
        ['--default <revision>', 'the revision to print if no other is given'],
      ],
    },
    {
      title: 'Names instead of ids',
      options: [
        ['--abbrev-ref[=<mode>]', 'short names of refs; <mode> is strict or loose'],
        ['--symbolic-full-name', 'full names of refs'],
        ['--symbolic', 'revisions as they were given'],
      ],
    },
    {
      title: 'Refs',
      options: [
        ['--all', 'all refs'],
        ['--branches[=<pattern>]', 'branches'],
        ['--tags[=<pattern>]', 'tags'],
        ['--remotes[=<pattern>]', 'remote-tracking branches'],
        ['--glob=<pattern>', 'refs that match'],
        ['--exclude=<pattern>', 'no refs that match, for the next of these options'],
        [
          '--exclude-hidden=<section>',
          'no refs that fetch, receive or uploadpack hides, for --all or --glob',
        ],
      ],
    },
    {
      title: 'The repository',
      options: [
        ['--git-dir', 'print the path of the git directory'],
        ['--is-bare-repository', 'print whether there is no work tree'],
        ['--show-object-format', 'print the hash function of ids'],
      ],
    },
  ],
  operands: 'revisions',
} as const satisfies Description

export const OBJECTS = {
  archive,
  'cat-file': catFile,
  grep,
  'ls-tree': lsTree,
  'rev-parse': revParse,
}
