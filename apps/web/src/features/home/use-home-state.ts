import { CHECKLIST_STEPS } from '@tradewright/contract/home'
import type { UseQueryResult } from '@tanstack/react-query'
import { useAccounts, useAlerts, useChecklist, useDeployments, useJobs, useResults } from './queries.ts'
import { nextStepOf } from './steps.ts'

type Query = Pick<UseQueryResult, 'isPending' | 'errorUpdateCount'>

/** Which parts of Home there are. A call that failed counts as something to show: its panel then says so. */
export function useHomeState() {
  const [accounts, deployments, results, checklist] = [useAccounts(), useDeployments(), useResults(), useChecklist()]
  const [alerts, jobs] = [useAlerts(), useJobs()]
  // Panels that may be left out are known before the first is drawn: none appears above another one later.
  const isLoading = [accounts, deployments, results, checklist, alerts, jobs].some(isFirstLoad)
  const isEmpty = accounts.data?.length === 0 && deployments.data?.length === 0 && results.data?.latest.length === 0
  const isNew = isLoading || isEmpty
  const done = checklist.data?.done ?? []
  const hasChecklist =
    checklist.isError || (checklist.data ? !checklist.data.hidden && done.length < CHECKLIST_STEPS.length : false)
  return {
    isLoading,
    isNew,
    account: accounts.data?.find(({ is_default }) => is_default) ?? accounts.data?.[0],
    hasChecklist,
    hasNews: alerts.data?.length !== 0 || jobs.data?.length !== 0,
    latestResultId: results.data?.latest[0]?.backtest_id,
    // Where all was done once, only an account can be missing where this is shown.
    nextStep: nextStepOf(done) ?? 'account',
  }
}

/** A call that failed once and is tried again leaves the other panels where they are. */
const isFirstLoad = ({ isPending, errorUpdateCount }: Query): boolean => isPending && errorUpdateCount === 0
