import type { Column } from '@tradewright/core/column'
import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readShared, readSharedCsv } from '../../../../scripts/shared-data.ts'
import {
  drawdown,
  exponentialMovingAverage,
  simpleMovingAverage,
  relativeStrengthIndex,
  percentChange,
  logReturn,
  rollingVolatility,
  rollingCorrelation,
  volumeRatio,
} from './formulas.ts'
import type { Indicator } from './feature.ts'

// Each indicator has parameters of its own; its defaults fit it.
interface AnyIndicator {
  id: string
  run: (inputs: readonly Column[]) => Column
  warmUp: number
}
const asAny = <P extends Readonly<Record<string, number>>>(indicator: Indicator<P>): AnyIndicator => ({
  id: indicator.id,
  run: (inputs) => indicator.compute(inputs, indicator.defaults),
  warmUp: indicator.warmUp(indicator.defaults),
})

const all = [
  asAny(percentChange),
  asAny(logReturn),
  asAny(simpleMovingAverage),
  asAny(exponentialMovingAverage),
  asAny(rollingVolatility),
  asAny(relativeStrengthIndex),
  asAny(volumeRatio),
  asAny(drawdown),
  asAny(rollingCorrelation),
]

function randomWalk(seed: number, length: number): Float64Array {
  const random = new Random(seed)
  let price = 100
  return Float64Array.from({ length }, () => (price *= 1 + (random.float() - 0.5) / 25))
}

const inputs = [randomWalk(1, 300), randomWalk(2, 300)]
const firstRows = (columns: readonly Column[], count: number) => columns.map((column) => column.slice(0, count))

describe.each(all)('$id', ({ run, warmUp }) => {
  it('never looks ahead', () => {
    const whole = run(inputs)
    for (const count of [1, 15, 70, 200]) expect(run(firstRows(inputs, count))).toEqual(whole.slice(0, count))
  })

  it('has a value on every row after its warm-up and on none before', () => {
    expect(Array.from(run(inputs), (value) => Number.isNaN(value))).toEqual(
      Array.from({ length: 300 }, (_, row) => row < warmUp),
    )
  })

  it('is never infinite, not even on a price that stands still or was zero', () => {
    for (const price of [new Float64Array(100).fill(5), Float64Array.from({ length: 100 }, (_, i) => i % 3)]) {
      for (const value of run([price, inputs[1]!.slice(0, 100)])) expect(Math.abs(value)).not.toBe(Infinity)
    }
  })

  it('comes back after a gap', () => {
    const holed = inputs.map((column) => column.map((value, row) => (row === 20 ? Number.NaN : value)))
    expect(run(holed).slice(100).some(Number.isNaN)).toBe(false)
  })

  it('gives an empty column for no rows', () => {
    expect(run([new Float64Array(), new Float64Array()])).toEqual(new Float64Array())
  })
})

describe('windowed indicators', () => {
  it('give the same digits wherever the history begins', () => {
    const late = inputs.map((column) => column.slice(100))
    for (const indicator of [simpleMovingAverage, rollingVolatility, rollingCorrelation, volumeRatio]) {
      const whole = indicator.compute(inputs, { window: 20 }).slice(130)
      expect(indicator.compute(late, { window: 20 }).slice(30)).toEqual(whole)
    }
  })

  it('refuse a window of no rows', () => {
    expect(() => simpleMovingAverage.compute(inputs, { window: 0 })).toThrow(RangeError)
    expect(() => rollingVolatility.compute(inputs, { window: 1.5 })).toThrow(RangeError)
  })
})

describe('drawdown', () => {
  it('is measured from the peak', () => {
    const price = Float64Array.of(100, 110, 99, 121, 60.5)
    const expected = [0, 0, -0.1, 0, -0.5]
    drawdown.compute([price], { window: 0 }).forEach((value, row) => expect(value).toBeCloseTo(expected[row]!, 12))
  })

  it('forgets a peak that has left the window', () => {
    const price = Float64Array.of(100, 50, 50, 50)
    expect(drawdown.compute([price], { window: 2 })).toEqual(Float64Array.of(0, -0.5, 0, 0))
  })
})

it('correlates a price with itself at 1 and with its mirror at -1', () => {
  const up = inputs[0]!
  const changes = percentChange.compute([up], { period: 1 })
  let price = 100
  const mirror = up.map((_, row) => (row === 0 ? price : (price *= 1 - changes[row]!)))
  expect(rollingCorrelation.compute([up, up], { window: 20 }).at(-1)).toBeCloseTo(1, 12)
  expect(rollingCorrelation.compute([up, mirror], { window: 20 }).at(-1)).toBeCloseTo(-1, 12)
})

const spyPath = 'data/reference/indicators_spy_2017_2018.csv'
describe.skipIf(!hasShared(spyPath))(claim('two years of SPY computed by others', spyPath), () => {
  it.each([
    ['sma20', simpleMovingAverage, 20],
    ['ema20', exponentialMovingAverage, 20],
    ['rsi14', relativeStrengthIndex, 14],
  ] as const)('agree on %s, warm-up included', (column, indicator, window) => {
    const csv = readSharedCsv(spyPath)
    const ours = indicator.compute([numbers(csv['close'])], { window })
    numbers(csv[column]).forEach((theirs, row) => {
      if (Number.isNaN(theirs)) expect(ours[row]).toBeNaN()
      // They print twelve significant digits.
      else expect(Math.abs(ours[row]! - theirs)).toBeLessThan(1e-9)
    })
  })
})

interface TulipCase {
  indicator: string
  inputs: Record<string, number[]>
  expected: Record<string, number[]>
}

const tulipPath = 'data/reference/indicators_tulip.json'
function tulipExample(name: string) {
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- a reference file of known shape
  const { cases } = JSON.parse(readShared(tulipPath)) as { cases: TulipCase[] }
  const found = cases.find(({ indicator }) => indicator === name)!
  return { input: Float64Array.from(Object.values(found.inputs)[0]!), values: found.expected[name]! }
}

const expectTail = (ours: Float64Array, theirs: readonly number[]) =>
  theirs.forEach((value, i) => expect(ours[ours.length - theirs.length + i]).toBeCloseTo(value, 3))

describe.skipIf(!hasShared(tulipPath))(claim('the examples of Tulip Indicators', tulipPath), () => {
  it.each([
    ['sma', simpleMovingAverage],
    ['rsi', relativeStrengthIndex],
  ] as const)('agree on %s', (name, indicator) => {
    const { input, values } = tulipExample(name)
    expectTail(indicator.compute([input], { window: 5 }), values)
  })

  it('agree on roc', () => {
    const { input, values } = tulipExample('roc')
    expectTail(percentChange.compute([input], { period: 5 }), values)
  })

  it('agree on volatility, which they annualise and divide by n', () => {
    const { input, values } = tulipExample('volatility')
    const scale = Math.sqrt(252) * Math.sqrt(4 / 5)
    expectTail(
      rollingVolatility.compute([input], { window: 5 }).map((value) => value * scale),
      values,
    )
  })
})
