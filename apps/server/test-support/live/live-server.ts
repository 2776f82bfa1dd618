import { ManualClock } from '@tradewright/core/clock'
import { dateOf, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRuntime, type Runtime } from '../../src/areas/runtime.ts'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { startEmptyProviders } from '../providers-at.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

/** The whole server, and beside it a process that runs deployments when it is told to. */
export interface LiveServer {
  readonly server: TestApp
  readonly worker: Runtime
  readonly clock: ManualClock
  /** To half an hour before the close of this session, or of the one after the present. */
  toDecision(date?: string): void
  toClose(): void
  /** Lets the process poll and work several times, a second apart. */
  work(polls?: number): Promise<void>
  close(): Promise<void>
}

export async function liveServer(startOn: string, environment: Record<string, string> = {}): Promise<LiveServer> {
  const clock = new ManualClock(new Date(nyse.openOf(dateOf(startOn)) + HOUR))
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-live-server-'))
  const providers = await startEmptyProviders()
  const settings = { DATA_DIR: folder, RUN_JOBS: 'off', COMPUTE_THREADS: '1', ...providers.environment, ...environment }
  const server = await createTestApp({ clock, environment: settings })
  const config = readConfig({ DATABASE_URL: server.database.url, LOG_LEVEL: 'silent', ...settings })
  const worker = await openRuntime(config, server.foundation, createLog(config), { runsJobs: false, clock })
  const advanceTo = (instant: number) => clock.advance(instant - clock.now().getTime())
  const today = () => Math.floor(clock.now().getTime() / 86_400_000)
  return {
    server,
    worker,
    clock,
    toDecision(date) {
      let day = date === undefined ? today() : dateOf(date)
      while (!nyse.isSession(day) || nyse.closeOf(day) - 30 * MINUTE <= clock.now().getTime()) day++
      advanceTo(nyse.closeOf(day) - 30 * MINUTE)
    },
    toClose: () => advanceTo(nyse.closeOf(today()) + MINUTE),
    async work(polls = 4) {
      for (let poll = 0; poll < polls; poll++) {
        await worker.liveTrading.runner.tick()
        clock.advance(1_000)
      }
      // Leases end by the clock of the database, and minutes may pass before the next poll of a busy machine.
      await sql`UPDATE deployment_leases SET expires_at = clock_timestamp() + interval '1 hour'
        WHERE isfinite(expires_at)`.execute(server.database.database)
    },
    async close() {
      await worker.close()
      await server.close()
      await providers.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
