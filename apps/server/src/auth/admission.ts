import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { Admission, InvitationStore, UserStore } from './ports.ts'
import { hashSecret, looksLikeSecret, newSecret } from './secret.ts'

const DAY_MS = 86_400_000

/** The operator's rule for new accounts. The first account can always be made. */
type RegistrationMode = 'open' | 'invite' | 'closed'

export interface AdmissionDeps {
  users: Pick<UserStore, 'hasAny'>
  invitations: InvitationStore
  registration: RegistrationMode
  clock: Clock
}

/** The mode for visitors: an instance without accounts is open to the first. */
export const offeredRegistration = async ({ users, registration }: AdmissionDeps): Promise<RegistrationMode> =>
  registration === 'open' || (await users.hasAny()) ? registration : 'open'

/** The reason that admits a visitor, or why there is none. The database has the last word when the account is made. */
export async function admissionOf(deps: AdmissionDeps, invitationHash: Buffer | undefined): Promise<Admission> {
  const { users, invitations, registration, clock } = deps
  if (registration === 'open') return { kind: 'anybody' }
  if (!(await users.hasAny())) return { kind: 'first' }
  if (registration === 'closed' || !invitationHash) throw notAdmitted(registration)
  if (!(await invitations.isValid(invitationHash, clock.now()))) throw invitationEnded()
  return { kind: 'invitation', tokenHash: invitationHash }
}

export const invitationHashOf = (token: string | null | undefined): Buffer | undefined =>
  looksLikeSecret(token ?? undefined) ? hashSecret(token ?? '') : undefined

export function notAdmitted(registration: RegistrationMode): Problem {
  return registration === 'invite'
    ? new Problem('denied', 'registration.invitation', 'New accounts need an invitation on this site.')
    : new Problem('denied', 'registration.closed', 'Registration is closed on this site.')
}

const invitationEnded = () =>
  new Problem('denied', 'registration.invitation-ended', 'This invitation has already been used or has expired.')

/** A token that makes one account. Only its hash is stored. */
export async function createInvitation(
  { invitations, clock }: Pick<AdmissionDeps, 'invitations' | 'clock'>,
  days: number,
): Promise<{ id: string; token: string; createdAt: Date; expiresAt: Date }> {
  const token = newSecret()
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  const id = await invitations.insert(hashSecret(token), now, expiresAt)
  return { id, token, createdAt: now, expiresAt }
}
