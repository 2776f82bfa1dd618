import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from '../packages/on-demand.ts'

type Params = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

/**
 * The part of a ccxt exchange that is used here. What it answers is read by `schema.ts`: numbers are text, since ccxt is
 * asked for `number: String`.
 */
export interface SpotExchange {
  options: Record<string, unknown>
  has: Record<string, unknown>
  milliseconds(): number
  seconds(): number
  nonce(): number
  throttle(cost?: number): Promise<void>
  sign(...request: unknown[]): unknown
  fetch(url: string, method?: string, headers?: Headers, body?: string): Promise<unknown>
  handleRestResponse(
    response: Response,
    url: string,
    method: string,
    headers?: Headers,
    body?: string,
  ): Promise<unknown>
  setSandboxMode(isOn: boolean): void
  fetchMarkets(params?: Params): Promise<unknown[]>
  setMarkets(markets: readonly unknown[]): unknown
  fetchTime(): Promise<unknown>
  fetchBalance(): Promise<unknown>
  fetchTickers(symbols: readonly string[]): Promise<unknown>
  createOrder(
    symbol: string,
    type: string,
    side: string,
    amount: string | undefined,
    price: string | undefined,
    params: Params,
  ): Promise<unknown>
  fetchOrder(id: string | undefined, symbol?: string, params?: Params): Promise<unknown>
  fetchOrders(symbol?: string, since?: number, limit?: number, params?: Params): Promise<unknown[]>
  fetchOpenOrders(symbol?: string, since?: number, limit?: number, params?: Params): Promise<unknown[]>
  fetchClosedOrders(symbol?: string, since?: number, limit?: number, params?: Params): Promise<unknown[]>
  cancelOrder(id: string, symbol?: string): Promise<unknown>
  fetchMyTrades(symbol?: string, since?: number, limit?: number, params?: Params): Promise<unknown[]>
  fetchDeposits(code?: string, since?: number, limit?: number): Promise<unknown[]>
  fetchWithdrawals(code?: string, since?: number, limit?: number): Promise<unknown[]>
}

type ExchangeClass = new (settings: Params) => SpotExchange

/**
 * The package exports all hundred exchanges in one file, which takes four seconds and 100 MB to load. The file of one
 * exchange takes a quarter of that, and is loaded when an account there is first used.
 */
export async function loadExchange(id: string): Promise<ExchangeClass> {
  await ensureInstalled('exchanges')
  const packageFile = createRequire(import.meta.url).resolve('ccxt')
  const file = join(dirname(packageFile), '..', 'js', 'src', `${id}.js`)
  const loaded = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default: ExchangeClass }
  return loaded.default
}

/** The secret is not in the form that the exchange signs with: no request can be made. */
export class UnusableSecret extends Error {}

/** Whether an error is of one of ccxt's classes or of one derived from it, by name: the classes come with an exchange. */
export function isCcxtError(error: unknown, name: string): error is Error {
  for (let made: unknown = error instanceof Error ? error.constructor : undefined; typeof made === 'function';) {
    if (made.name === name) return true
    made = Object.getPrototypeOf(made)
  }
  return false
}
