import { endAllSessions, endSession, listSessions, type OwnSession } from '@tradewright/contract/sessions'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../../app/session.ts'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { call } from '../../../lib/http.ts'
import type { SettingsMessage } from '../messages.ts'

type Tell = (message: SettingsMessage) => void

export const SESSIONS_KEY = ['own sessions']

export function useOwnSessions() {
  return useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => call(listSessions, { signal }),
  })
}

export function useEndSession(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: OwnSession) => call(endSession, { params: { id } }),
    onSuccess: (_, { device }) => tell({ kind: 'success', text: `${device} was signed out.` }),
    onError: (error) => tell({ kind: 'error', text: `Failed to sign out: ${serverMessageOr(error, 'Unknown error')}` }),
    onSettled: () => queries.invalidateQueries({ queryKey: SESSIONS_KEY }),
  })
}

export function useEndAllSessions(tell: Tell) {
  const { leave } = useSession()
  return useMutation({
    mutationFn: () => call(endAllSessions),
    onSuccess: leave,
    onError: (error) =>
      tell({ kind: 'error', text: `Failed to sign out everywhere: ${serverMessageOr(error, 'Unknown error')}` }),
  })
}
