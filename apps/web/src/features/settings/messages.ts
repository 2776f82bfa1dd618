import { GOOGLE_LINK_ERRORS, type GoogleLinkError } from '@tradewright/contract/auth'
import type { MessageContent } from '../../ui/feedback/banner.tsx'
import { serverMessageOr } from '../../lib/call-error.ts'

export type SettingsMessage = Pick<MessageContent, 'text'> & { kind: 'error' | 'success' }

export const PASSWORD_NEEDS_GOOGLE = 'Cannot disable password authentication without linking Google account first'
export const UNLINK_NEEDS_PASSWORD = 'Enable password sign-in before unlinking: at least one way to sign in must stay.'

export const OPENAI_KEY_WARNING = 'OpenAI API keys should start with "sk-"'

const LINK_ERRORS: Record<GoogleLinkError, string> = {
  invalid_state: 'Invalid OAuth state. Please try again.',
  invalid_oauth_response: 'Invalid response from Google. Please try again.',
  google_account_already_linked: 'This Google account is already linked to another user.',
  linking_failed: 'Failed to link Google account. Please try again.',
}

/** The message for the address on the way back from Google, or null when it has none. */
export function arrivalMessage(query: URLSearchParams): SettingsMessage | null {
  if (query.has('error')) return { kind: 'error', text: linkError(query.get('error')) }
  if (query.get('success') !== 'google_linked') return null
  return { kind: 'success', text: 'Google account linked successfully!' }
}

function linkError(code: string | null): string {
  const known = GOOGLE_LINK_ERRORS.find((error) => error === code)
  return known ? LINK_ERRORS[known] : 'An error occurred during Google linking.'
}

const FAILED = {
  toggle: 'Failed to update password setting',
  password: 'Failed to save password',
  link: 'Failed to link Google account',
  unlink: 'Failed to unlink Google account',
  email: 'Failed to send the verification mail',
  connectOpenAi: 'Failed to connect OpenAI',
  updateModel: 'Failed to update model',
  disconnectOpenAi: 'Failed to disconnect OpenAI',
}

export function failed(what: keyof typeof FAILED, error: unknown): SettingsMessage {
  return { kind: 'error', text: `${FAILED[what]}: ${serverMessageOr(error, 'Unknown error')}` }
}
