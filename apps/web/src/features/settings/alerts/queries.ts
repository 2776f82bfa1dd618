import {
  addAlertChannel,
  type AlertChannel,
  type AlertChannelBody,
  type AlertsAnswer,
  changeAlertChannel,
  deleteAlertChannel,
  getAlertDeliveries,
  getAlerts,
  sendAlertAgain,
  setAlertLevels,
  setHeartbeat,
  testAlertChannel,
} from '@tradewright/contract/alerts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../../deletions/use-offer-undo.ts'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { call, type CallInput } from '../../../lib/http.ts'
import type { SettingsMessage } from '../messages.ts'

type Tell = (message: SettingsMessage) => void

const KEY = ['alerts']
/** Deliveries and the heartbeat go on while the page is open. */
const REFRESH_MS = 30_000

export function useAlerts() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(getAlerts, { signal }),
    refetchInterval: REFRESH_MS,
  })
}

/** Every change answers with all of it. */
function useChange<Input>(tell: Tell, what: string, done: string, change: (input: Input) => Promise<AlertsAnswer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => {
      queries.setQueryData(KEY, answer)
      tell({ kind: 'success', text: done })
    },
    onError: (error) => tell({ kind: 'error', text: `Failed to ${what}: ${serverMessageOr(error, 'Unknown error')}` }),
  })
}

interface ChannelChange {
  /** Null for a new one. */
  id: number | null
  kind: string
  body: AlertChannelBody
}

export const useSaveChannel = (tell: Tell) =>
  useChange(tell, 'save the channel', 'Channel saved.', ({ id, kind, body }: ChannelChange) =>
    id === null
      ? call(addAlertChannel, { body: { ...body, kind } })
      : call(changeAlertChannel, { params: { id }, body }),
  )

export function useDeleteChannel(tell: Tell) {
  const offerUndo = useOfferUndo()
  return useChange(tell, 'delete the channel', 'Channel deleted.', async ({ id, name }: AlertChannel) => {
    const answer = await call(deleteAlertChannel, { params: { id } })
    offerUndo(`channel “${name}”`, [{ kind: 'alert-channel', id }])
    return answer
  })
}

export const useSetLevels = (tell: Tell) =>
  useChange(
    tell,
    'save the levels',
    'Levels saved.',
    (levels: NonNullable<CallInput<typeof setAlertLevels>['body']>['levels']) =>
      call(setAlertLevels, { body: { levels } }),
  )

export const useSetHeartbeat = (tell: Tell) =>
  useChange(
    tell,
    'save the heartbeat',
    'Heartbeat saved.',
    (body: NonNullable<CallInput<typeof setHeartbeat>['body']>) => call(setHeartbeat, { body }),
  )

export function useTestChannel(tell: Tell) {
  return useMutation({
    mutationFn: (id: number) => call(testAlertChannel, { params: { id } }),
    onSuccess: ({ message }) => tell({ kind: 'success', text: message }),
    onError: (error) => tell({ kind: 'error', text: serverMessageOr(error, 'The test alert could not be sent.') }),
  })
}

const deliveriesKey = (channel: number) => [...KEY, 'deliveries', channel]
const DELIVERIES_REFRESH_MS = 5_000

export const useDeliveries = (channel: number) =>
  useQuery({
    queryKey: deliveriesKey(channel),
    queryFn: ({ signal }) => call(getAlertDeliveries, { params: { id: channel }, signal }),
    refetchInterval: DELIVERIES_REFRESH_MS,
  })

export function useSendAgain(channel: number, tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (delivery: number) => call(sendAlertAgain, { params: { id: channel, delivery } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesKey(channel) }),
    onError: (error) => tell({ kind: 'error', text: serverMessageOr(error, 'The message could not be sent again.') }),
  })
}

export function useTestEvent(channel: number, tell: Tell) {
  return useMutation({
    mutationFn: (event: string) => call(testAlertChannel, { params: { id: channel }, query: { event } }),
    onSuccess: ({ message }) => tell({ kind: 'success', text: message }),
    onError: (error) => tell({ kind: 'error', text: serverMessageOr(error, 'The test could not be sent.') }),
  })
}
