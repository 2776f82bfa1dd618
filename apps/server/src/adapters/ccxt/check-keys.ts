import { Problem } from '@tradewright/core/problem'
import { SECOND } from '@tradewright/core/time'
import type { CheckKeys } from '../../brokerage/ports.ts'
import type { HttpSurroundings } from '../http/http-client.ts'
import { exchangeBroker } from './broker.ts'
import { exchangeClient } from './exchange-client.ts'
import type { ExchangeDefinition } from './exchange-definition.ts'
import { KEYS_REFUSED } from './failures.ts'

/** A user waits in front of a form; ccxt and the list of markets are loaded first. */
const MAX_WAIT = 30 * SECOND

/** Asks the exchange for the balances of these keys, without trying long. */
export const exchangeKeyCheck =
  (definition: ExchangeDefinition, baseUrl: string | undefined, surroundings: HttpSurroundings): CheckKeys =>
  async (keys, isPaper) => {
    const signal = surroundings.timing.timeout(MAX_WAIT)
    const client = exchangeClient(definition, { keys, isPaper, baseUrl }, surroundings, { signal, attempts: 1 })
    try {
      // Some exchanges do not name the account: then other keys of it are not recognised.
      return { outcome: 'accepted', brokerAccountId: (await exchangeBroker(client, surroundings.log).account()).id }
    } catch (error) {
      if (signal.aborted) return { outcome: 'unreachable', reason: `${definition.name} did not answer in time.` }
      if (!(error instanceof Problem)) throw error
      return { outcome: error.code === KEYS_REFUSED ? 'rejected' : 'unreachable', reason: error.message }
    }
  }
