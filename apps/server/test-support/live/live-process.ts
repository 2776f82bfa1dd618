import { ManualClock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { acceptBroker } from '../../src/live-trading/capital/accept-broker.ts'
import { LiveRunner } from '../../src/live-trading/cycle/runner.ts'
import { createDeploymentLog } from '../../src/live-trading/deployment-log.ts'
import type { LiveDeps } from '../../src/live-trading/deps.ts'
import { createLog } from '../../src/log.ts'
import { connectDatabase } from '../../src/stores/database.ts'
import { emergencyFiles } from '../../src/stores/live-trading/emergency-files.ts'
import { createLiveDatabase } from '../../src/stores/live-trading/live-database.ts'
import { ModelCache } from '../../src/live-trading/cycle/propose/model-cache.ts'
import { engineSignalService } from './engine-signal-service.ts'
import { FakeSignalService } from './fake-signal-service.ts'
import { remoteBroker } from './remote-broker.ts'
import { rulesData } from './rules-story.ts'
import type { CycleDeps } from '../../src/live-trading/cycle/types.ts'

/** A process that runs deployments and dies by kill -9 right after a step of the order path. */
const argument = JSON.parse(process.argv[2]!) as {
  databaseUrl: string
  brokerUrl: string
  now: number
  step: string
  times: number
  percentages: Record<string, number>
  quotes: Record<string, string>
  beatMs: number
  byRules: boolean
  accepts: { userId: number; id: number } | null
}
const { databaseUrl, brokerUrl, now, step, times, percentages, quotes, beatMs, byRules, accepts } = argument
// It never ends in the way in which compiled sources are kept for the next one.
flushCompileCache()
const log = createLog({ logLevel: 'silent' })
const { database } = connectDatabase(databaseUrl, log, 4)
const stores = createLiveDatabase(database)
const clock = new ManualClock(new Date(now))
const broker = remoteBroker(brokerUrl)
let left = times
const deps: CycleDeps = {
  database: stores,
  brokerFor: async () => broker,
  signalService: byRules
    ? engineSignalService(rulesData())
    : new FakeSignalService(percentages, (ticker) =>
        quotes[ticker] === undefined ? undefined : Decimal.parse(quotes[ticker]),
      ),
  clock,
  log,
  modelCache: new ModelCache(),
  deploymentLog: createDeploymentLog(stores.journal, clock, log),
  gate: emergencyFiles('/nonexistent'),
  limits: {},
  notify: async () => {},
  putMail: async () => {},
  holder: randomUUID(),
  onStep: (taken) => {
    if (taken === step && --left === 0) process.kill(process.pid, 'SIGKILL')
  },
  signal: new AbortController().signal,
}
// Of what only a web process has, taking the broker's figures needs nothing.
if (accepts) await acceptBroker(deps as LiveDeps, accepts.userId, accepts.id)
const runner = new LiveRunner(deps)
for (let beat = 0; beat < 10; beat++) {
  await runner.tick()
  clock.advance(beatMs)
}
process.stdout.write('reached the end without that step\n')
process.exit(3)
