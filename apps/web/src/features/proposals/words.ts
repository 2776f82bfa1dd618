import type { ProposalItem } from '@tradewright/contract/proposals'
import { DAY, HOUR, MINUTE } from '@tradewright/core/time'

/** Soon enough to be pointed out. */
const SOON_MS = DAY

export const expiresSoon = ({ expires_at }: Pick<ProposalItem, 'expires_at'>, now: number): boolean =>
  Date.parse(expires_at) - now < SOON_MS

/** `Expires in 7 h`. */
export function expiryWords({ expires_at }: Pick<ProposalItem, 'expires_at'>, now: number): string {
  const left = Date.parse(expires_at) - now
  if (left <= 0) return 'Expired'
  if (left < HOUR) return `Expires in ${Math.max(1, Math.floor(left / MINUTE))} min`
  if (left < 2 * DAY) return `Expires in ${Math.floor(left / HOUR)} h`
  return `Expires in ${Math.floor(left / DAY)} days`
}

export const STATE_WORDS: Readonly<Record<Exclude<ProposalItem['state'], 'open'>, string>> = {
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
  failed: 'Failed',
}
