import {
  answerHeldOrder,
  chooseTicker,
  contribute,
  controlDeployment,
  deleteDeployment,
  disallocate,
} from '@tradewright/contract/live-trading'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import {
  acceptBrokerFigures,
  checkDeployment,
  emergencyStop,
  emergencyStopAll,
  previewDecision,
  setSafety,
} from '@tradewright/contract/live-trading-watch'
import { useMutation } from '@tanstack/react-query'
import { nextCheckText } from '../../deployment-words/next-check.ts'
import { CallError } from '../../lib/call-error.ts'
import { call, type CallInput } from '../../lib/http.ts'
import {
  contributionFailed,
  type ContributionType,
  type ControlAction,
  controlled,
  disallocated,
  disallocationFailed,
  failedTo,
  failedWith,
  recorded,
  sentenceOf,
  succeeded,
  type StoppedPositions,
  type Tell,
} from './messages.ts'
import { useRefresh } from './queries.ts'

interface ControlOrder {
  id: number
  action: ControlAction
  positions?: StoppedPositions
  /** For a start with real money: the deployment's name. */
  confirmation?: string
}

export function useControl(tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, ...body }: ControlOrder) => call(controlDeployment, { params: { id }, body }),
    onSuccess: (_, { action, positions }) => tell(controlled(action, positions)),
    onError: (error, { action }) => tell(failedTo(action, error)),
    onSettled: refresh,
  })
}

export function useDeleteDeployment(tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: number) => call(deleteDeployment, { params: { id } }),
    onSuccess: ({ message }) => tell(succeeded(message)),
    onError: (error) => tell(failedTo('delete', error)),
    onSettled: refresh,
  })
}

interface Adjustment {
  contribution_type: ContributionType
  amount: string
  note: string
}

export function useContribute(id: number, tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ note, ...body }: Adjustment) =>
      call(contribute, { params: { id }, body: { ...body, ...noted(note) } }),
    onSuccess: (_, { contribution_type }) => tell(recorded(contribution_type)),
    onError: (error) => tell(contributionFailed(error)),
    onSettled: refresh,
  })
}

export function useDisallocate({ id, capital_currency }: Deployment, tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ percent, note }: { percent: string; note: string }) =>
      call(disallocate, { params: { id }, body: { disallocation_pct: percent, ...noted(note) } }),
    onSuccess: ({ disallocation_summary }) => tell(disallocated(disallocation_summary, capital_currency)),
    onError: (error) => tell(disallocationFailed(error)),
    onSettled: refresh,
  })
}

/** Blank is none. */
const noted = (note: string) => (note.trim() ? { note: note.trim() } : {})

/** One deployment, or all of the user's where there is no id. What could not be reached is told, too. */
export function useEmergencyStop(tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: number | null) => (id === null ? call(emergencyStopAll) : call(emergencyStop, { params: { id } })),
    onSuccess: ({ message, problems }) => {
      const detail = problems.length > 0 ? problems.join(' ') : null
      tell(detail ? { kind: 'warning', text: message, detail } : succeeded(message))
    },
    onError: (error) => tell(failedWith('The emergency stop failed.', sentenceOf(error))),
    onSettled: refresh,
  })
}

export function useSetSafety(id: number, tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: NonNullable<CallInput<typeof setSafety>['body']>) => call(setSafety, { params: { id }, body }),
    onSuccess: () => tell(succeeded('Safety settings saved.')),
    onError: (error) => tell(failedWith(`Failed to save the safety settings: ${sentenceOf(error)}`)),
    onSettled: refresh,
  })
}

/** Shares are gone and nothing came in for them: the user is asked once more. */
export const isUnexplainedLoss = (error: unknown): boolean =>
  error instanceof CallError && error.code === 'capital.loss'

export function useAcceptBrokerFigures(id: number, tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: NonNullable<CallInput<typeof acceptBrokerFigures>['body']>) =>
      call(acceptBrokerFigures, { params: { id }, body }),
    onSuccess: ({ message }) => tell(succeeded(message)),
    onError: (error) => {
      if (!isUnexplainedLoss(error)) tell(failedWith(`Failed to accept the broker’s figures: ${sentenceOf(error)}`))
    },
    onSettled: refresh,
  })
}

export function useChooseTicker(id: number, tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: NonNullable<CallInput<typeof chooseTicker>['body']>) =>
      call(chooseTicker, { params: { id }, body }),
    onSuccess: (_, { from, to, action }) =>
      tell(
        succeeded(
          action === 'trade' ? `${to} is traded in place of ${from} from now on.` : `${to} is sold at the next run.`,
        ),
      ),
    onError: (error) => tell(failedWith(`The choice could not be saved: ${sentenceOf(error)}`)),
    onSettled: refresh,
  })
}

export function useAnswerHeldOrder(id: number, tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: NonNullable<CallInput<typeof answerHeldOrder>['body']>) =>
      call(answerHeldOrder, { params: { id }, body }),
    onSuccess: (_, { ticker, side, action }) =>
      tell(
        succeeded(
          action === 'send'
            ? `The order to ${side} ${ticker} is sent again with the next check.`
            : `The order to ${side} ${ticker} is left until the signal changes or a rebalance is due.`,
        ),
      ),
    onError: (error) => tell(failedWith(`The choice could not be saved: ${sentenceOf(error)}`)),
    onSettled: refresh,
  })
}

/** The process that runs it takes a moment: its decision is looked for again after these. */
const LOOK_AGAIN_MS = [1500, 4000, 8000]

export function useCheckNow(tell: Tell) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: number) => call(checkDeployment, { params: { id } }),
    onSuccess: ({ outcome, message, next_run_at }) => {
      const isDue = outcome === 'due'
      const next = isDue || !next_run_at ? null : `Next check ${nextCheckText(next_run_at)}.`
      tell({ kind: isDue ? 'success' : 'info', text: message, detail: next })
      if (isDue) for (const wait of LOOK_AGAIN_MS) setTimeout(() => void refresh(), wait)
    },
    onError: (error) => tell(failedWith(`It could not be checked: ${sentenceOf(error)}`)),
    onSettled: refresh,
  })
}

export function usePreview(id: number) {
  return useMutation({ mutationFn: () => call(previewDecision, { params: { id } }) })
}
