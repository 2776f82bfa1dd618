import type { StudioResult } from '../../answer/studio-result.ts'
import {
  formatCount,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPercentagePoints,
  formatPValue,
} from '../../../../lib/format.ts'
import { providerName } from '../../../../strategy-form/data/provider-badges.ts'
import { reasonOf } from '../figures/reason.ts'

export interface Check {
  title: string
  verdict: 'Passed' | 'Caution' | 'Failed'
  /** One sentence with the actual figure. */
  sentence: string
}

const ORDER = { Failed: 0, Caution: 1, Passed: 2 }
/** The usual level: forecasts that know nothing come out below it one time in twenty. */
const SIGNIFICANT = 0.05

/** Every check is computed from the run; what the run does not tell is not listed. Worst first. */
export function checksOf(result: StudioResult): Check[] {
  const checks = [source(result), costs(result), ...mlChecks(result), ...rulesChecks(result)]
  return checks.filter((check) => check !== null).sort((a, b) => ORDER[a.verdict] - ORDER[b.verdict])
}

function source({ synthetic, synthetic_tickers: made, series_sources, data_sources }: StudioResult): Check {
  const traded = series_sources.filter(({ used_for }) => used_for === 'traded')
  if (synthetic) {
    const real = traded.filter((one) => !one.synthetic).map(({ ticker }) => ticker)
    const whose = real.length > 0 && made.length > 0 ? `Prices of ${made.join(', ')}` : 'Prices'
    const others = real.length > 0 ? ` Those of ${real.join(', ')} are real, but the result mixes both.` : ''
    return {
      title: 'Data is synthetic',
      verdict: 'Caution',
      sentence: `${whose} were generated for demonstration. The return says nothing about real markets.${others}`,
    }
  }
  const named = traded.flatMap(({ providers }) => providers.map(({ provider }) => providerName(provider)))
  const names = named.length > 0 ? named : data_sources.simulation.providers.map(({ provider }) => provider)
  return { title: 'Data source', verdict: 'Passed', sentence: `Prices come from ${[...new Set(names)].join(', ')}.` }
}

function costs({ settings, metrics }: StudioResult): Check {
  const isFree = settings.trading_cost_bps === 0 && settings.commission === 0
  if (isFree && metrics.number_of_trades > 0) {
    return {
      title: 'Trading costs',
      verdict: 'Caution',
      sentence: `Not included: ${tradesOf(metrics.number_of_trades)} of ${formatMoney(metrics.traded_value)} in all were free.`,
    }
  }
  const rate = formatNumber(settings.trading_cost_bps, { decimals: 2, minDecimals: 0, suffix: ' bps' })
  return {
    title: 'Trading costs',
    verdict: 'Passed',
    sentence: `${formatMoney(metrics.fees)} was paid for ${tradesOf(metrics.number_of_trades)}, at ${rate}.`,
  }
}

function mlChecks(result: StudioResult): (Check | null)[] {
  const { honesty, settings } = result
  if (!honesty) return []
  return [
    truncation(honesty.truncation),
    shuffled(honesty.shuffled_labels),
    edge(result),
    consistency(result),
    {
      title: 'Purged rows',
      verdict: 'Passed',
      sentence: `${formatCount(honesty.rows_purged)} training rows were left out because their labels reach into a test; ${formatCount(honesty.usable_rows)} rows were usable.`,
    },
    sameCloseCheck(settings),
  ]
}

function rulesChecks({ rules, settings }: StudioResult): (Check | null)[] {
  if (!rules) return []
  const { passed, checked_decisions, failed_decisions, failed_features } = rules.honesty.truncation
  const failures = [
    ...(failed_decisions > 0
      ? [`${formatCount(failed_decisions)} decisions came out differently without later data.`]
      : []),
    ...(failed_features.length > 0 ? [`These features use future data: ${failed_features.join(', ')}.`] : []),
  ]
  return [
    {
      title: 'No look-ahead',
      verdict: passed ? 'Passed' : 'Failed',
      sentence: passed
        ? `Made again without the data after them, ${formatCount(checked_decisions)} decisions came out the same.`
        : failures.join(' '),
    },
    sameCloseCheck(settings),
  ]
}

const sameCloseCheck = ({ fill_timing }: StudioResult['settings']): Check | null =>
  fill_timing === 'same_close'
    ? {
        title: 'Fill timing',
        verdict: 'Caution',
        sentence: 'Orders fill at the same close that the decision was based on, which is optimistic.',
      }
    : null

type Honesty = NonNullable<StudioResult['honesty']>

function truncation({ passed, checked_instants, failed_features }: Honesty['truncation']): Check {
  return {
    title: 'No look-ahead',
    verdict: passed ? 'Passed' : 'Failed',
    sentence: passed
      ? `No feature changed when later data was removed, at ${formatCount(checked_instants)} points in time.`
      : `These features use future data: ${failed_features.join(', ')}.`,
  }
}

function shuffled({ passed, accuracy, base_rate }: Honesty['shuffled_labels']): Check | null {
  if (accuracy === null) return null
  const base = base_rate === null ? '' : ` against a base rate of ${formatPercent(base_rate)}`
  return {
    title: 'Shuffled labels',
    verdict: passed ? 'Passed' : 'Failed',
    sentence: `With shuffled labels the accuracy is ${formatPercent(accuracy)}${base}: ${passed ? 'no edge remains, as expected' : 'an edge remains, which points to a leak'}.`,
  }
}

function edge(result: StudioResult): Check | null {
  if (!result.accuracy_details) return null
  const { accuracy, base_rate, p_value, rows, naive, label_overlap } = result.accuracy_details
  if (accuracy === null || base_rate === null) return null
  const isReal = accuracy > Math.max(base_rate, naive?.accuracy ?? 0) && p_value !== null && p_value < SIGNIFICANT
  const significance =
    p_value === null
      ? ` ${reasonOf(result, 'accuracy_details.p_value') ?? 'It has no p-value'}.`
      : ` p ${formatPValue(p_value)}${naive ? ', of what the model adds to the level of volatility' : ''}.`
  const overlap = label_overlap !== null && label_overlap > 1 ? `, whose labels overlap over ${label_overlap} bars` : ''
  const beside = naive ? `; the level of volatility alone would have reached ${formatPercent(naive.accuracy)}` : ''
  return {
    title: 'Edge over the base rate',
    verdict: isReal ? 'Passed' : 'Caution',
    sentence:
      `Accuracy ${formatPercent(accuracy)} against ${formatPercent(base_rate)} over ${formatCount(rows)} rows${overlap}` +
      `${beside}.${significance}`,
  }
}

function consistency({ walk_forward_windows, walk_forward_summary }: StudioResult): Check | null {
  const leads = (walk_forward_windows ?? []).flatMap(({ accuracy, base_rate }) =>
    accuracy === null || base_rate === null ? [] : accuracy - base_rate,
  )
  if (leads.length < 2) return null
  const good = leads.filter((lead) => lead > 0).length
  const doOverlap = (walk_forward_windows ?? []).some(
    ({ test_rows }) => test_rows > (walk_forward_summary?.step_size ?? 0),
  )
  return {
    title: 'Consistency',
    verdict: good === leads.length ? 'Passed' : 'Caution',
    sentence:
      `${good} of ${leads.length} windows beat their own base rate; the worst was ` +
      `${formatPercentagePoints(Math.min(...leads))} from it.` +
      (doOverlap ? ' Windows share test dates, so they are not separate proofs.' : ''),
  }
}

const tradesOf = (count: number): string => `${formatCount(count)} ${count === 1 ? 'trade' : 'trades'}`
