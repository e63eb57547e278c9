// Zip files of repositories: those that can be opened, and those that say why they cannot.
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { useViewer, waitForRepository } from './viewer.ts'
import { filesOf, openZip, zipOf } from './zips.ts'

const viewer = useViewer()

/** Opens a zip file that cannot be opened; returns what the page says, and dismisses it. */
async function refusal(page: Page, name: string, buffer: Buffer): Promise<string> {
  await openZip(page, name, buffer)
  const alert = page.getByRole('alert')
  await alert.waitFor()
  const text = (await alert.textContent()) ?? ''
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await alert.waitFor({ state: 'detached' })
  return text
}

test.each([
  ['a folder with .git, compressed', 'worktree/repo', 'repo/', 'sub'],
  ['a git directory, compressed', 'tiny', '', 'longer.txt'],
  ['a git directory in a folder, with loose objects', 'loose', 'a/b/', null],
])('%s', async (_, fixture, prefix, entry) => {
  const page = await viewer.open()
  await openZip(page, 'project.zip', await zipOf(filesOf(fixture, prefix)))
  await waitForRepository(page, 'project')
  await page.getByText('a zip file, read from this computer').waitFor()
  if (entry) await page.getByRole('link', { name: entry, exact: true }).waitFor()
  await page.locator('.commits li').first().waitFor()
})

test('more than a small repository has is not said to be a part of it', async () => {
  const page = await viewer.open()
  await openZip(page, 'project.zip', await zipOf(filesOf('tiny')))
  await page.locator('.commits li').first().waitFor()
  await page.locator('.status', { hasText: /In total [\d.]+ KiB read/ }).waitFor()
})

test('packs that are stored are read where they are', async () => {
  const page = await viewer.open()
  const files = filesOf('project')
  // Above the size from which ranges are read; packlens does not ask for it.
  const large = { ...files, 'objects/pack/other.bin': new Uint8Array(2 << 20) }
  await openZip(page, 'stored.git.zip', await zipOf(large, { level: 0 }))
  await waitForRepository(page, 'stored')
  await page.locator('.markdown h1', { hasText: 'Numbers' }).waitFor()
})

/** Records the texts that an element has from now on; returns what reads them. */
async function watch(page: Page, selector: string): Promise<() => Promise<string[]>> {
  await page.evaluate((watched) => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const look = () => seen.push(document.querySelector(watched)?.textContent ?? '')
    const options = { subtree: true, childList: true, characterData: true }
    new MutationObserver(look).observe(document.body, options)
  }, selector)
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)
}

test('the page says what it reads and unpacks', async () => {
  const page = await viewer.open()
  const seen = await watch(page, '.opening')
  const names = Array.from({ length: 1100 }, (_, at) => [`notes/${at}`, ''] as const)
  const files = { ...filesOf('project'), ...Object.fromEntries(names) }
  await openZip(page, 'project.zip', await zipOf(files))
  await waitForRepository(page, 'project')
  expect((await seen()).join('\n')).toContain('Opening project: reading its 1,000 names so far')
  expect((await seen()).join('\n')).toMatch(/Opening project: unpacking it, \d.* of \d/)
})

test('opening is canceled, and the open repository stays', async () => {
  const page = await viewer.open()
  const before = await page.locator('.header h1').textContent()
  await page.evaluate(() => {
    const { slice } = Blob.prototype
    Object.assign(window, { slices: 0 })
    Blob.prototype.slice = function (...range) {
      ;(window as unknown as { slices: number }).slices++
      return slice.apply(this, range)
    }
  })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/zip-*.js', async (route) => {
    await held
    await route.continue()
  })
  await openZip(page, 'project.zip', await zipOf(filesOf('project')))
  await page.locator('.opening').getByText('Opening project').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.opening').waitFor({ state: 'detached' })
  const loading = page.waitForResponse(/\/zip-.*\.js$/)
  release()
  const url = (await loading).url()
  // The page imports it before this, and so reads the file before this, unless it was canceled.
  // As text, because Vite rewrites an import within a function.
  const turn = 'new Promise((resolve) => setTimeout(resolve))'
  const slices = await page.evaluate(`import('${url}').then(() => ${turn}).then(() => slices)`)
  expect(slices).toBe(0)
  expect(await page.locator('.header h1').textContent()).toBe(before)
})

test('what is no repository is refused, by its name', async () => {
  const page = await viewer.open()
  const before = await page.locator('.header h1').textContent()
  const zip = await zipOf(filesOf('tiny'))
  expect(await refusal(page, 'photos.zip', await zipOf({ 'a/HEAD': 'x', 'b.txt': 'y' }))).toMatch(
    /photos\.zip cannot be opened: it holds no repository/,
  )
  expect(await refusal(page, 'text.zip', Buffer.from('no zip file at all, '.repeat(9)))).toMatch(
    /text\.zip cannot be opened: /,
  )
  expect(await refusal(page, 'empty.zip', Buffer.alloc(0))).toMatch(/empty\.zip cannot be opened: /)
  expect(await refusal(page, 'cut.zip', zip.subarray(0, zip.length - 30))).toMatch(
    /cut\.zip cannot be opened: /,
  )
  expect(
    await refusal(page, 'locked.zip', await zipOf(filesOf('tiny'), { password: 'x' })),
  ).toMatch(/locked\.zip cannot be opened: .*encrypted/)
  expect(await page.locator('.header h1').textContent()).toBe(before)
})

/** Changes the sizes that a zip file gives for the content of its files. */
function withSizes(zip: Buffer, size: number): Buffer {
  const changed = Buffer.from(zip)
  const headers = [
    ['PK\x03\x04', 22],
    ['PK\x01\x02', 24],
  ] as const
  for (const [signature, at] of headers) {
    for (let start = changed.indexOf(signature); start >= 0; ) {
      changed.writeUInt32LE(size, start + at)
      start = changed.indexOf(signature, start + 4)
    }
  }
  return changed
}

test('zip bombs, and sizes that are not true', async () => {
  const page = await viewer.open()
  const pack = { ...filesOf('tiny'), 'objects/pack/zeros.pack': new Uint8Array(1 << 20) }
  const plain = { dataDescriptor: false, extendedTimestamp: false }
  const zip = await zipOf(pack, plain)
  expect(await refusal(page, 'bomb.zip', withSizes(zip, 0x7f000000))).toMatch(
    /bomb\.zip cannot be opened: .*more than 1\.0 GiB would be unpacked\. Unpack it/,
  )
  expect(await refusal(page, 'liar.zip', withSizes(zip, 20))).toMatch(
    /liar\.zip cannot be opened: .*Invalid uncompressed size/,
  )
  // Each name stands for 30,000 folders.
  const deep = Array.from({ length: 9 }, (_, at) => [`${at}/${'a/'.repeat(30_000)}x`, ''])
  expect(await refusal(page, 'deep.zip', await zipOf(Object.fromEntries(deep)))).toMatch(
    /deep\.zip cannot be opened: it has more than 250,000 files and folders/,
  )
})

test('odd names beside a repository do no harm', async () => {
  const page = await viewer.open()
  const odd = ['../../HEAD', '/HEAD', '__proto__/HEAD', 'a\\HEAD', 'con', '<img src=x>', 'x\0y']
  const names = Object.fromEntries(odd.map((name) => [name, 'ref: refs/heads/odd\n']))
  await openZip(page, 'odd.zip', await zipOf({ ...names, ...filesOf('tiny', 'r/') }))
  await waitForRepository(page, 'odd')
  await page.getByRole('link', { name: 'longer.txt', exact: true }).waitFor()
})
