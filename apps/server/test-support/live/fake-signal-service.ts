import { Decimal } from '@tradewright/core/decimal'
import type { Problem } from '@tradewright/core/problem'
import { dateOf } from '@tradewright/core/time'
import type { LiveSignal } from '@tradewright/engine/live/signal-now'
import type { RunnableStrategy } from '../../src/live-trading/deployment.ts'
import type { ListedDividend, SignalService } from '../../src/live-trading/ports/signal-service.ts'

export const strategyOf = (percentages: Record<string, number>): RunnableStrategy => ({
  request: {
    from: dateOf('2020-01-02'),
    to: dateOf('2025-12-31'),
    includeFirstReturn: false,
    granularity: '1d',
    startValue: 10_000,
    cashflow: 0,
    cashflowFrequency: 'yearly',
    adjustInflation: false,
    reinvestDividends: true,
    referenceTicker: undefined,
    rebalanceFrequency: 'yearly',
    rebalanceBandPct: undefined,
    tradingCostBps: 1,
    commission: 0,
    fillTiming: 'next_open',
    seed: 42,
    riskFreeTicker: undefined,
    allowMixedPrices: false,
    endedTicker: 'stop',
    replacementTicker: undefined,
    ...(Object.values(percentages).some((percent) => percent < 0) && { shortBorrowPct: 1 }),
    strategy: {
      kind: 'allocation',
      allocation: Object.entries(percentages).map(([ticker, allocationPct]) => ({ ticker, allocationPct })),
    },
  },
  model: undefined,
  provider: 'sample',
})

/** Decides what it is told to decide, from the quotes of the world. */
export class FakeSignalService implements SignalService {
  percentages: Record<string, number>
  failure: Problem | undefined
  synthetic: string[] = []
  splitsOf: Record<string, string[]> = {}
  readonly quote: (ticker: string) => Decimal | undefined

  constructor(percentages: Record<string, number>, quote: (ticker: string) => Decimal | undefined) {
    this.percentages = percentages
    this.quote = quote
  }

  async signal({ at, tickers }: Parameters<SignalService['signal']>[0]): ReturnType<SignalService['signal']> {
    if (this.failure) throw this.failure
    const signal: LiveSignal = {
      dataAsOf: at,
      prediction: undefined,
      modelVersion: undefined,
      rules: undefined,
      external: undefined,
      allocation: new Map(Object.entries(this.percentages)),
      fingerprint: '0'.repeat(16),
      series: [],
      synthetic: this.synthetic,
      notes: [],
    }
    const prices = tickers.flatMap((ticker) => {
      const price = this.quote(ticker)
      return price ? [[ticker, price.toNumber()] as const] : []
    })
    return { signal, prices: new Map(prices) }
  }

  forOnePoll(): SignalService {
    return this
  }

  retrying(): SignalService {
    return this
  }

  train(): ReturnType<SignalService['train']> {
    return Promise.reject(new Error('nothing to train'))
  }

  retrain: SignalService['retrain'] = () => Promise.reject(new Error('nothing to retrain'))

  outcomes: SignalService['outcomes'] = ({ bars }) => Promise.resolve(bars.map(() => null))
  replayMonth: SignalService['replayMonth'] = () => Promise.reject(new Error('nothing to replay'))

  /** In dollars a day. */
  volumes: Record<string, number> = {}

  async dollarVolumes(_: number, tickers: readonly string[]): ReturnType<SignalService['dollarVolumes']> {
    const known = tickers.filter((ticker) => ticker in this.volumes)
    return new Map(known.map((ticker) => [ticker, { averageUsd: this.volumes[ticker]!, isSynthetic: false }]))
  }

  async splits(_: number, ticker: string): Promise<Decimal[]> {
    return (this.splitsOf[ticker] ?? []).map((ratio) => Decimal.parse(ratio))
  }

  /** By ticker. */
  dividendsOf: Record<string, readonly ListedDividend[]> = {}

  async dividends(_: number, ticker: string, from: number, last: number): Promise<readonly ListedDividend[]> {
    return (this.dividendsOf[ticker] ?? []).filter(({ exDay }) => exDay >= from && exDay <= last)
  }

  /** Undefined: no data provider lists corporate actions. */
  listedActions: SignalService['listedActions'] = async () => undefined
}
