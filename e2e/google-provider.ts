import { createServer } from 'node:http'
import { interactionPolicy, Provider, type Configuration } from 'oidc-provider'
import { freePort } from './app.ts'

export interface GoogleProvider {
  issuer: string
  clientId: string
  clientSecret: string
  stop: () => Promise<void>
}

const CLIENT = { clientId: 'tradewright-stories', clientSecret: 'a secret for stories only' }

/** A real OpenID provider on loopback in Google's place. Whoever signs in as `ann` is ann@example.com. */
export async function startGoogleProvider(callbackUrl: string): Promise<GoogleProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, configuration(callbackUrl))
  const server = createServer((request, response) => void provider.callback()(request, response))
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    issuer,
    ...CLIENT,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function configuration(callbackUrl: string): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [callbackUrl],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Google puts the claims into the id token, not only behind the user-info call.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['stories'] },
    interactions: { policy: policy() },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
    }),
    features: { devInteractions: { enabled: true } },
  }
}

/** Google knows `prompt=select_account`; this provider refuses what its policy does not name. */
function policy() {
  const { base, Prompt } = interactionPolicy
  const prompts = base()
  prompts.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  return prompts
}
