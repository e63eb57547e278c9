import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { piped } from './scripts/lib/piped.mjs'
import { rawFiles } from './scripts/lib/raw-files.mjs'
import { chromiumOptions } from './tests/support/browsers.ts'
import { POLL_TIMEOUT, TEST_TIMEOUT } from './tests/support/timeouts.ts'

const timeouts = {
  testTimeout: TEST_TIMEOUT,
  hookTimeout: TEST_TIMEOUT,
  expect: { poll: { timeout: POLL_TIMEOUT } },
}

/** The tests of the viewer that run in Firefox: the first ones only there. */
const inFirefox = [
  'firefox',
  ...['access', 'address', 'changes', 'code', 'cut', 'embedded', 'files', 'finding', 'german'],
  ...['history', 'hostile', 'long-file', 'long-words', 'markdown', 'offline', 'opening', 'recent'],
  ...['scrolling', 'tricks', 'zip'],
].join()

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...timeouts,
          name: 'node',
          // One more than the cores that most have: many tests wait for processes and servers.
          maxWorkers: 3,
          include: ['tests/node/**/*.test.ts'],
          environment: 'node',
          setupFiles: process.env.PACKLENS_READER ? ['tests/node/reader-first.ts'] : [],
          // Node itself loads the package, as it does for its users.
          server: { deps: { external: [/\/dist\/.*\.js$/] } },
        },
      },
      {
        test: {
          ...timeouts,
          name: 'demo',
          include: ['tests/demo/**/!(firefox).test.ts'],
          environment: 'node',
          // A browser for each worker, which waits often enough for another to run beside it.
          maxWorkers: 2,
          isolate: false,
        },
      },
      {
        test: {
          ...timeouts,
          name: 'demo-firefox',
          include: [`tests/demo/{${inFirefox}}.test.ts`],
          env: { PACKLENS_BROWSER: 'firefox' },
          environment: 'node',
          maxWorkers: 1,
        },
      },
      {
        test: {
          ...timeouts,
          name: 'site',
          include: ['tests/site/*.test.ts'],
          environment: 'node',
          maxWorkers: 1,
        },
      },
      {
        test: {
          ...timeouts,
          name: 'environments',
          include: ['tests/environments/*.test.ts'],
          environment: 'node',
          maxWorkers: 1,
        },
      },
      {
        plugins: [
          rawFiles('/target/fixtures/'),
          // The address is known when the tests begin: see the file of the next setting.
          piped('/nginx/', () => process.env.PACKLENS_NGINX_URL),
        ],
        test: {
          ...timeouts,
          name: 'browser',
          server: { deps: { external: [/\/dist\/.*\.js$/] } },
          globalSetup: ['tests/node/servers/for-browser.ts'],
          include: ['tests/browser/**/*.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: chromiumOptions(),
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
