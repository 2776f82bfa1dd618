import type { SignalTarget } from '@tradewright/core/external-signal'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { createSignalStore } from '../../src/stores/external-signals/external-signals.ts'
import type { Deployment } from '../../src/live-trading/deployment.ts'
import type { LiveDeps } from '../../src/live-trading/deps.ts'
import { strategyOf } from './fake-signal-service.ts'
import type { LiveWorld } from './live-world.ts'
import { deployedRules, rulesDeps, rulesRequest } from './rules-story.ts'

const externalRequest: BacktestRequest = {
  ...rulesRequest,
  strategy: {
    kind: 'external',
    allocations: [
      { name: 'on', rows: [{ ticker: 'SPY', allocationPct: 100 }] },
      { name: 'off', rows: [{ ticker: 'TLT', allocationPct: 100 }] },
    ],
    initial: null,
    maxWeightPct: 50,
    signals: [],
  },
}

/** The world with the engine, and a strategy that signals from outside decide. */
export const externalDeps = (world: LiveWorld, data: MarketData): LiveDeps => ({
  ...rulesDeps(world, data),
  readStrategy: () => ({ ...strategyOf({}), request: externalRequest }),
})

interface DeployedSignals {
  readonly deployment: Deployment
  readonly strategyId: number
  /** Receives a signal. */
  readonly signal: (eventId: string, target: SignalTarget, receivedAt: Date) => Promise<string>
}

export async function deployedSignals(world: LiveWorld, deps: LiveDeps): Promise<DeployedSignals> {
  const deployment = await deployedRules(world, deps)
  const { userId } = world
  const strategyId = deployment.strategyId!
  const store = createSignalStore(world.database.database)
  const address = { userId, strategyId, sealedSecret: Buffer.alloc(0), createdAt: new Date() }
  return {
    deployment,
    strategyId,
    signal: (eventId, target, receivedAt) => store.accept(address, { eventId, target, receivedAt }),
  }
}
