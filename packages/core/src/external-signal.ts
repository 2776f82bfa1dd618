import { Problem } from './problem.ts'
import { formatTicker, parseTicker } from './ticker.ts'
import type { UtcMillis } from './time.ts'

/** More is no list that a person keeps in mind. */
export const MAX_SIGNAL_ALLOCATIONS = 20
const MAX_ROWS = 50
/** Accepted ones of a strategy, and rows of a file. */
export const MAX_SIGNALS = 20_000
/** The floats of percentages may add up to slightly more. */
const SUM_TOLERANCE = 1e-6

interface Row {
  readonly ticker: string
  readonly allocationPct: number
}

/** A target that a signal may name. No rows: all in cash. */
interface NamedAllocation {
  readonly name: string
  readonly rows: readonly Row[]
}

/** What signals from outside may ask for: nothing else is ever held. */
export interface SignalBounds {
  readonly allocations: readonly NamedAllocation[]
  /** The one that is held before the first signal; null: cash. */
  readonly initial: string | null
  /** Signals may set weights of the listed tickers, each at most this percent; null: only names. */
  readonly maxWeightPct: number | null
}

/** A name of the list, or percentages by ticker. */
export type SignalTarget = { readonly allocation: string } | { readonly weights: Readonly<Record<string, number>> }

/** One that was accepted, with the instant at which it was received: no decision before may know of it. */
export interface ReceivedSignal {
  readonly at: UtcMillis
  readonly target: SignalTarget
}

/** Refuses a list that cannot be traded, in a sentence. */
export function checkBounds({ allocations, initial, maxWeightPct }: SignalBounds): void {
  if (allocations.length === 0) throw invalid('Add an allocation: a signal names one of them.')
  if (allocations.length > MAX_SIGNAL_ALLOCATIONS) {
    throw invalid(`At most ${MAX_SIGNAL_ALLOCATIONS} allocations are allowed, these are ${allocations.length}.`)
  }
  const names = new Set<string>()
  for (const { name, rows } of allocations) {
    if (!isName(name)) {
      throw invalid(
        'The name of an allocation has 1 to 40 letters, digits, spaces, - and _, and begins with a letter or digit.',
      )
    }
    if (names.has(name)) throw invalid(`Two allocations are called “${name}”.`)
    names.add(name)
    if (rows.length > MAX_ROWS) throw invalid(`“${name}” has more than ${MAX_ROWS} tickers.`)
    checkRows(`“${name}”`, rows)
  }
  if (tickersOf(allocations).size === 0) throw invalid('Name at least one ticker.')
  if (initial !== null && !names.has(initial)) throw invalid(`There is no allocation “${initial}” to begin with.`)
  if (maxWeightPct !== null && !(maxWeightPct > 0 && maxWeightPct <= 100)) {
    throw invalid(`The maximum weight must be above 0% and at most 100%, was ${maxWeightPct}%.`)
  }
}

const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/.test(name) && name.trim() === name

function checkRows(what: string, rows: readonly Row[]): void {
  for (const { ticker, allocationPct } of rows) {
    if (!(allocationPct >= 0)) throw invalid(`${what} has ${allocationPct}% of ${ticker}: it must be at least 0%.`)
  }
  const sum = rows.reduce((total, { allocationPct }) => total + allocationPct, 0)
  if (!(sum <= 100 + SUM_TOLERANCE)) {
    throw invalid(
      `${what} adds up to ${Math.round(sum * 100) / 100}%: a signal never borrows, at most 100% is allowed.`,
    )
  }
}

const oneWriting = (ticker: string): string => formatTicker(parseTicker(ticker))

/** Tickers of the allocations in their one spelling. */
const tickersOf = (allocations: readonly NamedAllocation[]): Set<string> =>
  new Set(allocations.flatMap(({ rows }) => rows.map(({ ticker }) => oneWriting(ticker))))

