import { dateOf } from '@tradewright/core/time'
import { graded, type Judgement, unknown } from '../../optimizer/verdicts.ts'
import { isConstant, mean, sampleDeviation } from '../../performance/statistics.ts'
import { excessReturns, simpleReturns } from '../../performance/returns.ts'
import { type CheckContext, medianOf, oneGo, ratio, skip } from '../check.ts'

const TREND_YEARS = 200 / 252
const VOLATILITY_YEARS = 0.25
const RATES_YEARS = 0.5
const MIN_YEARS = 2
/** The fraction of all bars that a regime needs: less says nothing about it. */
const MIN_SHARE = 0.05

interface Regime {
  readonly label: string
  readonly hint: string
  /** By step between bars, from what was known at its beginning. */
  readonly isIn: (step: number) => boolean
}

export const regimesCheck = oneGo({
  key: 'regimes',
  label: 'By market regime',
  explain:
    'Splits the days by what was known the day before: market above or below its 200-day average, calm or volatile, interest ' +
    'rates rising or falling. A strategy that earns only in one regime is a bet on that regime.',
  find(context) {
    const { material, base } = context
    const { barsPerYear, prices } = material.conditions.table
    if (prices.days.length < MIN_YEARS * barsPerYear) return skip(`the run is shorter than ${MIN_YEARS} years`)
    if (context.figures.sharpe === null) return skip('the strategy has no Sharpe ratio')
    const returns = simpleReturns(base.growth)
    const excess = excessReturns(returns, material.riskFree ?? 0)
    const other = material.reference && simpleReturns(material.reference.growth)
    const regimes = regimesOf(context)
    const rows = regimes.flatMap(({ label, hint, isIn }) => {
      const steps = Array.from(returns.keys()).filter(isIn)
      if (steps.length < MIN_SHARE * returns.length) return []
      const own = steps.map((step) => returns[step]!)
      const compared = other && steps.map((step) => other[step]!).filter(Number.isFinite)
      const over = steps.map((step) => excess[step]!)
      const sharpe = isConstant(over) ? null : (mean(over) / sampleDeviation(over)) * Math.sqrt(barsPerYear)
      return [
        {
          label,
          hint,
          sharpe,
          cells: [
            steps.length / returns.length,
            yearlyOf(own, barsPerYear),
            ...(compared ? [compared.length > 0 ? yearlyOf(compared, barsPerYear) : null] : []),
            sharpe,
          ],
        },
      ]
    })
    if (rows.length === 0) return skip('no regime has enough days')
    return {
      judgement: judgeRegimes(rows),
      summary: `Annual return and Sharpe ratio on the days of each regime. The market is ${marketName(context)}.`,
      details: {
        kind: 'table',
        rowLabel: 'Regime',
        columns: [
          { label: 'Days', unit: 'percent', isReturn: false },
          { label: 'Strategy', unit: 'percent', isReturn: true },
          ...(material.reference ? [{ label: material.reference.name, unit: 'percent' as const, isReturn: true }] : []),
          { label: 'Sharpe', unit: 'ratio', isReturn: false },
        ],
        rows: rows.map(({ label, hint, cells }) => ({ label, hint, cells })),
      },
    }
  },
})

/** Growth a year at the mean of the logarithms. */
function yearlyOf(returns: readonly number[], barsPerYear: number): number | null {
  const yearly = Math.exp(barsPerYear * mean(returns.map((earned) => Math.log(1 + earned)))) - 1
  return Number.isFinite(yearly) ? yearly : null
}

function judgeRegimes(rows: readonly { readonly label: string; readonly sharpe: number | null }[]): Judgement {
  const known = rows.filter((row) => row.sharpe !== null)
  if (known.length < 2) return unknown('there are too few regimes to compare')
  const failing = known.filter(({ sharpe }) => sharpe! <= 0)
  const worst = known.toSorted((a, b) => a.sharpe! - b.sharpe!)[0]!
  return {
    ...graded(failing.length, failing.length === 0, failing.length <= known.length / 2, [
      'Earns in every regime',
      'Loses in some regimes',
      'Loses in most regimes',
    ]),
    sentence:
      failing.length === 0
        ? `The lowest Sharpe ratio is ${ratio(worst.sharpe!)} (${worst.label.toLowerCase()}).`
        : `The Sharpe ratio is not above zero in ${failing.length} of ${known.length}: ${failing.map(({ label }) => label.toLowerCase()).join(', ')}.`,
  }
}

/** The reference, or the traded tickers in equal parts. */
function marketOf({ material }: CheckContext): Float64Array {
  const { close } = material.conditions.table.prices
  const { reference } = material
  if (reference && reference.growth.every((value) => value > 0)) return reference.growth
  const count = close[0]?.length ?? 0
  return Float64Array.from({ length: count }, (_, bar) => mean(close.map((prices) => prices[bar]! / prices[0]!)))
}

const marketName = ({ material }: CheckContext): string =>
  material.reference?.growth.every((value) => value > 0) ? material.reference.name : 'the traded tickers in equal parts'

function regimesOf(context: CheckContext): Regime[] {
  const { material } = context
  const { barsPerYear } = material.conditions.table
  const market = marketOf(context)
  if (market.length === 0) return []
  const average = trailingMeans(market, Math.round(TREND_YEARS * barsPerYear))
  const squares = simpleReturns(market).map((earned) => earned * earned)
  // The return of a step is known at the bar at its end.
  const variance = trailingMeans(Float64Array.of(Number.NaN, ...squares), Math.round(VOLATILITY_YEARS * barsPerYear))
  const known = Array.from(variance).filter(Number.isFinite)
  const middle = known.length > 0 ? medianOf(known) : Number.NaN
  return [
    { label: 'Market rising', hint: 'above its 200-day average', isIn: (step) => market[step]! > average[step]! },
    { label: 'Market falling', hint: 'below its 200-day average', isIn: (step) => market[step]! <= average[step]! },
    { label: 'Calm market', hint: 'volatility below its median', isIn: (step) => variance[step]! <= middle },
    { label: 'Volatile market', hint: 'volatility above its median', isIn: (step) => variance[step]! > middle },
    ...rateRegimes(context),
  ]
}

