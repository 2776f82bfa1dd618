import { addPaperAccount } from '@tradewright/contract/brokerage-accounts'
import {
  getActivity,
  getLogTail,
  listAccountPositions,
  listDeployableStrategies,
} from '@tradewright/contract/live-trading'
import { ACTIVITY_LIMIT } from '@tradewright/contract/live-trading-fields'
import { readDeploymentDetails, readDeployments, readTradingAccounts } from '@tradewright/contract/live-trading-reading'
import {
  getDeploymentOverview,
  getDeploymentsAtAGlance,
  getNotificationSettings,
} from '@tradewright/contract/live-trading-watch'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, call, type CallInput } from '../../lib/http.ts'

/** Money is at work: what is on the screen is never older than this. */
const REFRESH_MS = 15_000

const DEPLOYMENTS = ['deployments']
const ACCOUNTS = ['trading accounts']

export type Details = AnswerOf<typeof readDeploymentDetails>['deployment']
export type Overview = AnswerOf<typeof getDeploymentOverview>
type LedgerQuery = NonNullable<CallInput<typeof readDeploymentDetails>['query']>

export function useDeployments() {
  return useQuery({
    queryKey: DEPLOYMENTS,
    queryFn: async ({ signal }) => (await logged('deployments', call(readDeployments, { signal }))).deployments,
    refetchInterval: REFRESH_MS,
  })
}

export type MarketGlance = AnswerOf<typeof getDeploymentsAtAGlance>['market']

/** The market's hours and recent values, beside the figures; where they cannot be had, nothing is missing. */
export function useGlance() {
  return useQuery({
    queryKey: [...DEPLOYMENTS, 'glance'],
    queryFn: ({ signal }) => call(getDeploymentsAtAGlance, { signal }),
    refetchInterval: 4 * REFRESH_MS,
  })
}

export function useDeployableStrategies() {
  return useQuery({
    queryKey: ['deployable strategies'],
    queryFn: async ({ signal }) => (await logged('strategies', call(listDeployableStrategies, { signal }))).strategies,
  })
}

export function useTradingAccounts() {
  return useQuery({
    queryKey: ACCOUNTS,
    queryFn: async ({ signal }) => (await logged('accounts', call(readTradingAccounts, { signal }))).accounts,
  })
}

export function useAccountPositions(accountId: string, isWanted: boolean) {
  return useQuery({
    queryKey: [...ACCOUNTS, accountId, 'positions'],
    queryFn: async ({ signal }) => (await call(listAccountPositions, { params: { id: accountId }, signal })).positions,
    enabled: isWanted && accountId !== '',
  })
}

/** A page of the ledger and the capital beside it. The page before stays in sight while the next one comes. */
export function useDetails(id: number, query: LedgerQuery, isWanted = true) {
  return useQuery({
    queryKey: [...DEPLOYMENTS, id, 'details', query],
    queryFn: async ({ signal }) => (await call(readDeploymentDetails, { params: { id }, query, signal })).deployment,
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
}

export function useOverview(id: string) {
  return useQuery({
    queryKey: [...DEPLOYMENTS, id, 'overview'],
    queryFn: ({ signal }) => call(getDeploymentOverview, { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  })
}

export function useActivity(id: string) {
  return useQuery({
    queryKey: [...DEPLOYMENTS, id, 'activity'],
    queryFn: async ({ signal }) =>
      (await call(getActivity, { params: { id }, query: { limit: ACTIVITY_LIMIT }, signal })).activity,
    enabled: id !== '',
    refetchInterval: REFRESH_MS,
  })
}

export function useLogTail(id: string, lines: number) {
  return useQuery({
    queryKey: [...DEPLOYMENTS, id, 'log', lines],
    queryFn: async ({ signal }) => (await call(getLogTail, { params: { id }, query: { lines }, signal })).lines,
    placeholderData: keepPreviousData,
    enabled: id !== '',
    refetchInterval: REFRESH_MS,
  })
}

export function useNotificationSettings() {
  return useQuery({
    queryKey: ['notification settings'],
    queryFn: ({ signal }) => call(getNotificationSettings, { signal }),
  })
}

export function useAddPaperAccount() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => call(addPaperAccount, { body: { fill_model: 'market' } }),
    onSuccess: () => refresh(),
  })
}

/** Asks for deployments and accounts again, after money moved or a state changed. */
export function useRefresh() {
  const queries = useQueryClient()
  return () =>
    Promise.all([DEPLOYMENTS, ACCOUNTS, ['accounts']].map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/** "Logged only", says the specification; the screen shows what it has, and how to try again. */
async function logged<T>(what: string, loading: Promise<T>): Promise<T> {
  try {
    return await loading
  } catch (error) {
    // oxlint-disable-next-line no-console
    if (!(error instanceof DOMException)) console.error(`Failed to load ${what}`, error)
    throw error
  }
}
