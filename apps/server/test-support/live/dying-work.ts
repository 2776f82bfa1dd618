import { ManualClock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import type { Broker } from '@tradewright/engine/trading/broker'
import { randomUUID } from 'node:crypto'
import { acceptBroker } from '../../src/live-trading/capital/accept-broker.ts'
import type { OrderStep } from '../../src/live-trading/cycle/order-steps.ts'
import { ModelCache } from '../../src/live-trading/cycle/propose/model-cache.ts'
import { LiveRunner } from '../../src/live-trading/cycle/runner.ts'
import type { CycleDeps } from '../../src/live-trading/cycle/types.ts'
import { createDeploymentLog } from '../../src/live-trading/deployment-log.ts'
import type { LiveDeps } from '../../src/live-trading/deps.ts'
import { createLog } from '../../src/log.ts'
import type { Database } from '../../src/stores/database.ts'
import { emergencyFiles } from '../../src/stores/live-trading/emergency-files.ts'
import { createLiveDatabase } from '../../src/stores/live-trading/live-database.ts'
import { engineSignalService } from './engine-signal-service.ts'
import { FakeSignalService } from './fake-signal-service.ts'
import { rulesData } from './rules-story.ts'

/** What a process that dies is told: it travels as JSON. */
export interface DyingWork {
  readonly now: number
  readonly step: OrderStep
  /** After which of those steps it dies. */
  readonly times: number
  readonly percentages: Record<string, number>
  readonly quotes: Record<string, string>
  /** How far its clock goes in a beat. */
  readonly beatMs: number
  readonly byRules: boolean
  /** Runs nothing before it took the broker's figures for this deployment. */
  readonly accepts: { readonly userId: number; readonly id: number } | null
}

interface Surroundings {
  readonly database: Database
  readonly broker: Broker
  /** Called right after the step: nothing that comes after it may reach the database or the broker. */
  readonly die: () => void
}

/** Runs the deployments of a database until the step; returns if it is never reached. */
export async function workUntilDeath(work: DyingWork, { database, broker, die }: Surroundings): Promise<void> {
  const log = createLog({ logLevel: 'silent' })
  const stores = createLiveDatabase(database)
  const clock = new ManualClock(new Date(work.now))
  const quote = (ticker: string) => work.quotes[ticker]
  let left = work.times
  const deps: CycleDeps = {
    database: stores,
    brokerFor: async () => broker,
    signalService: work.byRules
      ? engineSignalService(rulesData())
      : new FakeSignalService(work.percentages, (ticker) => {
          const price = quote(ticker)
          return price === undefined ? undefined : Decimal.parse(price)
        }),
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
      if (taken === work.step && --left === 0) die()
    },
    signal: new AbortController().signal,
  }
  // Taking the broker's figures needs nothing that only a web process has.
  if (work.accepts) await acceptBroker(deps as LiveDeps, work.accepts.userId, work.accepts.id)
  const runner = new LiveRunner(deps)
  for (let beat = 0; beat < 10; beat++) {
    await runner.tick()
    clock.advance(work.beatMs)
  }
}
