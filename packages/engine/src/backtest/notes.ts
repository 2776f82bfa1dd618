import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { CASHX, TBILLX } from '@tradewright/core/ticker-kind'
import { type EpochDay, formatDate } from '@tradewright/core/time'
import { requirementWords } from '../trading/margin.ts'
import type { AccountRun } from './account-run.ts'
import { impactFigures } from './market-impact.ts'
import type { ReferenceResult } from './reference.ts'
import { type BacktestSettings, stopOf } from './request.ts'
import type { BacktestResult } from './result.ts'
import { revisionNotes } from './revised-values.ts'
import { NO_RISK_FREE } from './risk-free.ts'

interface NoteFacts {
  /** The series that borrowing was charged by; undefined when none was at hand. */
  readonly borrowingRate: string | undefined
  /** Percentages of the account that the strategy invests at most. */
  readonly investedPct: number
  /** Why the result covers less than was asked for, as sentences. */
  readonly period: readonly string[]
  /** Traded or reference tickers that need an interest rate which was not at hand. */
  readonly withoutRate: readonly string[]
  /** The days that consumer prices are known for; undefined where inflation is not adjusted for. */
  readonly pricesKnown: { readonly from: EpochDay; readonly to: EpochDay } | undefined
  /** The strategy holds cash that earns nothing while it is out of the market. */
  readonly idlesInCash: boolean
  /** Which series beside the traded ones are synthetic, as sentences. */
  readonly helpers: readonly string[]
  /** What is odd about the prices, as sentences. */
  readonly data: readonly string[]
}

/** The index of a month is published about two weeks after the month; its absence until then is nothing to tell. */
const PUBLICATION_DAYS = 62

/** What the reader of the figures should know, each as a sentence. */
export function notesOf(result: Omit<BacktestResult, 'notes'>, facts: NoteFacts): string[] {
  const { borrowingRate, investedPct } = facts
  const { settings, actualStart, limitingTicker, wipedOut, ml, rules, riskFree } = result
  const notes = [...facts.period]
  if (settings.includeFirstReturn && actualStart >= settings.from && limitingTicker !== undefined) {
    notes.push(
      `There is no price before ${formatDate(settings.from)} for all tickers: the first session’s return is not included.`,
    )
  }
  const end = result.curve.days.at(-1)!
  notes.push(...facts.data, ...facts.helpers, ...revisionNotes(result.revisedValues))
  if (riskFree === NO_RISK_FREE) {
    notes.push('No T-bill rate was available: Sharpe and Sortino are measured against 0%, which overstates them.')
  }
  if (facts.withoutRate.length > 0) {
    notes.push(`No interest rate was available: leverage of ${facts.withoutRate.join(', ')} pays the spread alone.`)
  }
  if (facts.pricesKnown && facts.pricesKnown.from > actualStart) {
    notes.push(
      `Consumer prices are known from ${formatDate(facts.pricesKnown.from)}: no inflation is counted before that.`,
    )
  }
  if (facts.pricesKnown && facts.pricesKnown.to < end - PUBLICATION_DAYS) {
    notes.push(`Consumer prices are known up to ${formatDate(facts.pricesKnown.to)}: none is counted after that.`)
  }
  if (investedPct > 100) notes.push(borrowingNote(investedPct, borrowingRate))
  if (investedPct < 100) {
    notes.push(
      `${round(100 - investedPct)}% of the account stays in cash, which earns nothing. As TBILLX it would earn the T-bill rate.`,
    )
  }
  if ((ml || rules) && settings.fillTiming === 'same_close') {
    notes.push('Filled at the same close that the decision was based on: this is optimistic.')
  }
  if (facts.idlesInCash && riskFree !== NO_RISK_FREE) {
    notes.push(
      'While out of the market this strategy holds cash that earns nothing, but Sharpe and Sortino are measured against ' +
        'T-bills. With TBILLX on the sell side that cash earns their rate.',
    )
  }
  const costly = costliestDeposit(result)
  if (costly) {
    notes.push(
      `Trading the deposit of ${formatDate(costly.day)} cost about ${round(100 * costly.share)}% of the account before it, ` +
        'and counts as a loss of that day: begin with more to see what the strategy itself earned.',
    )
  }
  if (wipedOut) {
    const why = wipedOut.by === 'loss' ? 'Everything was lost' : 'Everything was withdrawn'
    notes.push(`${why} on ${formatDate(wipedOut.day)}; the account stays at zero from then on.`)
  }
  return notes
}

/** The fraction of the account before a deposit that trading it may cost without a note. */
const QUIET_COST = 0.01

function costliestDeposit({ curve, settings }: Pick<BacktestResult, 'curve' | 'settings'>) {
  let costliest = { share: QUIET_COST, bar: -1 }
  curve.flows.forEach((flow, bar) => {
    const before = curve.nominalValues[bar - 1] ?? settings.startValue
    const points = settings.tradingCostBps + (settings.halfSpreadBps ?? 0)
    const share = before > 0 ? ((points / 10_000) * flow) / before : 0
    if (share > costliest.share) costliest = { share, bar }
  })
  return costliest.bar < 0 ? undefined : { share: costliest.share, day: curve.days[costliest.bar]! }
}

