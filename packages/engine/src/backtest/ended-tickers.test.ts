import { dayStamp, epochDayOf, formatDate, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { replay } from '../live/test-support/replay.ts'
import type { TradingSchedule } from '../live/schedule.ts'
import { signalNow } from '../live/signal-now.ts'
import type { SeriesTable } from '../market/series.ts'
import { planSearch } from '../optimizer/plan.ts'
import { prepareSearch } from '../optimizer/prepare.ts'
import { searchRequest } from '../optimizer/test-support/made-up-search.ts'
import type { MarketData } from './market-data.ts'
import { planBacktest } from './plan.ts'
import type { BacktestRequest } from './request.ts'
import { runBacktest } from './run-backtest.ts'
import { sampleData } from './test-support/market-files.ts'
import { allocationRequest, FROM, TO } from './test-support/requests.ts'

const whole = sampleData(['SPY', 'TLT', 'QQQ', 'TB3MS'], FROM, TO)

/** SPY as a share that was delisted in the middle of the period. */
const spy = whole.series.get('SPY')!
const END = spy.timestamps.findIndex((stamp) => stamp >= dayStamp(FROM)) + 600
const lastDay = epochDayOf(spy.timestamps[END]!)
const ended: SeriesTable = {
  ...spy,
  timestamps: spy.timestamps.slice(0, END + 1),
  columns: Object.fromEntries(Object.entries(spy.columns).map(([name, column]) => [name, column.slice(0, END + 1)])),
}
const data = { ...whole, series: new Map(whole.series).set('SPY', ended) }

const never = { rebalanceFrequency: 'none', tradingCostBps: 0 } as const
const run = (percentages: Record<string, number>, more: Partial<BacktestRequest> = {}) =>
  runBacktest(planBacktest(allocationRequest(percentages, { ...never, ...more })), data)
const at = (result: Awaited<ReturnType<typeof run>>, day: number) =>
  result.curve.values[result.curve.days.indexOf(day)]!

const hourly: TradingSchedule = {
  frequency: { type: 'continuous', everyMinutes: 60 },
  weekdays: new Set([1, 2, 3, 4, 5]),
  aroundTheClock: false,
}

describe('a ticker that ends early', () => {
  it('stops the result there by default', async () => {
    const result = await run({ SPY: 50, TLT: 50 })
    expect(result.curve.days.at(-1)).toBe(lastDay)
    expect(result.ended).toEqual([{ ticker: 'SPY', lastDay }])
  })

  it('has the final value that was set, and says so', async () => {
    const alone = await run({ SPY: 100 }, { endedTicker: 'cash' })
    const usual = await run({ SPY: 100 }, { endedTicker: 'cash', delistingReturnPct: -30 })
    expect(usual.curve.values.at(-1)).toBeCloseTo(0.7 * alone.curve.values.at(-1)!, 6)
    expect(usual.notes.join(' ')).toContain('held in cash from then on, at 30 % below its last close')
    const lost = await run({ SPY: 50, TLT: 50 }, { endedTicker: 'cash', delistingReturnPct: -100 })
    const bonds = await run({ TLT: 100 })
    expect(lost.curve.values.at(-1)).toBeCloseTo(0.5 * bonds.curve.values.at(-1)!, 6)
    expect(lost.notes.join(' ')).toContain('its final value is set to zero')
    const replaced = await run(
      { SPY: 50, TLT: 50 },
      { endedTicker: 'replace', replacementTicker: 'QQQ', delistingReturnPct: -100 },
    )
    expect(replaced.curve.values.at(-1)).toBeCloseTo(lost.curve.values.at(-1)!, 4)
    const again = await run(
      { SPY: 50, TLT: 50 },
      { endedTicker: 'replace', replacementTicker: 'QQQ', delistingReturnPct: -100, rebalanceFrequency: 'monthly' },
    )
    // After a total loss the replacement is bought with what is left.
    expect(again.curve.values.at(-1)).not.toBeCloseTo(replaced.curve.values.at(-1)!, 0)
  })

  it('is held as cash from its last close on where that is chosen', async () => {
    const alone = await run({ SPY: 100 }, { endedTicker: 'cash' })
    expect(alone.curve.days.at(-1)).toBe(TO)
    expect(alone.curve.values.at(-1)).toBeCloseTo(at(alone, lastDay), 8)
    const both = await run({ SPY: 50, TLT: 50 }, { endedTicker: 'cash' })
    const bonds = await run({ TLT: 100 })
    const spyPart = 0.5 * at(alone, lastDay)
    expect(both.curve.values.at(-1)).toBeCloseTo(spyPart + 0.5 * bonds.curve.values.at(-1)!, 6)
    expect(both.notes).toContain(
      `SPY has no prices after ${formatDate(lastDay)}: its part is held in cash from then on, at its last close.`,
    )
  })

  it('goes on with the returns of another ticker where one is named', async () => {
    const replaced = await run({ SPY: 100 }, { endedTicker: 'replace', replacementTicker: 'qqq' })
    const qqq = await run({ QQQ: 100 })
    expect(replaced.curve.days.at(-1)).toBe(TO)
    expect(replaced.curve.values.at(-1)! / at(replaced, lastDay)).toBeCloseTo(
      qqq.curve.values.at(-1)! / at(qqq, lastDay),
      8,
    )
    expect(replaced.series.map(({ ticker, use }) => [ticker, use])).toContainEqual(['QQQ', 'traded'])
  })

  it('pays the dividends of the other ticker into cash where they are not reinvested', async () => {
    const more = { endedTicker: 'replace', replacementTicker: 'TLT', reinvestDividends: false } as const
    const [stopped, replaced] = [await run({ SPY: 100 }, { reinvestDividends: false }), await run({ SPY: 100 }, more)]
    expect(replaced.metrics.dividends).toBeGreaterThan(stopped.metrics.dividends)
  })

  it('needs the other ticker to be named, and to have a price by then', async () => {
    expect(() => run({ SPY: 100 }, { endedTicker: 'replace' })).toThrow('Choose the ticker to hold when')
    const late = { ...whole.series.get('QQQ')! }
    const from = late.timestamps.findIndex((stamp) => epochDayOf(stamp) > lastDay + 30)
    const series = new Map(data.series).set('QQQ', {
      ...late,
      timestamps: late.timestamps.slice(from),
      columns: Object.fromEntries(Object.entries(late.columns).map(([name, column]) => [name, column.slice(from)])),
    })
    const plan = planBacktest(allocationRequest({ SPY: 100 }, { endedTicker: 'replace', replacementTicker: 'QQQ' }))
    await expect(runBacktest(plan, { ...data, series })).rejects.toThrow(
      `SPY ends on ${formatDate(lastDay)}, but QQQ, which is to replace it, has no price by then.`,
    )
  })

  it('is the same to the optimizer, to a replay and to a live decision', () => {
    const choice = { endedTicker: 'replace', replacementTicker: 'QQQ' } as const
    const search = searchRequest({
      from: FROM,
      to: TO,
      targets: [{ asset: 'TLT', selection: { id: 1, params: { ticker: 'TLT' } }, relatedAssets: [] }],
      sell: [{ ticker: 'SPY', allocationPct: 100 }],
      ...choice,
    })
    const prepared = prepareSearch(planSearch(search), data)
    expect(prepared.periods[0]!.to).toBe(TO)
    expect(prepared.dataNotes[0]).toContain('its part is held in QQQ from there')

    const plan = planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, choice))
    expect(epochDayOf(replay(plan, data, { models: [], schedule: hourly, from: FROM }).at(-1)!.at)).toBe(TO)
    const now = dayStamp(TO) + 22 * HOUR
    expect(signalNow(plan, data, [], now).allocation).toEqual(
      new Map([
        ['QQQ', 60],
        ['TLT', 40],
      ]),
    )
    const cash = planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, { endedTicker: 'cash' }))
    expect(signalNow(cash, data, [], now).allocation).toEqual(new Map([['TLT', 40]]))
  })

  it('is stale data to a deployment that cannot tell an end from a silent provider', () => {
    const now = dayStamp(TO) + 22 * HOUR
    const alone = planBacktest(allocationRequest({ SPY: 100 }, { endedTicker: 'cash' }))
    expect(() => signalNow(alone, data, [], now)).toThrow('The newest data for SPY')
    const stopped = planBacktest(allocationRequest({ SPY: 60, TLT: 40 }))
    expect(() => signalNow(stopped, data, [], now)).toThrow('The newest data for SPY')
  })
})

