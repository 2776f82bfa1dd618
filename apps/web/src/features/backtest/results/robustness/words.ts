import type { RobustnessCheck, RobustnessUnit } from '@tradewright/contract/robustness'
import {
  formatCount,
  formatNumber,
  formatPercent,
  formatShortMoney,
  formatSignedPercent,
} from '../../../../lib/format.ts'

/** The words of the honesty checks. */
export const TONE_WORDS = { good: 'Passed', caution: 'Caution', bad: 'Failed', unknown: 'n/a' } as const

const ORDER = { bad: 0, caution: 1, good: 2, unknown: 3 }

type JudgedCheck = RobustnessCheck & { judgement: NonNullable<RobustnessCheck['judgement']> }

/** The reasons of the verdict: checks that were judged, worst first. */
export const reasonsOf = (checks: readonly RobustnessCheck[]): JudgedCheck[] =>
  checks
    .filter((check): check is JudgedCheck => check.judgement !== null && check.judgement.verdict !== 'unknown')
    .toSorted((a, b) => ORDER[a.judgement.verdict] - ORDER[b.judgement.verdict])

/** Why checks say nothing about this result. */
export const absentOf = (checks: readonly RobustnessCheck[]): { label: string; reason: string }[] =>
  checks.flatMap(({ label, not_available, judgement }) => {
    if (not_available !== null) return [{ label, reason: not_available }]
    return judgement?.verdict === 'unknown' ? [{ label, reason: withoutFrame(judgement.sentence) }] : []
  })

/** The sentence of a check without verdict ends with its reason. */
const withoutFrame = (sentence: string): string =>
  sentence.replace(/^It could not be computed because /, '').replace(/\.$/, '')

const DECIMALS: Record<RobustnessUnit, number> = { percent: 1, ratio: 2, money: 0, count: 0 }
/** More of them would not be read. */
const MAX_DECIMALS = 4

const FORMATS: Record<RobustnessUnit, (value: number, decimals: number) => string> = {
  percent: formatPercent,
  ratio: (value, decimals) => formatNumber(value, { decimals }),
  money: formatShortMoney,
  count: formatCount,
}

export const formatValue = (value: number | null, unit: RobustnessUnit, decimals = DECIMALS[unit]): string =>
  value === null ? 'n/a' : FORMATS[unit](value, decimals)

/** With its sign where it is a return; what is written as zero has none. */
export const formatReturn = (value: number | null, unit: RobustnessUnit, decimals = DECIMALS[unit]): string =>
  value === null || unit !== 'percent' || Math.abs(value) < 0.005 / 10 ** decimals
    ? formatValue(value && unit === 'percent' ? Math.abs(value) : value, unit, decimals)
    : formatSignedPercent(value, decimals)

/** So many that each tick of a plot is written as what it is: an axis of a tenth of a percent needs two. */
export function decimalsOf(ticks: readonly number[], unit: RobustnessUnit): number {
  const scaled = unit === 'percent' ? ticks.map((tick) => 100 * tick) : ticks
  const isExact = (decimals: number) =>
    scaled.every((tick) => Math.abs(tick - Number(tick.toFixed(decimals))) < 1e-9 * Math.max(1, Math.abs(tick)))
  let decimals = DECIMALS[unit]
  while (decimals < MAX_DECIMALS && !isExact(decimals)) decimals++
  return decimals
}

/** Counts as a sentence part: `9 passed, 2 cautions, 0 failed`. */
export const totalsOf = ({ passed, cautions, failed }: { passed: number; cautions: number; failed: number }) => [
  { tone: 'good' as const, text: `${passed} passed` },
  { tone: 'caution' as const, text: `${cautions} ${cautions === 1 ? 'caution' : 'cautions'}` },
  { tone: 'bad' as const, text: `${failed} failed` },
]

/** How far the verdict can be trusted. docs/method.md has the same sentence, with the whole curve. */
export const BOARD_POWER =
  'On synthetic markets, at most 5 in 100 strategies of pure noise look genuine. At least 80 in 100 look genuine if ' +
  'their timing is worth a Sharpe ratio of 1.75 of its asset over 20 tested years (2.5 over 10, 3.5 for a model ' +
  'over 6), as do mixes with a Sharpe ratio of 0.9 over 20 years (1.2 over 10). Measured on daily bars at 1 basis point ' +
  'a trade with normal returns and signals held for 20 days. Held for 2 to 60 days, or with fat tails, timing worth 2 is ' +
  'recognized in 95 or more of 100 over 20 years, in about 76 over 10 and 42 over 5. Smaller edges and shorter tests are ' +
  'often not recognized.'
