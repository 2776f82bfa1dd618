import { deleteUser, USER_DATA_PATH } from '@tradewright/contract/user-data'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { deleteUser as deleteUserForGood, type DeleteUserDeps } from '../../auth/delete-user.ts'
import { exportUserData, type UserRows } from '../../auth/export-user-data.ts'
import { originOf } from './routes.ts'
import type { Downloads } from '../server/downloads.ts'
import type { Authenticate, Handle } from '../server/handle.ts'
import { clearSessionCookie, type CookieScope } from '../server/security/session-cookie.ts'

const EXPORT_SCHEMA = {
  summary: 'Every row that belongs to the signed-in user as one JSON file, without passwords and keys.',
  tags: ['User data'],
  security: [{ cookie: [] }, { bearer: [] }],
  produces: ['application/json'],
}

interface UserDataServices extends DeleteUserDeps {
  rows: UserRows
  clock: Clock
  schema: string
}

interface Doors {
  app: FastifyInstance
  handle: Handle
  authenticate: Authenticate
  scope: CookieScope
  downloads: Downloads
}

/** Taking one's data along, and leaving. */
export function serveUserData(
  { app, handle, authenticate, scope, downloads }: Doors,
  services: UserDataServices,
): void {
  app.get(USER_DATA_PATH, { schema: EXPORT_SCHEMA }, async (request, reply) => {
    const session = await authenticate(request)
    if (!session) throw new Problem('unauthenticated', 'session.missing', 'Please sign in first.')
    const { id } = session.user
    const refusal = 'An export of your data is already running. Wait until it has finished.'
    const file = downloads.begin(id, refusal).carries(Readable.from(exportUserData(services, id)))
    await services.securityLog.record('data.exported', { userId: id, from: originOf(request) })
    const day = services.clock.now().toISOString().slice(0, 10)
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="tradewright-data-${day}.json"`)
      .header('cache-control', 'no-store')
      .send(file)
  })

  handle(deleteUser, async ({ user, session, body, request, reply }) => {
    const { username, password } = body
    const proof = { password: password ?? '', sessionId: session.id, from: originOf(request) }
    const farewell = { username: username ?? '', ...proof }
    await deleteUserForGood(services, user, farewell)
    clearSessionCookie(reply, scope)
    return { success: true as const }
  })
}
