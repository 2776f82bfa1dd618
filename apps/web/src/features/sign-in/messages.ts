import { GOOGLE_LOGIN_ERRORS, type GoogleLoginError } from '@tradewright/contract/auth'

export const LOGIN_FAILED = 'Login failed. Please try again.'
export const REGISTRATION_FAILED = 'Registration failed. Please try again.'
export const REGISTRATION_CLOSED = 'Registration is closed on this site. Ask its operator for an account.'
export const INVITATION_NEEDED =
  'New accounts need an invitation on this site. Open the link that its operator gave you.'

const SENTENCES: Record<GoogleLoginError, string> = {
  google_unavailable: 'Sign in with Google is not available on this site.',
  invalid_state: 'The sign-in with Google took too long or was opened twice. Please try again.',
  invalid_oauth_response: 'Invalid response from Google. Please try again.',
  access_denied: 'Google sign-in was cancelled. You can try again or use your password.',
  email_taken: 'An account with this e-mail exists already. Sign in with your password, then link Google in Settings.',
  registration_closed: 'Registration is closed on this site: this Google account is not linked to an account here.',
  invitation_needed: 'New accounts need an invitation on this site. Open your invitation link first.',
  invitation_ended: 'This invitation has already been used or has expired. Ask for a new one.',
  login_failed: 'Sign in with Google failed. Please try again.',
}

/** The sentence for `?error=` on the sign-in page, or null when there is none. */
export function googleLoginError(code: string | null): string | null {
  if (!code) return null
  return SENTENCES[GOOGLE_LOGIN_ERRORS.find((known) => known === code) ?? 'login_failed']
}
