// What VS Code shows of a repository beside git's answers. Each yields rows of what was compared,
// what is shown, and what git says.
import { byName } from './git-answers.mjs'

/** The most of each kind that is compared: the next are those of the same code. */
const MOST = { refs: 8, directories: 40, files: 60, commits: 12, names: 60 }

/** Takes some of a list, from all of it. */
function someOf(list, most) {
  const step = Math.max(1, list.length / most)
  const count = Math.min(most, list.length)
  return Array.from({ length: count }, (_, at) => list[Math.floor(at * step)])
}

/** github1s does not know some characters of a path from those of its address. */
const isPlain = (path) => /^[\w ./-]+$/.test(path)

function uriOf(repo, ref, path) {
  const names = path.split('/').map(encodeURIComponent).join('/')
  return `packlens://${encodeURIComponent(`${repo}@${ref}+${ref}`)}/${names}`
}

/** By the interface for all extensions, which asks github1s' file system provider. */
export async function* files({ git, code, repo }) {
  const commits = git.lines(['rev-list', '--all', '--max-count=500'])
  // A branch called as an id is an id.
  const heads = git.names('heads').filter((name) => !/^[0-9a-f]+$/.test(name))
  const refs = ['HEAD', ...someOf(heads, 3), ...someOf(commits, MOST.refs)]
  for (const ref of refs) {
    for (const path of ['', ...someOf(git.paths(ref, 'tree'), MOST.directories)]) {
      const { answer, error } = await code.ask('directory', uriOf(repo, ref, path))
      const shown = answer?.filter(([name]) => !name.includes('\ufffd')).sort(byName)
      yield [`directory ${ref}:${path}`, shown ?? error, git.directory(ref, path)]
    }
    for (const path of someOf(git.paths(ref, 'blob'), MOST.files)) {
      const { answer, error } = await code.ask('file', uriOf(repo, ref, path))
      yield [
        `file ${ref}:${path}`,
        answer ?? error,
        git.bytes(['show', `${ref}:${path}`]).toString('hex'),
      ]
    }
  }
  // Of other revisions than that of the page, github1s returns an empty file.
  const { error } = await code.ask('file', 'packlens:/no/such/file')
  yield ['a file that does not exist', /(?:File|Entry)NotFound/.test(error) || error, true]
}

/** The explorer, and the name of the revision in the status bar. */
export async function* explorer({ git, code }) {
  const withSlash = git.names('heads').find((name) => name.includes('/'))
  const [oid] = git.lines(['rev-parse', 'HEAD'])
  for (const ref of ['HEAD', withSlash ?? 'HEAD', oid]) {
    await code.open(ref === 'HEAD' ? '' : `tree/${ref}`)
    const expected = git.directory(ref)
    const rows = code.page.locator('.explorer-folders-view .monaco-list-row .label-name')
    const shown = await code.until(() => rows.allInnerTexts(), expected.length)
    const isShown = (name) => !name.includes('\ufffd')
    yield [
      `explorer at ${ref}`,
      shown.filter(isShown).sort(),
      expected.map(([name]) => name).sort(),
    ]
    const status = code.page.locator('.statusbar-item', { hasText: ref.slice(0, 7) })
    yield [`status bar at ${ref}`, (await status.count()) > 0, true]
  }
}

export async function* editor({ git, code }) {
  // The editor shows tabs as spaces, and what has no form as signs.
  const isText = (path) =>
    isPlain(path) && !/[^\n\P{C}]|\ufffd/u.test(git.bytes(['show', `HEAD:${path}`]).toString())
  for (const path of someOf(git.paths('HEAD', 'blob').filter(isText), 3)) {
    await code.open(`blob/HEAD/${path}`)
    const text = git.bytes(['show', `HEAD:${path}`]).toString()
    const lines = text.split(/\r\n|[\n\r]/).slice(0, 40)
    const shown = await code.until(() => code.lines(), lines.length)
    yield [`editor of ${path}`, shown.slice(0, lines.length), lines]
  }
}

export async function* refs({ git, code }) {
  await code.open('')
  const expected = [...git.names('heads'), ...git.names('tags')].slice(0, MOST.names)
  code.run('github1s.commands.checkoutTo')
  const list = code.page.locator('.quick-input-list .monaco-list-row')
  await list.nth(3).waitFor()
  const shown = []
  for (let at = 0; at < expected.length; at++) {
    const label = code.page.locator('.quick-input-list .monaco-list-row.focused .label-name')
    shown.push(await label.first().innerText())
    await code.page.keyboard.press('ArrowDown')
  }
  yield ['branches and tags', shown, expected]
  await code.page.keyboard.press('Escape')
}

export async function* commits({ git, code }) {
  await code.open('commits')
  const expected = git.commits('HEAD', MOST.commits)
  const rows = code.page.locator('.customview-tree .monaco-list-row')
  const shown = await code.until(() => rows.evaluateAll(rowsOf), Math.min(5, expected.length))
  yield ['commits', shown, expected.slice(0, shown.length)]
}

/** Runs in the page: subject and author of commits. */
function rowsOf(rows) {
  return rows.map((row) => [
    row.querySelector('.label-name').textContent,
    row.querySelector('.label-description').textContent.split(', ').slice(1, -1).join(', '),
  ])
}

