import type { GenerationEntry, OptimizationRun, OptimizationRunItem } from '@tradewright/contract/optimization-run'
import { formatDate } from '../../lib/format-time.ts'

type Standing = Pick<OptimizationRunItem, 'status' | 'paused'>

export const isInProgress = ({ status }: Pick<Standing, 'status'>): boolean =>
  status === 'running' || status === 'cancel_requested'

export function statusWord({ status, paused }: Standing): string {
  if (status === 'cancel_requested') return 'cancelling'
  return status === 'running' && paused ? 'paused' : status
}

/** As the dropdown has it: `#12 · BTC-USD · 14 Nov 2026 · completed`. */
export const runLabel = (run: OptimizationRunItem): string =>
  `#${run.id} · ${run.target_asset} · ${formatDate(run.created_at)} · ${statusWord(run)}`

/** The generation that an unfinished run has come to, taken from its history. */
export const currentGeneration = (history: readonly GenerationEntry[]): number => history.at(-1)?.generation ?? 0

/** Generations after those that are known already. A run that began anew brings its history whole. */
export function withKnownHistory(
  known: OptimizationRun | undefined,
  news: OptimizationRun,
  after: number,
): OptimizationRun {
  const kept = known?.generation_history.filter(({ generation }) => generation <= after) ?? []
  const later = news.generation_history.filter(({ generation }) => generation > after)
  return { ...news, generation_history: [...kept, ...later] }
}

/** `about 2 min 5 s`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return 'N/A'
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`
}
