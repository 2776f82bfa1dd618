import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './e2e/chromium.ts'
import { excludedFiles, includedFiles, STORY_FILES } from './scripts/test-files.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: `**/${includedFiles(STORY_FILES)}`,
  testIgnore: excludedFiles(),
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  // The JSON report goes to PLAYWRIGHT_JSON_OUTPUT_FILE, where the run that counts the tests looks for it.
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['list'], ['json']] : [['list']],
  // One more than two cores: a browser waits for the server, and the server for its database. A fourth gains nothing.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A machine whose host takes most of its processor time made 60 s too short.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    // Known once the global setup has started the app; each worker reads this file again after that.
    baseURL: process.env['STORIES_URL'] ?? '',
    browserName: 'chromium',
    launchOptions: await chromiumLaunch(),
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // What fades out is still there to be found by name; the stories about motion ask for it themselves.
    reducedMotion: 'reduce',
    // Stories of the offline shell allow it; elsewhere it would hide calls from the stories that hold them up.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
  },
})
