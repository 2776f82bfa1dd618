import type { GoogleLinkError, GoogleLoginError } from '@tradewright/contract/auth'
import { Problem } from '@tradewright/core/problem'
import type { GooglePurpose } from '../../auth/ports.ts'

/** Where a browser goes on after it came back from Google, or could not be sent there. */
export const GOOGLE_LINKED = '/settings?success=google_linked'
export const GOOGLE_SIGNED_IN = '/'

const LOGIN_ERRORS: Record<string, GoogleLoginError> = {
  'google.unavailable': 'google_unavailable',
  'google.state': 'invalid_state',
  'google.response': 'invalid_oauth_response',
  'google.denied': 'access_denied',
  'google.email-taken': 'email_taken',
  'registration.closed': 'registration_closed',
  'registration.invitation': 'invitation_needed',
  'registration.invitation-ended': 'invitation_ended',
}
const LINK_ERRORS: Record<string, GoogleLinkError> = {
  'google.state': 'invalid_state',
  'google.response': 'invalid_oauth_response',
  'google.denied': 'invalid_oauth_response',
  'google.linked-elsewhere': 'google_account_already_linked',
}

export function googleFailed(purpose: GooglePurpose['kind'], error: unknown): string {
  const code = error instanceof Problem ? error.code : ''
  if (purpose === 'link') return `/settings?error=${LINK_ERRORS[code] ?? 'linking_failed'}`
  return `/login?error=${LOGIN_ERRORS[code] ?? 'login_failed'}`
}
