import { Problem } from '@tradewright/core/problem'
import { DAY, MINUTE, SECOND, type UtcMillis } from '@tradewright/core/time'
import { z } from 'zod'
import { httpClient, type HttpSurroundings, readMost } from '../http/http-client.ts'
import { providerFailure } from '../market-data/delivery.ts'

/** An object keyed by decimal strings instead of a list. */
const SecTickers = z.record(z.string().regex(/^\d+$/), z.unknown())

const SecTicker = z.object({ cik_str: z.number(), ticker: z.string().min(1), title: z.string() })

const vendor = { id: 'sec', displayName: 'The SEC' }

interface SecCompany {
  readonly ticker: string
  readonly name: string
}

interface SecTickerSource {
  /**
   * The first so many tickers in the SEC's file, which has so far been ordered by size. `contact` is an e-mail address:
   * the SEC turns away programs that do not say whom to write to.
   */
  readonly first: (limit: number, contact: string | undefined, signal: AbortSignal) => Promise<string[]>
  /** The list as it is known now, without waiting for it; with a contact it is fetched for the next time. */
  readonly known: (contact: string | undefined) => readonly SecCompany[]
}

/** When the next try follows a failed refresh in the background. */
const NEXT_TRY_MS = 10 * MINUTE

export function secTickerSource(baseUrl: string, surroundings: HttpSurroundings): SecTickerSource {
  const http = httpClient(
    { service: 'sec', baseUrl, bucket: surroundings.buckets.of('sec', { calls: 5, windowMillis: SECOND }) },
    surroundings,
  )
  let kept: { companies: SecCompany[]; at: UtcMillis } | undefined
  let nextTryAt = 0

  async function refresh(contact: string, signal: AbortSignal): Promise<SecCompany[]> {
    const headers = { 'user-agent': `Tradewright ${contact}` }
    const file = SecTickers.parse(await http.json({ path: '/files/company_tickers.json', headers, signal }))
    const inOrder = Object.entries(file).sort(([a], [b]) => Number(a) - Number(b))
    const elements = inOrder.map(([, element]) => element)
    const read = readMost(SecTicker, { service: 'sec', list: 'tickers', elements }, surroundings.log)
    return read.map(({ ticker, title }) => ({ ticker: ticker.toUpperCase(), name: title }))
  }

  async function companies(contact: string | undefined, signal: AbortSignal): Promise<readonly SecCompany[]> {
    const now = surroundings.timing.now()
    if (!kept || now - kept.at >= DAY) {
      try {
        kept = { companies: await refresh(checkedContact(contact), signal), at: now }
      } catch (error) {
        signal.throwIfAborted()
        // Yesterday's list is as good as today's; the SEC blocks for ten minutes at a time.
        if (!kept) throw error instanceof Problem ? error : providerFailure(error, vendor, ['its list of tickers'])
      }
    }
    return kept.companies
  }

  return {
    first: async (limit, contact, signal) =>
      (await companies(contact, signal)).slice(0, limit).map(({ ticker }) => ticker),
    known(contact) {
      const now = surroundings.timing.now()
      if (contact && !kept && now >= nextTryAt) {
        nextTryAt = now + NEXT_TRY_MS
        // What went wrong is in the log of the call; a search goes on without the list.
        companies(contact, AbortSignal.timeout(30 * SECOND)).catch(() => undefined)
      }
      return kept?.companies ?? []
    },
  }
}

/** Takes `Name <address>` as well, the form of a mail sender. */
function checkedContact(contact: string | undefined): string {
  const address = /<([^>]+)>/.exec(contact ?? '')?.[1] ?? contact
  if (address && /^[^\s@]+@[^\s@]+$/.test(address)) return address
  const message =
    'The SEC requires a contact address: register with an e-mail address, or let the operator set SEC_CONTACT.'
  throw new Problem('not-configured', 'sec.no-contact', message)
}
