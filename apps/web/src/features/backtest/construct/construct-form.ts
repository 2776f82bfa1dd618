import { kindNamed } from '@tradewright/core/strategy-kinds'
import type { ConstructedPortfolio } from '@tradewright/contract/construction'
import {
  BASELINE_METHOD,
  CONSTRUCTION_LIMITS,
  type ConstructionMethodId,
  constructionMethodOf,
  constructionMethods,
  type ConstructionRebalance,
  type CovarianceEstimator,
} from '@tradewright/core/construction-catalogue'
import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { isLike } from '../../../strategy-form/is-like.ts'
import { leveragedTicker } from '../../../strategy-form/tickers/leverage.ts'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import type { StudioResult } from '../answer/studio-result.ts'
import type { BacktestForm } from '../form/form.ts'
import { toRequest } from '../form/form-request.ts'

interface BoundText {
  readonly ticker: string
  readonly min: string
  readonly max: string
}

export interface GroupText {
  readonly key: number
  readonly name: string
  readonly tickers: readonly string[]
  readonly min: string
  readonly max: string
}

export interface ViewText {
  readonly key: number
  readonly ticker: string
  /** Empty: an absolute view. */
  readonly against: string
  readonly expected: string
  readonly confidence: string
  /** Empty: for the weights of today alone. */
  readonly since: string
}

/** What is asked before weights are searched. Numbers as they are typed. */
export interface ConstructForm {
  readonly methods: readonly ConstructionMethodId[]
  /** By `method.key`. */
  readonly parameters: Readonly<Record<string, string>>
  readonly covariance: CovarianceEstimator
  readonly windowMonths: string
  readonly rebalance: ConstructionRebalance
  readonly min: string
  readonly max: string
  /** Empty: no limit. */
  readonly turnover: string
  readonly bounds: readonly BoundText[]
  readonly groups: readonly GroupText[]
  readonly views: readonly ViewText[]
}

/** Methods that can be chosen: equal weights are always there. */
export const choosableMethods = constructionMethods.filter(({ id }) => id !== BASELINE_METHOD)

export const newConstructForm = (): ConstructForm => ({
  methods: ['min_variance', 'risk_parity', 'hierarchical_risk_parity', 'min_cvar'],
  parameters: {},
  covariance: 'ledoit_wolf',
  windowMonths: String(CONSTRUCTION_LIMITS.windowMonths.default),
  rebalance: 'quarterly',
  min: '0',
  max: '100',
  turnover: '',
  bounds: [],
  groups: [],
  views: [],
})

/** A form as it was left; null where there is none, or where another version wrote it. */
export function checkedConstructForm(draft: unknown): ConstructForm | null {
  const template = {
    ...newConstructForm(),
    bounds: [{ ticker: '', min: '', max: '' }],
    groups: [{ key: 0, name: '', tickers: [''], min: '', max: '' }],
    views: [{ key: 0, ticker: '', against: '', expected: '', confidence: '', since: '' }],
  }
  if (!isLike(template, draft)) return null
  return draft.methods.every((method) => choosableMethods.some(({ id }) => id === method)) ? draft : null
}

/** The tickers of the form as they are sent, each once. */
export function tickersOf({ allocations }: Pick<BacktestForm, 'allocations'>): string[] {
  const written = allocations.flatMap(({ ticker, leverage }) =>
    ticker.trim() === '' ? [] : [leveragedTicker(ticker, leverage ?? '')],
  )
  return [...new Set(written)].filter((ticker) => ticker !== '' && ticker !== 'CASHX')
}

/** The form of a result as one that can be constructed from: an allocation of what it traded, with percentages where it had them. */
export function constructible(form: BacktestForm, result: Pick<StudioResult, 'series_sources'>): BacktestForm {
  const own = kindNamed(form.strategyType).isFixed ? form.allocations.filter(({ ticker }) => ticker.trim() !== '') : []
  const traded = result.series_sources.filter(({ used_for }) => used_for === 'traded').map(({ ticker }) => ticker)
  const allocations = own.length > 0 ? own : traded.map((ticker, key) => ({ key, ticker, allocation: '' as const }))
  return {
    ...form,
    strategyType: 'Asset Allocation',
    portfolios: null,
    allocations,
    saveStrategy: false,
    saveBacktest: false,
  }
}

