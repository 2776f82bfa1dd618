import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { interactionPolicy, Provider, type Configuration } from 'oidc-provider'

const CLIENT_ID = 'tradewright-test'
export const GOOGLE_CLIENT_SECRET = 'the client secret of the stand-in'

export interface GoogleStandIn {
  issuer: string
  /** The operator's settings to sign in with this instead of Google. */
  environment: Record<string, string>
  close(): Promise<void>
}

interface StandInSettings {
  redirectUris: string[]
  port?: number
}

/**
 * A certified OpenID provider on loopback in the place of Google. Any name signs in with any password; `alice` is
 * alice@example.com, and a name that begins with `unverified` has an address that was never checked.
 */
export async function startGoogleStandIn({ redirectUris, port = 0 }: StandInSettings): Promise<GoogleStandIn> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const handler = new Provider(issuer, configuration(redirectUris)).callback()
  server.on('request', (request, response) => void handler(request, response))
  return {
    issuer,
    environment: { GOOGLE_CLIENT_ID: CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER: issuer },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function configuration(redirectUris: string[]): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: GOOGLE_CLIENT_SECRET,
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Google puts these claims into the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    interactions: { policy: policyWithAccountChooser() },
    findAccount: (_context, name) => ({ accountId: name, claims: () => claimsOf(name) }),
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: true } },
  }
}

const claimsOf = (name: string) => ({
  sub: name,
  email: `${name}@example.com`,
  email_verified: !name.startsWith('unverified'),
  name,
})

/** We ask for `prompt=select_account`, which this provider does not know by itself; its login page asks anyway. */
function policyWithAccountChooser(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  const chooser = new interactionPolicy.Prompt({ name: 'select_account', requestable: true })
  chooser.checks.clear()
  policy.add(chooser, 0)
  return policy
}
