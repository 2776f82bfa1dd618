import { defineConfig } from 'vitest/config'

// `npm run campaign`: what takes minutes. The usual tests run a shorter form of each, but for the fresh clone.
export default defineConfig({
  test: {
    globalSetup: ['apps/server/test-support/global-setup.ts'],
    include: [
      '{scripts,packages,apps}/**/*.campaign.ts',
      'apps/server/src/brokerage/paper/replay.test.ts',
      'apps/server/src/durability.rest.test.ts',
      'apps/server/src/http/every-call/shared-files.test.ts',
      'apps/server/src/market-data/csv/csv-import.test.ts',
      'apps/server/src/stores/series/local-store{,.crash,.kill.rest}.test.ts',
      'apps/server/src/stores/series/postgresql/postgresql-store.test.ts',
      'apps/server/src/live-trading/campaign{,.rest}.test.ts',
      'apps/server/src/live-trading/{rules,two-servers.rest}.test.ts',
      'apps/server/src/live-trading/cycle/{faults,faults.rest,kill.rest,kill-bookings.rest}.test.ts',
    ],
    env: { KILLS: '20', LIVE_CAMPAIGN: 'month', EVERY_FILE: 'yes', HISTORIES: '25' },
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
