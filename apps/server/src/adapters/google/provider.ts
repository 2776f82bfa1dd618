import { Problem } from '@tradewright/core/problem'
import * as oidc from 'openid-client'
import type { GoogleIdentity, GoogleProvider } from '../../auth/ports.ts'
import type { GoogleConfig } from '../../config.ts'
import { errorCode } from '../../system-error.ts'
import { limitedFetch } from '../http/transport.ts'

const TIMEOUT_SECONDS = 10
const boundedFetch = limitedFetch(1024 * 1024)

export function googleProvider(config: GoogleConfig): GoogleProvider {
  const issuer = onceFound(() => discover(config))
  return {
    async authorize(redirectUri, state) {
      const codeVerifier = oidc.randomPKCECodeVerifier()
      const nonce = oidc.randomNonce()
      const url = oidc.buildAuthorizationUrl(await issuer(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      })
      return { url: url.href, nonce, codeVerifier }
    },
    async identify(callbackUrl, state, { nonce, codeVerifier }) {
      const checks = {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }
      const tokens = await oidc
        .authorizationCodeGrant(await issuer(), callbackUrl, checks)
        .catch((error: unknown) => refuse(error))
      return toIdentity(tokens.claims())
    },
  }
}

/** Kept once it was found; asked again after a failure. */
function onceFound(find: () => Promise<oidc.Configuration>): () => Promise<oidc.Configuration> {
  let found: Promise<oidc.Configuration> | undefined
  return () => {
    found ??= find().catch((error: unknown) => {
      found = undefined
      throw new Problem('upstream', 'google.unavailable', 'Google cannot be reached right now. Please try again.', {
        cause: summary(error),
      })
    })
    return found
  }
}

function discover({ issuer, clientId, clientSecret }: GoogleConfig): Promise<oidc.Configuration> {
  // Plain http is for a stand-in on the same machine; with Google itself it never happens.
  const insecure = issuer.startsWith('http://') ? [oidc.allowInsecureRequests] : []
  return oidc.discovery(new URL(issuer), clientId, clientSecret, oidc.ClientSecretPost(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    [oidc.customFetch]: (url, options) => boundedFetch(url, options as RequestInit),
    execute: [oidc.enableNonRepudiationChecks, ...insecure],
  })
}

function toIdentity(claims: oidc.IDToken | undefined): GoogleIdentity {
  const email = claims?.['email']
  if (!claims || typeof email !== 'string' || email === '' || `${claims.sub}${email}`.includes('\0')) {
    throw new Problem('upstream', 'google.response', 'Google did not say who signed in.')
  }
  return { subject: claims.sub, email, isEmailVerified: claims['email_verified'] === true }
}

function refuse(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied') {
    throw new Problem('denied', 'google.denied', 'The sign-in with Google was cancelled.')
  }
  throw new Problem('upstream', 'google.response', 'Google gave an answer that cannot be used.', {
    cause: summary(error),
  })
}

/** The library's errors hold on to Google's answer and the callback's parameters: only their wording may be logged. */
function summary(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('not an error')
  const { cause } = error
  const details = cause instanceof Error ? `; ${cause.name}: ${cause.message}` : ''
  return new Error(`${errorCode(error) ?? error.name}: ${error.message}${details}`)
}
