import { describe, expect, it } from 'vitest'
import { expectNear } from '../../../../reference/expect-near.ts'
import { referencePrices, referenceValues } from '../../../../reference/read.ts'
import { monthlyReturns, growthOf, simpleReturns } from './returns.ts'
import { isRegression, neweyWestLags, regress } from './regression.ts'

/** Fits that reference/construction.py computed by statsmodels. */
interface Fit {
  lags: number
  n: number
  coefficients: number[]
  errors: number[]
  t: number[]
  p: number[]
  r_squared: number
  adjusted: number
  residual_deviation: number
}
const reference = referenceValues<{
  regressions: { y: number[]; daily: Fit; monthly: Fit; rolling: number[][] }
}>('construction').regressions

const TICKERS = ['SPY', 'TLT', 'GLD', 'QQQ']
const priced = TICKERS.map((ticker) => referencePrices(ticker))
const known = priced.map(({ days }) => new Set(days))
const days = priced[0]!.days.filter((day) => known.every((one) => one.has(day)))
const [spy, tlt, gld, qqq] = priced.map(({ days: own, columns }) =>
  simpleReturns(Float64Array.from(days, (day) => columns['close']![own.indexOf(day)]!)),
) as [Float64Array, Float64Array, Float64Array, Float64Array]
/** A mix, and a part of yesterday's gold. */
const mix = spy.slice(1).map((_, t) => {
  const at = t + 1
  return 0.4 * spy[at]! + 0.2 * tlt[at]! + 0.1 * gld[at]! + 0.3 * qqq[at]! + 0.3 * gld[t]!
})
const factors = [spy.slice(1), tlt.slice(1)]

function expectFit(fit: ReturnType<typeof regress>, theirs: Fit): void {
  if (!isRegression(fit)) throw new Error(fit.notAvailable)
  expect([fit.n, fit.lags]).toEqual([theirs.n, theirs.lags])
  expectNear(fit.rSquared, theirs.r_squared, 'R²')
  expectNear(fit.adjustedRSquared, theirs.adjusted, 'adjusted R²')
  expectNear(fit.residualDeviation, theirs.residual_deviation, 'residual deviation')
  ;[fit.alpha, ...fit.loadings].forEach((term, i) => {
    expectNear(term.coefficient, theirs.coefficients[i]!, `coefficient ${i}`)
    expectNear(term.error, theirs.errors[i]!, `error ${i}`)
    expectNear(term.t!, theirs.t[i]!, `t ${i}`, 1e-8)
    expectNear(term.pValue!, theirs.p[i]!, `p ${i}`, 1e-8)
  })
}

describe('a regression on factors', () => {
  it('has the coefficients, Newey-West errors and p-values of statsmodels', () => {
    reference.y.forEach((value, i) => expectNear(mix[i]!, value, `y[${i}]`))
    expectFit(regress(mix, factors), reference.daily)
  })

  it('of monthly returns too', () => {
    const monthly = (returns: Float64Array) =>
      Float64Array.from(monthlyReturns(days.subarray(1), growthOf(returns)), (month) => month.return)
    expectFit(regress(monthly(mix), factors.map(monthly)), reference.monthly)
  })

  it('over rolling windows', () => {
    const window = 252
    ;[window, Math.floor(mix.length / 2), mix.length].forEach((end, i) => {
      const fit = regress(
        mix.subarray(end - window, end),
        factors.map((factor) => factor.subarray(end - window, end)),
      )
      if (!isRegression(fit)) throw new Error(fit.notAvailable)
      ;[fit.alpha, ...fit.loadings].forEach((term, k) =>
        expectNear(term.coefficient, reference.rolling[i]![k]!, `window ${i}, ${k}`),
      )
    })
  })

  it('finds planted loadings exactly where there is no noise, and keeps its digits for factors of other sizes', () => {
    const rates = factors[1]!.map((value) => 1000 * value + 50)
    const y = factors[0]!.map((value, t) => 0.001 + 0.7 * value - 0.002 * rates[t]!)
    const fit = regress(y, [factors[0]!, rates])
    if (!isRegression(fit)) throw new Error(fit.notAvailable)
    expect(fit.alpha.coefficient).toBeCloseTo(0.001, 10)
    expect(fit.loadings.map(({ coefficient }) => coefficient)).toEqual([
      expect.closeTo(0.7, 10),
      expect.closeTo(-0.002, 10),
    ])
    expect(fit.rSquared).toBeCloseTo(1, 10)
  })

  it('of a ticker on itself has no t and no p: its errors are rounding', () => {
    for (const others of [[], [factors[1]!]]) {
      const fit = regress(factors[0]!, [factors[0]!, ...others])
      if (!isRegression(fit)) throw new Error(fit.notAvailable)
      expect(fit.loadings[0]!.coefficient).toBeCloseTo(1, 10)
      expect([fit.alpha, ...fit.loadings].flatMap(({ t, pValue }) => [t, pValue]).every((one) => one === null)).toBe(
        true,
      )
    }
  })

  it('says why there is none', () => {
    const few = mix.subarray(0, 12)
    const notOf = (y: Float64Array, of: Float64Array[]) => (regress(y, of) as { notAvailable: string }).notAvailable
    expect(notOf(few, [few, few.map((one) => one * one)])).toBe(
      'there are 12 observations in common, and 13 are needed',
    )
    expect(notOf(mix, [new Float64Array(mix.length)])).toBe('factor 1 does not vary')
    // A flat price less a nearly constant interest rate.
    expect(notOf(mix, [mix.map((_, t) => -1e-4 + 1e-10 * (t % 3))])).toBe('factor 1 does not vary')
    expect(notOf(new Float64Array(mix.length), factors)).toBe('the returns do not vary')
    expect(notOf(mix, [factors[0]!, factors[0]!.map((one) => 2 * one)])).toMatch(/move as one/)
    expect(neweyWestLags(100)).toBe(4)
  })
})
