import { randomBytes } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { defineBrowserCommand, playwright } from '@vitest/browser-playwright'
import type { BrowserContext } from 'playwright'
import { defineConfig } from 'vitest/config'
import { freePort } from './apps/server/src/free-port.ts'
import { layerOrderPlugin } from './apps/web/build/layer-order-plugin.ts'
import { tokenStylesheetPlugin } from './apps/web/build/token-stylesheet-plugin.ts'
import { chromiumLaunch } from './e2e/chromium.ts'
import { COMPONENT_TEST_FILES, excludedFiles, includedFiles } from './scripts/test-files.ts'

// Component tests: the app's modules in a real browser page, served by Vite. What a test does not answer itself goes to the
// program that e2e/global-setup.ts starts for the whole run, at the port chosen here.
process.env['STORIES_PORT'] ??= String(await freePort())
// React as users have it: its development form notes the stack of every element, half of the page's processor time.
process.env['NODE_ENV'] = 'production'
const server = `http://127.0.0.1:${process.env['STORIES_PORT']}`

interface Person {
  username: string
  password: string
}
type Session = Person & { cookies: Awaited<ReturnType<BrowserContext['cookies']>> }

/** Through the call, not the screen. The cookie is one for all ports of the host, so the page has the session too. */
async function register(context: BrowserContext): Promise<Session> {
  await context.clearCookies()
  const person = { username: `maria-${randomBytes(5).toString('hex')}`, password: 'blue canoe on a quiet lake' }
  const data = { ...person, email: person.username }
  const answer = await context.request.post(`${server}/api/register`, { data })
  if (!answer.ok()) throw new Error(await answer.text())
  return { ...person, cookies: await context.cookies() }
}

const shared = new WeakMap<BrowserContext, Promise<Session>>()

const signIn = defineBrowserCommand<[who: 'someone new' | 'anyone']>(async ({ context }, who) => {
  const known = who === 'anyone' ? shared.get(context) : undefined
  const asked = known ?? register(context)
  if (who === 'anyone') shared.set(context, asked)
  const { username, password, cookies } = await asked
  if (known) {
    await context.clearCookies()
    await context.addCookies(cookies)
  }
  return { username, password }
})

export default defineConfig({
  root: 'apps/web',
  cacheDir: '../../node_modules/.cache/vite-web',
  plugins: [react(), tokenStylesheetPlugin(), layerOrderPlugin()],
  server: { proxy: Object.fromEntries(['/api', '/logout', '/health', '/ready'].map((path) => [path, server])) },
  // Found before the first test: a package found later would load the page again in the middle of one.
  optimizeDeps: { entries: ['src/main.tsx', 'src/**/*.component*.test.tsx', 'test-support/*.ts*'] },
  test: {
    include: [`../../${includedFiles(COMPONENT_TEST_FILES)}`],
    exclude: excludedFiles(),
    globalSetup: ['../../e2e/global-setup.ts'],
    setupFiles: ['test-support/setup.ts'],
    // One page for all files of a worker: loading the app's thousand modules takes longer than most tests.
    isolate: false,
    api: { host: '127.0.0.1' },
    maxWorkers: 2,
    // As long as those of the servers, for the same reason: a busy machine must fail no test that waits.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: await chromiumLaunch(),
        contextOptions: { colorScheme: 'light', locale: 'en-US', reducedMotion: 'reduce' },
      }),
      instances: [{ browser: 'chromium' }],
      viewport: { width: 1440, height: 900 },
      locators: { exact: false },
      commands: {
        signIn,
        dropSession: defineBrowserCommand(({ context }) => context.clearCookies()),
        emulateMedia: defineBrowserCommand<[media: Parameters<import('playwright').Page['emulateMedia']>[0]]>(
          ({ page }, media) => page.emulateMedia(media),
        ),
      },
    },
  },
})