describe('a price at or below zero', () => {
  /** SPY as a future that falls below zero for one session, or as a share that ends at zero. */
  const withPrices = (type: SeriesTable['type'], change: (price: number, row: number) => number) => {
    const columns = Object.fromEntries(
      Object.entries(spy.columns).map(([name, column]) => [
        name,
        ['open', 'high', 'low', 'close'].includes(name) ? column.map(change) : column,
      ]),
    )
    const actions = new Map(whole.actions).set('SPY', { splits: [], dividends: [] })
    return { series: new Map(whole.series).set('SPY', { ...spy, type, columns }), actions }
  }
  const runOn = (prices: MarketData, percentages: Record<string, number>) =>
    runBacktest(planBacktest(allocationRequest(percentages, never)), prices)
  const plunge = withPrices('future', (price, row) => (row === END ? -36.98 : price))

  it('takes a position through it as an account would', async () => {
    const [part, plain] = [
      await runOn(plunge, { SPY: 20 }),
      await runOn(
        withPrices('future', (price) => price),
        { SPY: 20 },
      ),
    ]
    const shares = part.trades[0]!.quantity
    expect(at(part, lastDay)).toBeCloseTo(8_000 + shares * -36.98, 6)
    // The price comes back, and with it the account.
    expect(part.curve.values.at(-1)).toBeCloseTo(plain.curve.values.at(-1)!, 6)
    expect(part.notes.join(' ')).toContain(`SPY closed at -36.98 on ${formatDate(lastDay)}`)
  })

  it('ends an account that is all in it', async () => {
    const all = await runOn(plunge, { SPY: 100 })
    expect(all.wipedOut).toEqual({ day: lastDay, by: 'loss' })
  })

  it('loses a share that ends at zero, and nothing else', async () => {
    const lost = await runOn(
      withPrices('security', (price, row) => (row >= END ? 0 : price)),
      { SPY: 50, TLT: 50 },
    )
    const bonds = await runOn(whole, { TLT: 100 })
    expect(lost.curve.values.at(-1)).toBeCloseTo(0.5 * bonds.curve.values.at(-1)!, 6)
    expect(lost.notes.join(' ')).toContain(`SPY was worth nothing on ${formatDate(lastDay)}`)
  })
})
