import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@tradewright/contract/api-keys'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { call, type CallInput } from '../../../lib/http.ts'
import type { SettingsMessage } from '../messages.ts'

type Tell = (message: SettingsMessage) => void

export const API_KEYS_KEY = ['api keys']

export function useApiKeys() {
  return useQuery({
    queryKey: API_KEYS_KEY,
    queryFn: async ({ signal }) => (await call(listApiKeys, { signal })).keys,
  })
}

export function useCreateApiKey(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: CallInput<typeof createApiKey>['body']) => call(createApiKey, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: API_KEYS_KEY }),
    onError: (error) =>
      tell({ kind: 'error', text: `Failed to create the API key: ${serverMessageOr(error, 'Unknown error')}` }),
  })
}

export function useRevokeApiKey(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ApiKey) => call(revokeApiKey, { params: { id } }),
    onSuccess: (_, { name }) => tell({ kind: 'success', text: `The API key “${name}” was revoked.` }),
    onError: (error) =>
      tell({ kind: 'error', text: `Failed to revoke the API key: ${serverMessageOr(error, 'Unknown error')}` }),
    onSettled: () => queries.invalidateQueries({ queryKey: API_KEYS_KEY }),
  })
}
