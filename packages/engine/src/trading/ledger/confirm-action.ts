import { Decimal } from '@tradewright/core/decimal'
import type { ListedAction } from '../../market/provider.ts'
import { type Entry, USD } from './entry.ts'

interface Confirmation {
  readonly verdict: 'confirmed' | 'contradicted'
  readonly listed: ListedAction
}

/** Shares and money that an entry brought its owner, negative where they went. */
function movedBy({ legs }: Pick<Entry, 'legs'>): { shares: Map<string, number>; cash: number } {
  const net = new Map<string, Decimal>()
  for (const { party, asset, amount } of legs) {
    if (party !== 'market') net.set(asset, (net.get(asset) ?? Decimal.zero).plus(amount))
  }
  const cash = net.get(USD) ?? Decimal.zero
  net.delete(USD)
  const shares = [...net].filter(([, quantity]) => !quantity.isZero)
  return { shares: new Map(shares.map(([ticker, quantity]) => [ticker, quantity.toNumber()])), cash: cash.toNumber() }
}

/** All tickers whose shares it moved. */
export const tickersMoved = (entry: Pick<Entry, 'legs'>): string[] => [...movedBy(entry).shares.keys()]

/**
 * Whether one of the actions that market data list is the one that was booked: the same tickers and, up to a fraction that
 * is paid out, the same shares. Undefined where none is about these tickers.
 * @param held Shares that the owner had of the ticker of an action that keeps them, from its day until it was booked, in turn;
 * none where that is not known
 */
export function confirmationOf(
  entry: Pick<Entry, 'legs'>,
  listed: readonly ListedAction[],
  held: (action: ListedAction) => readonly number[] = () => [],
): Confirmation | undefined {
  const { shares, cash } = movedBy(entry)
  const about = listed.filter((action) => (action.isKept ? isBrought(shares, action) : shares.has(action.ticker)))
  const same = about.find((action) => isSame(shares, cash, action, held))
  if (same) return { verdict: 'confirmed', listed: same }
  const [other] = about
  return other && { verdict: 'contradicted', listed: other }
}

/** Whether an action that keeps the shares may have brought what was moved. */
const isBrought = (moved: ReadonlyMap<string, number>, { ticker, shares }: ListedAction): boolean =>
  !moved.has(ticker) && shares.some((one) => moved.has(one.ticker))

/** Actions that leave the shares where they were, and may have brought what an entry moved. */
export function keptSharesBehind(entry: Pick<Entry, 'legs'>, listed: readonly ListedAction[]): ListedAction[] {
  const { shares } = movedBy(entry)
  return listed.filter((action) => action.isKept && isBrought(shares, action))
}

/** Withheld taxes and fees, and money for a fraction, come off or on top of what each share is paid. */
const CASH_TOLERANCE = 0.05

function isSame(
  moved: ReadonlyMap<string, number>,
  cash: number,
  action: ListedAction,
  heldOf: (action: ListedAction) => readonly number[],
): boolean {
  const brought = new Set(action.shares.map(({ ticker }) => ticker))
  if ([...moved.keys()].some((ticker) => ticker !== action.ticker && !brought.has(ticker))) return false
  const isShareOf = (held: number) =>
    action.shares.every(({ ticker, perShare }) => Math.abs((moved.get(ticker) ?? 0) - held * perShare) < 1)
  if (action.isKept) {
    // A spin-off counts what was held on its day, which a trade before it was booked may have changed.
    const counts = heldOf(action)
    return [...brought].every((ticker) => moved.has(ticker)) && (counts.length === 0 || counts.some(isShareOf))
  }
  // Negative where the shares were owed.
  const held = -moved.get(action.ticker)!
  const isShared = isShareOf(held)
  // Money may be listed days after the shares; beside shares it may be that of a fraction.
  if (!isShared || cash === 0 || action.shares.length > 0) return isShared
  const paid = held * action.cashPerShare
  return Math.abs(cash - paid) <= Math.abs(paid) * CASH_TOLERANCE
}
