/** The completion script of bash. */
import { type Description, type OptionName, optionNames } from './description.js'

type Descriptions = Readonly<Record<string, Description>>

/**
 * Names of refs are from the repository: words of `compgen -W` would be expanded, and their
 * commands run. They are compared here, and quoted.
 */
const FUNCTIONS = `# Completion of packlens: eval "$(packlens completion bash)"

_packlens_words() {
  local word
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(compgen -W "$1" -- "$2")
  # After --name= comes a value.
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}

_packlens_refs() {
  local name cur=$1 rest=\${1##*..} start
  rest=\${rest#.}
  rest=\${rest#^}
  start=\${cur%"$rest"}
  shift
  while IFS= read -r name; do
    [[ $name == "$rest"* ]] || continue
    printf -v name %q "$name"
    COMPREPLY+=("$start$name")
  done < <("$@" 2>/dev/null; echo HEAD)
}

_packlens() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command= count=0 at word options= words= operands=
  local -a run=("$1")
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $command ]]; then
      [[ $word == -- ]] && return
      [[ $word == -* ]] || ((count++))
      continue
    fi
    case $word in
      -C | -c | --config-env | --git-dir | --attr-source)
        run+=("$word")
        [[ \${COMP_WORDS[at + 1]} == = ]] && ((at++))
        word=\${COMP_WORDS[++at]}
        run+=("\${word/#~\\//$HOME/}")
        ;;
      -*) ;;
      *) command=$word ;;
    esac
  done
  # The value of an option: a path, or what only the user knows.
  ((at > COMP_CWORD)) && return
  [[ $cur == = || \${COMP_WORDS[COMP_CWORD - 1]} == = ]] && return
`

const ANSWER = `  if [[ $cur == -* ]]; then
    _packlens_words "$options" "$cur"
    return
  fi
  ((count == 0)) && _packlens_words "$words" "$cur"
  case $operands in
    revisions)
      _packlens_refs "$cur" "\${run[@]}" for-each-ref --format='%(refname:strip=2)' \\
        refs/heads refs/tags refs/remotes
      ;;
    refs) _packlens_refs "$cur" "\${run[@]}" for-each-ref --format='%(refname)' ;;
  esac
}

complete -o bashdefault -o default -F _packlens packlens
`

export function bashScript(commands: Descriptions, global: Description): string {
  const own = Object.entries(commands).map(([name, { operands = '', words = [], ...rest }]) => {
    return `    ${name})
      options='${optionWords(optionNames({ ...rest, words })).join(' ')} --help'
      words='${words.join(' ')}' operands=${operands}
      ;;\n`
  })
  const first = `    '')
      options='${optionWords(optionNames(global)).join(' ')}'
      words='${Object.keys(commands).join(' ')} help'
      ;;
    help) words='${Object.keys(commands).join(' ')}' ;;\n`
  return `${FUNCTIONS}  case $command in\n${first}${own.join('')}  esac\n${ANSWER}`
}

/** Returns the words of long options. */
function optionWords(options: readonly OptionName[]): string[] {
  return options.flatMap(({ name, value, negatable }) => {
    if (!name.startsWith('--')) return []
    const word = value === 'required' ? `${name}=` : name
    return negatable ? [word, `--no-${name.slice(2)}`] : [word]
  })
}