/** Why it cannot be started; null where it can. */
export function problemOf(form: ConstructForm, backtest: BacktestForm): string | null {
  const tickers = tickersOf(backtest)
  if (backtest.portfolios) return 'Go back to one portfolio first: construction works on one list of tickers.'
  if (tickers.length < 2) return 'Name at least two tickers under Allocation.'
  if (tickers.length > CONSTRUCTION_LIMITS.tickers.max) {
    return `At most ${CONSTRUCTION_LIMITS.tickers.max} tickers are allowed.`
  }
  if (form.methods.length === 0) return 'Choose at least one method.'
  const nameless = form.groups.find(({ name, tickers: members }) => name.trim() === '' || members.length === 0)
  if (nameless) return 'Every group needs a name and at least one ticker.'
  if (form.views.some(({ ticker, expected }) => ticker === '' || expected.trim() === '')) {
    return 'Every view needs a ticker and a return.'
  }
  return null
}

const numberOf = (text: string, otherwise: number): number => (text.trim() === '' ? otherwise : Number(text))

/** The body of `POST /api/portfolio-constructions`. */
export const toConstructRequest = (form: ConstructForm, backtest: BacktestForm) => ({
  backtest: fieldsOf(backtest),
  methods: form.methods.map((id) => ({
    id,
    parameters: Object.fromEntries(
      constructionMethodOf(id).parameters.map(({ key, default: value }) => [
        key,
        numberOf(form.parameters[`${id}.${key}`] ?? '', value),
      ]),
    ),
  })),
  covariance: form.covariance,
  window_months: numberOf(form.windowMonths, CONSTRUCTION_LIMITS.windowMonths.default),
  rebalance: form.rebalance,
  min_pct: numberOf(form.min, 0),
  max_pct: numberOf(form.max, 100),
  bounds: form.bounds.map(({ ticker, min, max }) => ({
    ticker,
    min_pct: numberOf(min, 0),
    max_pct: numberOf(max, 100),
  })),
  groups: form.groups.map(({ name, tickers, min, max }) => ({
    name: name.trim(),
    tickers: [...tickers],
    min_pct: numberOf(min, 0),
    max_pct: numberOf(max, 100),
  })),
  ...(form.turnover.trim() !== '' && { turnover_pct: Number(form.turnover) }),
  views: form.methods.includes('black_litterman')
    ? form.views.map(({ ticker, against, expected, confidence, since }) => ({
        ticker,
        ...(against !== '' && { against }),
        expected_pct: numberOf(expected, 0),
        confidence_pct: numberOf(confidence, 50),
        ...(since !== '' && { since }),
      }))
    : [],
})

/** The fields of a backtest as JSON: those that repeat are lists. */
function fieldsOf(form: BacktestForm): Record<string, string | string[]> {
  const single = { ...form, saveStrategy: false, saveBacktest: false, backtestName: '', referenceBacktestId: '' }
  const fields: Record<string, string | string[]> = {}
  for (const [name, value] of toRequest(single, 'construct')) {
    if (typeof value !== 'string' || NOT_SENT.has(name)) continue
    if (name.endsWith('[]')) fields[name] = [...((fields[name] as string[] | undefined) ?? []), value]
    else fields[name] = value
  }
  return fields
}

const NOT_SENT = new Set(['runId', 'saveStrategy', 'saveBacktest', 'backtestName'])

/** Current weights as rows of an allocation: percentages with two digits that add up to 100; those without a weight left out. */
export function toAllocation(
  tickers: readonly string[],
  { current }: Pick<ConstructedPortfolio, 'current'>,
): TickerRow[] {
  const hundredths = current.map((weight) => Math.round(weight * 10_000))
  const total = Math.round(current.reduce((sum, weight) => sum + weight, 0) * 10_000)
  const largest = hundredths.indexOf(Math.max(...hundredths))
  // What rounding left over goes to the largest, where it counts least.
  hundredths[largest]! += total - hundredths.reduce((sum, one) => sum + one, 0)
  return toRows(
    tickers.flatMap((ticker, i) => (hundredths[i] === 0 ? [] : [{ ticker, allocation: hundredths[i]! / 100 }])),
  )
}
