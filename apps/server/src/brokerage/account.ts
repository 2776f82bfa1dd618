import { type BrokerId, isBuiltIn } from '@tradewright/core/broker-catalogue'
import { Problem } from '@tradewright/core/problem'

export type VerificationStatus = 'verified' | 'not_verified' | 'rejected'

export interface Verification {
  readonly status: VerificationStatus
  /** Why it is not verified; null where it is. */
  readonly reason: string | null
  /** When the broker last answered with these keys. */
  readonly connectedAt: Date | null
  /** The broker's own name for the account; absent or null where it has not said it. */
  readonly brokerAccountId?: string | null
}

/** Money and positions at a broker that belong to one user. */
export interface BrokerageAccount extends Verification {
  readonly id: number
  readonly userId: number
  readonly name: string
  readonly broker: BrokerId
  /** Virtual money, at whichever broker. */
  readonly isPaper: boolean
  readonly isDefault: boolean
  /** Null for the built-in account, which has none. */
  readonly sealedKeys: Buffer | null
  readonly createdAt: Date
}

export type NewAccount = Omit<BrokerageAccount, 'id' | 'userId' | 'createdAt'>

/** A built-in account may trade on made-up prices; a real brokerage account never. */
export const mayTradeSynthetic = ({ broker }: Pick<BrokerageAccount, 'broker'>): boolean => isBuiltIn(broker)

export const accountMissing = (): Problem =>
  new Problem('missing', 'account.missing', 'There is no such brokerage account.')

/** The row was written by a later version, or by hand. */
export const brokerUnknown = ({ name, broker }: BrokerageAccount): Problem =>
  new Problem('conflict', 'account.unknown-broker', `"${name}": this version has no broker "${broker}".`)

export const accountNotVerified = ({ name, reason }: BrokerageAccount): Problem =>
  new Problem(
    'conflict',
    'account.not-verified',
    `The brokerage account "${name}" cannot be used until its keys are verified.${reason ? ` ${reason}` : ''}`,
  )
