import { dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { signalNow } from '../live/signal-now.ts'
import { prepareSearch } from '../optimizer/prepare.ts'
import { planSearch } from '../optimizer/plan.ts'
import { searchRequest } from '../optimizer/test-support/made-up-search.ts'
import type { MarketData } from './market-data.ts'
import { planBacktest } from './plan.ts'
import { runBacktest } from './run-backtest.ts'
import { nearestMean } from './test-support/nearest-mean.ts'
import { sampleData } from './test-support/market-files.ts'
import { allocationRequest, FROM, mlRequest, TO } from './test-support/requests.ts'

const synthetic = sampleData(['SPY', 'TLT', 'QQQ', 'TB3MS', 'DTB3', 'UNRATE', 'FEDFUNDS'], FROM, TO)

/** The same rows as if these tickers had been imported. */
function withImported(...tickers: string[]): MarketData {
  const series = new Map(synthetic.series)
  for (const ticker of tickers) {
    const table = series.get(ticker)!
    series.set(ticker, { ...table, sources: [Object.assign({}, table.sources[0]!, { provider: 'csv' })] })
  }
  return { ...synthetic, series }
}

const run = (percentages: Record<string, number>, data: MarketData, more = {}) =>
  runBacktest(planBacktest(allocationRequest(percentages, more)), data)

const origins = (result: Awaited<ReturnType<typeof run>>) =>
  result.series.map(({ ticker, use, sources }) => [ticker, use, sources.map(({ provider }) => provider).join()])

describe('a result on real prices', () => {
  it('is not called synthetic for a synthetic T-bill rate, which is named', async () => {
    const result = await run({ SPY: 60, TLT: 40 }, withImported('SPY', 'TLT'))
    expect(result.synthetic).toBe(false)
    expect(origins(result)).toEqual([
      ['SPY', 'traded', 'csv'],
      ['TLT', 'traded', 'csv'],
      ['TB3MS', 'rate', 'sample'],
    ])
    expect(result.notes).toContain(
      'TB3MS is synthetic sample data: ratios and interest that use it are not real. All traded prices are.',
    )
  })

  it('does not count a rate that it did not need', async () => {
    const result = await run({ SPY: 100 }, withImported('SPY', 'TB3MS'))
    expect(origins(result)).toEqual([
      ['SPY', 'traded', 'csv'],
      ['TB3MS', 'rate', 'csv'],
    ])
    expect(result.notes.join(' ')).not.toContain('synthetic')
  })

  it('names synthetic series that a model learned from', async () => {
    const data = withImported('SPY', 'TLT', 'TB3MS')
    const result = await runBacktest(planBacktest(mlRequest()), data, nearestMean)
    expect(result.synthetic).toBe(false)
    expect(result.notes.join(' ')).toContain('Features of UNRATE are computed from synthetic sample data')
  })

  it('names a synthetic reference', async () => {
    const result = await run({ SPY: 100 }, withImported('SPY', 'TB3MS'), { referenceTicker: 'QQQ' })
    expect(result.notes).toContain('The reference QQQ is synthetic sample data: a comparison with it says nothing.')
  })
})

describe('synthetic traded prices', () => {
  it('make the result synthetic, without a sentence beside the badge', async () => {
    const result = await run({ SPY: 60, TLT: 40 }, synthetic)
    expect(result.synthetic).toBe(true)
    expect(result.notes.join(' ')).not.toMatch(/synthetic|made-up|sample market/i)
  })

  it('are not mixed with real ones unless that was confirmed', async () => {
    await expect(run({ SPY: 60, TLT: 40 }, withImported('SPY'))).rejects.toMatchObject({
      code: 'backtest.mixed-prices',
      message:
        'Real and synthetic prices would be mixed in one result: prices of SPY are real, but for TLT there is only ' +
        'synthetic sample data. Retry when the data provider answers, import prices of TLT, or allow mixed prices.',
    })
    const mixed = await run({ SPY: 60, TLT: 40 }, withImported('SPY'), { allowMixedPrices: true })
    expect(mixed.synthetic).toBe(true)
    expect(mixed.series.filter((one) => one.use === 'traded').map((one) => [one.ticker, one.synthetic])).toEqual([
      ['SPY', false],
      ['TLT', true],
    ])
  })

  it('include TBILLX where its rate is synthetic, but not the rate that leverage pays', async () => {
    await expect(run({ SPY: 60, TBILLX: 40 }, withImported('SPY'))).rejects.toThrow('for TB3MS there is only synthetic')
    expect((await run({ 'SPY?L=2': 100 }, withImported('SPY'))).synthetic).toBe(false)
  })

  it('are refused beside real ones by the optimizer and by a live decision as well', () => {
    const request = searchRequest({
      from: FROM,
      to: TO,
      targets: [{ asset: 'SPY', selection: { id: 1, params: { ticker: 'SPY' } }, relatedAssets: [] }],
      sell: [{ ticker: 'TLT', allocationPct: 100 }],
    })
    const mixed = withImported('SPY')
    expect(() => prepareSearch(planSearch(request), mixed)).toThrow('Real and synthetic prices would be mixed')
    const allowed = prepareSearch(planSearch({ ...request, allowMixedPrices: true }), mixed)
    expect(allowed.synthetic).toBe(true)
    const at = dayStamp(TO) + 22 * 3_600_000
    const signal = (more = {}) => signalNow(planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, more)), mixed, [], at)
    expect(() => signal()).toThrow('Real and synthetic prices would be mixed')
    expect(signal({ allowMixedPrices: true }).synthetic).toEqual(['TLT'])
  })
})
