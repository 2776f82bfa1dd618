import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { SECOND } from '@tradewright/core/time'
import type { Logger } from '../log.ts'
import { Poller } from '../poller.ts'
import type { Seal, SealedPlace } from '../secrets/seal.ts'
import type { AlertSettingsStore, HeartbeatRow } from './ports.ts'

/** Undefined where the stored bytes cannot be opened: their owner has to enter them again. */
export function openSealed(seal: Seal, place: SealedPlace, sealed: Buffer): string | undefined {
  try {
    return seal.open(place, sealed)
  } catch {
    return undefined
  }
}

interface HeartbeatDeps {
  readonly settings: AlertSettingsStore
  readonly seal: Seal
  /** Calls an address that a user entered. Fails with a reason that holds no secret. */
  readonly callUrl: (url: string, signal: AbortSignal) => Promise<void>
  /** Why an address cannot be used, as a sentence. */
  readonly checkUrl: (url: string) => string | undefined
  readonly clock: Clock
  readonly log: Logger
}

const POLL_INTERVAL_MS = 10 * SECOND
const CALL_MS = 15 * SECOND

const placeOf = (userId: number): SealedPlace => ({ table: 'alert_settings', row: userId, userId })

/** An empty address ends it; without one, the stored stays and only the interval changes. */
export async function saveHeartbeat(
  { settings, seal, checkUrl }: Pick<HeartbeatDeps, 'settings' | 'seal' | 'checkUrl'>,
  userId: number,
  { url, minutes }: { readonly url: string | undefined; readonly minutes: number },
): Promise<void> {
  if (url?.trim() === '') return settings.saveHeartbeat(userId, null)
  const wrong = url === undefined ? undefined : checkUrl(url.trim())
  if (wrong) throw new Problem('invalid', 'heartbeat.url', wrong)
  const known = await settings.heartbeat(userId)
  const sealedUrl = url === undefined ? known?.sealedUrl : seal.seal(placeOf(userId), url.trim())
  if (!sealedUrl) throw new Problem('invalid', 'heartbeat.url', 'Please enter the heartbeat address.')
  await settings.saveHeartbeat(userId, { sealedUrl, minutes })
}

export function heartbeatHost({ seal }: Pick<HeartbeatDeps, 'seal'>, row: HeartbeatRow): string | null {
  const url = openSealed(seal, placeOf(row.userId), row.sealedUrl)
  return url === undefined ? null : new URL(url).host
}

/**
 * Calls each user's address at its interval while all is well with their trading. A service that expects the call notices
 * the silence: of trouble, and of a program or machine that is down. Several processes share the work.
 */
export class Heartbeats extends Poller {
  readonly #deps: HeartbeatDeps

  constructor(deps: HeartbeatDeps) {
    super(POLL_INTERVAL_MS)
    this.#deps = deps
  }

  protected override async workOnce(): Promise<void> {
    try {
      const due = await this.#deps.settings.claimDueHeartbeats()
      await Promise.all(due.map((row) => this.#call(row)))
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'heartbeats: the database cannot be reached, trying again')
    }
  }

  async #call(row: HeartbeatRow): Promise<void> {
    const { settings, seal, callUrl, clock, log } = this.#deps
    const { userId } = row
    const troubles = await settings.troubles(userId, clock.now())
    if (troubles.length > 0) {
      return settings.noteHeartbeat(userId, { problem: `Not called: ${troubles.join(' ')}` })
    }
    const url = openSealed(seal, placeOf(userId), row.sealedUrl)
    if (url === undefined) return settings.noteHeartbeat(userId, { problem: 'Please enter the address again.' })
    try {
      await callUrl(url, AbortSignal.timeout(CALL_MS))
    } catch (error) {
      log.warn({ err: error, userId }, 'a heartbeat was not answered')
      const reason = error instanceof Error ? error.message : 'the call failed'
      return settings.noteHeartbeat(userId, { problem: `Not answered: ${reason}.` })
    }
    await settings.noteHeartbeat(userId, { calledAt: clock.now() })
  }
}
