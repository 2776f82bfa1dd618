import { foreignExchangeSentence } from '@tradewright/core/exchange'
import { Problem } from '@tradewright/core/problem'
import { parseTicker } from '@tradewright/core/ticker'
import { CASHX } from '@tradewright/core/ticker-kind'
import { formatDate } from '@tradewright/core/time'
import { tradedAs, type TickerMapping } from '@tradewright/engine/live/trading-weights'
import type { Broker, OldPrice } from '@tradewright/engine/trading/broker'

export interface TickerVerdict {
  readonly valid: boolean
  readonly error: string | null
  readonly warning: string | null
  /** Its last known price lacks several sessions: no decision is made on it. */
  readonly isPriceOld: boolean
  readonly maxLeverage: number
  readonly requestedLeverage: number
  readonly tradingTicker: string
}

/** Whether an account may hold a ticker with this leverage. */
export async function validateTicker(
  broker: Broker,
  tradingTicker: string,
  requestedLeverage: number,
): Promise<TickerVerdict> {
  const verdict = { tradingTicker, requestedLeverage, warning: null, isPriceOld: false, error: null, valid: false }
  let symbol: string
  try {
    symbol = parseTicker(tradingTicker).symbol
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...verdict, maxLeverage: 1, error: error.message }
  }
  const foreign = foreignExchangeSentence(symbol)
  if (foreign !== undefined) return { ...verdict, maxLeverage: 1, error: foreign }
  const [asset, account] = await Promise.all([broker.asset(symbol), broker.account()])
  if (!asset) return { ...verdict, maxLeverage: 1, error: `${symbol} is not listed at the broker.` }
  if (!asset.isTradable) return { ...verdict, maxLeverage: 1, error: `${symbol} cannot be traded at the broker.` }
  const maxLeverage = asset.isMarginable ? Math.max(1, account.leverageLimit) : 1
  if (requestedLeverage > maxLeverage) {
    const error = `${symbol} can be held with a leverage of at most ${maxLeverage}x in this account; ${requestedLeverage}x was requested.`
    return { ...verdict, maxLeverage, error }
  }
  if (requestedLeverage < 0) return { ...verdict, maxLeverage, error: 'Short positions are not supported.' }
  const warnings = [
    ...(asset.isFractionable ? [] : [`${symbol} is traded in whole shares only; the rest stays in cash.`]),
    ...(asset.oldPrice === undefined ? [] : [oldPriceWarning(symbol, asset.oldPrice)]),
  ]
  const isPriceOld = asset.oldPrice !== undefined
  return { ...verdict, valid: true, maxLeverage, warning: warnings.join(' ') || null, isPriceOld }
}

const oldPriceWarning = (symbol: string, { day, ageDays }: OldPrice): string =>
  `The last known price of ${symbol} is from ${formatDate(day)}, ${ageDays} days old. The paper account uses it; a ` +
  'strategy decides again once newer prices are collected or imported.'

/** A signal ticker as it would be traded; undefined for what is held as cash and needs no validation. */
export async function validateSignal(
  broker: Broker,
  signalTicker: string,
  mapping: TickerMapping,
): Promise<TickerVerdict | undefined> {
  if (parseTicker(signalTicker).symbol === CASHX) return undefined
  const mapped = mapping[signalTicker]
  if (mapped?.trim() === '') {
    const empty = { tradingTicker: '', requestedLeverage: 1, maxLeverage: 1, warning: null, isPriceOld: false }
    return { ...empty, valid: false, error: `${signalTicker} has no trading ticker.` }
  }
  const traded = tradedAs(signalTicker, mapping)
  if (!traded) return undefined
  const verdict = await validateTicker(broker, traded.ticker, traded.leverage)
  const own = parseTicker(signalTicker)
  const factor = own.leverage?.factor ?? 1
  if (!verdict.valid || factor === 1 || traded.ticker === own.symbol) return verdict
  const warning = `${traded.ticker} is assumed to have the ${factor}x leverage of ${signalTicker} itself.`
  return { ...verdict, warning: verdict.warning ? `${verdict.warning} ${warning}` : warning }
}

export async function validateMapping(
  broker: Broker,
  signals: readonly string[],
  mapping: TickerMapping,
): Promise<Map<string, TickerVerdict>> {
  const verdicts = await Promise.all(
    signals.map(async (signal) => [signal, await validateSignal(broker, signal, mapping)] as const),
  )
  return new Map(verdicts.flatMap(([signal, verdict]) => (verdict ? [[signal, verdict] as const] : [])))
}

/** `action` is the form's word. */
export async function refuseInvalidMapping(
  broker: Broker,
  signals: readonly string[],
  mapping: TickerMapping,
  action: 'deploy' | 'update',
): Promise<void> {
  const invalid = [...(await validateMapping(broker, signals, mapping))].filter(([, { valid }]) => !valid)
  if (invalid.length === 0) return
  const list = invalid.map(([signal, { tradingTicker }]) => `${signal} -> ${tradingTicker}`).join(', ')
  throw new Problem(
    'invalid',
    'deployment.mapping',
    `Cannot ${action} with invalid ticker mappings: ${list}. Please fix leverage issues or use valid tickers.`,
    { facts: { ticker_errors: Object.fromEntries(invalid.map(([signal, { error }]) => [signal, error])) } },
  )
}
