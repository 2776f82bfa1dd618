import { SECOND } from '@tradewright/core/time'
import type { AccountKeys, CheckKeys, KeyCheck } from '../../brokerage/ports.ts'
import type { HttpSurroundings } from '../http/http-client.ts'
import { HttpFailure } from '../http/http-failure.ts'
import type { AlpacaAddresses } from './addresses.ts'
import { reasonOf } from './failures.ts'
import { alpacaClient } from './http.ts'
import { AlpacaAccount } from './schema.ts'

/** A user waits in front of a form. */
const MAX_WAIT = 12 * SECOND

/** Asks Alpaca for the account of these keys, without trying long. */
export const alpacaKeyCheck =
  (addresses: AlpacaAddresses, surroundings: HttpSurroundings): CheckKeys =>
  async (keys, isPaper) => {
    const client = alpacaClient(isPaper ? addresses.paper : addresses.live, keys, surroundings, 1)
    try {
      const signal = surroundings.timing.timeout(MAX_WAIT)
      const answer = AlpacaAccount.safeParse(await client.json({ path: '/v2/account', signal }))
      if (answer.success) return { outcome: 'accepted', brokerAccountId: answer.data.id }
      return { outcome: 'unreachable', reason: 'The answer from its address does not look like one from Alpaca.' }
    } catch (error) {
      return outcomeOf(error, keys, isPaper)
    }
  }

function outcomeOf(error: unknown, keys: AccountKeys, isPaper: boolean): KeyCheck {
  if (!(error instanceof HttpFailure)) {
    const isTimeOut = error instanceof DOMException && error.name === 'TimeoutError'
    if (!isTimeOut) throw error
    return { outcome: 'unreachable', reason: 'Alpaca did not answer in time.' }
  }
  if (error.kind !== 'auth') return { outcome: 'unreachable', reason: `Alpaca is not available: ${error.message}.` }
  return {
    outcome: 'rejected',
    reason: `Alpaca does not accept these keys: ${reasonOf(error)}.${hintFor(keys, isPaper)}`,
  }
}

/** Ids of paper keys begin with PK, of live ones with AK. */
function hintFor({ keyId }: AccountKeys, isPaper: boolean): string {
  if (!isPaper && keyId.startsWith('PK')) return ' They look like keys of a paper account: switch Paper Trading on.'
  if (isPaper && keyId.startsWith('AK')) return ' They look like keys of a live account: switch Paper Trading off.'
  return ''
}
