import { afterEach, describe, expect, it } from 'vitest'
import { RecordedLog } from '../../../test-support/recorded-log.ts'
import {
  type HostileServer,
  type Hostility,
  httpHead,
  startHostileServer,
} from '../../../test-support/stand-ins/hostile-server.ts'
import { telegramChannel } from '../alerts/telegram.ts'
import { userAddresses } from '../alerts/user-address.ts'
import { webhookChannel } from '../alerts/webhook.ts'
import { watchTradeUpdates } from '../alpaca/trade-updates.ts'
import { googleProvider } from '../google/provider.ts'
import { openAiModels, guardedFetch } from '../openai/chat-model.ts'
import { smtpMailer } from '../smtp/mailer.ts'
import { guardedTransport } from './address-guard.ts'
import { httpClient } from './http-client.ts'
import { RateBuckets } from './rate-bucket.ts'
import { systemTiming, fetchTransport, type Transport } from './transport.ts'

const never = new AbortController().signal
const LIMIT_MS = 300
let server: HostileServer
afterEach(() => server.close())

/** The one client of Yahoo, FRED, the SEC, Coinbase, Coinalyze, Alpaca, custom providers and documentation pages. */
const client = (transport: Transport) => {
  const limits = { timeoutMillis: LIMIT_MS, maxBytes: 200_000, retry: { attempts: 1 } }
  return httpClient({ service: 'test', baseUrl: server.url, ...limits }, http(transport)).text({
    path: '/',
    signal: never,
  })
}

const model = (isOwn: boolean) => {
  const models = openAiModels({
    baseUrl: server.url,
    guardedFetch: guardedFetch({ isAllowed: () => true }),
    silenceLimitMs: LIMIT_MS,
    retries: 0,
  })
  const access = { apiKey: 'sk', model: 'm', baseUrl: isOwn ? server.url : null }
  // The assistant bounds a whole answer by a signal of its own.
  return models(access).offered(AbortSignal.timeout(LIMIT_MS * 2))
}

const http = (transport: Transport) => ({
  transport,
  timing: systemTiming,
  buckets: new RateBuckets(systemTiming),
  log: new RecordedLog(),
})
const ALERT = { id: 'alert-1', event: 'test', level: 'notice', subject: 's', text: 't', at: new Date() } as const
const addresses = () => userAddresses(http(guardedTransport({ isAllowed: () => true })), { allowsPlain: true })

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a service of the configuration': () => client(fetchTransport),
  'an address that a user entered': () => client(guardedTransport({ isAllowed: () => true })),
  'the AI service': () => model(false),
  "a user's model server": () => model(true),
  // A delivery is bounded by a signal of its own.
  'a webhook': () =>
    webhookChannel(addresses()).send(
      { url: `${server.url}/hook`, secret: 'x'.repeat(16) },
      ALERT,
      AbortSignal.timeout(LIMIT_MS),
    ),
  Telegram: () =>
    telegramChannel(server.url, http(fetchTransport)).send(
      { token: `1:${'a'.repeat(30)}`, chat_id: '1' },
      ALERT,
      AbortSignal.timeout(LIMIT_MS),
    ),
  'a heartbeat': () => addresses().call(`${server.url}/beat`, { signal: AbortSignal.timeout(LIMIT_MS) }),
}

describe.each(['silent', 'dripping', 'endless'] as const)('a server that is %s', (hostility: Hostility) => {
  it.each(Object.keys(CALLS))('does not hold or fill up %s', async (call) => {
    server = await startHostileServer(hostility, httpHead('application/json'))
    await expect(CALLS[call]!()).rejects.toThrow()
  })

  it('does not hold up the mailer', async () => {
    server = await startHostileServer(hostility, '220 ready\r\n')
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${server.port}`, from: 'a@example.com' }, LIMIT_MS)
    await expect(mailer.sendTest('b@example.com')).rejects.toThrow(
      /^The test e-mail could not be sent: the mail server/,
    )
    mailer.close()
  })
})

it('gives up a stream of trades that never begins, and comes back', async () => {
  server = await startHostileServer('silent', '')
  const attempts: number[] = []
  const { promise: again, resolve } = Promise.withResolvers<void>()
  const stop = watchTradeUpdates({
    address: async () => ({ baseUrl: server.url, keys: { keyId: 'k', secretKey: 's' } }),
    onNews: () => undefined,
    log: new RecordedLog(),
    handshakeMs: 50,
    pauseBefore: (attempt) => {
      attempts.push(attempt)
      resolve()
      return 60_000
    },
  })
  await again
  stop()
  expect(attempts).toEqual([1])
})

it('does not fill up with what Google sends', async () => {
  server = await startHostileServer('endless', httpHead('application/json'))
  const google = googleProvider({ clientId: 'c', clientSecret: 's', issuer: server.url })
  await expect(google.authorize('http://localhost/callback', 'state')).rejects.toThrow('Google cannot be reached')
})
