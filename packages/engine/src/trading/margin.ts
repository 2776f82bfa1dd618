/**
 * What a position must be covered by, out of the account's own money, for a broker to leave it alone. An account below
 * the sum is sold down at the next price.
 */
import type { MaintenanceMargin } from '@tradewright/core/backtest-settings'
import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { formatTicker, heldKind, parseTicker } from '@tradewright/core/ticker'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { Holdings } from './holdings.ts'

/** Shares of a position's value. */
interface Requirement {
  readonly long: number
  readonly short: number
}

/**
 * FINRA rule 4210: 25 % of what is held and 30 % of what is sold short; brokers lend nothing on coins. Futures and
 * currencies are margined by their exchange and by NFA rules, at about these shares of their value.
 */
const REQUIREMENTS: Partial<Record<TickerKind, Requirement>> = {
  cash: { long: 0, short: 0 },
  treasury_bill: { long: 0, short: 0 },
  crypto: { long: 1, short: 1 },
  future: { long: 0.1, short: 0.1 },
  currency: { long: 0.05, short: 0.05 },
}
const SECURITIES: Requirement = { long: 0.25, short: 0.3 }

/** A leveraged fund needs its factor times the usual, up to all of it (FINRA regulatory notice 09-53). */
function requirementOf(ticker: string): Requirement {
  const { leverage, ...parsed } = parseTicker(ticker)
  const { long, short } = REQUIREMENTS[heldKind(parsed)] ?? SECURITIES
  const factor = Math.max(1, Math.abs(leverage?.factor ?? 1))
  return { long: Math.min(1, long * factor), short: Math.min(1, short * factor) }
}

/** By ticker, as shares of the position's value. */
export interface Maintenance {
  readonly long: Float64Array
  readonly short: Float64Array
}

/** Undefined where an account is never sold down. */
export function maintenanceOf(tickers: readonly string[], margin: MaintenanceMargin): Maintenance | undefined {
  if (margin === 'off') return undefined
  const requirements = tickers.map((ticker): Requirement => {
    const usual = requirementOf(ticker)
    return margin === 'us' || usual.long === 0 ? usual : { long: margin / 100, short: margin / 100 }
  })
  return {
    long: Float64Array.from(requirements, ({ long }) => long),
    short: Float64Array.from(requirements, ({ short }) => short),
  }
}

/** The money of its own that an account needs for its positions at these prices. */
export function marginRequired({ long, short }: Maintenance, { quantities }: Holdings, prices: Float64Array): number {
  let required = 0
  for (let i = 0; i < quantities.length; i++) {
    const value = quantities[i]! * prices[i]!
    if (value !== 0) required += Math.abs(value) * (quantities[i]! > 0 ? long[i]! : short[i]!)
  }
  return required
}

/** Requirements in words, as a note and a form name them. */
export function requirementWords(tickers: readonly string[], margin: MaintenanceMargin): string {
  if (margin === 'off') return 'no maintenance requirement'
  if (margin !== 'us') return `${margin} % of every position`
  const groups = Map.groupBy(
    tickers.map((ticker) => ({ ticker: formatTicker(parseTicker(ticker)), ...requirementOf(ticker) })),
    ({ long, short }) => (long === short ? `${percent(long)} %` : `${percent(long)} % held, ${percent(short)} % short`),
  )
  const told = [...groups].filter(([, some]) => some[0]!.long > 0)
  if (told.length === 1) return told[0]![0]
  return told.map(([share, some]) => `${some.map(({ ticker }) => ticker).join(', ')} ${share}`).join('; ')
}

const percent = (share: number): number => Math.round(share * 1000) / 10

/** A position of a deployment, in dollars; negative where it is short. */
interface MarginPosition {
  readonly ticker: string
  readonly marketValue: number
}

/** Own money below this many times the requirement is worth a warning: a day's move may use up the rest. */
const WARN_BELOW = 1.25

/**
 * The sentence of a deployment on borrowed money or shares that is near the requirement of US brokers, before one acts on
 * it; undefined where it has room.
 */
export function marginWarning(equity: number, positions: readonly MarginPosition[]): string | undefined {
  const gross = positions.reduce((sum, { marketValue }) => sum + Math.abs(marketValue), 0)
  // Fees may leave some cents of a fully invested account below zero.
  const borrows = positions.some(({ marketValue }) => marketValue < 0) || gross > 1.01 * equity
  const maintenance = maintenanceOf(
    positions.map(({ ticker }) => ticker),
    'us',
  )
  if (!borrows || !maintenance) return undefined
  const required = marginRequired(
    maintenance,
    { cash: 0, quantities: Float64Array.from(positions, ({ marketValue }) => marketValue) },
    new Float64Array(positions.length).fill(1),
  )
  if (required === 0 || equity >= WARN_BELOW * required) return undefined
  const [own, needed] = [equity, required].map((amount) => usd(Decimal.fromNumber(Math.round(amount * 100) / 100)))
  const state =
    equity < required
      ? 'the broker may sell positions at any time'
      : `after a further loss of about ${percent((equity - required) / gross)} % of its positions the broker may sell some`
  return `It holds ${own} of its own, and US brokers require about ${needed} for its positions: ${state}.`
}
