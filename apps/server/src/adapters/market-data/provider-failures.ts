import { ProviderFailure } from '@tradewright/engine/market/provider'
import { ZodError } from 'zod'
import { HttpFailure } from '../http/http-failure.ts'

/** The provider being asked, for sentences and records. */
export interface Vendor {
  readonly id: string
  readonly displayName: string
}

/** The failure in the port's words: whatever went wrong at the vendor, but not our own bugs, which stay what they are. */
export function providerFailure(error: unknown, vendor: Vendor, tickers: readonly string[]): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  const what = tickers.length === 1 ? tickers[0]! : `${tickers.length} tickers`
  const details = { provider: vendor.id, cause: error, ...(tickers.length === 1 ? { ticker: tickers[0]! } : {}) }
  if (error instanceof HttpFailure) {
    const retry = error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }
    const message = `${vendor.displayName} did not deliver ${what}: ${error.message}.`
    return new ProviderFailure(error.kind, message, { ...details, ...retry })
  }
  if (error instanceof ZodError) {
    const [issue] = error.issues
    const where = issue ? ` (${issue.path.join('.') || 'at the top level'}: ${issue.message})` : ''
    return new ProviderFailure(
      'malformed',
      `${vendor.displayName} sent ${what} in an unexpected form${where}.`,
      details,
    )
  }
  throw error
}
