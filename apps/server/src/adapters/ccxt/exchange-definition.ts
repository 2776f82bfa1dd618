import type { RefusalTable } from '@tradewright/engine/trading/refusals'
import type { ExchangeId } from '@tradewright/core/broker-catalogue'
import type { OrderRequest } from '@tradewright/engine/trading/order'
import type { RateLimit } from '../http/rate-bucket.ts'
import type { SpotExchange } from './spot-exchange.ts'

/** An order that is looked for by the id that we gave it. */
interface SoughtOrder {
  /** Our id in the form that the exchange takes. */
  readonly clientId: string
  /** ccxt's symbol, where our id names the ticker. */
  readonly symbol: string | undefined
  /** No later than it was sent. */
  readonly since: number
}

/** What an exchange says about an account beside its balances. */
interface AccountFacts {
  /** The exchange's own name for the account; undefined where it does not say. */
  readonly id?: string | undefined
  readonly blockedBecause?: string | undefined
}

/** What ccxt leaves to each exchange. The sources are the exchanges' API documentation, named at each table entry. */
export interface ExchangeDefinition {
  /** ccxt's name for it, and ours. */
  readonly id: ExchangeId
  readonly name: string
  /** The currency that counts as dollars. Coins are bought with it and sold for it. */
  readonly quote: 'USD' | 'USDT' | 'USDC'
  readonly limit: RateLimit
  readonly limitIsPer: 'key' | 'address'
  /** Tokens of the limit for one unit of ccxt's cost of a call. */
  readonly tokensPerCost: number
  /** Longer client order ids are refused. */
  readonly maxClientIdLength: number
  /** How long after it was signed an order may still be taken. */
  readonly orderValidMillis: number
  /** Orders and executions are listed per market only, and an order's number is unique in its market only. */
  readonly listsPerMarket: boolean
  /** Deposits and withdrawals of all currencies are listed; where they are not, they show as money and coins that moved. */
  readonly listsFlows: boolean
  /** What is charged in dollars on top of a purchase, as a share of its value; 0 where the fee is taken from the coin. */
  readonly purchaseFee: number
  readonly options: Readonly<Record<string, unknown>>
  /** Overrides what ccxt believes the exchange has. */
  readonly has?: Readonly<Record<string, unknown>>
  readonly marketParams?: Readonly<Record<string, unknown>>
  /** The secret as ccxt takes it, from what a user has copied; as it is where this is left out. */
  readonly secretOf?: (entered: string) => string
  /** The parameters that carry our id and the size. */
  orderParams(clientId: string, request: OrderRequest, now: number): Readonly<Record<string, unknown>>
  /** Undefined, or ccxt's OrderNotFound, where there is none. */
  findOrder(exchange: SpotExchange, sought: SoughtOrder): Promise<unknown>
  /** Executions of a market, or of the account, at or after the instant; the pages of the exchange one after the other. */
  trades(exchange: SpotExchange, symbol: string | undefined, since: number): AsyncIterable<readonly unknown[]>
  accountFacts(info: unknown): AccountFacts
  /** By its documented errors. */
  readonly refusals: RefusalTable
}
