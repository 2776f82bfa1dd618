import { getFormats, saveFormats } from '@tradewright/contract/formats'
import type { UserFormatsStore } from '../../auth/ports.ts'
import type { Handle } from '../server/handle.ts'

/** Formats and time zone of a user. What is no longer offered counts as not chosen. */
export function serveOwnFormats(handle: Handle, { formats }: { readonly formats: UserFormatsStore }): void {
  handle(getFormats, async ({ user }) => {
    const found = await formats.find(user.id)
    if (!found) return { formats: null }
    const { timeZone: time_zone, ...rest } = found
    return { formats: saveFormats.body!.safeParse({ ...rest, time_zone }).data ?? null }
  })

  handle(saveFormats, async ({ user, body: { time_zone: timeZone, ...rest } }) => {
    await formats.save(user.id, { ...rest, timeZone })
    return { success: true as const }
  })
}