function rateRegimes({ material }: CheckContext): Regime[] {
  const { riskFree } = material
  if (!riskFree || isConstant(riskFree)) return []
  const { barsPerYear } = material.conditions.table
  const rate = trailingMeans(riskFree, Math.max(2, Math.round(barsPerYear / 12)))
  const back = Math.round(RATES_YEARS * barsPerYear)
  const change = (step: number) => (step - 1 < back ? Number.NaN : rate[step - 1]! - rate[step - 1 - back]!)
  const hint = 'T-bill rate over half a year'
  return [
    { label: 'Rates rising', hint, isIn: (step) => change(step) > 0 },
    { label: 'Rates falling', hint, isIn: (step) => change(step) <= 0 },
  ]
}

/** NaN until the window is full of values. */
function trailingMeans(values: Float64Array, window: number): Float64Array {
  const means = new Float64Array(values.length).fill(Number.NaN)
  let [sum, filled] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]!)) continue
    sum += values[i]!
    filled++
    if (filled > window) {
      sum -= values[i - window]!
      filled = window
    }
    if (filled === window) means[i] = sum / window
  }
  return means
}

interface Crisis {
  readonly name: string
  /** The last close of the S&P 500 before the fall, and its lowest one. */
  readonly peak: string
  readonly trough: string
}

/** Falls of the S&P 500 that have a name, from its highest to its lowest close. */
const CRISES: readonly Crisis[] = [
  { name: 'Black Monday', peak: '1987-08-25', trough: '1987-12-04' },
  { name: 'Gulf War', peak: '1990-07-16', trough: '1990-10-11' },
  { name: 'Asia and Russia', peak: '1998-07-17', trough: '1998-08-31' },
  { name: 'Dot-com crash', peak: '2000-03-24', trough: '2002-10-09' },
  { name: 'Global financial crisis', peak: '2007-10-09', trough: '2009-03-09' },
  { name: 'Flash crash and Greece', peak: '2010-04-23', trough: '2010-07-02' },
  { name: 'Euro debt crisis', peak: '2011-04-29', trough: '2011-10-03' },
  { name: 'China and oil', peak: '2015-07-20', trough: '2016-02-11' },
  { name: 'Fourth-quarter sell-off', peak: '2018-09-20', trough: '2018-12-24' },
  { name: 'Covid crash', peak: '2020-02-19', trough: '2020-03-23' },
  { name: 'Rate shock', peak: '2022-01-03', trough: '2022-10-12' },
  { name: 'Tariff sell-off', peak: '2025-02-19', trough: '2025-04-08' },
]

/** Less than this is no difference. */
const HARDLY = 0.001

const yearsOf = ({ peak, trough }: Crisis): string => {
  const [from, to] = [peak.slice(0, 4), trough.slice(0, 4)]
  return from === to ? from : `${from}–${to.slice(2)}`
}

/** The return between the last closes at or before two days; null where the curve does not cover both. */
function returnBetween(days: Int32Array, growth: Float64Array, from: number, to: number): number | null {
  const [first, last] = [days.findLastIndex((day) => day <= from), days.findLastIndex((day) => day <= to)]
  if (first < 0 || last <= first || days.at(-1)! < to) return null
  const [start, end] = [growth[first]!, growth[last]!]
  return start > 0 && end >= 0 ? end / start - 1 : null
}

export const crisesCheck = oneGo({
  key: 'crises',
  label: 'In crises',
  explain: 'The return in well-known falls of the S&P 500, from its highest to its lowest close.',
  whyNot: ({ isSynthetic }) => (isSynthetic ? 'the prices are synthetic and contain no crisis' : undefined),
  find({ material, base }) {
    const { reference } = material
    const found = CRISES.flatMap((crisis) => {
      const [from, to] = [dateOf(crisis.peak), dateOf(crisis.trough)]
      const own = returnBetween(base.days, base.growth, from, to)
      const other = reference ? returnBetween(base.days, reference.growth, from, to) : null
      return own === null ? [] : [{ crisis, own, other }]
    })
    if (found.length === 0) return skip('no crisis of the list lies in the period')
    const compared = found.filter(({ other }) => other !== null)
    const worse = compared.filter(({ own, other }) => own < other! - HARDLY).length
    const share = worse / compared.length
    return {
      ...(compared.length > 0 && {
        judgement: {
          ...graded(share, share <= 0.5, true, [
            `Falls no more than ${reference!.name}`,
            `Falls more than ${reference!.name}`,
            `Falls more than ${reference!.name}`,
          ]),
          sentence: `It did worse than ${reference!.name} in ${worse} of ${compared.length} crises.`,
        },
      }),
      summary: 'Total return from the highest to the lowest close of the S&P 500.',
      details: {
        kind: 'table',
        rowLabel: 'Period',
        columns: [
          { label: 'Strategy', unit: 'percent', isReturn: true },
          ...(reference ? [{ label: reference.name, unit: 'percent' as const, isReturn: true }] : []),
        ],
        rows: found.map(({ crisis, own, other }) => ({
          label: crisis.name,
          hint: yearsOf(crisis),
          cells: reference ? [own, other] : [own],
        })),
      },
    }
  },
})
