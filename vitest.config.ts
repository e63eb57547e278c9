import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, chromiumOfLastRun } from './scripts/lib/browser.mjs'
import { rawFiles } from './scripts/lib/raw-files.mjs'

const executablePath = process.env.CHROMIUM_PATH ?? chromiumOfLastRun()
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...timeouts,
          name: 'node',
          include: ['tests/node/**/*.test.ts'],
          environment: 'node',
          // Node itself loads the package, as it does for its users.
          server: { deps: { external: [/\/dist\/.*\.js$/] } },
        },
      },
      {
        test: {
          ...timeouts,
          name: 'demo',
          include: ['tests/demo/**/*.test.ts'],
          environment: 'node',
          // Each file starts a browser of its own.
          maxWorkers: 1,
        },
      },
      {
        plugins: [rawFiles('/target/fixtures/')],
        test: {
          ...timeouts,
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { args: chromiumFlags, ...(executablePath && { executablePath }) },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
