import { describe, expect, it } from 'vitest'
import { cagr, growthOf, simpleReturns } from './returns.ts'
import { calmar, sharpe, sortino, volatility, NO_RISK, rollingSharpe } from './risk-adjusted-return.ts'
import { drawdownCurve, maxDrawdown } from './drawdown.ts'
import { notAvailable, valueOf } from './figure.ts'

const mixed = [0.01, 0.1, -0.04, 0.02, 0.03, 0.02, 0.01, -0.1]
const daily = { periodsPerYear: 252 }

describe('cagr', () => {
  it('counts calendar days in years of 365.25', () => {
    expect(cagr(68935.12 / 10000, 3116)).toBeCloseTo(0.2539, 4)
    expect(cagr(2, 5 * 365.25)).toBeCloseTo(0.148698354997, 12)
    expect(cagr(1, 100)).toBe(0)
  })

  it('says why a period without length, or without a start value, has none', () => {
    expect(cagr(1.1, 0)).toEqual(notAvailable('the period has no length'))
    expect(cagr(Number.NaN, 10)).toEqual(notAvailable('there was no value at the start'))
    expect(cagr(1e300, 1)).toEqual(notAvailable('the period is too short for a yearly rate'))
  })

  it('is -100 % when everything is lost', () => expect(cagr(0, 700)).toBe(-1))
})

describe('sharpe', () => {
  it('uses the sample deviation', () => {
    expect(sharpe(mixed, daily)).toBeCloseTo(1.7238613961706866, 12)
    expect(sharpe(mixed, { periodsPerYear: 365 })).toBeCloseTo(2.0746675114, 9)
  })

  it('takes a risk-free return per period', () => {
    const riskFree = [0.01, 0, 0.01, 0, 0.01, 0, 0.01, 0]
    expect(sharpe(mixed, { ...daily, riskFree })).toBeCloseTo(0.34111411441060574, 12)
  })

  it('has no value for returns that do not vary, however they were rounded', () => {
    const steady = simpleReturns(growthOf(new Float64Array(300).fill(0.0007)))
    expect(sharpe(steady, daily)).toEqual(notAvailable('the returns do not vary'))
    expect(sharpe([0.01], daily)).toEqual(notAvailable('it needs at least two returns'))
  })
})

describe('an account of cash and bills', () => {
  // Rates that move between 0 and 5 %, as they did, and an account that earns none, half or all of it.
  const rates = Float64Array.from({ length: 1500 }, (_, day) => (0.025 * (1 + Math.sin(day / 240))) / 252)
  const earning = (share: number) => rates.map((rate) => share * rate)
  const options = { ...daily, riskFree: rates }

  it.each([0, 0.5, 0.9])('of %d times the risk-free return has no ratio: there is no risk to be rewarded', (share) => {
    expect(sharpe(earning(share), options)).toEqual(notAvailable(NO_RISK))
    expect(sortino(earning(share), options)).toEqual(notAvailable(NO_RISK))
    expect(rollingSharpe(earning(share), 126, options).every(Number.isNaN)).toBe(true)
  })

  it('has ratios again where a little is at risk', () => {
    const moving = rates.map((rate, day) => rate + 0.0003 * Math.sin(day * 7))
    expect(sharpe(moving, options)).toEqual(expect.any(Number))
    expect(sortino(moving, options)).toEqual(expect.any(Number))
    expect(rollingSharpe(moving, 126, options).at(-1)).not.toBeNaN()
  })
})

describe('rollingSharpe', () => {
  it('equals the plain ratio of each window', () => {
    const rolling = rollingSharpe(mixed, 4, daily)
    expect(rolling.slice(0, 3)).toEqual(new Float64Array(3).fill(Number.NaN))
    for (let end = 4; end <= mixed.length; end++) {
      expect(rolling[end - 1]).toBeCloseTo(valueOf(sharpe(mixed.slice(end - 4, end), daily)), 9)
    }
  })

  it('has no value while nothing moves', () => {
    expect(rollingSharpe([0.01, -0.01, 0.01, 0, 0, 0, 0], 3, daily).at(-1)).toBeNaN()
  })
})

describe('sortino', () => {
  it('takes the downside over all periods', () => {
    expect(sortino(mixed, daily)).toBeCloseTo(2.605531251673693, 12)
    expect(sortino([0.03, -0.1, 0.01, 0.02], { periodsPerYear: 1 })).toBeCloseTo(-0.2, 12)
  })

  it('has no value when nothing fell short', () => {
    expect(sortino([0.01, 0.02], daily)).toEqual(notAvailable('no return fell short'))
  })
})

describe('maxDrawdown', () => {
  it('includes the start value', () => {
    expect(maxDrawdown(growthOf(mixed)).depth).toBeCloseTo(-0.1, 12)
    const falling = [-0.02, -0.06, -0.07, -0.01, -0.09, -0.02, -0.06, -0.08, -0.05]
    expect(maxDrawdown(growthOf(falling)).depth).toBeCloseTo(-0.378589157, 9)
    expect(maxDrawdown(growthOf([0.1, -0.1, 0.1])).depth).toBeCloseTo(-0.1, 12)
  })

  it('knows when it began, was deepest and was over', () => {
    expect(maxDrawdown([100, 110, 99, 105, 111])).toEqual({ depth: 99 / 110 - 1, peak: 1, trough: 2, recovery: 4 })
    expect(maxDrawdown([100, 110, 99]).recovery).toBeUndefined()
    expect(maxDrawdown([1, 2, 3])).toEqual({ depth: 0, peak: 0, trough: 0, recovery: undefined })
  })

  it('is the deepest point of the curve', () => {
    expect([...drawdownCurve([100, 110, 99, 121])]).toEqual([0, 0, 99 / 110 - 1, 0])
  })
})

it('divides growth by the depth of the fall', () => {
  expect(calmar(0.2, -0.4)).toBe(0.5)
  expect(calmar(0.2, 0)).toEqual(notAvailable('the value never fell'))
  expect(calmar(notAvailable('the period has no length'), -0.4)).toEqual(notAvailable('the period has no length'))
})

it('tells volatility a year', () => {
  expect(volatility(mixed, 252)).toBeCloseTo(0.9136465399704637, 12)
  expect(volatility([0.1], 252)).toEqual(notAvailable('it needs at least two returns'))
})

it('earns nothing on nothing', () => {
  expect([...simpleReturns([100, 0, 0])]).toEqual([-1, 0])
})
