import type { AddAccountBody } from '@tradewright/contract/brokerage-accounts'
import {
  type BrokerId,
  credentialsOf,
  type CredentialWireKey,
  type PaperFillModel,
} from '@tradewright/core/broker-catalogue'
import { ACCOUNT_NAME_EMPTY, ENTER_ACCOUNT_FIELDS } from '@tradewright/contract/brokerage-accounts'
import { CallError } from '../../../lib/call-error.ts'
import type { SettingsMessage } from '../messages.ts'

const FAILED = {
  add: 'Failed to add account',
  rename: 'Failed to rename account',
  keys: 'Failed to replace the keys',
  default: 'Failed to set default',
  verify: 'Failed to verify account',
  delete: 'Failed to delete account',
}

/** The server's reason, or that there is none; a call that never got an answer is an error of the connection. */
export function accountFailed(what: keyof typeof FAILED, error: unknown): SettingsMessage {
  if (error instanceof CallError && error.isUnreachable) {
    return { kind: 'error', text: `Connection error: ${error.message}` }
  }
  const reason = (error instanceof CallError ? error.serverMessage : null) ?? 'Unknown error'
  return { kind: 'error', text: `${FAILED[what]}: ${reason}` }
}

/** The form's error; null when it can be sent. */
export function checkNewAccount({ broker = 'alpaca', account_name, ...form }: AddAccountBody): string | null {
  return account_name?.trim() && hasCredentials(broker, form) ? null : ENTER_ACCOUNT_FIELDS
}

/** Whether everything that the broker asks for is filled in. */
export const hasCredentials = (
  broker: BrokerId,
  form: Partial<Record<CredentialWireKey, string | null | undefined>>,
): boolean => credentialsOf(broker).every(({ wireKey }) => form[wireKey]?.trim())

export const fillModelLabels: Record<PaperFillModel, string> = {
  last_price: 'At the last price',
  market: 'As in the market',
}

export const MAX_BORROW_PCT = 1000

export const checkBorrowRate = (text: string): string | null =>
  text.trim() !== '' && Number(text) >= 0 && Number(text) <= MAX_BORROW_PCT
    ? null
    : `The borrow rate must be from 0 to ${MAX_BORROW_PCT}% a year.`

export const checkAccountName = (name: string): string | null => (name.trim() === '' ? ACCOUNT_NAME_EMPTY : null)
