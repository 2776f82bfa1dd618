import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['apps/server/test-support/global-postgres.ts'],
    include: ['{packages,apps,scripts,bench}/**/*.test.{ts,tsx}'],
    // Two cores, and the integration tests wait on a database more than they compute.
    maxWorkers: 2,
    // Test files share what they import: reading the whole server again for each would take most of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
