import {
  connectOpenAi,
  disconnectOpenAi,
  getOpenAiStatus,
  listOpenAiModels,
  updateOpenAiModel,
} from '@tradewright/contract/openai'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, type CallInput } from '../../../lib/http.ts'
import { failed, type SettingsMessage } from '../messages.ts'

type Tell = (message: SettingsMessage) => void

const STATUS_KEY = ['openai status']
const MODELS_KEY = ['openai models']

export function useOpenAiStatus() {
  return useQuery({ queryKey: STATUS_KEY, queryFn: ({ signal }) => call(getOpenAiStatus, { signal }) })
}

/** The models of the connected server change with the connection. */
export function useOpenAiModels(connected: boolean) {
  return useQuery({
    queryKey: [...MODELS_KEY, connected],
    queryFn: ({ signal }) => call(listOpenAiModels, { signal }),
  })
}

function useRefresh() {
  const queries = useQueryClient()
  return () => Promise.all([STATUS_KEY, MODELS_KEY].map((queryKey) => queries.invalidateQueries({ queryKey })))
}

export function useConnectOpenAi(tell: Tell, onConnected: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: CallInput<typeof connectOpenAi>['body']) => call(connectOpenAi, { body }),
    onSuccess: ({ unverified_reason }) => {
      const text = unverified_reason
        ? `OpenAI saved, but not verified yet: ${unverified_reason}`
        : 'OpenAI connected successfully.'
      tell({ kind: 'success', text })
      onConnected()
      return refresh()
    },
    onError: (error) => tell(failed('connectOpenAi', error)),
  })
}

export function useUpdateModel(tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (model_preference: string) => call(updateOpenAiModel, { body: { model_preference } }),
    onSuccess: (_, model) => {
      tell({ kind: 'success', text: `Model updated to ${model}.` })
      return refresh()
    },
    onError: (error) => tell(failed('updateModel', error)),
  })
}

export function useDisconnectOpenAi(tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => call(disconnectOpenAi),
    onSuccess: () => {
      tell({ kind: 'success', text: 'OpenAI disconnected.' })
      return refresh()
    },
    onError: (error) => tell(failed('disconnectOpenAi', error)),
  })
}
