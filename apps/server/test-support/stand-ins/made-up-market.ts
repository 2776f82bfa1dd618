import { DAY, type EpochDay, toEpochDay } from '@tradewright/core/time'

interface MadeUpBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** A number in [0, 1) that depends on nothing but the text (FNV-1a). */
function noise(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

const cents = (value: number): number => Math.round(value * 100) / 100

/** A bar as it was traded, the same on every machine and whenever it is asked for. */
export function madeUpBar(symbol: string, instant: number): MadeUpBar {
  const level = 80 + 80 * noise(symbol) + 20 * Math.sin(instant / (40 * DAY))
  const open = cents(level * (1 + 0.02 * (noise(`${symbol} ${instant} open`) - 0.5)))
  const close = cents(level * (1 + 0.02 * (noise(`${symbol} ${instant} close`) - 0.5)))
  const reach = level * 0.01 * noise(`${symbol} ${instant} reach`)
  return {
    open,
    close,
    high: cents(Math.max(open, close) + reach),
    low: cents(Math.min(open, close) - reach),
    volume: 1_000_000 + Math.floor(1_000_000 * noise(`${symbol} ${instant} volume`)),
  }
}

/** A value of an observation series: a rate, an index, an open interest. */
export const madeUpValue = (symbol: string, instant: number): number =>
  Math.round((3 + Math.sin(instant / (90 * DAY)) + noise(`${symbol} ${instant}`)) * 1000) / 1000

interface MadeUpSplit {
  readonly exDay: EpochDay
  readonly numerator: number
  readonly denominator: number
}

interface MadeUpDividend {
  readonly exDay: EpochDay
  /** As it was paid then. */
  readonly amount: number
}

/** One stock with a split in the middle of its dividends, as AAPL had; the others have neither. */
export const madeUpSplits: Readonly<Record<string, readonly MadeUpSplit[]>> = {
  AAPL: [{ exDay: toEpochDay(2020, 8, 31), numerator: 4, denominator: 1 }],
}

export const madeUpDividends: Readonly<Record<string, readonly MadeUpDividend[]>> = {
  AAPL: [
    { exDay: toEpochDay(2020, 8, 7), amount: 0.82 },
    { exDay: toEpochDay(2020, 11, 6), amount: 0.205 },
  ],
}

/** Today's shares for one share of that day. */
export const laterShares = (symbol: string, day: EpochDay, today: EpochDay): number =>
  (madeUpSplits[symbol] ?? [])
    .filter(({ exDay }) => exDay > day && exDay <= today)
    .reduce((product, { numerator, denominator }) => (product * numerator) / denominator, 1)
