import { deviceOf } from '../../auth/device.ts'
import type { Actor } from '../../live-trading/actor.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import type { CallerSession } from '../server/handle.ts'

interface SignedInCall {
  readonly session: CallerSession
  readonly request: { readonly headers: { readonly 'user-agent'?: string | undefined }; readonly ip: string }
}

/** Use cases as the caller: events that they report name user and session. */
export const askedBy = <Deps extends LiveDeps>(deps: Deps, call: SignedInCall): Deps => ({
  ...deps,
  actor: actorOf(call),
})

/** `2026-03-04 16:00`, in UTC. */
const minute = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')

export const actorOf = ({ session, request }: SignedInCall): Actor => ({
  kind: 'user',
  name: session.user.username,
  session: session.key
    ? `API key “${session.key.name}” at ${request.ip}`
    : `${deviceOf(request.headers['user-agent'] ?? '')} at ${request.ip}, signed in ${minute(session.signedInAt)} UTC`,
})
