import { AsyncLocalStorage } from 'node:async_hooks'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { httpClient, type HttpSurroundings } from '../http/http-client.ts'
import { HttpFailure, reasonOfStatus } from '../http/http-failure.ts'
import { parseJson, defaultRetry, retryWaitMillis, type HttpMethod } from '../http/transport.ts'
import { type Allowance, type CallPriority, CallsPaused } from '../http/rate-bucket.ts'
import type { ExchangeDefinition } from './exchange-definition.ts'
import * as schema from './schema.ts'
import { isCcxtError, loadExchange, type SpotExchange, UnusableSecret } from './spot-exchange.ts'

export interface ExchangeKeys {
  readonly keyId: string
  readonly secretKey: string
}

interface ExchangeAddress {
  readonly keys: ExchangeKeys
  /** The exchange's sandbox, with virtual money. */
  readonly isPaper: boolean
  /** Replaces the exchange's own host. */
  readonly baseUrl?: string | undefined
}

interface AskOptions {
  readonly priority?: CallPriority
  /** False for what must not happen twice. */
  readonly isRepeatable?: boolean
}

/** ccxt for one account. It signs requests and reads answers; sending, limits and tries are ours. */
export interface ExchangeClient {
  readonly definition: ExchangeDefinition
  readonly isPaper: boolean
  ask<Answer>(call: (exchange: SpotExchange) => Promise<Answer>, options?: AskOptions): Promise<Answer>
  /** Spot markets in the exchange's currency that counts as dollars, by ccxt's symbol; at most so old. */
  markets(maxAgeMillis?: number): Promise<ReadonlyMap<string, schema.Market>>
  /** The exchange's time, which the signatures follow from now on. */
  time(): Promise<number>
  /** Waits until a request that was signed at this instant is taken no more. */
  untilInvalid(signedAt: number): Promise<void>
  now(): number
}

const POLICY = { ...defaultRetry, limitBackOffMillis: 2_000, longestWaitMillis: 5_000 }
const MARKETS_MAX_AGE = 60 * MINUTE
/** Full lists of markets have several megabytes. */
const MAX_BYTES = 48 * 1024 * 1024

interface CallContext {
  readonly priority: CallPriority
}

/** Which call a request belongs to: ccxt hands over nothing but the request. */
const contexts = new AsyncLocalStorage<CallContext>()

export function exchangeClient(
  definition: ExchangeDefinition,
  address: ExchangeAddress,
  surroundings: HttpSurroundings,
  { signal, attempts = POLICY.attempts }: { readonly signal: AbortSignal; readonly attempts?: number },
): ExchangeClient {
  const { timing } = surroundings
  const { keys, isPaper } = address
  const allowanceKey = `${definition.id}:${definition.limitIsPer === 'key' ? keys.keyId : ''}`
  const allowance = surroundings.buckets.of(allowanceKey, definition.limit)
  let opened: Promise<SpotExchange> | undefined
  let known: { readonly at: number; readonly markets: ReadonlyMap<string, schema.Market> } | undefined
  /** How far our clock is ahead of the exchange's. */
  let ahead = 0
  let lastNonce = 0

  async function open(): Promise<SpotExchange> {
    const Exchange = await loadExchange(definition.id)
    const exchange = new Exchange({
      apiKey: keys.keyId,
      secret: definition.secretOf?.(keys.secretKey) ?? keys.secretKey,
      number: String,
      options: { ...definition.options, defaultType: 'spot' },
    })
    if (isPaper) exchange.setSandboxMode(true)
    exchange.has = { ...exchange.has, ...definition.has }
    exchange.milliseconds = () => timing.now()
    exchange.seconds = () => Math.floor((timing.now() - ahead) / SECOND)
    // Two calls in one millisecond have two nonces, and a later one is greater.
    exchange.nonce = () => (lastNonce = Math.max(lastNonce + 1, Math.round(timing.now() - ahead)))
    exchange.throttle = (cost = 1) => spend(allowance, Math.max(1, Math.ceil(cost * definition.tokensPerCost)), signal)
    exchange.sign = signer(exchange)
    exchange.fetch = sender(exchange, definition, address, { surroundings, allowance, signal })
    return exchange
  }

  const loaded = (): Promise<SpotExchange> =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))

  const exchangeWithMarkets = async (): Promise<SpotExchange> => {
    // Orders and cancellations do not wait for a new list where there is one.
    await markets(contexts.getStore()?.priority === 'read' ? MARKETS_MAX_AGE : Number.POSITIVE_INFINITY)
    return opened!
  }

  async function ask<Answer>(
    call: (exchange: SpotExchange) => Promise<Answer>,
    { priority = 'read', isRepeatable = true }: AskOptions = {},
    exchangeOf = exchangeWithMarkets,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        const exchange = await contexts.run({ priority }, exchangeOf)
        return await contexts.run({ priority }, () => call(exchange))
      } catch (error) {
        signal.throwIfAborted()
        // A refused nonce or time stamp: nothing was done, and the next one may be right.
        if (isCcxtError(error, 'InvalidNonce') && attempt < POLICY.attempts) {
          await time()
          continue
        }
        const wait = isRepeatable ? retryWaitMillis(error, attempt, { ...POLICY, attempts }) : undefined
        if (wait === undefined) throw error
        await timing.sleep(wait, signal)
      }
    }
  }

  async function markets(maxAgeMillis = MARKETS_MAX_AGE): Promise<ReadonlyMap<string, schema.Market>> {
    if (known && timing.now() - known.at <= maxAgeMillis) return known.markets
    const askedAt = timing.now()
    const exchange = await loaded()
    const sent = await ask(
      () => exchange.fetchMarkets(definition.marketParams),
      { priority: contexts.getStore()?.priority ?? 'read' },
      async () => exchange,
    )
    const own = sent.filter((market) => isOwnMarket(market, definition.quote))
    exchange.setMarkets(own)
    const read = own.flatMap((market) => schema.Market.safeParse(market).data ?? [])
    known = { at: askedAt, markets: new Map(read.map((market) => [market.symbol, market])) }
    return known.markets
  }

  async function time(): Promise<number> {
    const exchange = await loaded()
    const before = timing.now()
    const sent = await contexts.run({ priority: 'order' }, () => exchange.fetchTime())
    const told = schema.Instant.parse(sent)
    // Half of the way there and back.
    ahead = (before + timing.now()) / 2 - told
    lastNonce = 0
    return told
  }

  return {
    definition,
    isPaper,
    ask: (call, options) => ask(call, options),
    markets,
    time: () => ask(time, {}, loaded),
    async untilInvalid(signedAt) {
      const wait = signedAt + definition.orderValidMillis - timing.now()
      if (wait > 0) await timing.sleep(wait, signal)
    },
    now: () => timing.now(),
  }
}

