import { deleteProvider, renameProvider, saveProvider, tryProvider } from '@tradewright/contract/custom-providers'
import { generateProvider } from '@tradewright/contract/data-collector'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import { failed, succeeded } from '../messages.ts'
import { KEYS } from '../queries.ts'
import type { Tell } from '../use-notice.ts'

export interface ApiForm {
  provider_name: string
  api_documentation: string
  additional_context: string
}

interface Candidate {
  definition: unknown
  ticker: string
  api_key: string
}

export function useGenerateProvider(tell: Tell) {
  return useMutation({
    mutationFn: (form: ApiForm) => call(generateProvider, { body: form }),
    onSuccess: () => tell(succeeded('generate')),
    onError: (error) => tell(failed('generate', error)),
  })
}

export function useTryProvider(tell: Tell) {
  return useMutation({
    mutationFn: async (candidate: Candidate) => (await call(tryProvider, { body: candidate })).dry_run,
    onError: (error) => tell(failed('tryProvider', error)),
  })
}

export function useSaveProvider({ tell, onSaved, onFailed }: { tell: Tell; onSaved: () => void; onFailed: Tell }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (candidate: Candidate) => call(saveProvider, { body: candidate }),
    onSuccess: () => {
      tell(succeeded('saveProvider'))
      onSaved()
      return queries.invalidateQueries({ queryKey: KEYS.providers })
    },
    onError: (error) => onFailed(failed('saveProvider', error)),
  })
}

export function useRenameProvider(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, display_name }: { id: string; display_name: string }) =>
      call(renameProvider, { params: { id }, body: { display_name } }),
    onSuccess: () => tell(succeeded('renameProvider')),
    onError: (error) => tell(failed('renameProvider', error)),
    onSettled: () => refresh(queries),
  })
}

export function useDeleteProvider(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteProvider, { params: { id } }),
    onSuccess: () => tell(succeeded('deleteProvider')),
    onError: (error) => tell(failed('deleteProvider', error)),
    onSettled: () => refresh(queries),
  })
}

/** Jobs show the names of their providers. */
const refresh = (queries: ReturnType<typeof useQueryClient>) =>
  Promise.all([KEYS.providers, KEYS.jobs].map((queryKey) => queries.invalidateQueries({ queryKey })))
