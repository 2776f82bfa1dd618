import type { Block, Condition, Operand, RulesTree } from '@tradewright/core/rules/tree'
import { Random } from '@tradewright/core/random'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { dateOf, dayStamp } from '@tradewright/core/time'
import fc from 'fast-check'
import { barKnownAt, nyse } from '../../market/trading-calendar.ts'
import type { SeriesTable } from '../../market/series.ts'
import { type RulesInputs, rulesInputs } from '../inputs.ts'
import type { RulesProgram } from '../program.ts'

const TICKERS = ['SPY', 'TLT', 'GLD', 'EFA']
export const DAYS = nyse.sessionsBetween(dateOf('2023-11-20'), dateOf('2024-03-10'))
export const TIMESTAMPS = Float64Array.from(DAYS, dayStamp)
const DECISION_AT = TIMESTAMPS.map((stamp) => barKnownAt(nyse, stamp, '1d'))

/** Prices in whole steps, so that ties and values on the edge of a tolerance happen. */
export function market(seed: number): Map<string, SeriesTable> {
  const random = new Random(seed)
  return new Map(
    TICKERS.map((ticker) => {
      let price = 100
      const close = TIMESTAMPS.map(() => (price = Math.max(80, price + random.below(5) - 2)))
      return [
        ticker,
        {
          ticker,
          granularity: '1d',
          type: tickerKind(ticker),
          currency: 'USD',
          timestamps: TIMESTAMPS,
          columns: { close },
          sources: [],
        },
      ]
    }),
  )
}

const ticker = fc.constantFrom(...TICKERS)
const window = fc.integer({ min: 3, max: 8 })
const feature = (isMember: boolean): fc.Arbitrary<Extract<Operand, { kind: 'feature' }>> =>
  fc
    .tuple(fc.constantFrom('sma', 'percent_change', 'volatility', 'rsi'), fc.option(ticker), window)
    .map(([name, whose, bars]) => ({
      kind: 'feature',
      feature: name,
      params: { ...(isMember && whose === null ? {} : { ticker: whose ?? 'SPY' }), window: bars },
    }))
const operand = (isMember: boolean): fc.Arbitrary<Operand> =>
  fc.oneof(
    feature(isMember),
    fc.integer({ min: -2, max: 104 }).map((value): Operand => ({ kind: 'number', value })),
    fc.tuple(feature(isMember), feature(isMember)).map(([a, b]): Operand => ({
      kind: 'sum',
      terms: [a, b].map((one, i) => ({ times: i + 0.5, feature: one.feature, params: one.params })),
    })),
  )

/** Ids are given afterwards, by the way to each. */
const ID = 'x'
const condition = (isMember: boolean, depth = 2): fc.Arbitrary<Condition> => {
  const compare = fc
    .record({
      left: operand(isMember),
      right: operand(isMember),
      is: fc.constantFrom('above' as const, 'below' as const),
      tolerance: fc.option(
        fc.record({
          size: fc.integer({ min: 0, max: 3 }),
          unit: fc.constantFrom('percent' as const, 'points' as const),
          latched: fc.boolean(),
        }),
        { nil: undefined },
      ),
    })
    .map(({ left, right, is, tolerance }): Condition => ({ kind: 'compare', id: ID, left, right, is, tolerance }))
  if (depth === 0) return compare
  const inner = condition(isMember, depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: compare },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('all' as const, 'any' as const), fc.array(inner, { minLength: 1, maxLength: 3 }))
        .map(([kind, of]): Condition => ({ kind, id: ID, of })),
    },
    { weight: 1, arbitrary: inner.map((of): Condition => ({ kind: 'not', id: ID, of })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.integer({ min: 1, max: 4 }), inner)
        .map(([checks, of]): Condition => ({ kind: 'streak', id: ID, checks, of })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(inner, inner).map(([enter, exit]): Condition => ({ kind: 'latch', id: ID, enter, exit })),
    },
  )
}

const rebalance = fc.option(
  fc.oneof(
    fc.constant({ on: 'check' } as const),
    fc.constant({ on: 'change' } as const),
    fc.constantFrom('weekly', 'monthly').map((every) => ({ on: 'calendar', every }) as const),
    fc.integer({ min: 1, max: 5 }).map((points) => ({ on: 'band', points }) as const),
  ),
  { nil: undefined },
)