/** The view of changes at the page of a commit. */
export async function* changes({ git, code }) {
  const all = git.lines(['rev-list', '--max-count=500', 'HEAD'])
  const few = all.filter(
    (oid) => [1, 20].includes(Math.sign(git.changed(oid).length)) && git.changed(oid).length <= 20,
  )
  const renames = few.filter((oid) => git.changed(oid).some(([, letter]) => letter === 'R'))
  for (const oid of [...someOf(few, 6), ...renames.slice(0, 2)]) {
    await code.open(`commit/${oid}`)
    const expected = git.changed(oid)
    const rows = code.page.locator('.scm-view .monaco-list-row .resource')
    const shown = await code.until(() => rows.evaluateAll(resourcesOf), expected.length)
    yield [`changes of ${oid}`, shown.sort(byName), expected]
  }
}

/** Runs in the page: paths of changed files, and the letters beside them. */
function resourcesOf(rows) {
  return rows.map((row) => {
    const name = row.querySelector('.label-name').textContent
    const folder = row.querySelector('.label-description')?.textContent ?? ''
    const label = row.querySelector('.monaco-icon-label')
    const letter = getComputedStyle(label, '::after').content.replaceAll('"', '')
    return [[folder, name].filter(Boolean).join('/'), letter]
  })
}

export async function* blame({ git, code }) {
  const isShort = (path) => {
    if (!isPlain(path)) return false
    const bytes = git.bytes(['show', `HEAD:${path}`])
    return bytes.length > 0 && bytes.length < 2000 && !bytes.includes(0)
  }
  for (const path of someOf(git.paths('HEAD', 'blob').filter(isShort), 3)) {
    await code.open(`blob/HEAD/${path}`)
    await code.until(() => code.lines(), 1)
    code.run('github1s.commands.toggleEditorGutterBlame')
    const expected = git.blamed('HEAD', path)
    const shown = await code.until(() => code.page.evaluate(messagesBeforeLines), expected.length)
    yield [`blame of ${path}`, shown, expected]
  }
}

/** Runs in the page: what github1s puts before the first line of each range. */
function messagesBeforeLines() {
  const tops = new Map()
  for (const part of document.querySelectorAll('.editor-instance .view-line span')) {
    const text = getComputedStyle(part, '::before').content
    if (text === 'none' || text === '"."' || text === 'normal') continue
    tops.set(part.closest('.view-line').offsetTop, text.slice(1, -1).split('\n')[0])
  }
  return [...tops].sort(([one], [other]) => one - other).map(([, text]) => text)
}

/** The view for searches, in which github1s opens its addresses. */
export async function* search({ git, code }) {
  const words = ['the', 'side', 'line', 'item', 'a history', 'no such text']
  const queries = words.map((word) => [`q=${encodeURIComponent(word)}`, ['-F', '-i'], word])
  queries.push(['q=%5Es%5Ba-z%5D*e&regex=yes&case=yes', ['-E'], '^s[a-z]*e'])
  queries.push(['q=side&whole=yes', ['-F', '-i', '-w'], 'side'])
  for (const [query, flags, pattern] of queries) {
    const expected = git.found('HEAD', flags, pattern)
    const matches = expected.reduce((sum, [, count]) => sum + count, 0)
    // github1s asks for the first 100 lines.
    if (matches > 100 || expected.some(([path]) => path.includes('\ufffd'))) continue
    await code.open(`search?${query}`)
    const message = code.page.locator('.search-view .messages')
    const one = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`
    const text =
      matches === 0
        ? 'No results found'
        : `${one(matches, 'result')} in ${one(expected.length, 'file')}`
    await message
      .getByText(text)
      .waitFor()
      .catch(() => {})
    yield [`search ${query}`, (await message.innerText()).includes(text), true]
    const rows = code.page.locator('.search-view .monaco-list-row .filematch')
    const shown = await rows.evaluateAll(filesOf)
    yield [`files of search ${query}`, shown.sort(byName), expected]
  }
}

/** Runs in the page: paths of files with matches, and how many each has. */
function filesOf(rows) {
  return rows.map((row) => {
    const name = row.querySelector('.label-name').textContent
    const folder = row.querySelector('.label-description')?.textContent ?? ''
    const count = Number(row.querySelector('.monaco-count-badge').textContent)
    return [[folder, name].filter(Boolean).join('/'), count]
  })
}

/** The list of files at Ctrl+P. */
export async function* finder({ git, code }) {
  await code.open('')
  for (const path of someOf(git.paths('HEAD', 'blob'), 4)) {
    await code.page.keyboard.press('Control+p')
    await code.page.keyboard.type(path)
    const row = code.page.locator('.quick-input-list .monaco-list-row').first()
    const name = path.split('/').pop()
    const isFound = await row
      .getByText(name, { exact: true })
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      )
    yield [`finder of ${path}`, isFound, true]
    await code.page.keyboard.press('Escape')
  }
}

export const COMPARISONS = {
  files,
  explorer,
  editor,
  refs,
  commits,
  changes,
  blame,
  search,
  finder,
}
