// Each kind of page, and what git says of the same: generators of [what, shown, expected].
import { comparedTags, searchedWord, spread } from './subjects.mjs'

/** A history's commits that are compared: those that are shown at first. */
const COMMITS = 50
/** The entries of a folder whose last changes are compared: git walks for each. */
const ENTRIES = 8
const BRANCHES = 10

/** Writes a path for an address. */
const keys = (path) => path.split('/').map(encodeURIComponent).join('/')

async function* folders({ git, shown, files }) {
  for (const folder of ['', files[0].includes('/') ? files[0].split('/')[0] : ''].slice(0, 2)) {
    await shown.go(`#/HEAD/${keys(folder)}`, '.files .change a')
    await shown.exhaust(/^Show all [\d,]+ entries$/)
    // Until the walk over all entries has ended.
    await shown.page.locator('.files tbody tr:has(.when):not(:has(.change a))').first().waitFor({
      state: 'detached',
      timeout: 120_000,
    })
    const entries = await shown.entries()
    yield [
      `entries of ${folder || 'the root'}`,
      entries.map(([name]) => name).sort(),
      git.names(folder),
    ]
    for (const [name, change] of spread(entries, ENTRIES)) {
      const path = folder ? `${folder}/${name}` : name
      yield [`last change of ${path}`, change, git.lastChange(path)]
    }
  }
}

async function* files({ git, shown, files }) {
  for (const path of files) {
    await shown.go(`#/HEAD/${keys(path)}#L3-L5`, '.chosen-lines')
    yield [path, await shown.text(), git.text(['show', `HEAD:${path}`])]
  }
}

async function* history({ git, shown, files: [path] }) {
  await shown.go('#history/HEAD', `.commits li:nth-child(${COMMITS})`)
  const first = (await shown.commits()).slice(0, COMMITS)
  yield ['history', first, git.commits(['HEAD'], COMMITS)]
  await shown.click('.card-foot button')
  await shown.page.locator(`.commits li:nth-child(${2 * COMMITS})`).waitFor()
  const more = (await shown.commits()).slice(0, 2 * COMMITS)
  yield ['more of the history', more, git.commits(['HEAD'], 2 * COMMITS)]
  await shown.go(`#history/HEAD/${keys(path)}`, '.commits[aria-busy=false] li')
  const most = Math.min(COMMITS, (await shown.commits()).length)
  const followed = git.commits(['--follow', 'HEAD', '--', path], most)
  yield [`history of ${path}`, (await shown.commits()).slice(0, most), followed]
}

async function* commits({ git, shown }) {
  const merge = git.commits(['--merges', 'HEAD'], 1)
  const others = spread(git.commits(['--no-merges', 'HEAD'], 2000), 6)
  for (const id of [...merge, ...others]) {
    const [, parent] = git.lines(['rev-list', '--parents', '-1', id])[0].split(' ')
    if (!parent) continue
    await shown.go(`#commit/${id}`, '.patch')
    const subject = await shown.page.locator('#subject').textContent()
    yield [`subject of ${id}`, subject, git.lines(['log', '-1', '--format=%s', id])[0]]
    yield [`changes of ${id}`, await shown.changes(), git.changes(parent, id)]
  }
}

async function* blame({ git, shown, files: [path] }) {
  await shown.go(`#blame/HEAD/${keys(path)}`, 'section[aria-busy=false] .blamed time')
  yield [`blame of ${path}`, await shown.blame(), git.blame(path)]
}

async function* refs({ git, shown }) {
  await shown.go('#refs', '.refs tr')
  const branches = git.refs('refs/heads')
  if (branches.length > 1) await shown.page.locator('.refs .distance a').first().waitFor()
  const rows = await shown.refs('Branches')
  yield ['branches', rows.map(([name]) => name).sort(), branches.sort()]
  for (const [name, distance] of rows.slice(0, BRANCHES)) {
    if (distance) yield [`distance of ${name}`, distance, git.distance(`refs/heads/${name}`)]
  }
  const tags = await shown.refs('Tags')
  yield ['tags', tags.map(([name]) => name).sort(), git.refs('refs/tags').sort()]
}

async function* search({ git, shown, files: [path] }) {
  const word = searchedWord(git, path)
  await shown.go(`#search/HEAD?text=${encodeURIComponent(word)}`, 'section[aria-busy=false] .hits')
  yield [`lines with ${word}`, await shown.hits(), git.search(word)]
}

async function* finder({ shown, files }) {
  for (const path of files) {
    await shown.page.locator('body').press('t')
    const dialog = shown.page.getByRole('dialog', { name: 'Find a file' })
    await dialog.getByRole('option').first().waitFor()
    await dialog.getByRole('combobox').fill(path)
    yield ['best path', await dialog.getByRole('option').first().textContent(), path]
    await shown.page.keyboard.press('Enter')
    await shown.page.waitForURL((url) => url.hash === `#/HEAD/${keys(path)}`)
    await shown.wait('.numbered')
  }
}

async function* compare({ git, shown }) {
  const [old, changed] = comparedTags(git)
  await shown.go(`#compare/tag:${keys(old)}..tag:${keys(changed)}`, '.patch')
  yield [`from ${old} to ${changed}`, await shown.changes(), git.changes(old, changed)]
  const between = git.commits([`${old}..${changed}`], COMMITS)
  await shown.page.locator(`.commits li:nth-child(${between.length})`).waitFor()
  yield ['commits between', (await shown.commits()).slice(0, between.length), between]
}

/** A link to lines, a reload, going back, and a page that is left before it is complete. */
async function* ways({ git, shown, files: [path], reopen }) {
  const { page } = shown
  await shown.go('#/HEAD/', '.files tr')
  await shown.go(`#/HEAD/${keys(path)}#L3-L5`, '.chosen-lines')
  await page.goBack({ waitUntil: 'commit' })
  await shown.wait('.files tr')
  yield ['going back', new URL(page.url()).hash, '#/HEAD/']
  await page.goForward({ waitUntil: 'commit' })
  await shown.wait('.chosen-lines')
  if (reopen) {
    await page.reload()
    await shown.wait('.chosen-lines')
    yield ['a link, after a reload', await shown.text(), git.text(['show', `HEAD:${path}`])]
  }
  await page.evaluate(
    (hash) => {
      location.hash = hash
    },
    `#blame/HEAD/${keys(path)}`,
  )
  await shown.go('#/HEAD/', '.files tr')
  const failures = await page.getByRole('alert').count()
  yield ['a page that is left', failures, 0]
}

export const COMPARISONS = {
  ...{ folders, files, history, commits, blame, refs, search, finder, compare, ways },
}
