import * as contract from '@tradewright/contract/brokerage-accounts'
import { allCredentials, type CredentialWireKey } from '@tradewright/core/broker-catalogue'
import { DEFAULT_BORROW_PCT, DEFAULT_COST_BPS } from '@tradewright/engine/trading/costs'
import type { BrokerageAccount } from '../../brokerage/account.ts'
import {
  type AccountDeps,
  addAccount,
  addPaperAccount,
  changeAccount,
  deleteAccount,
  type SavedAccount,
  setDefaultAccount,
  verifyAccount,
} from '../../brokerage/own-accounts.ts'
import type { GivenKeys } from '../../brokerage/ports.ts'
import { accountToWire, type CustomHostOf } from './wire.ts'
import { readableRows } from '../answer/readable-rows.ts'
import type { Handle } from '../server/handle.ts'

const success = true as const
const given = (text: string | null | undefined) => text || undefined

export function serveBrokerageAccounts(handle: Handle, deps: AccountDeps & { customHostOf: CustomHostOf }): void {
  const saved = async ({ account, message }: SavedAccount) => {
    const chosen = await deps.paper.chosen([account.id])
    return { success, account: accountToWire(account, deps, chosen.get(account.id)), message }
  }
  handle(contract.listAccounts, async ({ user, request: { log } }) => {
    const rows = await deps.rows.list(user.id)
    const chosen = await deps.paper.chosen(rows.map(({ id }) => id))
    const toWire = (account: BrokerageAccount) => accountToWire(account, deps, chosen.get(account.id))
    const told = { list: 'brokerage_accounts', schema: contract.BrokerageAccount, toWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { success, accounts: entries, ...leftOut }
  })
  handle(contract.addAccount, async ({ user, body }) => {
    const { paper_trading: isPaper, is_default: isDefault } = body
    const keys = givenKeys(body)
    const { broker } = body
    return saved(
      await addAccount(deps, user.id, { name: given(body.account_name), broker, ...keys, isPaper, isDefault }),
    )
  })
  handle(contract.addPaperAccount, async ({ user, body }) => {
    const form = {
      name: given(body.account_name),
      broker: body.broker,
      tradingCostBps: body.trading_cost_bps ?? DEFAULT_COST_BPS,
      partialFill: (body.partial_fill_pct ?? 100) / 100,
      shortBorrowPct: body.short_borrow_pct ?? DEFAULT_BORROW_PCT,
      ...(body.fill_model && { fillModel: body.fill_model }),
    }
    return saved(await addPaperAccount(deps, user.id, form))
  })
  handle(contract.changeAccount, async ({ user, params, body }) => {
    const keys = givenKeys(body)
    return saved(
      await changeAccount(deps, user.id, params.id, {
        name: given(body.account_name),
        shortBorrowPct: body.short_borrow_pct ?? undefined,
        fillModel: body.fill_model ?? undefined,
        ...keys,
      }),
    )
  })
  handle(contract.setDefaultAccount, async ({ user, params }) => {
    await setDefaultAccount(deps, user.id, params.id)
    return { success }
  })
  handle(contract.verifyAccount, async ({ user, params }) => saved(await verifyAccount(deps, user.id, params.id)))
  handle(contract.deleteAccount, async ({ user, params }) => {
    await deleteAccount(deps, user.id, params.id)
    return { success }
  })
}

type SentKeys = Readonly<Partial<Record<CredentialWireKey, string | null | undefined>>>

const givenKeys = (sent: SentKeys): GivenKeys =>
  Object.fromEntries(allCredentials.map(({ key, wireKey }) => [key, given(sent[wireKey])]))
