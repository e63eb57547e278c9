// Chooses what is compared, by the repository alone: each run has the same.

/** The bytes of a file that is shown whole, and long enough to say something. */
const SIZES = [8_000, 100_000]

/** Returns `number` items of a list, evenly spread. */
export function spread(list, number) {
  if (list.length <= number) return list
  return Array.from({ length: number }, (_, at) => list[Math.floor((at * list.length) / number)])
}

/** Returns texts of HEAD that the viewer shows as lines, at most `most`. */
export function textFiles(git, most) {
  const rows = git.fields(['ls-tree', '-r', '-l', '-z', 'HEAD']).flatMap((row) => {
    const [, size, path] = /^100\d+ blob \w+ +(\d+)\t(.*)$/s.exec(row) ?? []
    const [least, largest] = SIZES
    const isPreviewed = /\.(?:md|markdown|svg)$/i.test(path ?? '')
    return path && !isPreviewed && size >= least && size <= largest ? [path] : []
  })
  const isText = (path) => !/[\0\ufffd]/.test(git.text(['show', `HEAD:${path}`]))
  return spread(rows, 4 * most)
    .filter(isText)
    .slice(0, most)
}

/** Returns a word of a file that a few lines of the repository have. */
export function searchedWord(git, path) {
  const words = git.text(['show', `HEAD:${path}`]).match(/\b[a-z][a-z_]{8,}\b/gi) ?? []
  for (const word of spread([...new Set(words)], 30)) {
    const { length } = git.search(word)
    if (length > 1 && length < 200) return word
  }
  throw new Error(`no word of ${path} is in a few lines: name another repository`)
}

/** Returns two tags between which a few files changed. */
export function comparedTags(git) {
  const format = '--format=%(objecttype) %(*objecttype) %(refname:lstrip=2)'
  const tags = git
    .lines(['for-each-ref', '--sort=-creatordate', '--count=200', format, 'refs/tags'])
    .filter((line) => /^commit|^tag commit/.test(line))
    .map((line) => line.split(' ').at(-1))
  for (let at = 0; at + 1 < tags.length; at++) {
    const { length } = git.changes(tags[at + 1], tags[at])
    if (length > 1 && length < 60) return [tags[at + 1], tags[at]]
  }
  throw new Error('no two tags differ in a few files: name another repository')
}
