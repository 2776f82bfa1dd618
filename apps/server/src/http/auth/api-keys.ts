import * as contract from '@tradewright/contract/api-keys'
import { type ApiKeyDeps, createApiKey, revokeApiKey } from '../../auth/api-keys.ts'
import type { ApiKey } from '../../auth/ports.ts'
import { originOf } from './routes.ts'
import type { Handle } from '../server/handle.ts'

/** A key is made and revoked in a session alone: the calls declare no scope. */
export function serveApiKeys(handle: Handle, services: ApiKeyDeps): void {
  const toWire = wireAt(() => services.clock.now())

  handle(contract.listApiKeys, async ({ user }) => ({
    success: true as const,
    keys: (await services.apiKeys.list(user.id)).map(toWire),
  }))

  handle(contract.createApiKey, async ({ user, session, body, request }) => {
    const { name, scopes, expires_in_days: days, calls_per_minute: callsPerMinute, password } = body
    const { id: sessionId, signedInAt } = session
    const proof = { sessionId, signedInAt, password: password ?? '', from: originOf(request) }
    const { key, secret } = await createApiKey(services, user, { name, scopes, days, callsPerMinute }, proof)
    return { success: true as const, key: toWire(key), secret }
  })

  handle(contract.revokeApiKey, async ({ user, params, request }) => {
    await revokeApiKey(services, user.id, params.id, originOf(request))
    return { success: true as const }
  })
}

const wireAt =
  (now: () => Date) =>
  (key: ApiKey): contract.ApiKey => ({
    id: key.id,
    name: key.name,
    begins_with: key.beginsWith,
    scopes: [...key.scopes],
    calls_per_minute: key.callsPerMinute,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt.toISOString(),
    is_expired: key.expiresAt <= now(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  })
