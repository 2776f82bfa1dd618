import type { BrokerageAccount as WireAccount } from '@tradewright/contract/brokerage-accounts'
import type { BrokerageAccount } from '../../brokerage/account.ts'
import type { PaperChoices } from '../../brokerage/paper/ports.ts'
import { ENTER_KEYS_AGAIN, readableKeys } from '../../brokerage/account-keys.ts'
import type { Seal } from '../../secrets/seal.ts'

/** The broker's host where it is not the real one. */
export type CustomHostOf = (account: BrokerageAccount) => string | null

/** The account without its keys. */
export const accountToWire = (
  account: BrokerageAccount,
  { customHostOf, seal }: { customHostOf: CustomHostOf; seal: Seal },
  chosen: PaperChoices | undefined,
): WireAccount => ({
  id: account.id,
  account_name: account.name,
  is_default: account.isDefault,
  paper_trading: account.isPaper,
  last_connected_at: account.connectedAt?.toISOString() ?? null,
  created_at: account.createdAt.toISOString(),
  broker: account.broker,
  ...(account.sealedKeys && !readableKeys(seal, account)
    ? { status: 'enter_again', status_reason: ENTER_KEYS_AGAIN }
    : { status: account.status, status_reason: account.reason }),
  custom_host: customHostOf(account),
  short_borrow_pct: chosen?.shortBorrowPct ?? null,
  fill_model: chosen?.fillModel ?? null,
})
