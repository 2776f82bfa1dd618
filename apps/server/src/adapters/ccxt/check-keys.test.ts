import { describe, expect, it } from 'vitest'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { exchangeKeyCheck } from './check-keys.ts'
import { exchangeDefinitions } from './exchanges.ts'

/** A list of markets without any, in the form of each exchange. */
const NO_MARKETS = { symbols: [], products: [], num_products: 0, error: [], result: {} }

const surroundings = () => ({
  ...testSurroundings(),
  transport: async () => ({
    status: 200,
    header: () => undefined,
    body: new Blob([JSON.stringify(NO_MARKETS)]).stream() as AsyncIterable<Uint8Array>,
  }),
})

const pem = (label: string, key: string) => `-----BEGIN ${label}-----\n${key}\n-----END ${label}-----`

describe.each(exchangeDefinitions)('$name', (definition) => {
  it.each(['garbage', '!!!', 'ключ', 'a\nb', '\0', pem('EC PRIVATE KEY', 'AAAA'), pem('PRIVATE KEY', 'zz')])(
    'answers a secret that cannot be one (%j) as any other that is refused',
    async (secretKey) => {
      const check = exchangeKeyCheck(definition, undefined, surroundings())
      const { outcome } = await check({ keyId: 'a key', secretKey }, false)
      expect(['accepted', 'rejected', 'unreachable']).toContain(outcome)
    },
  )
})

it('says that a secret is not in the form of the exchange, without the secret', async () => {
  const kraken = exchangeDefinitions.find(({ id }) => id === 'kraken')!
  const answer = await exchangeKeyCheck(
    kraken,
    undefined,
    surroundings(),
  )({ keyId: 'k', secretKey: 'my!secret' }, false)
  expect(answer).toEqual({
    outcome: 'rejected',
    reason: 'Kraken cannot use the keys of this account: the secret is not in the expected format.',
  })
})
