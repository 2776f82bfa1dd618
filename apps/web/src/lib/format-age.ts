import { formatDate } from './format-time.ts'

const STEPS = [
  { seconds: 86_400, word: 'day' },
  { seconds: 3_600, word: 'hour' },
  { seconds: 60, word: 'minute' },
] as const

/** `5 minutes ago`; under a minute `just now`. */
export function formatAge(seconds: number): string {
  const step = STEPS.find((each) => seconds >= each.seconds)
  if (!step) return 'just now'
  const count = Math.floor(seconds / step.seconds)
  return `${count} ${step.word}${count === 1 ? '' : 's'} ago`
}

const WEEK_SECONDS = 7 * 86_400

/** An instant of the past: how long ago, and after a week its date. */
export function formatPast(instant: string, now: number): string {
  const seconds = (now - Date.parse(instant)) / 1000
  return seconds < WEEK_SECONDS ? formatAge(seconds) : formatDate(instant)
}
