import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['apps/server/test-support/global-postgres.ts'],
    include: ['{packages,apps,scripts,bench}/**/*.test.{ts,tsx}'],
    // One more than two cores: much of the time is waiting for a database or for a program to start.
    maxWorkers: 3,
    // Test files share what they import: reading the whole server again for each would take most of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
