import type { Broker } from '@tradewright/engine/trading/broker'
import type { HttpSurroundings } from '../http/http-client.ts'
import { exchangeBroker } from './broker.ts'
import { exchangeClient, type ExchangeKeys } from './exchange-client.ts'
import type { ExchangeDefinition } from './exchange-definition.ts'

/** Accounts that are kept open; those of other keys are opened anew when they are used. */
const MAX_OPEN = 100

/** An account at an exchange, opened once: what ccxt and the list of markets take to load is not spent for every call. */
export function exchangeAccounts(
  definition: ExchangeDefinition,
  baseUrl: string | undefined,
  surroundings: HttpSurroundings,
  signal: AbortSignal,
): (keys: ExchangeKeys, isPaper: boolean) => Broker {
  const open = new Map<string, Broker>()
  return (keys, isPaper) => {
    const key = JSON.stringify([keys.keyId, keys.secretKey, isPaper])
    const known = open.get(key)
    if (known) return known
    if (open.size >= MAX_OPEN) open.clear()
    const client = exchangeClient(definition, { keys, isPaper, baseUrl }, surroundings, { signal })
    const broker = exchangeBroker(client, surroundings.log)
    open.set(key, broker)
    return broker
  }
}
