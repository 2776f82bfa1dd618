import { listAccounts } from '@tradewright/contract/brokerage-accounts'
import type { JobState } from '@tradewright/contract/events'
import {
  getChecklist,
  getHomeAlerts,
  getHomeResults,
  hideChecklist,
  CHECKLIST_STEPS,
  type ChecklistStep,
} from '@tradewright/contract/home'
import { listJobs } from '@tradewright/contract/jobs'
import { readDeployments } from '@tradewright/contract/live-trading-reading'
import { getDeploymentsAtAGlance } from '@tradewright/contract/live-trading-watch'
import { getPortfolio } from '@tradewright/contract/portfolio'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { watchJobs, throttle } from '../../lib/events.ts'
import { call } from '../../lib/http.ts'

const HOME = ['home']
const JOBS = [...HOME, 'jobs']
const CHECKLIST = [...HOME, 'checklist']

/** Money is at work: what is on the screen is never older than this. */
const MONEY_MS = 15_000
const SLOW_MS = 60_000
/** While the server fetches newer figures behind its answer. */
const ASK_AGAIN_MS = 3_000
const PROGRESS_MS = 1_000

export function useAccounts() {
  return useQuery({
    queryKey: ['brokerage accounts'],
    queryFn: async ({ signal }) => (await call(listAccounts, { signal })).accounts,
  })
}

/** The whole history of an account; the panel cuts its periods from it. */
export function usePortfolio(accountId: number) {
  return useQuery({
    queryKey: [...HOME, 'portfolio', accountId],
    queryFn: async ({ signal }) => (await call(getPortfolio, { query: { account_id: accountId }, signal })).portfolio,
    refetchInterval: ({ state: { data } }) => (data?.is_refreshing && !data.warning ? ASK_AGAIN_MS : SLOW_MS),
  })
}

export function useDeployments() {
  return useQuery({
    queryKey: ['deployments'],
    queryFn: async ({ signal }) => (await call(readDeployments, { signal })).deployments,
    refetchInterval: MONEY_MS,
  })
}

/** Market hours and the growth of 30 days; where it cannot be had, the panels stand without. */
export function useGlance() {
  return useQuery({
    queryKey: ['deployments', 'glance'],
    queryFn: ({ signal }) => call(getDeploymentsAtAGlance, { signal }),
    refetchInterval: SLOW_MS,
  })
}

export function useResults() {
  return useQuery({
    queryKey: [...HOME, 'results'],
    queryFn: ({ signal }) => call(getHomeResults, { signal }),
  })
}

export function useAlerts() {
  return useQuery({
    queryKey: [...HOME, 'alerts'],
    queryFn: async ({ signal }) => (await call(getHomeAlerts, { signal })).alerts,
    refetchInterval: MONEY_MS,
  })
}

export function useJobs() {
  return useQuery({
    queryKey: JOBS,
    queryFn: async ({ signal }) => (await call(listJobs, { signal })).jobs,
    refetchInterval: SLOW_MS,
  })
}

export function useChecklist() {
  return useQuery({
    queryKey: CHECKLIST,
    queryFn: ({ signal }) => call(getChecklist, { signal }),
  })
}

export function useHideChecklist() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(hideChecklist, { body: { hidden: true } }),
    onSuccess: (checklist) => queries.setQueryData(CHECKLIST, checklist),
  })
}

const ENDED: ReadonlySet<JobState> = new Set(['completed', 'failed', 'cancelled'])

/** Progress of jobs as it is told, and all of Home when one has ended. */
export function useLiveHome(): void {
  const queries = useQueryClient()
  useEffect(() => {
    // Progress comes several times a second.
    const progress = throttle(() => void queries.invalidateQueries({ queryKey: JOBS }), PROGRESS_MS)
    const all = throttle(() => void queries.invalidateQueries({ queryKey: HOME }), PROGRESS_MS)
    const stop = watchJobs({
      onJob: ({ state }) => (ENDED.has(state) ? all.call() : progress.call()),
      onResync: () => all.call(),
    })
    return () => {
      stop()
      progress.stop()
      all.stop()
    }
  }, [queries])
}

interface Step {
  title: string
  /** The step's text in the list. */
  text: string
  /** The step's text where it is the one next step. */
  pitch: string
  button: string
  path: string
}

export const STEPS: Record<ChecklistStep, Step> = {
  backtest: {
    title: 'Run a first backtest',
    text: '60% SPY and 40% AGG since 2003 is filled in.',
    pitch:
      'How would a plain mix of 60% US stocks and 40% US bonds have done since 2003? Everything is filled in; change ' +
      'it afterwards.',
    button: 'Run backtest',
    path: '/backtest?example=sixty-forty',
  },
  strategy: {
    title: 'Save a strategy',
    text: 'A saved strategy can be compared and deployed.',
    pitch: 'A saved strategy can be compared, ranked and deployed. Press Save above the result of a backtest.',
    button: 'Save a strategy',
    path: '/backtest',
  },
  data: {
    title: 'Bring in prices',
    text: 'Collect them from a provider or import a CSV file.',
    pitch:
      'Collect prices from a provider, or import a CSV file of your own. Each result says where its prices came from.',
    button: 'Collect or import prices',
    path: '/data-collector',
  },
  account: {
    title: 'Connect an account',
    text: 'The built-in paper account needs no keys.',
    pitch: 'The built-in paper account has virtual money and needs no keys. Its equity and return then appear here.',
    button: 'Connect an account',
    path: '/portfolio-performance',
  },
  deployment: {
    title: 'Run a deployment',
    text: 'It trades a saved strategy on its schedule.',
    pitch: 'A deployment trades a saved strategy on its schedule. Begin on paper, with virtual money.',
    button: 'Deploy a strategy',
    path: '/live-trading?tab=deploy',
  },
}

/** The first step that is not done; null when all are. */
export const nextStepOf = (done: readonly ChecklistStep[]): ChecklistStep | null =>
  CHECKLIST_STEPS.find((step) => !done.includes(step)) ?? null