const block = (depth = 3): fc.Arbitrary<Block> => {
  const hold = fc
    .record({
      rows: fc.uniqueArray(ticker, { minLength: 1, maxLength: 3 }),
      pct: fc.integer({ min: 10, max: 33 }),
      rebalance,
    })
    .map(({ rows, pct, rebalance: when }): Block => ({
      kind: 'hold',
      id: ID,
      rows: rows.map((one) => ({ ticker: one, pct })),
      rebalance: when,
    }))
  const pick = fc
    .record({
      tickers: fc.uniqueArray(ticker, { minLength: 2, maxLength: 4 }),
      order: fc.option(fc.constantFrom('top' as const, 'bottom' as const)),
      by: feature(true),
      eligible: fc.option(condition(true, 1), { nil: undefined }),
      keep: fc.option(condition(true, 1), { nil: undefined }),
      scheme: fc.constantFrom('equal', 'inverse-volatility', 'risk-parity', 'minimum-variance'),
      bars: window,
      unfilled: fc.constantFrom('rest' as const, 'spread' as const),
      target: fc.option(fc.integer({ min: 5, max: 20 })),
      rebalance,
    })
    .map(({ tickers, order, by, eligible, keep, scheme, bars, unfilled, target, rebalance: when }): Block => {
      const params = Object.fromEntries(Object.entries(by.params).filter(([name]) => name !== 'ticker'))
      return {
        kind: 'pick',
        id: ID,
        tickers,
        eligible,
        keep,
        unfilled,
        rebalance: when,
        rank: order === null ? undefined : { order, count: Math.ceil(tickers.length / 2), by: { ...by, params } },
        weights: scheme === 'equal' ? { kind: 'equal' } : { kind: scheme as 'risk-parity', window: bars },
        volatilityTarget: target === null ? undefined : { pct: target, window: bars },
      }
    })
  const cash = fc.constant<Block>({ kind: 'cash', id: ID })
  if (depth === 0) return fc.oneof(hold, pick, cash)
  const inner = block(depth - 1)
  return fc.oneof(
    hold,
    pick,
    fc
      .record({
        children: fc.array(inner, { minLength: 1, maxLength: 3 }),
        rebalance,
        rest: fc.option(inner, { nil: undefined }),
      })
      .map(({ children, rebalance: when, rest }): Block => ({
        kind: 'group',
        id: ID,
        children,
        rebalance: when,
        rest,
        weights: { kind: 'fixed', pcts: children.map(() => 30) },
      })),
    fc
      .tuple(condition(false), inner, inner)
      .map(([asked, yes, no]): Block => ({ kind: 'if', id: ID, condition: asked, yes, no })),
  )
}

export const randomTree = fc
  .record({ check: fc.constantFrom('bar' as const, 'daily' as const, 'weekly' as const), root: block() })
  .map(({ check, root }) => withIds({ version: 1, check, cash: 'CASHX', root }))

/** Numbers every id. Undefined fields go, as they do in JSON. */
function withIds(given: RulesTree): RulesTree {
  let count = 0
  return JSON.parse(JSON.stringify(given), (key, value: unknown) => (key === 'id' ? `b${count++}` : value)) as RulesTree
}

export const inputsOf = (
  program: RulesProgram,
  series: ReadonlyMap<string, SeriesTable>,
  bars = TIMESTAMPS.length,
): RulesInputs =>
  rulesInputs(
    program,
    {
      timestamps: TIMESTAMPS.subarray(0, bars),
      decisionAt: DECISION_AT.subarray(0, bars),
      calendar: nyse,
      granularity: '1d',
      barsPerYear: 252,
    },
    (name) => series.get(name)!,
  )

export const firstRows = (series: ReadonlyMap<string, SeriesTable>, rows: number) =>
  new Map(
    [...series].map(([name, table]) => [
      name,
      {
        ...table,
        timestamps: table.timestamps.subarray(0, rows),
        columns: { close: table.columns['close']!.subarray(0, rows) },
      },
    ]),
  )
