// The development server of `npm start`: serves the sources by Vite, under the same policy.
import { createServer } from 'vite'
import { test } from 'vitest'
import { makeDemoRepository } from '../../scripts/demo-repository.mjs'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { useViewer } from './viewer.ts'

const viewer = useViewer({ serve })

async function serve() {
  await makeDemoRepository()
  const server = await createServer({
    root: inRoot('demo'),
    server: { host: '127.0.0.1', port: 0 },
    // `A running `npm start` is not disturbed, because this server has its own cache.` may run beside this, with a cache of its own.
    cacheDir: inRoot('target', 'vite-of-tests'),
    logLevel: 'silent',
  })
  await server.listen()
  const url = server.resolvedUrls?.local[0]
  if (!url) throw new Error('the server has no address')
  return { url, close: () => server.close() }
}

test('the development server shows the repository', async () => {
  const page = await viewer.open()
  await page.locator('.files').getByRole('link', { name: 'README.md', exact: true }).waitFor()
  await page.locator('.commits li').first().waitFor()
})