/** Refuses what is not in the list or not within its limits; tickers of weights come back in one writing. */
export function boundedTarget(bounds: SignalBounds, target: SignalTarget): SignalTarget {
  const { allocations, maxWeightPct } = bounds
  if ('allocation' in target) {
    if (allocations.some(({ name }) => name === target.allocation)) return { allocation: target.allocation }
    const known = allocations.map(({ name }) => `“${name}”`).join(', ')
    throw unknown(`There is no allocation “${target.allocation.slice(0, 60)}”. The strategy has ${known}.`)
  }
  if (maxWeightPct === null) throw unknown('This strategy accepts only names of its allocations, not weights.')
  const listed = tickersOf(allocations)
  const weights: Record<string, number> = {}
  for (const [given, pct] of Object.entries(target.weights)) {
    const ticker = oneWriting(given)
    if (!listed.has(ticker)) throw unknown(`${ticker} is not in the allocations of the strategy.`)
    if (!(pct >= 0 && pct <= maxWeightPct)) {
      throw unknown(`${pct}% of ${ticker} is outside the limit: from 0% to ${maxWeightPct}% is allowed.`)
    }
    if (ticker in weights) throw unknown(`${ticker} is there twice.`)
    weights[ticker] = pct
  }
  const sum = Object.values(weights).reduce((total, pct) => total + pct, 0)
  if (sum > 100 + SUM_TOLERANCE) throw unknown(`The weights add up to ${Math.round(sum * 100) / 100}%, more than 100%.`)
  return { weights }
}

export function targetRows({ allocations }: SignalBounds, target: SignalTarget | null): readonly Row[] {
  if (target === null) return []
  if ('weights' in target) {
    return Object.entries(target.weights).map(([ticker, allocationPct]) => ({ ticker, allocationPct }))
  }
  return allocations.find(({ name }) => name === target.allocation)!.rows
}

/** Two targets with one key are one target: nothing is traded when a signal says once more what is held. */
export function targetKey(target: SignalTarget | null): string {
  if (target === null) return 'cash'
  if ('allocation' in target) return `allocation:${target.allocation}`
  const weights = Object.entries(target.weights).filter(([, pct]) => pct !== 0)
  return `weights:${weights
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([ticker, pct]) => `${ticker}=${pct}`)
    .join(';')}`
}

/** For people: `risk-on`, or `60% SPY, 40% AGG`. */
export function targetName(target: SignalTarget | null): string {
  if (target === null) return 'cash'
  if ('allocation' in target) return target.allocation
  const weights = Object.entries(target.weights)
    .filter(([, pct]) => pct !== 0)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return weights.length === 0 ? 'cash' : weights.map(([ticker, pct]) => `${pct}% ${ticker}`).join(', ')
}

/** `risk-on`, or `SPY=60;AGG=40`. */
function parseTarget(text: string): SignalTarget {
  if (!text.includes('=')) return { allocation: text.trim() }
  const weights: Record<string, number> = {}
  for (const part of text.split(';')) {
    const [ticker, pct, ...more] = part.split('=').map((one) => one.trim())
    if (!ticker || !pct || more.length > 0 || !Number.isFinite(Number(pct))) {
      throw unknown(`“${text.slice(0, 60)}” is neither a name nor weights like SPY=60;AGG=40.`)
    }
    if (ticker in weights) throw unknown(`${ticker} is there twice.`)
    weights[ticker] = Number(pct)
  }
  return { weights }
}

/**
 * Signals of a file: lines of `time,signal` with a header, times in UTC or with an offset, in any order. Each counts from
 * its time on, as if it had been received then.
 */
export function parseSignals(text: string): ReceivedSignal[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
  const [header, ...rows] = lines
  if (header?.line.toLowerCase().replaceAll(/["\s]/g, '') !== 'time,signal') {
    throw invalid('The file of signals must begin with the line time,signal.')
  }
  if (rows.length > MAX_SIGNALS) throw invalid(`At most ${MAX_SIGNALS} signals are allowed, these are ${rows.length}.`)
  const signals = rows.map(({ line, number }) => {
    const comma = line.indexOf(',')
    const [time, said] = [line.slice(0, Math.max(comma, 0)), line.slice(comma + 1)].map((part) =>
      part.trim().replace(/^"(.*)"$/, '$1'),
    )
    const at = timeOf(time ?? '')
    if (comma < 0 || at === undefined || !said) {
      throw invalid(`Line ${number} must look like 2026-03-04T20:55:00Z,risk-on.`)
    }
    return { at, target: parseTarget(said) }
  })
  return signals.sort((a, b) => a.at - b.at)
}

/** A time with its zone: one without would be read by the clock of the machine. */
export function timeOf(text: string): UtcMillis | undefined {
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined
  const at = Date.parse(text.replace(' ', 'T'))
  return Number.isFinite(at) ? at : undefined
}

const invalid = (sentence: string) => new Problem('invalid', 'external-signal.bounds', sentence)
const unknown = (sentence: string) => new Problem('invalid', 'signal.unknown-target', sentence)
