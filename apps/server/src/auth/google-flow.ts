import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { timingSafeEqual } from 'node:crypto'
import type { GoogleFlowStore, GoogleIdentity, GoogleProvider, GooglePurpose } from './ports.ts'
import { hashSecret, newSecret } from './secret.ts'

const LASTS_MS = 10 * 60_000

export interface GoogleFlowDeps {
  /** Undefined: the operator configured none. */
  google: GoogleProvider | undefined
  googleFlows: GoogleFlowStore
  clock: Clock
}

/** Where to send the browser, and the secret it must still hold when it comes back. */
export interface BegunFlow {
  url: string
  browserSecret: string
}

export async function beginGoogleFlow(
  deps: GoogleFlowDeps,
  purpose: GooglePurpose,
  redirectUri: string,
): Promise<BegunFlow> {
  const provider = requireGoogle(deps)
  const { googleFlows, clock } = deps
  const state = `${purpose.kind}.${newSecret()}`
  const browserSecret = newSecret()
  const { url, nonce, codeVerifier } = await provider.authorize(redirectUri, state)
  const flow = { purpose, browserHash: hashSecret(browserSecret), nonce, codeVerifier }
  await googleFlows.insert(hashSecret(state), flow, new Date(clock.now().getTime() + LASTS_MS))
  return { url, browserSecret }
}

/** A browser that Google sent back to us. */
interface GoogleReturn {
  callbackUrl: URL
  browserSecret: string | undefined
}

interface FinishedFlow {
  purpose: GooglePurpose
  identity: GoogleIdentity
}

/** The state names a flow that is finished once, and only by the browser that began it. */
export async function finishGoogleFlow(
  deps: GoogleFlowDeps,
  { callbackUrl, browserSecret }: GoogleReturn,
): Promise<FinishedFlow> {
  const provider = requireGoogle(deps)
  const { googleFlows, clock } = deps
  const state = callbackUrl.searchParams.get('state') ?? ''
  const flow = await googleFlows.consume(hashSecret(state), clock.now())
  if (!flow || !timingSafeEqual(flow.browserHash, hashSecret(browserSecret ?? ''))) {
    throw new Problem('invalid', 'google.state', 'This sign-in with Google was not started here, or took too long.')
  }
  return { purpose: flow.purpose, identity: await provider.identify(callbackUrl, state, flow) }
}

/** The purpose of a state, as far as it tells: enough to choose the page that shows an error. */
export function purposeOfState(state: string | null): GooglePurpose['kind'] | undefined {
  if (state?.startsWith('link.')) return 'link'
  return state?.startsWith('login.') ? 'login' : undefined
}

export function requireGoogle({ google }: Pick<GoogleFlowDeps, 'google'>): GoogleProvider {
  if (google) return google
  throw new Problem('not-configured', 'google.unavailable', 'Sign in with Google is not available on this site.')
}
