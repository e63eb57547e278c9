/** Options that several commands about histories share. */
import type { OptionGroup } from './description.js'

/** Which commits: the options of `rev-list`. */
export const SELECTED: readonly OptionGroup[] = [
  {
    title: 'Which commits',
    options: [
      ['-n <n>, --max-count=<n>', 'at most <n>'],
      ['-#', 'a number, as -3, is short for -n'],
      ['--skip=<n>', 'not the first <n>'],
      ['--max-count-oldest=<n>', 'only the last <n>'],
      ['--since=<date>, --after=<date>', 'those after a date; older ones end the walk'],
      ['--since-as-filter=<date>', 'those after a date; older ones do not end the walk'],
      ['--until=<date>, --before=<date>', 'those before a date'],
      ['--max-age=<epoch>', '--since, in seconds since 1970'],
      ['--min-age=<epoch>', '--until, in seconds since 1970'],
      ['--author=<pattern>', 'whose author matches'],
      ['--committer=<pattern>', 'whose committer matches'],
      ['--grep=<pattern>', 'whose message matches'],
      ['--grep-reflog=<pattern>', 'whose message in the reflog matches; with -g'],
      ['--all-match', 'whose messages match all patterns'],
      ['--invert-grep', 'whose messages match none'],
      ['-i, --regexp-ignore-case', 'patterns ignore case'],
      ['-G, --basic-regexp', 'patterns are basic regular expressions (default)'],
      ['-E, --extended-regexp', 'patterns are extended regular expressions'],
      ['-F, --fixed-strings', 'patterns are no regular expressions'],
      ['--merges', 'only merges'],
      ['--no-merges', 'no merges'],
      ['--[no-]min-parents=<n>', 'those with at least <n> parents'],
      ['--[no-]max-parents=<n>', 'those with at most <n> parents'],
      ['--first-parent', 'follow only first parents'],
      ['--exclude-first-parent-only', 'of excluded commits, follow only first parents'],
      ['--ancestry-path[=<commit>]', 'those that descend from excluded ones, or from <commit>'],
      ['--left-only', 'of a...b those that a alone reaches'],
      ['--right-only', 'of a...b those that b alone reaches'],
      ['--cherry-pick', 'of a...b those without an equal patch on the other side'],
      ['--cherry-mark', 'mark those with an equal patch by =, others by +'],
      ['--cherry', 'short for --right-only --cherry-mark --no-merges'],
    ],
  },
  {
    title: 'Revisions',
    options: [
      ['--not', 'exclude what the next revisions reach, up to the next --not'],
      ['--all', 'all refs, and HEAD'],
      ['--reflog', 'all objects that reflogs have'],
      ['--branches[=<pattern>]', 'all branches, or those that match'],
      ['--tags[=<pattern>]', 'all tags, or those that match'],
      ['--remotes[=<pattern>]', 'all remote-tracking branches, or those that match'],
      ['--glob=<pattern>', 'the refs that match'],
      ['--exclude=<pattern>', 'no refs that match, for the next of the five above'],
      [
        '--exclude-hidden=<section>',
        'no refs that fetch, receive or uploadpack hides, for --all or --glob',
      ],
      [
        '--bisect',
        'the bad commit of git bisect, without what good ones reach; rev-list prints what halves this',
      ],
      ['--ignore-missing', 'skip revisions that are missing'],
      ['--no-walk[=<order>]', 'only the revisions, sorted or unsorted, not what they reach'],
      ['--do-walk', 'take back --no-walk'],
      ['--stdin', 'read revisions and paths from standard input, too'],
    ],
  },
  {
    title: 'Histories of paths',
    options: [
      ['--full-history', 'do not leave out sides of merges'],
      ['--dense', 'only commits that change the paths (default)'],
      ['--sparse', 'all commits on the way'],
      ['--simplify-merges', 'leave out merges that merge nothing'],
      ['--simplify-by-decoration', 'only commits that refs point at'],
      ['--show-pulls', 'also the merges that brought a change'],
      ['--remove-empty', 'end history where the paths were added'],
    ],
  },
  {
    title: 'Order',
    options: [
      ['--date-order', 'parents after children, otherwise by the date'],
      ['--author-date-order', "the same, by the author's date"],
      ['--topo-order', 'parents after children, a line of history at a time'],
      ['--reverse', 'the last of the list first'],
    ],
  },
]

/** How commits are shown. */
export const PRETTY: readonly OptionGroup[] = [
  {
    title: 'How commits are shown',
    options: [
      [
        '--pretty[=<format>]',
        'oneline, short, medium, full, fuller, reference, email, mboxrd, raw, format:<text> or tformat:<text>',
      ],
      ['--format=<format>', 'the same; a text with % is tformat:<text>'],
      ['--oneline', 'short for --pretty=oneline --abbrev-commit'],
      ['--[no-]abbrev-commit', 'shorten ids of commits'],
      ['--abbrev[=<n>]', 'print <n> digits of ids'],
      ['--no-abbrev', 'print all digits of ids'],
      [
        '--date=<style>',
        'default, relative, local, iso, iso-strict, rfc, short, raw, unix, human or format:<text>; also with -local',
      ],
      ['--relative-date', 'short for --date=relative'],
      ['--encoding=<encoding>', 'print messages in this encoding'],
      ['--[no-]graph', 'draw the history'],
      ['--[no-]graph-indent', 'move commits without parents to the right in it (default)'],
      ['--parents', 'print the ids of parents'],
      ['--children', 'print the ids of children'],
      ['--boundary', 'also show excluded commits at the edge, with -'],
      ['--left-right', 'mark the sides of a...b by < and >'],
    ],
  },
]

/** What only commands that print messages in full have. */
export const MESSAGES: readonly OptionGroup[] = [
  {
    title: 'Names and messages',
    options: [
      ['--decorate[=<how>]', 'print the refs of commits: short, full, no, or auto: on a terminal'],
      ['--no-decorate', 'do not print them'],
      ['--decorate-refs=<pattern>', 'print only refs that match a pattern'],
      ['--decorate-refs-exclude=<pattern>', 'print no refs that match a pattern'],
      ['--no-decorate-refs, --no-decorate-refs-exclude', 'forget these patterns'],
      ['--clear-decorations', 'forget these patterns, and print all refs'],
      ['--expand-tabs[=<n>]', 'expand tabs of messages to <n> columns, 8 by default'],
      ['--no-expand-tabs', 'do not expand them'],
      ['--[no-]mailmap, --[no-]use-mailmap', 'replace names as .mailmap says'],
      ['--[no-]notes', 'print notes'],
    ],
  },
]

/** Options of `rev-list` that others take. */
export const IGNORED: readonly OptionGroup[] = [
  { title: 'Accepted, and ignored', options: [['--count, --objects', 'options of rev-list']] },
]
