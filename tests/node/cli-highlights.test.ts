/** `--color` marks what `--author`, `--committer` and `--grep` match, as git does. */
import { test } from 'vitest'
import { compareWithGit } from './beside-git.ts'
import { madeHistory } from './recorded-answers.ts'

const MESSAGES = [
  'abcdef and xabcdx\tabc\n\nzz\tyy fix\n\tA tab  \n\nFrom here\n>From there\n\nSigned-off-by: A U <a@b>\n',
  '\n\n  fix of a fix\nin two lines: abc\n\nbody of fixes\u00e9 \u00fcabc\ta\u00e9\tabc\n',
  'other\n',
]

/** Returns commits by several persons, one of them with bytes that are not ASCII. */
function history(): Buffer {
  const persons = ['Ann Author <ann@abc>', 'Jos\u00e9 <jose@x.example>', 'B <b@fix>']
  const parts = MESSAGES.map((message, at) => {
    const who = ['author', 'committer'].map((role, next) => {
      return `${role} ${persons[(at + next) % 3]} ${1_700_000_000 + at} +0000\n`
    })
    const length = Buffer.byteLength(message)
    return `commit refs/heads/main\n${who.join('')}data ${length}\n${message}\n`
  })
  return Buffer.from(`${parts.join('')}done\n`)
}

const folder = madeHistory('cli-highlights', history)

const PATTERNS = [
  ['--grep=fix'],
  ['--grep=abc', '--grep=abcdef', '--grep=cd'],
  ['--grep=^abc'],
  ['--grep=abc$'],
  ['--grep=zz.yy', '--grep=x*'],
  ['--grep=FIX|a.c', '-E', '-i'],
  ['--grep=a.c', '-F', '--grep=fix'],
  ['--grep=fix\nabc'],
  ['--grep=.', '--author=[^A]'],
  ['--author=^Ann', '--author=Author'],
  ['--author=os\u00e9'],
  ['--author=.*>'],
  ['--committer=e', '--author=e'],
  ['--author=b', '--grep=abc', '--grep=other', '--all-match'],
  ['--author=.', '--grep=fix', '--invert-grep'],
]
const FORMATS = ['medium', 'full', 'fuller', 'short', 'raw', 'email', 'mboxrd', 'oneline', '%s%n%b']

test.each(FORMATS)('in the format %s', (format) => {
  for (const patterns of PATTERNS) {
    const args = ['log', '--color', `--format=${format}`, ...patterns]
    compareWithGit(folder, ['--git-dir', folder, ...args])
  }
})

test.each([
  ['log', '--grep=fix', '--graph', '--color'],
  ['log', '--grep=fix', '--no-expand-tabs', '--color'],
  ['log', '--grep=fix', '--no-color'],
  ['show', '--grep=other', '--committer=Ann', '--color', '--format=fuller'],
  ['rev-list', '--grep=fix', '--color', '--pretty', 'main'],
  ['shortlog', '--grep=fix', '--color', 'main'],
])('%s %s %s %s', (...args) => compareWithGit(folder, ['--git-dir', folder, ...args]))

test.each([
  [['selected=blue', 'match=green bold']],
  [['match=green', 'matchSelected=red']],
  [['matchSelected=red', 'match=green']],
  [['match=']],
  [['selected=ul', 'context=red', 'function=red', 'matchContext=red']],
  [['column=nothing']],
])('in the colors %s', (colors) => {
  const config = Object.fromEntries(
    colors.flatMap((color, at) => {
      const [name = '', value = ''] = color.split('=')
      return [
        [`GIT_CONFIG_KEY_${at}`, `color.grep.${name}`],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]
    }),
  )
  const env = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: `${colors.length}`,
    ...config,
  }
  const args = ['--git-dir', folder, 'log', '--grep=abc', '--grep=fix', '--author=a', '--color']
  // git names where the variable is set, too.
  const messages = (text: string) => text.split('\n')[0]
  compareWithGit(folder, args, { env, messages })
})
