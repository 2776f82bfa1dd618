import type { BrokerId, CredentialKey } from '@tradewright/core/broker-catalogue'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { BrokerageAccount, NewAccount, Verification } from './account.ts'

/**
 * The broker behind a user's account, ready to be called. A Problem of kind `missing` when the account is not the
 * user's, of kind `conflict` when its keys are not verified.
 */
export type BrokerFor = (userId: number, accountId: number) => Promise<Broker>

/** Names of the user's deployments that are not stopped and trade on the account. */
export type DeploymentsOnAccount = (userId: number, accountId: number) => Promise<readonly string[]>

/** The rows of brokerage accounts. Every read names the owner. */
export interface AccountRows {
  /** The default one first, then by age. */
  list(userId: number): Promise<BrokerageAccount[]>
  find(userId: number, id: number): Promise<BrokerageAccount | undefined>
  /**
   * The first account of a user is the default one, whatever `isDefault` says. `sealKeys` seals the keys for the row, whose
   * id is known then.
   */
  insert(userId: number, account: NewAccount, at: Date, sealKeys?: (id: number) => Buffer): Promise<BrokerageAccount>
  rename(userId: number, id: number, name: string): Promise<BrokerageAccount | undefined>
  setDefault(userId: number, id: number): Promise<boolean>
  /** Stores what a verification found. `sealedKeys` replace the stored ones in the same moment. */
  setVerification(userId: number, id: number, verified: Verification, sealedKeys?: Buffer): Promise<void>
  /** The oldest remaining account becomes the default when the default goes. */
  remove(userId: number, id: number): Promise<boolean>
  /** Accounts of all users whose keys could not be checked yet. */
  unverified(): Promise<BrokerageAccount[]>
}

/** Asks a broker whether it knows these keys. */
export type CheckKeys = (keys: AccountKeys, isPaper: boolean) => Promise<KeyCheck>

/** The same of any broker with credentials. */
export type CheckKeysAt = (broker: BrokerId, ...question: Parameters<CheckKeys>) => Promise<KeyCheck>

/** Every broker with credentials has an id and a secret; what only some have is optional. */
export type AccountKeys = Readonly<Record<'keyId' | 'secretKey', string> & Partial<Record<CredentialKey, string>>>

/** Keys as a form sends them. */
export type GivenKeys = Readonly<Partial<Record<CredentialKey, string | undefined>>>

/** `rejected` and `unreachable` come with a sentence. */
export type KeyCheck =
  | { readonly outcome: 'accepted'; readonly brokerAccountId: string }
  | { readonly outcome: 'rejected' | 'unreachable'; readonly reason: string }
