/** The completion script of zsh. */
import { type Description, namesIn } from './description.js'

type Descriptions = Readonly<Record<string, Description>>

const START = `#compdef packlens
# Completion of packlens: source <(packlens completion zsh), after compinit.

_packlens_refs() {
  local -a names
  names=(\${(f)"$("$@" 2>/dev/null)"} HEAD)
  compset -P '*..(.|)' || compset -P '\\^'
  # Names are quoted by compadd, whatever they have.
  compadd -a names
}

_packlens() {
  local command= word operands=
  local -a run options words_of_command
  local -i at count=0
  run=("\${(Q)words[1]}")
  for ((at = 2; at < CURRENT; at++)); do
    word=\${(Q)words[at]}
    if [[ -n $command ]]; then
      if [[ $word == -- ]]; then
        _files
        return
      fi
      [[ $word == -* ]] || ((count++))
      continue
    fi
    case $word in
      -C | -c | --config-env | --git-dir | --attr-source)
        run+=("$word" "\${(Q)words[at + 1]}")
        ((at++))
        ;;
      --git-dir=*) run+=("$word") ;;
      -*) ;;
      *) command=$word ;;
    esac
  done
  if ((at > CURRENT)); then
    _files
    return
  fi
  case $command in
`

const END = `  esac
  if [[ $words[CURRENT] == -* ]]; then
    _describe -o option options
    return
  fi
  if ((count == 0 && \${#words_of_command})); then
    _describe word words_of_command
    [[ -n $operands ]] || return
  fi
  case $operands in
    revisions)
      _packlens_refs $run for-each-ref --format='%(refname:strip=2)' \\
        refs/heads refs/tags refs/remotes
      ;;
    refs) _packlens_refs $run for-each-ref --format='%(refname)' ;;
  esac
  [[ -n $command ]] && _files
}

# Read as a file of $fpath, this is the body of the function.
if [[ $funcstack[1] == _packlens ]]; then
  _packlens "$@"
else
  compdef _packlens packlens
fi
`

export function zshScript(commands: Descriptions, global: Description): string {
  const about = Object.entries(commands).map(([name, { about }]) => quoted(`${name}:${about}`))
  const own = Object.entries(commands).map(([name, description]) => {
    const { operands = '', words = [] } = description
    return `    ${name})
      options=(${rows(description).join(' ')})
      words_of_command=(${words.join(' ')}) operands=${operands}
      ;;\n`
  })
  const first = `    '')
      options=(${rows(global).join(' ')})
      words_of_command=(${about.join(' ')} help:'print this help')
      ;;
    help) words_of_command=(${about.join(' ')}) ;;\n`
  return `${START}${first}${own.join('')}${END}`
}

/** Returns the options with their lines, as `_describe` takes them. */
function rows({ groups }: Description): string[] {
  return groups.flatMap(({ options }) =>
    options.flatMap((row) =>
      namesIn(row).flatMap(({ name, negatable }) => {
        if (name === '-#') return []
        const names = negatable ? [name, `--no-${name.slice(2)}`] : [name]
        return names.map((one) => quoted(`${one}:${row[1]}`))
      }),
    ),
  )
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
