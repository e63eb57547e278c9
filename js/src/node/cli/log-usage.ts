/** The usages of `log` and `show`. */

const SHOWN = `
  how commits are shown:
    --pretty[=<format>], --format=<format>
                          oneline, short, medium, full, fuller, reference, email, mboxrd,
                          raw, format:<text>, tformat:<text>
    --oneline             --pretty=oneline --abbrev-commit
    --[no-]abbrev-commit, --abbrev=<n>, --no-abbrev
    --date=<style>        default, relative, local, iso, iso-strict, rfc, short, raw, unix,
                          human, format:<text>; also with -local
    --[no-]decorate[=short|full]
    --encoding=<encoding>
    --[no-]expand-tabs[=<n>]
    --[no-]mailmap
    --[no-]notes
  how changes are shown:
    -p, -u, --patch, -s, --no-patch, -U<n>
    --raw, --stat, --numstat, --shortstat, --summary, --name-only, --name-status
    -z, -t, --full-index, --patch-with-raw, --patch-with-stat
    -M, -C, -B, -l<n>, --no-renames, --find-copies-harder
    -w, -b, --ignore-space-at-eol, --ignore-cr-at-eol, --ignore-blank-lines
    -I<regex>, -W, --function-context, -R, -D, --irreversible-delete, --binary
    --minimal, --patience, --histogram, --diff-algorithm=<algorithm>
    -m, -c, --cc, --dd, --diff-merges=<how>
    --dirstat[=<params>], --check, --word-diff[=<mode>], --color-words, --color[=<when>]
    --diff-filter=[ACDMRTB...]
    -S<string>, -G<regex>, --pickaxe-regex, --pickaxe-all
    --full-diff           show all changes of commits that changed a path
`

export const LOG_USAGE = `usage: packlens log [<options>] [<revision-range>] [--] [<path>...]

  which commits:
    the options of rev-list, such as -n <n>, --skip=<n>, --author=<pattern>, --grep=<pattern>,
    --no-merges, --first-parent, --all, --full-history, --topo-order, --reverse
    --follow              show one file through its renames
    -g, --walk-reflogs    show the commits that refs pointed at
    -L <start>,<end>:<file>, -L :<function>:<file>
                          show what changed lines of a file
    --graph               draw the history
    --parents, --children, --boundary, --left-right
    --source              show which revision the walk came from
${SHOWN}`

export const SHOW_USAGE = `usage: packlens show [<options>] [<object>...]
${SHOWN}`
