import { TickMarkType, type Time } from 'lightweight-charts'
import { formatEastern } from '../../lib/format-eastern.ts'
import { marketHour } from '../../lib/format-time.ts'

const DAY_SECONDS = 86_400

/** The library's default is navigator.language, which Chromium without a locale sets to a tag that Intl refuses. */
const LOCALIZATION: { locale: string; timeFormatter?: (time: Time) => string } = { locale: 'en-US' }

export type TimeAxis = ReturnType<typeof timeAxisOf>

/** Hours are told where several points are of the same day; otherwise the library's days, months and years. */
export function timeAxisOf(points: readonly { time: number }[]) {
  if (!isWithinDays(points)) return { timeScale: {}, chart: { localization: LOCALIZATION } }
  return {
    timeScale: { timeVisible: true, secondsVisible: false, tickMarkFormatter: tickText },
    chart: { localization: { ...LOCALIZATION, timeFormatter: stampText } },
  }
}

function isWithinDays(points: readonly { time: number }[]): boolean {
  const [first, last] = [points[0], points.at(-1)]
  return first !== undefined && last !== undefined && last.time - first.time < (points.length - 1) * DAY_SECONDS * 0.9
}

const tickText = (time: Time, kind: TickMarkType): string | null =>
  kind === TickMarkType.Time && typeof time === 'number' ? marketHour(new Date(time * 1000)) : null

const stampText = (time: Time): string =>
  typeof time === 'number' ? formatEastern(new Date(time * 1000).toISOString()) : ''
