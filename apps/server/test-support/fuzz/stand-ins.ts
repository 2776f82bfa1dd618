import { SMTPServer } from 'smtp-server'
import { startGoogleStandIn } from '../google-stand-in.ts'
import { exchangesAt, startEmptyProviders } from '../providers-at.ts'
import { startAlpacaStandIn } from '../stand-ins/alpaca/alpaca.ts'
import { pagedDefinition, startCustomApiStandIn } from '../stand-ins/custom-api.ts'
import { startOpenAiStandIn } from '../stand-ins/openai.ts'
import { startSecStandIn } from '../stand-ins/sec.ts'
import type { PlantSettings } from './planted-user.ts'

/** Every outside service on loopback, so that nothing leaves the machine and nothing is "not configured". */
export interface StandIns {
  readonly environment: Readonly<Record<string, string>>
  readonly customApi: PlantSettings['customApi']
  close(): Promise<void>
}

const CUSTOM_API_KEY = 'secret-custom-api-key'

export async function startStandIns(): Promise<StandIns> {
  const now = () => Date.now()
  const [providers, alpaca, openAi, sec, customApi, mail, google] = await Promise.all([
    startEmptyProviders(),
    startAlpacaStandIn(now),
    startOpenAiStandIn(),
    startSecStandIn(),
    startCustomApiStandIn(now, CUSTOM_API_KEY),
    startMailStandIn(),
    startGoogleStandIn({ redirectUris: ['http://localhost/api/auth/google/callback'] }),
  ])
  return {
    environment: {
      ...providers.environment,
      ...google.environment,
      ALPACA_PAPER_URL: alpaca.url,
      ALPACA_LIVE_URL: alpaca.url,
      EXCHANGE_URLS: exchangesAt(),
      OPENAI_BASE_URL: openAi.baseUrl,
      SEC_URL: sec.url,
      SEC_CONTACT: 'fuzz@example.com',
      SMTP_URL: mail.url,
      MAIL_FROM: 'fuzz@example.com',
      ALLOW_PRIVATE_PROVIDERS: 'on',
      ALLOW_PRIVATE_STORES: 'on',
    },
    customApi: { definition: pagedDefinition(customApi.url), apiKey: CUSTOM_API_KEY },
    close: async () => {
      await Promise.all([providers, alpaca, openAi, sec, customApi, mail, google].map((standIn) => standIn.close()))
    },
  }
}

/** Takes every mail and throws it away. */
async function startMailStandIn(): Promise<{ url: string; close(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, callback) => stream.resume().once('end', () => callback()),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(resolve))
  return { url: `smtp://127.0.0.1:${server.server.address().port}`, close }
}
