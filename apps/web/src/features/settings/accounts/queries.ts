import {
  addAccount,
  type AddAccountBody,
  addPaperAccount,
  changeAccount,
  type ChangeAccountBody,
  deleteAccount,
  listAccounts,
  setDefaultAccount,
  verifyAccount,
} from '@tradewright/contract/brokerage-accounts'
import { type BuiltInBrokerId, PAPER_CASH_USD } from '@tradewright/core/broker-catalogue'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatWholeMoney } from '../../../lib/format.ts'
import { call } from '../../../lib/http.ts'
import type { SettingsMessage } from '../messages.ts'
import { accountFailed } from './messages.ts'

type Tell = (message: SettingsMessage) => void

const KEY = ['brokerage accounts']

export function useAccounts() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await call(listAccounts, { signal })).accounts,
  })
}

/** The list is asked for anew after every change, and whatever was shown of an account is out of date. */
function useAccountsChanged() {
  const queries = useQueryClient()
  return () =>
    Promise.all([queries.invalidateQueries({ queryKey: KEY }), queries.invalidateQueries({ queryKey: ['portfolio'] })])
}

export function useAddAccount(tell: Tell) {
  const changed = useAccountsChanged()
  return useMutation({
    mutationFn: (body: AddAccountBody) => call(addAccount, { body }),
    onSuccess: ({ message }) => {
      tell({ kind: 'success', text: message ?? 'Account added.' })
      return changed()
    },
    onError: (error) => tell(accountFailed('add', error)),
  })
}

export function useAddPaperAccount(tell: Tell) {
  const changed = useAccountsChanged()
  return useMutation({
    mutationFn: (broker: BuiltInBrokerId) => call(addPaperAccount, { body: { broker, fill_model: 'market' } }),
    onSuccess: ({ message }) => {
      tell({
        kind: 'success',
        text:
          message ?? `The built-in paper account was added, with ${formatWholeMoney(PAPER_CASH_USD)} of virtual money.`,
      })
      return changed()
    },
    onError: (error) => tell(accountFailed('add', error)),
  })
}

interface AccountChange extends ChangeAccountBody {
  id: number
}

export function useChangeAccount(tell: Tell) {
  const changed = useAccountsChanged()
  return useMutation({
    mutationFn: ({ id, ...body }: AccountChange) => call(changeAccount, { params: { id }, body }),
    onSuccess: ({ message }, { api_key, short_borrow_pct: rate }) => {
      const done = api_key ? 'Keys replaced.' : rate === undefined ? 'Account renamed.' : 'Conditions saved.'
      tell({ kind: 'success', text: message ?? done })
      return changed()
    },
    onError: (error, { api_key }) => tell(accountFailed(api_key ? 'keys' : 'rename', error)),
  })
}

export function useSetDefault(tell: Tell) {
  const changed = useAccountsChanged()
  return useMutation({
    mutationFn: (id: number) => call(setDefaultAccount, { params: { id } }),
    onSuccess: () => {
      tell({ kind: 'success', text: 'Default account changed.' })
      return changed()
    },
    onError: (error) => tell(accountFailed('default', error)),
  })
}

export function useVerifyAccount(tell: Tell) {
  const changed = useAccountsChanged()
  return useMutation({
    mutationFn: (id: number) => call(verifyAccount, { params: { id } }),
    onSuccess: ({ account, message }) => {
      const isVerified = account.status === 'verified'
      const text = isVerified ? 'The account is verified.' : (message ?? account.status_reason ?? 'Not verified yet.')
      tell({ kind: isVerified ? 'success' : 'error', text })
      return changed()
    },
    onError: (error) => {
      tell(accountFailed('verify', error))
      return changed()
    },
  })
}

export function useDeleteAccount(tell: Tell) {
  const changed = useAccountsChanged()
  return useMutation({
    mutationFn: (id: number) => call(deleteAccount, { params: { id } }),
    onSuccess: () => {
      tell({ kind: 'success', text: 'Account deleted.' })
      return changed()
    },
    onError: (error) => tell(accountFailed('delete', error)),
  })
}