/** What a user entered as the secret goes into base64, PEM and key curves as it is. */
function signer(exchange: SpotExchange): SpotExchange['sign'] {
  const sign = exchange.sign.bind(exchange)
  return (...request) => {
    try {
      return sign(...request)
    } catch (error) {
      if (isCcxtError(error, 'BaseError')) throw error
      throw new UnusableSecret('the secret is not in the expected format', { cause: error })
    }
  }
}

const isOwnMarket = (market: unknown, quote: string): boolean => {
  const { spot, quote: own } = market as { spot?: unknown; quote?: unknown }
  return spot === true && own === quote
}

async function spend(allowance: Allowance, cost: number, signal: AbortSignal): Promise<void> {
  const priority = contexts.getStore()?.priority ?? 'read'
  try {
    await allowance.acquire(cost, signal, { priority, maxPauseMillis: POLICY.longestWaitMillis })
  } catch (error) {
    if (!(error instanceof CallsPaused)) throw error
    throw new HttpFailure('limit', reasonOfStatus(429), { status: 429, retryAfterSeconds: error.milliseconds / SECOND })
  }
}

interface SenderParts {
  readonly surroundings: HttpSurroundings
  readonly allowance: Allowance
  readonly signal: AbortSignal
}

/** In place of ccxt's own `fetch`: the same limits of time and size, log and masking as for every other service. */
function sender(
  exchange: SpotExchange,
  definition: ExchangeDefinition,
  { keys, baseUrl }: ExchangeAddress,
  { surroundings, allowance, signal }: SenderParts,
): SpotExchange['fetch'] {
  // Its tokens were taken before the request was signed.
  const bucket: Allowance = {
    acquire: async () => {},
    pause: (milliseconds) => allowance.pause(milliseconds),
    noteRemaining: (calls, untilReset) => allowance.noteRemaining(calls, untilReset),
  }
  const clientAt = (origin: string) =>
    httpClient(
      {
        service: definition.id,
        baseUrl: origin,
        secrets: [keys.keyId, keys.secretKey],
        bucket,
        maxBytes: MAX_BYTES,
        retry: { attempts: 1 },
      },
      surroundings,
    )
  return async (sent, method = 'GET', headers, body) => {
    const url = new URL(sent)
    const client = clientAt(baseUrl ?? url.origin)
    const signed = { query: sent.split('?')[1] ?? '', body }
    try {
      const call = { method: method as HttpMethod, path: url.pathname, signed, headers: headers ?? {}, signal }
      const text = await client.text(call)
      // ccxt takes what is not JSON for an answer of text.
      parseJson(text)
      return await exchange.handleRestResponse(new Response(text), sent, method, headers, body)
    } catch (error) {
      if (!(error instanceof HttpFailure) || error.status === undefined) throw error
      // Binance bans an address that goes on after 429, with a status of its own.
      if (error.status === 418) throw banned(error, allowance)
      if (error.kind === 'network' || error.kind === 'limit' || error.kind === 'malformed') throw error
      const refusal = new Response(error.body, { status: error.status })
      return exchange.handleRestResponse(refusal, sent, method, headers, body)
    }
  }
}

function banned(failure: HttpFailure, allowance: Allowance): HttpFailure {
  const { retryAfterSeconds = 120, status } = failure
  allowance.pause(retryAfterSeconds * SECOND)
  return new HttpFailure('limit', reasonOfStatus(429), { ...(status && { status }), retryAfterSeconds, cause: failure })
}
