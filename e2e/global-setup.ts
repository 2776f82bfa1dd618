import { GOOGLE_CALLBACK_PATH } from '../packages/contract/src/auth.ts'
import { freePort, startApp } from './app.ts'
import { startGoogleProvider } from './google-provider.ts'

/** One app for all stories, with a stand-in for Google beside it. Each story brings its own users. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const port = await freePort()
  const google = await startGoogleProvider(`http://127.0.0.1:${port}${GOOGLE_CALLBACK_PATH}`)
  const app = await startApp({
    PORT: String(port),
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GOOGLE_ISSUER: google.issuer,
  })
  process.env['STORIES_URL'] = app.url
  return async () => {
    await app.stop()
    await google.stop()
  }
}
