/**
 * `routine` is only recorded. The owner is also mailed about a `change`, since it lets another person in or keeps them
 * out.
 * A `failure` may come by the thousand: within an hour those of one address are one entry that counts them.
 */
type Concern = 'routine' | 'change' | 'failure'

interface SecurityEvent {
  readonly concern: Concern
  /** What happened, to the owner and the operator alike. */
  readonly label: string
  /** What the detail beside it is. Details are shown to the owner alone. */
  readonly detail?: 'name' | 'address' | 'left'
}

/** What the security log records: its texts, its mails and the lines of the structured log are made from these entries. */
const CATALOGUE = {
  'account.registered': { concern: 'routine', label: 'Account created' },
  'account.removed': { concern: 'routine', label: 'Account removed' },
  'sign-in': { concern: 'routine', label: 'Signed in' },
  'sign-in.new-device': { concern: 'change', label: 'Signed in on a new device' },
  'sign-in.failed': { concern: 'failure', label: 'Wrong password at sign-in' },
  'sign-in.locked': { concern: 'failure', label: 'Sign-in refused after too many failures' },
  'session.ended': { concern: 'routine', label: 'A session was signed out' },
  'sessions.ended': { concern: 'routine', label: 'Signed out everywhere' },
  'password.refused': { concern: 'failure', label: 'Wrong password in an open session' },
  'password.set': { concern: 'change', label: 'Password set' },
  'password.changed': { concern: 'change', label: 'Password changed' },
  'password.on': { concern: 'change', label: 'Password sign-in switched on' },
  'password.off': { concern: 'change', label: 'Password sign-in switched off' },
  'email.changed': { concern: 'change', label: 'E-mail address changed', detail: 'address' },
  'google.linked': { concern: 'change', label: 'Google account linked', detail: 'address' },
  'google.unlinked': { concern: 'change', label: 'Google account unlinked' },
  'key.created': { concern: 'change', label: 'API key created', detail: 'name' },
  'key.revoked': { concern: 'routine', label: 'API key revoked', detail: 'name' },
  'key.new-place': { concern: 'routine', label: 'API key used from a new address', detail: 'name' },
  'factor.added': { concern: 'change', label: 'Second factor added', detail: 'name' },
  'factor.removed': { concern: 'change', label: 'Second factor removed', detail: 'name' },
  'factor.failed': { concern: 'failure', label: 'Wrong second factor' },
  'recovery-codes.made': { concern: 'change', label: 'Recovery codes made' },
  'recovery-code.used': { concern: 'change', label: 'Recovery code used', detail: 'left' },
  'operator.sign-out': { concern: 'routine', label: 'Signed out by the operator' },
  'operator.suspend': { concern: 'change', label: 'Suspended by the operator' },
  'operator.resume': { concern: 'change', label: 'Suspension lifted by the operator' },
  'operator.stop': { concern: 'change', label: 'Deployments stopped by the operator' },
  'operator.reset-password': { concern: 'change', label: 'Password reset by the operator' },
  'operator.reset-factors': { concern: 'change', label: 'Second factors removed by the operator' },
  'operator.remove': { concern: 'routine', label: 'Account removed by the operator' },
  'data.exported': { concern: 'routine', label: 'Data exported' },
} as const satisfies Readonly<Record<string, SecurityEvent>>

export type SecurityEventKind = keyof typeof CATALOGUE

export const SECURITY_EVENTS: Readonly<Record<SecurityEventKind, SecurityEvent>> = CATALOGUE

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the object above
export const SECURITY_EVENT_KINDS = Object.keys(CATALOGUE) as [SecurityEventKind, ...SecurityEventKind[]]

export const SECURITY_LOG_DAYS = 400
