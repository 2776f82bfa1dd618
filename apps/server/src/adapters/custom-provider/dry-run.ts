import { DAY, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { describeRefusal } from '@tradewright/engine/market/layers/rows'
import { ProviderFailure, type TickerResult } from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { granularities } from '@tradewright/core/granularity'
import type { DryRun, Trial } from '../../market-data/custom-providers/custom-providers.ts'
import { ProviderDefinition } from '../../market-data/provider-definition.ts'
import { customProvider, type CustomProviderParts } from './provider.ts'

const DAYS = 30
const SHOWN_ROWS = 5
const SHOWN_PROBLEMS = 10

/** Validates a definition, a user's or a model's, and asks its API for a month of one ticker. Nothing is stored. */
export async function dryRun(
  candidate: unknown,
  trial: Trial,
  parts: CustomProviderParts,
  signal: AbortSignal,
): Promise<DryRun> {
  const parsed = ProviderDefinition.safeParse(candidate)
  if (!parsed.success) {
    const problems = parsed.error.issues
      .slice(0, SHOWN_PROBLEMS)
      .map(({ path, message }) => `${path.join('.') || 'The definition'}: ${message}.`)
    return { works: false, definition: undefined, problems, sample: [], rowCount: 0 }
  }
  const definition = parsed.data
  try {
    const result = await fetchMonth(definition, trial, parts, signal)
    return { definition, ...judge(result) }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return { works: false, definition, problems: [error.message], sample: [], rowCount: 0 }
  }
}

async function fetchMonth(
  definition: ProviderDefinition,
  trial: Trial,
  parts: CustomProviderParts,
  signal: AbortSignal,
): Promise<TickerResult> {
  const provider = customProvider(definition, trial, parts)
  const today = epochDayOf(parts.surroundings.timing.now())
  const days = Math.min(DAYS, definition.limits.daysBack ?? DAYS)
  // The coarsest granularity it has: fewest rows.
  const granularity = granularities.findLast((word) => definition.granularities[word] !== undefined) ?? '1d'
  const range = { from: dayStamp(today - days), to: dayStamp(today) + DAY }
  const categories = provider.limits.supportedCategories
  const request = { tickers: [trial.ticker], granularity, range, categories }
  // A first part shows what the rest is like.
  for await (const result of provider.fetch(request, signal)) return result
  throw new Error('the provider said nothing about its only ticker')
}

function judge(result: TickerResult): Pick<DryRun, 'works' | 'problems' | 'sample' | 'rowCount'> {
  const nothing = { works: false, sample: [], rowCount: 0 }
  if (result.outcome === 'missing') return { ...nothing, problems: [result.message] }
  if (result.outcome === 'failed') return { ...nothing, problems: [result.failure.message] }
  const { silver, refused } = result
  const rowCount = silver.timestamps.length
  return {
    works: rowCount > 0 && refused.length === 0,
    problems: refused.slice(0, SHOWN_ROWS).map(describeRefusal),
    sample: firstRows(silver),
    rowCount,
  }
}

function firstRows({ timestamps, columns }: SeriesBlock): Record<string, number | string>[] {
  return [...timestamps.subarray(0, SHOWN_ROWS)].map((stamp, row) => {
    const cells = Object.entries(columns).map(([name, column]) => [name, column[row]!] as const)
    const filled = cells.filter(([, value]) => !Number.isNaN(value))
    return Object.fromEntries([['date', formatDate(epochDayOf(stamp))], ...filled])
  })
}
