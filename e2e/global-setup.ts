import { startAlpacaStandIn } from '../apps/server/test-support/stand-ins/alpaca/alpaca.ts'
import { startBinanceStandIn } from '../apps/server/test-support/stand-ins/binance/binance.ts'
import { startGoogleStandIn } from '../apps/server/test-support/google-stand-in.ts'
import { startOpenAiStandIn } from '../apps/server/test-support/stand-ins/openai.ts'
import { GOOGLE_CALLBACK_PATH } from '../packages/contract/src/auth.ts'
import { freePort } from '../apps/server/src/free-port.ts'
import { exchangesAt, NOWHERE, startEmptyProviders } from '../apps/server/test-support/providers-at.ts'
import { startApp } from './app.ts'

/**
 * One app for all stories, with stand-ins for Google, OpenAI, Alpaca and Binance beside it and no market but the made-up one. Each
 * story brings its own users.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  // Google has to know where the app is, and the app where Google is: one of the two chooses its port ahead.
  const port = Number(process.env['STORIES_PORT'] ?? (await freePort()))
  const google = await startGoogleStandIn({ redirectUris: [`http://127.0.0.1:${port}${GOOGLE_CALLBACK_PATH}`] })
  const openAi = await startOpenAiStandIn()
  const alpaca = await startAlpacaStandIn(() => Date.now())
  const binance = await startBinanceStandIn(() => Date.now())
  const providers = await startEmptyProviders()
  const app = await startApp({
    PORT: String(port),
    OPENAI_BASE_URL: openAi.baseUrl,
    ALPACA_PAPER_URL: alpaca.url,
    ALPACA_LIVE_URL: NOWHERE,
    EXCHANGE_URLS: exchangesAt({ binance: binance.url }),
    ...providers.environment,
    // Work that runs until a story cancels it leaves a core to the browsers.
    COMPUTE_THREADS: '1',
    // A story's custom provider is a stand-in on this machine.
    ALLOW_PRIVATE_PROVIDERS: 'on',
    // So are the receivers of its alerts.
    ALLOW_PRIVATE_ALERTS: 'on',
    ...google.environment,
  })
  process.env['STORIES_URL'] = app.url
  return async () => {
    await app.stop()
    await google.close()
    await openAi.close()
    await alpaca.close()
    await binance.close()
    await providers.close()
  }
}
