import { kindNamed } from '@tradewright/core/strategy-kinds'
import { formatDate } from '../../../lib/format-time.ts'
import type { StudioResult } from '../answer/studio-result.ts'
import { formatBarDay } from './bar-date.ts'

type Start = Pick<StudioResult, 'strategy_type' | 'start_date' | 'actual_start_date' | 'test_dates'>

/** Which return is the first one of the result, in words that stand beside its dates, and how far a yearly figure carries. */
export const startSentence = (result: Start): string => firstReturn(result) + projection(result)

/** From one New Year to the next there are a few days less. */
const NEARLY_A_YEAR_MS = 360 * 86_400_000

function projection({ test_dates: dates }: Start): string {
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined || first === last) return ''
  return Date.parse(last) - Date.parse(first) < NEARLY_A_YEAR_MS
    ? ' Less than a year: figures a year tell it as if it had gone on like that.'
    : ''
}

function firstReturn({ strategy_type, start_date, actual_start_date, test_dates }: Start): string {
  if (kindNamed(strategy_type).learns)
    return `Begins with the first prediction, at the close of ${formatBarDay(test_dates[0])}.`
  const first = formatDate(actual_start_date)
  return actual_start_date < start_date
    ? `Invested at the close of ${first}, before the start date: the first session's return counts.`
    : `Invested at the first close, on ${first}: that day's own return does not count.`
}
