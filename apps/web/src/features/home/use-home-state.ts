import { CHECKLIST_STEPS } from '@tradewright/contract/home'
import type { UseQueryResult } from '@tanstack/react-query'
import { useAccounts, useChecklist, useDeployments, useResults } from './queries.ts'
import { nextStepOf } from './steps.ts'

type Query = Pick<UseQueryResult, 'isPending' | 'errorUpdateCount'>

/** Which parts of Home there are. A call that failed counts as something to show: its panel then says so. */
export function useHomeState() {
  const [accounts, deployments, results, checklist] = [useAccounts(), useDeployments(), useResults(), useChecklist()]
  const isLoading = [accounts, deployments, results, checklist].some(isFirstLoad)
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
    // Where all was done once, only an account can be missing where this is shown.
    nextStep: nextStepOf(done) ?? 'account',
  }
}

/** A call that failed once and is tried again leaves the other panels where they are. */
const isFirstLoad = ({ isPending, errorUpdateCount }: Query): boolean => isPending && errorUpdateCount === 0
