import { credentialsOf } from '@tradewright/core/broker-catalogue'
import { Problem } from '@tradewright/core/problem'
import type { Seal, SealedPlace } from '../secrets/seal.ts'
import type { BrokerageAccount } from './account.ts'
import type { AccountKeys } from './ports.ts'

const placeOf = ({ id, userId }: Pick<BrokerageAccount, 'id' | 'userId'>): SealedPlace => ({
  table: 'brokerage_accounts',
  row: id,
  userId,
})

export const sealKeys = (
  seal: Seal,
  account: Pick<BrokerageAccount, 'id' | 'userId' | 'broker'>,
  keys: AccountKeys,
): Buffer => seal.seal(placeOf(account), JSON.stringify(credentialsOf(account.broker).map(({ key }) => keys[key])))

/** A Problem when the secret of the application is another one than the keys were sealed with. */
export function openKeys(seal: Seal, account: BrokerageAccount): AccountKeys {
  if (!account.sealedKeys) throw new Error('the built-in paper account has no keys')
  const keys = readableKeys(seal, account)
  if (!keys) throw new Problem('conflict', 'account.unreadable-keys', `"${account.name}": ${ENTER_KEYS_AGAIN}`)
  return keys
}

/** Undefined for keys that cannot be opened, and for the built-in account, which has none. */
export function readableKeys(seal: Seal, account: BrokerageAccount): AccountKeys | undefined {
  if (!account.sealedKeys) return undefined
  try {
    const values = JSON.parse(seal.open(placeOf(account), account.sealedKeys)) as string[]
    const fields = credentialsOf(account.broker)
    // Sealed before the broker asked for another value: the user has to enter all of them again.
    if (values.length !== fields.length) return undefined
    return Object.fromEntries(fields.map(({ key }, i) => [key, values[i]])) as unknown as AccountKeys
  } catch {
    return undefined
  }
}

export const ENTER_KEYS_AGAIN =
  'The stored keys can no longer be read. Enter them again with "Replace keys" in Settings.'
