import { DAY } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import type { Transport } from '../http/transport.ts'
import { alpacaDataHttp } from './http.ts'

const encoder = new TextEncoder()

/** Every page says that there is another one. */
const endless: Transport = async () => ({
  status: 200,
  header: () => undefined,
  body: (async function* () {
    yield encoder.encode('{"bars":{},"next_page_token":"again"}')
  })(),
})

it('gives bars up whose pages do not end, and says so', async () => {
  const surroundings = { ...testSurroundings(), transport: endless }
  const http = alpacaDataHttp('http://127.0.0.1:9', { keyId: 'key', secretKey: 'secret' }, surroundings)
  const asked = http.bars('stocks', ['SPY'], '1Day', { from: 0, to: DAY }, new AbortController().signal)
  await expect(asked).rejects.toThrow('it has more than 2,000 pages of /v2/stocks/bars')
})
