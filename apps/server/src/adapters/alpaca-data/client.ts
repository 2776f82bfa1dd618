import { MINUTE } from '@tradewright/core/time'
import type { AlpacaKeys } from '../alpaca/http.ts'
import { httpClient, type HttpClientOptions, type HttpSurroundings } from '../http/http-client.ts'

/** The host of market data. Bars and quotes under the same keys share one allowance. */
export const alpacaDataClient = (
  baseUrl: string,
  { keyId, secretKey }: AlpacaKeys,
  surroundings: HttpSurroundings,
  patience: Pick<HttpClientOptions, 'timeoutMillis' | 'retry'> = {},
) =>
  httpClient(
    {
      service: 'alpaca-data',
      baseUrl,
      headers: { 'apca-api-key-id': keyId, 'apca-api-secret-key': secretKey },
      secrets: [keyId, secretKey],
      bucket: surroundings.buckets.of(`alpaca-data:${keyId}`, { calls: 200, windowMillis: MINUTE }),
      ...patience,
    },
    surroundings,
  )
