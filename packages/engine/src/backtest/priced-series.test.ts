import { parseTicker } from '@tradewright/core/ticker'
import { dayStamp, type EpochDay, epochDayOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared } from '../../../../scripts/shared-data.ts'
import { allFeatures, planFeature } from '../features/catalogue.ts'
import { DecisionRows, featureColumn } from '../features/feature-matrix.ts'
import { knownAtOf } from '../market/known-at.ts'
import { rowsInRange } from '../market/layers/rows.ts'
import type { MarketData } from './market-data.ts'
import { SeriesSet } from './priced-series.ts'
import { defaultSettings } from './request.ts'
import { realData, sampleData } from './test-support/market-files.ts'
import { FROM, TO } from './test-support/requests.ts'

const settings = { ...defaultSettings, from: FROM, to: TO }

/** What had happened by this stamp: no later price, dividend or split. */
function upTo({ series, actions }: MarketData, last: number): MarketData {
  const cut = [...series].map(
    ([symbol, table]) => [symbol, rowsInRange(table, { from: Number.NEGATIVE_INFINITY, to: last + 1 })] as const,
  )
  const happened = ({ exDay }: { exDay: EpochDay }) => dayStamp(exDay) <= last
  const known = [...(actions ?? [])].map(
    ([symbol, { splits, dividends }]) =>
      [symbol, { splits: splits.filter(happened), dividends: dividends.filter(happened) }] as const,
  )
  return { series: new Map(cut), actions: new Map(known) }
}

const priceFeatures = allFeatures.filter(({ parameters }) =>
  parameters.some(({ name, default: value }) => name === 'ticker' && value === 'SPY'),
)

function columnsOf(data: MarketData, ticker: string, reinvestDividends = true) {
  const seriesSet = new SeriesSet(data, { ...settings, reinvestDividends })
  const decisions = new DecisionRows(knownAtOf(seriesSet.anchored(ticker)))
  return priceFeatures.map((feature) => {
    const params = {
      ticker,
      ...(feature.parameters.some(({ name }) => name === 'other_ticker') && { other_ticker: 'TLT' }),
    }
    return featureColumn(planFeature({ id: feature.id, params }), (one) => seriesSet.anchored(one), decisions)
  })
}

function expectSameDigits(data: MarketData, rows: number, ticker: string, reinvestDividends?: boolean): void {
  const whole = columnsOf(data, ticker, reinvestDividends)
  const { timestamps } = data.series.get(parseTicker(ticker).symbol)!
  const known = columnsOf(upTo(data, timestamps[rows - 1]!), ticker, reinvestDividends)
  known.forEach((column, i) => {
    expect(column, priceFeatures[i]!.name).toEqual(whole[i]!.slice(0, rows))
  })
}

/** With a split of its own after row 1000, so that splits are seen as well as dividends. */
function splitLater(data: MarketData): MarketData {
  const spy = data.actions!.get('SPY')!
  const exDay = epochDayOf(data.series.get('SPY')!.timestamps[1000]!)
  return { ...data, actions: new Map([...data.actions!, ['SPY', { ...spy, splits: [{ exDay, ratio: 3 }] }]]) }
}

describe('a feature keeps its values to the last digit when later dividends and splits appear', () => {
  const data = splitLater(sampleData(['SPY', 'TLT', 'FEDFUNDS'], FROM, TO))

  it('the sample market pays dividends after the row where these tests cut', () => {
    const { timestamps } = data.series.get('SPY')!
    const later = data.actions!.get('SPY')!.dividends.filter(({ exDay }) => dayStamp(exDay) > timestamps[700]!)
    expect(later.length).toBeGreaterThan(8)
  })

  it.each([
    ['SPY', true],
    ['SPY', false],
    ['SPY?L=2', true],
    ['SPY?L=-1', true],
  ])('%s, dividends reinvested: %s', (ticker, reinvestDividends) => {
    for (const rows of [700, 1100]) expectSameDigits(data, rows, ticker, reinvestDividends)
  })

  const path = 'data/equities/daily/AAPL.csv'
  it.skipIf(!hasShared(path))(claim('Apple, with four splits and its dividends', path), () => {
    const apple = realData(['AAPL', 'TLT'])
    for (const rows of [3500, 5000]) expectSameDigits(apple, rows, 'AAPL')
  })
})

it('begins with the price that was traded, and has the returns of the traded series', () => {
  const data = sampleData(['SPY', 'TLT'], FROM, TO)
  const seriesSet = new SeriesSet(data, settings)
  const [anchored, traded] = [seriesSet.anchored('SPY').columns, seriesSet.priced('SPY').table.columns]
  const raw = data.series.get(parseTicker('SPY').symbol)!.columns
  expect(anchored['close']![0]).toBe(raw['close']![0])
  const ratio = traded['close']![0]! / anchored['close']![0]!
  anchored['close']!.forEach((price, row) => expect((price * ratio) / traded['close']![row]! - 1).toBeCloseTo(0, 12))
  expect(anchored['volume']![0]).toBe(raw['volume']![0])
})
