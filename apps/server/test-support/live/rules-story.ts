import type { RulesTree } from '@tradewright/core/rules/tree'
import { Decimal } from '@tradewright/core/decimal'
import { dateOf, type EpochDay } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { sampleData } from '@tradewright/engine/backtest/test-support/market-files'
import { randomUUID } from 'node:crypto'
import { controlDeployment } from '../../src/live-trading/control.ts'
import { deploy } from '../../src/live-trading/deploy/deploy.ts'
import type { Deployment } from '../../src/live-trading/deployment.ts'
import type { LiveDeps } from '../../src/live-trading/deps.ts'
import { closeOn, engineSignalService } from './engine-signal-service.ts'
import { strategyOf } from './fake-signal-service.ts'
import { deployForm, type LiveWorld, settingsOf } from './live-world.ts'

const change = (id: string, is: 'above' | 'below', value: number) => ({
  kind: 'compare' as const,
  id,
  left: { kind: 'feature' as const, feature: 'percent_change', params: { ticker: 'SPY', window: 3 } },
  is,
  right: { kind: 'number' as const, value },
})

/** A latch that turns every few days, and a mix that is brought back when it is off by a tenth of a point. */
const tree: RulesTree = {
  version: 1,
  check: 'bar',
  cash: 'CASHX',
  root: {
    kind: 'if',
    id: 'trend',
    condition: {
      kind: 'latch',
      id: 'position',
      enter: change('rises', 'above', 0.005),
      exit: change('falls', 'below', -0.005),
    },
    yes: {
      kind: 'hold',
      id: 'mix',
      rows: [
        { ticker: 'SPY', pct: 60 },
        { ticker: 'TLT', pct: 40 },
      ],
      rebalance: { on: 'band', points: 0.4 },
    },
    no: { kind: 'hold', id: 'bonds', rows: [{ ticker: 'TLT', pct: 100 }], rebalance: { on: 'change' } },
  },
}

const RULES_FROM = dateOf('2018-01-02')
const LAST = dateOf('2019-12-31')

/** Without dividends, which the broker of this world does not pay. */
export const rulesData = (): MarketData => ({
  ...sampleData(['SPY', 'TLT', 'TB3MS'], RULES_FROM, LAST),
  actions: new Map(),
})

export const rulesRequest: BacktestRequest = {
  ...strategyOf({}).request,
  from: RULES_FROM,
  to: dateOf('2018-12-31'),
  tradingCostBps: 0,
  fillTiming: 'next_close',
  strategy: { kind: 'rules', tree },
}

/** The world with the engine in place of a signal that is told. */
export const rulesDeps = (world: LiveWorld, data: MarketData): LiveDeps => ({
  ...world.deps,
  signalService: engineSignalService(data),
  readStrategy: () => ({ ...strategyOf({}), request: rulesRequest }),
  holder: randomUUID(),
})

export async function deployedRules({ database, userId, accountId }: LiveWorld, deps: LiveDeps): Promise<Deployment> {
  const { id: strategyId } = await database.database
    .selectFrom('strategies')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const settings = settingsOf({ rebalanceFrequency: 'none' })
  const { deployment } = await deploy(deps, userId, deployForm({ strategyId, accountId, settings }))
  return controlDeployment(deps, userId, deployment.id, 'start')
}

/** To an instant of a day, at which everything is quoted at that day's close. */
export function goTo({ clock, quotes }: LiveWorld, data: MarketData, at: number, day: EpochDay): void {
  clock.advance(at - clock.now().getTime())
  for (const ticker of ['SPY', 'TLT']) quotes.set(ticker, Decimal.fromNumber(closeOn(data, ticker, day)))
}