function borrowingNote(investedPct: number, rate: string | undefined): string {
  const charged =
    rate === undefined ? 'at the spread alone, since no interest rate is available' : `at ${rate} and a spread`
  return `${round(investedPct - 100)}% of the account is borrowed, ${charged}.`
}

const round = (pct: number): number => Math.round(pct * 100) / 100

interface AccountFacts {
  readonly account: AccountRun
  readonly settings: BacktestSettings
  readonly riskFree: Float64Array | undefined
  readonly reference: ReferenceResult | undefined
  /** Bars before everything was withdrawn. */
  readonly lived: number
}

/** What a broker or the market did to the account beside its decisions, as sentences. */
export const accountNotes = (facts: AccountFacts): string[] => [
  ...forcedSaleNote(facts),
  ...stopNote(facts),
  ...belowZeroNotes(facts),
  ...impactNote(facts),
]

function forcedSaleNote({ account: { prices, result }, settings }: AccountFacts): string[] {
  const { forcedSales } = result
  const [first] = forcedSales
  if (!first) return []
  const held = prices.tickers.filter((ticker) => result.trades.some((trade) => trade.ticker === ticker))
  const requirement = requirementWords(held, settings.maintenanceMargin ?? 'off')
  const dayOf = ({ bar }: typeof first) => formatDate(prices.days[bar]!)
  const more = forcedSales.length - 1
  const later =
    more === 0
      ? ''
      : ` This happened ${more} more ${more === 1 ? 'time' : 'times'}, last on ${dayOf(forcedSales.at(-1)!)}.`
  return [
    `On ${dayOf(first)} the account no longer covered its maintenance requirement (${requirement}): positions of ` +
      `${dollars(first.value)} were sold or bought back at the next price, as a broker would have done.${later}`,
  ]
}

function stopNote({ account: { prices, result }, settings }: AccountFacts): string[] {
  const stop = stopOf(settings)
  if (!stop) return []
  const { stopSales } = result
  const of = `The ${stop.type} stop of ${stop.pct}%`
  const isCash = (ticker: string) => ticker === CASHX || ticker === TBILLX
  const byClose = prices.tickers.filter((one, i) => !isCash(one) && (prices.low?.[i]?.every(Number.isNaN) ?? true))
  const judged =
    byClose.length === 0 || result.trades.length === 0
      ? ''
      : ` No lows of ${byClose.join(', ')} are known, so ${byClose.length === 1 ? 'it is' : 'they are'} judged by the close.`
  if (stopSales.length === 0) return [`${of} was never reached.${judged}`]
  const gaps = stopSales.filter(({ stop: level, price }) => price !== level)
  const last = stopSales.at(-1)!
  const gapped =
    gaps.length === 0
      ? ''
      : ` ${gaps.length === 1 ? 'One of these was' : `${gaps.length} of these were`} filled at the open beyond it.`
  return [
    `${of} closed ${stopSales.length} ${stopSales.length === 1 ? 'position' : 'positions'}, last ${last.ticker} on ` +
      `${formatDate(prices.days[last.bar]!)}.${gapped} What it closes is bought again by the next decision or rebalance.${judged}`,
  ]
}

function belowZeroNotes({ account: { prices } }: AccountFacts): string[] {
  return prices.tickers.flatMap((ticker, i) => {
    const close = prices.close[i]!
    const bar = close.findIndex((price) => price <= 0)
    if (bar < 0) return []
    const day = formatDate(prices.days[bar]!)
    return close[bar] === 0
      ? [`${ticker} was worth nothing on ${day}: a position in it is lost, and nothing is traded at a price of zero.`]
      : [
          `${ticker} closed at ${round(close[bar]!)} on ${day}: positions count at that price, and nothing is traded below zero.`,
        ]
  })
}

function impactNote({ account, settings, riskFree, reference, lived }: AccountFacts): string[] {
  const { days } = account.prices
  const years = (days[lived - 1]! - days[0]!) / 365.25
  const bills = riskFree?.reduce((product, earned) => product * (1 + earned), 1) ?? 1
  const held = reference?.growth?.subarray(0, lived).findLast((growth) => growth > 0)
  const figures = impactFigures(account, {
    startValue: settings.startValue,
    years,
    yardstickGrowth: held ?? bills,
  })
  if (!figures || figures.cost === 0) return []
  const beyond = held === undefined ? 'the risk-free return' : reference!.ticker
  const { cost, dragPerYear, capacity } = figures
  const paid = `Market impact cost ${dollars(cost)}, ${percent(dragPerYear)} a year.`
  return [
    capacity === undefined
      ? `${paid} Nothing was earned beyond ${beyond} even without it.`
      : `${paid} At a start value of about ${dollars(rounded(capacity))} it would use up all that was earned beyond ${beyond}.`,
  ]
}

const dollars = (amount: number): string => usd(Decimal.fromNumber(Math.round(amount * 100) / 100))
const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`

/** A capacity is an estimate of two digits. */
const rounded = (amount: number): number => Number(amount.toPrecision(2))
