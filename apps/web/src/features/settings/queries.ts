import {
  changePassword,
  getAuthMethods,
  linkGoogle,
  setPassword,
  togglePassword,
  unlinkGoogle,
} from '@tradewright/contract/auth'
import { getEmail, sendEmailVerification } from '@tradewright/contract/email'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, call } from '../../lib/http.ts'
import { failed, type SettingsMessage } from './messages.ts'
import { API_KEYS_KEY } from './api-keys/queries.ts'
import { SESSIONS_KEY } from './sessions/queries.ts'

export type AuthMethods = AnswerOf<typeof getAuthMethods>
type Tell = (message: SettingsMessage) => void

const KEY = ['auth methods']

export function useAuthMethods() {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => call(getAuthMethods, { signal }) })
}

const EMAIL_KEY = ['own email']

export function useOwnEmail() {
  return useQuery({ queryKey: EMAIL_KEY, queryFn: ({ signal }) => call(getEmail, { signal }) })
}

export function useSendVerification(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => call(sendEmailVerification, { body: { email } }),
    onSuccess: ({ email }) => {
      tell({ kind: 'success', text: `A link was sent to ${email}. Open it within 24 hours.` })
      return queries.invalidateQueries({ queryKey: EMAIL_KEY })
    },
    onError: (error) => tell(failed('email', error)),
  })
}

export function useTogglePassword(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (enable: boolean) => call(togglePassword, { body: { enable } }),
    onSuccess: (_, enable) => {
      tell({ kind: 'success', text: enable ? 'Password sign-in enabled.' : 'Password sign-in disabled.' })
      return queries.invalidateQueries({ queryKey: KEY })
    },
    onError: (error) => tell(failed('toggle', error)),
  })
}

export function useSetPassword(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (password: string) => call(setPassword, { body: { password } }),
    onSuccess: () => {
      tell({ kind: 'success', text: 'Password set.' })
      return queries.invalidateQueries({ queryKey: KEY })
    },
    onError: (error) => tell(failed('password', error)),
  })
}

export function useChangePassword(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { current_password: string; new_password: string }) => call(changePassword, { body }),
    onSuccess: () => {
      tell({ kind: 'success', text: 'Password changed. Every other session was signed out.' })
      void queries.invalidateQueries({ queryKey: API_KEYS_KEY })
      return queries.invalidateQueries({ queryKey: SESSIONS_KEY })
    },
    onError: (error) => tell(failed('password', error)),
  })
}

export function useUnlinkGoogle(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(unlinkGoogle),
    onSuccess: () => {
      tell({ kind: 'success', text: 'Google account unlinked.' })
      return queries.invalidateQueries({ queryKey: KEY })
    },
    onError: (error) => tell(failed('unlink', error)),
  })
}

/** On success the browser leaves for Google and comes back to this page with the outcome in its address. */
export function useLinkGoogle(tell: Tell) {
  return useMutation({
    mutationFn: (password: string) => call(linkGoogle, { body: { password } }),
    onSuccess: ({ redirect_url }) => window.location.assign(redirect_url),
    onError: (error) => tell(failed('link', error)),
  })
}
