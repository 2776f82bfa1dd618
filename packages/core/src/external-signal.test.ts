import { describe, expect, it } from 'vitest'
import {
  boundedTarget,
  checkBounds,
  parseSignals,
  type SignalBounds,
  type SignalTarget,
  targetKey,
  targetName,
} from './external-signal.ts'

const bounds: SignalBounds = {
  allocations: [
    { name: 'risk-on', rows: [{ ticker: 'SPY', allocationPct: 100 }] },
    {
      name: 'mixed',
      rows: [
        { ticker: 'spy', allocationPct: 60 },
        { ticker: 'AGG', allocationPct: 40 },
      ],
    },
    { name: 'out', rows: [] },
  ],
  initial: 'out',
  maxWeightPct: 70,
}

describe('the list', () => {
  it.each<[Partial<SignalBounds>, string]>([
    [{ allocations: [] }, 'Add an allocation: a signal names one of them.'],
    [{ allocations: [{ name: 'out', rows: [] }] }, 'Name at least one ticker.'],
    [{ allocations: [{ name: '<b>', rows: [{ ticker: 'SPY', allocationPct: 1 }] }] }, 'The name of an allocation has'],
    [{ allocations: [...bounds.allocations, ...bounds.allocations] }, 'Two allocations are called “risk-on”.'],
    [
      { allocations: [{ name: 'a', rows: [{ ticker: 'SPY', allocationPct: 120 }] }] },
      '“a” adds up to 120%: a signal never borrows, at most 100% is allowed.',
    ],
    [{ allocations: [{ name: 'a', rows: [{ ticker: 'SPY', allocationPct: -1 }] }] }, '“a” has -1% of SPY'],
    [{ allocations: [{ name: 'a', rows: [{ ticker: 'SPY', allocationPct: Number.NaN }] }] }, '“a” has NaN% of SPY'],
    [{ initial: 'gone' }, 'There is no allocation “gone” to begin with.'],
    [{ maxWeightPct: 0 }, 'The maximum weight must be above 0% and at most 100%, was 0%.'],
  ])('is refused with %j', (change, sentence) => {
    expect(() => checkBounds({ ...bounds, ...change })).toThrow(sentence)
  })

  it('is taken as it is', () => {
    expect(() => checkBounds(bounds)).not.toThrow()
  })
})

describe('a target', () => {
  it.each<[SignalTarget, string]>([
    [{ allocation: 'moon' }, 'There is no allocation “moon”. The strategy has “risk-on”, “mixed”, “out”.'],
    [{ weights: { TSLA: 10 } }, 'TSLA is not in the allocations of the strategy.'],
    [{ weights: { SPY: 71 } }, '71% of SPY is outside the limit: from 0% to 70% is allowed.'],
    [{ weights: { SPY: -1 } }, '-1% of SPY is outside the limit'],
    [{ weights: { SPY: Number.NaN } }, 'NaN% of SPY is outside the limit'],
    [{ weights: { SPY: 70, AGG: 40 } }, 'The weights add up to 110%, more than 100%.'],
    [{ weights: { SPY: 10, spy: 10 } }, 'SPY is there twice.'],
  ])('outside the list is refused: %j', (target, sentence) => {
    expect(() => boundedTarget(bounds, target)).toThrow(sentence)
  })

  it('has weights only where the list allows them', () => {
    expect(() => boundedTarget({ ...bounds, maxWeightPct: null }, { weights: { SPY: 10 } })).toThrow('not weights')
    expect(boundedTarget(bounds, { weights: { agg: 30, spy: 70 } })).toEqual({ weights: { AGG: 30, SPY: 70 } })
  })

  it('has one key, in whatever order its weights come', () => {
    expect(targetKey({ weights: { AGG: 30, SPY: 70, GLD: 0 } })).toBe(targetKey({ weights: { SPY: 70, AGG: 30 } }))
    expect(targetKey({ allocation: 'out' })).not.toBe(targetKey({ allocation: 'mixed' }))
    expect(targetName({ weights: { SPY: 70, AGG: 0 } })).toBe('70% SPY')
  })
})

describe('a file of signals', () => {
  it('is read in the order of time, with any zone and line end', () => {
    const text = '\uFEFFTime, Signal\r\n2026-03-05T16:00:00-05:00,"SPY=60;AGG=40"\r\n2026-03-04 20:55Z,risk-on\r\n\r\n'
    expect(parseSignals(text)).toEqual([
      { at: Date.parse('2026-03-04T20:55:00Z'), target: { allocation: 'risk-on' } },
      { at: Date.parse('2026-03-05T21:00:00Z'), target: { weights: { SPY: 60, AGG: 40 } } },
    ])
  })

  it.each([
    ['risk-on', 'The file of signals must begin with the line time,signal.'],
    ['time,signal\n2026-03-04,risk-on', 'Line 2 must look like 2026-03-04T20:55:00Z,risk-on.'],
    ['time,signal\n\n2026-03-04T20:55:00,risk-on', 'Line 3 must look like'],
    ['time,signal\n2026-13-04T20:55:00Z,risk-on', 'Line 2 must look like'],
    ['time,signal\n2026-03-04T20:55:00Z,', 'Line 2 must look like'],
    ['time,signal\n2026-03-04T20:55:00Z,SPY=x', '“SPY=x” is neither a name nor weights'],
  ])('is refused by its line: %j', (text, sentence) => {
    expect(() => parseSignals(text)).toThrow(sentence)
  })
})
