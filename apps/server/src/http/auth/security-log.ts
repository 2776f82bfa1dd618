import * as contract from '@tradewright/contract/security-log'
import { listOperatorSecurityLog } from '@tradewright/contract/operator'
import { deviceOf } from '../../auth/device.ts'
import type { RecordedEvent, SecurityEventStore } from '../../auth/security-log.ts'
import type { Handle } from '../server/handle.ts'

const PER_PAGE = 30

/** What happened to the sign-in of the caller's account, and for the operator of every account. */
export function serveSecurityLog(handle: Handle, events: SecurityEventStore): void {
  handle(contract.getSecurityLog, async ({ user, query }) => {
    const rows = await events.list({ userId: user.id, before: query.before, limit: PER_PAGE + 1 })
    return { success: true as const, entries: rows.slice(0, PER_PAGE).map(toWire), has_more: rows.length > PER_PAGE }
  })

  handle(listOperatorSecurityLog, async ({ query }) => {
    const rows = await events.list({ userId: query.user_id, before: query.before, limit: PER_PAGE + 1 })
    const entries = rows.slice(0, PER_PAGE).map((row) => {
      const { userId, username, detail } = row
      // Names of keys and addresses are their owner's; an account that was removed has none any more.
      return Object.assign(toWire(row), { user_id: userId, username, detail: userId === null ? detail : null })
    })
    return { entries, has_more: rows.length > PER_PAGE }
  })
}

const toWire = ({ id, kind, at, count, address, userAgent, detail }: RecordedEvent): contract.SecurityLogEntry => ({
  id,
  kind,
  at: at.toISOString(),
  count,
  address,
  device: userAgent === null ? null : deviceOf(userAgent),
  detail,
})
