/** The completion script of fish. */
import { type Description, namesIn, type OptionRow } from './description.js'

type Descriptions = Readonly<Record<string, Description>>

const FUNCTIONS = `# Completion of packlens: packlens completion fish | source

# Prints the words before the command that say where it runs, or with an argument the command
# and the arguments after it.
function __packlens_words
    set -l words (commandline -opc)
    set -l at 2
    while test $at -le (count $words)
        set -l next (math $at + 1)
        switch $words[$at]
            case -C -c --config-env --git-dir --attr-source
                test (count $argv) -eq 0; and string join \\n -- $words[$at] $words[$next]
                set at $next
            case '--git-dir=*'
                test (count $argv) -eq 0; and string join \\n -- $words[$at]
            case '-*'
            case '*'
                test (count $argv) -eq 0; or string join \\n -- $words[$at..-1]
                return
        end
        set at (math $at + 1)
    end
end

function __packlens_is
    set -l words (__packlens_words command)
    test "$words[1]" = "$argv[1]"
end

function __packlens_is_first
    set -l words (__packlens_words command)
    test "$words[1]" = "$argv[1]"; and test (count (string match -v -- '-*' $words)) -eq 1
end

function __packlens_refs
    set -l start (string match -r '^(?:.*\\.\\.\\.?|\\^)' -- (commandline -ct))
    for name in (packlens (__packlens_words) for-each-ref $argv 2>/dev/null) HEAD
        string join '' -- "$start" $name
    end
end

complete -c packlens -n '__packlens_is ""' -f
`

const REFS = {
  revisions: "--format=\\'%(refname:strip=2)\\' refs/heads refs/tags refs/remotes",
  refs: "--format=\\'%(refname)\\'",
} as const

export function fishScript(commands: Descriptions, global: Description): string {
  const names = Object.entries(commands)
  const first = names.map(([name, { about }]) => line("__packlens_is ''", `-a ${name}`, about))
  const help = line('__packlens_is_first help', `-f -a '${Object.keys(commands).join(' ')}'`)
  const own = names.map(([name, { groups, operands, words = [] }]) => {
    const options = groups.flatMap((group) => group.options)
    return [
      ...options.map((row) => option(`__packlens_is ${name}`, row)),
      ...(words.length > 0
        ? [line(`__packlens_is_first ${name}`, `-f -a '${words.join(' ')}'`)]
        : []),
      ...(operands
        ? [line(`__packlens_is ${name}`, `-k -a '(__packlens_refs ${REFS[operands]})'`)]
        : []),
    ].join('')
  })
  const globals = global.groups.flatMap(({ options }) =>
    options.map((row) => option("__packlens_is ''", row)),
  )
  return `${FUNCTIONS}${first.join('')}${globals.join('')}${help}${own.join('')}`
}

function option(condition: string, row: OptionRow): string {
  const names = namesIn(row).filter(({ name }) => name !== '-#')
  const all = names.flatMap(({ name, negatable }) =>
    negatable ? [name, `--no-${name.slice(2)}`] : [name],
  )
  const needsValue = names.some(({ value }) => value === 'required')
  const words = all.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  )
  return words.length > 0
    ? line(condition, words.join(' ') + (needsValue ? ' -r' : ''), row[1])
    : ''
}

function line(condition: string, what: string, about = ''): string {
  const text = about === '' ? '' : ` -d ${quoted(about)}`
  return `complete -c packlens -n ${quoted(condition)} ${what}${text}\n`
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
