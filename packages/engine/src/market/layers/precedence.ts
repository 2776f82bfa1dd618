import { isObservation, type TickerKind } from '@tradewright/core/ticker-kind'

/** The user's own upload takes precedence over any provider: it was put there on purpose. */
export const UPLOADED = 'csv'

/** Where a custom provider stands: after the built-in real ones, before made-up data. */
const CUSTOM = '*'

const order = (...providers: string[]): readonly string[] => [UPLOADED, ...providers, CUSTOM]

/** Yahoo before Alpaca, whose free feed sees a few percent of the volume. Coinbase before both for coins. */
const PRICES = order('yahoo', 'alpaca')
const COINS = order('coinbase', 'yahoo', 'alpaca')
const DERIVATIVES = order('coinalyze')
const ECONOMY = order('fred')

/** Whose value becomes gold, best first; providers that are not named share the place of `*`. */
export function providerPrecedence(kind: TickerKind): readonly string[] {
  if (kind === 'crypto') return COINS
  if (kind === 'economic') return ECONOMY
  return isObservation(kind) ? DERIVATIVES : PRICES
}

/** Sorts by precedence; among equals by name, so that the result never depends on who came first. */
export function byPrecedence(precedence: readonly string[]): (a: string, b: string) => number {
  const rank = (provider: string) => {
    const place = precedence.indexOf(provider)
    return place === -1 ? precedence.indexOf(CUSTOM) : place
  }
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : Number(a > b))
}
