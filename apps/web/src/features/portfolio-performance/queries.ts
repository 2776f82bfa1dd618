import { addPaperAccount, listAccounts } from '@tradewright/contract/brokerage-accounts'
import { getPortfolio, listActivities, Portfolio } from '@tradewright/contract/portfolio'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getSaleLots,
  getStatement,
  getTaxLots,
  type LotMethod,
  setLotMethod,
  setSaleLots,
} from '@tradewright/contract/tax-lots'
import { useUser } from '../../app/session.ts'
import { call } from '../../lib/http.ts'
import { dropAnswer, keepAnswer, readAnswer } from '../../lib/browser-storage.ts'
import { type Period, toQuery } from './period.ts'

const CACHE_MS = 15 * 60_000
/** While the server fetches newer data, or older activities, behind its answer; seldom while the broker fails. */
const ASK_AGAIN_MS = 2_000
const ASK_SELDOM_MS = 15_000

export const ACTIVITIES_PER_PAGE = 20

export function useAccounts() {
  return useQuery({
    queryKey: ['brokerage accounts'],
    queryFn: async ({ signal }) => (await call(listAccounts, { signal })).accounts,
  })
}

export function useAddPaperAccount() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(addPaperAccount, { body: { fill_model: 'market' } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['brokerage accounts'] }),
  })
}

/** What is shown of an account. */
interface Choice {
  period: Period
  /** Compare with the sample market where there are no real prices. */
  withSynthetic: boolean
}

const keyOf = (accountId: number | null, { period: { filter, start, end }, withSynthetic }: Choice) =>
  [
    'portfolio',
    accountId,
    filter,
    filter === 'custom' ? start : '',
    filter === 'custom' ? end : '',
    withSynthetic,
  ] as const

const queryOf = (accountId: number | null, { period, withSynthetic }: Choice) => ({
  account_id: accountId,
  ...toQuery(period),
  ...(withSynthetic && { synthetic_benchmarks: 'true' as const }),
})

/** The whole period is also kept in the browser: the next visit shows it at once, with its age, and asks behind it. */
function useKeptPortfolio(accountId: number | null, { period, withSynthetic }: Choice) {
  const { id } = useUser()
  const name = `portfolio ${id} ${accountId}`
  const isKept = period.filter === 'all' && !withSynthetic
  return {
    read: () => (isKept ? readAnswer(name, Portfolio, { maxAgeMs: CACHE_MS }) : null),
    keep: (portfolio: Portfolio) => isKept && keepAnswer(name, portfolio),
    drop: () => dropAnswer(name),
  }
}

/** Another period keeps the old figures in sight until its own arrive; another account never does. */
export function usePortfolio(accountId: number | null, choice: Choice) {
  const kept = useKeptPortfolio(accountId, choice)
  return useQuery({
    queryKey: keyOf(accountId, choice),
    enabled: accountId !== null,
    queryFn: async ({ signal }) => {
      const { portfolio } = await call(getPortfolio, { query: queryOf(accountId, choice), signal })
      kept.keep(portfolio)
      return portfolio
    },
    initialData: () => kept.read()?.answer,
    initialDataUpdatedAt: () => kept.read()?.keptAt,
    placeholderData: (previous: Portfolio | undefined) => (previous?.account.id === accountId ? previous : undefined),
    refetchInterval: ({ state: { data } }) => {
      if (!data || (!data.is_refreshing && data.activities_complete)) return false
      return data.warning ? ASK_SELDOM_MS : ASK_AGAIN_MS
    },
  })
}

/** Asks the broker itself, past every cache. */
export function useRefreshPortfolio(accountId: number | null, choice: Choice) {
  const queries = useQueryClient()
  const kept = useKeptPortfolio(accountId, choice)
  return useMutation({
    mutationFn: async () => {
      kept.drop()
      const query = { ...queryOf(accountId, choice), force_refresh: 'true' } as const
      return (await call(getPortfolio, { query })).portfolio
    },
    onSuccess: (portfolio) => {
      kept.keep(portfolio)
      queries.setQueryData(keyOf(accountId, choice), portfolio)
      return queries.invalidateQueries({ queryKey: ['portfolio activities', accountId] })
    },
  })
}

/** Pages after the first, which comes with the portfolio itself. */
export function useActivities(accountId: number, kind: 'trades' | 'transactions', page: number) {
  return useQuery({
    queryKey: ['portfolio activities', accountId, kind, page],
    enabled: page > 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(listActivities, {
        query: { account_id: accountId, kind, page, page_size: ACTIVITIES_PER_PAGE },
        signal,
      }),
  })
}

/** While activities are still being collected. */

const lotsKeyOf = (accountId: number) => ['tax lots', accountId] as const

export function useTaxLots(accountId: number, year: number | null, isOpen: boolean) {
  return useQuery({
    queryKey: [...lotsKeyOf(accountId), year],
    enabled: isOpen,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { account_id: accountId, ...(year !== null && { year }) }
      return (await call(getTaxLots, { query, signal })).tax
    },
    refetchInterval: ({ state: { data } }) => (data && !data.is_complete ? ASK_AGAIN_MS : false),
  })
}

export function useSetLotMethod(accountId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (method: LotMethod) => call(setLotMethod, { body: { account_id: accountId, method } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: lotsKeyOf(accountId) }),
  })
}

export function useSaleLots(accountId: number, saleId: string) {
  return useQuery({
    queryKey: ['sale lots', accountId, saleId],
    queryFn: ({ signal }) => call(getSaleLots, { query: { account_id: accountId, sale_id: saleId }, signal }),
  })
}

export function useSetSaleLots(accountId: number, saleId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (lots: { purchase_id: string; qty: string }[]) =>
      call(setSaleLots, { body: { account_id: accountId, sale_id: saleId, lots } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: lotsKeyOf(accountId) }),
        queries.invalidateQueries({ queryKey: ['sale lots', accountId] }),
      ]),
  })
}

export function useStatement(accountId: number, month: string) {
  return useQuery({
    queryKey: ['statement', accountId, month],
    queryFn: async ({ signal }) =>
      (await call(getStatement, { query: { account_id: accountId, month }, signal })).statement,
  })
}
