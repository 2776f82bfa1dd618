import type { Seal } from '../secrets/seal.ts'
import type { BrokerageAccount } from './account.ts'
import type { AccountKeys } from './ports.ts'

/** Keys of one user do not open as another's, even if a row were moved. */
const purpose = (userId: number): string => `brokerage keys of user ${userId}`

export const sealKeys = (seal: Seal, userId: number, { keyId, secretKey }: AccountKeys): Buffer =>
  seal.seal(purpose(userId), JSON.stringify([keyId, secretKey]))

export function openKeys(seal: Seal, { userId, sealedKeys }: BrokerageAccount): AccountKeys {
  if (!sealedKeys) throw new Error('the built-in paper account has no keys')
  const [keyId, secretKey] = JSON.parse(seal.open(purpose(userId), sealedKeys)) as [string, string]
  return { keyId, secretKey }
}
