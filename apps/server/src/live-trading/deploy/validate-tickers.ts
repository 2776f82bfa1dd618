import { foreignExchangeSentence } from '@tradewright/core/exchange'
import { Problem } from '@tradewright/core/problem'
import { parseTicker } from '@tradewright/core/ticker'
import { CASHX } from '@tradewright/core/ticker-kind'
import { formatDate } from '@tradewright/core/time'
import { tradedAs, type TickerMapping } from '@tradewright/engine/live/trading-weights'
import { mapBounded } from '../../in-turns.ts'
import type { Broker, OldPrice, TradableAsset } from '@tradewright/engine/trading/broker'

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

/** What a verdict needs to know of the account: asked once for all tickers. */
interface AccountFacts {
  readonly leverageLimit: number
  readonly assets: ReadonlyMap<string, TradableAsset>
}

/** Questions to a broker at the same moment that can only be asked ticker by ticker. */
const ASKED_AT_ONCE = 4

async function factsOf(broker: Broker, tradingTickers: readonly string[]): Promise<AccountFacts> {
  const symbols = [...new Set(tradingTickers.flatMap((text) => symbolOf(text) ?? []))]
  if (symbols.length === 0) return { leverageLimit: 1, assets: new Map() }
  const [{ leverageLimit }, assets] = await Promise.all([broker.account(), assetsOf(broker, symbols)])
  return { leverageLimit, assets }
}

async function assetsOf(broker: Broker, symbols: readonly string[]): Promise<ReadonlyMap<string, TradableAsset>> {
  if (broker.assets) return broker.assets(symbols)
  const assets = await mapBounded(
    symbols,
    ASKED_AT_ONCE,
    async (symbol) => [symbol, await broker.asset(symbol)] as const,
  )
  return new Map(assets.flatMap(([symbol, asset]) => (asset ? [[symbol, asset] as const] : [])))
}

/** Undefined where no broker has to be asked. */
function symbolOf(tradingTicker: string): string | undefined {
  try {
    const { symbol } = parseTicker(tradingTicker)
    return foreignExchangeSentence(symbol) === undefined ? symbol : undefined
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Whether an account may hold a ticker with this leverage. */
export const validateTicker = async (broker: Broker, ticker: string, leverage: number): Promise<TickerVerdict> =>
  verdictOn(await factsOf(broker, [ticker]), ticker, leverage)

function verdictOn(
  { leverageLimit, assets }: AccountFacts,
  tradingTicker: string,
  requestedLeverage: number,
): TickerVerdict {
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
  const asset = assets.get(symbol)
  if (!asset) return { ...verdict, maxLeverage: 1, error: `${symbol} is not listed at the broker.` }
  if (!asset.isTradable) return { ...verdict, maxLeverage: 1, error: `${symbol} cannot be traded at the broker.` }
  const maxLeverage = asset.isMarginable ? Math.max(1, leverageLimit) : 1
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
export const validateSignal = async (
  broker: Broker,
  signalTicker: string,
  mapping: TickerMapping,
): Promise<TickerVerdict | undefined> => (await validateMapping(broker, [signalTicker], mapping)).get(signalTicker)

function verdictOnSignal(facts: AccountFacts, signalTicker: string, mapping: TickerMapping): TickerVerdict | undefined {
  if (parseTicker(signalTicker).symbol === CASHX) return undefined
  const mapped = mapping[signalTicker]
  if (mapped?.trim() === '') {
    const empty = { tradingTicker: '', requestedLeverage: 1, maxLeverage: 1, warning: null, isPriceOld: false }
    return { ...empty, valid: false, error: `${signalTicker} has no trading ticker.` }
  }
  const traded = tradedAs(signalTicker, mapping)
  if (!traded) return undefined
  const verdict = verdictOn(facts, traded.ticker, traded.leverage)
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
  const asked = signals.filter((signal) => parseTicker(signal).symbol !== CASHX && mapping[signal]?.trim() !== '')
  const facts = await factsOf(
    broker,
    asked.flatMap((signal) => tradedAs(signal, mapping)?.ticker ?? []),
  )
  return new Map(
    signals.flatMap((signal) => {
      const verdict = verdictOnSignal(facts, signal, mapping)
      return verdict ? [[signal, verdict] as const] : []
    }),
  )
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
