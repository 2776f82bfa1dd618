import {
  allCredentials,
  type BrokerId,
  brokerOf,
  type BuiltInBrokerId,
  credentialsOf,
  isBuiltIn,
} from '@tradewright/core/broker-catalogue'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { Seal } from '../secrets/seal.ts'
import { accountMissing, type BrokerageAccount, type NewAccount } from './account.ts'
import { openKeys, readableKeys, sealKeys } from './account-keys.ts'
import type { PaperChoices, PaperSettings, PaperStore } from './paper/ports.ts'
import type { AccountKeys, AccountRows, CheckKeysAt, DeploymentsOnAccount, GivenKeys } from './ports.ts'
import { checkedKeys, verificationOf } from './verification.ts'

export interface AccountDeps {
  readonly rows: AccountRows
  readonly checkKeys: CheckKeysAt
  readonly deploymentsOn: DeploymentsOnAccount
  /** The user's built-in account, opened when there is none. */
  readonly openPaperAccount: (
    userId: number,
    account: NewAccount,
    settings: PaperSettings,
    at: Date,
  ) => Promise<BrokerageAccount>
  readonly paper: Pick<PaperStore, 'chosen' | 'choose'>
  readonly seal: Seal
  readonly clock: Clock
}

interface AccountForm extends GivenKeys {
  readonly name: string | undefined
  readonly broker: BrokerId
  readonly isPaper: boolean
  readonly isDefault: boolean
}

/** An account that was saved, and what its owner should know about it. */
export interface SavedAccount {
  readonly account: BrokerageAccount
  readonly message: string | null
}

export async function addAccount(deps: AccountDeps, userId: number, form: AccountForm): Promise<SavedAccount> {
  const { name, broker, isPaper, isDefault } = form
  const keys = keysOf(broker, form)
  if (!name || !keys) {
    throw new Problem('invalid', 'account.fields', 'Please enter account name, API Key and Secret')
  }
  if (isPaper && !brokerOf(broker).paperHint) {
    const sentence = `${brokerOf(broker).name} has no paper accounts: switch Paper trading off to trade with real money.`
    throw new Problem('invalid', 'account.no-paper', sentence)
  }
  await refuseKnownKeys(deps, userId, keys)
  const verified = await checkedKeys(deps, broker, keys, isPaper)
  const account = await deps.rows.insert(
    userId,
    { name, broker, isPaper, isDefault, sealedKeys: null, ...verified },
    deps.clock.now(),
    (id) => sealKeys(deps.seal, { id, userId, broker }, keys),
  )
  return { account, message: messageFor(account) }
}

interface PaperForm extends PaperSettings {
  readonly name: string | undefined
  readonly broker: BuiltInBrokerId
}

export async function addPaperAccount(deps: AccountDeps, userId: number, form: PaperForm): Promise<SavedAccount> {
  const now = deps.clock.now()
  const account = {
    name: form.name || brokerOf(form.broker).accountName!,
    broker: form.broker,
    isPaper: true,
    isDefault: false,
    sealedKeys: null,
    status: 'verified',
    reason: null,
    connectedAt: now,
  } as const
  return { account: await deps.openPaperAccount(userId, account, form, now), message: null }
}

export async function changeAccount(
  deps: AccountDeps,
  userId: number,
  id: number,
  form: Pick<AccountForm, 'name'> &
    GivenKeys & { readonly [Choice in keyof PaperChoices]?: PaperChoices[Choice] | undefined },
): Promise<SavedAccount> {
  if (!form.name) throw new Problem('invalid', 'account.name', 'Account name cannot be empty')
  const account = await findAccount(deps, userId, id)
  const hasKeys = allCredentials.some(({ key }) => form[key])
  if (hasKeys) await replaceKeys(deps, account, keysOf(account.broker, form))
  await chooseFor(deps, account, form)
  await deps.rows.rename(userId, id, form.name)
  const changed = await findAccount(deps, userId, id)
  return { account: changed, message: messageFor(changed) }
}

async function chooseFor(
  { paper }: AccountDeps,
  { id, broker }: BrokerageAccount,
  { shortBorrowPct, fillModel }: { readonly [Choice in keyof PaperChoices]?: PaperChoices[Choice] | undefined },
): Promise<void> {
  if (!isBuiltIn(broker)) {
    if (shortBorrowPct !== undefined) {
      const sentence = `${brokerOf(broker).name} sets what borrowed shares cost; only on a built-in account can you set the rate.`
      throw new Problem('invalid', 'account.borrow-rate', sentence)
    }
    if (fillModel !== undefined) {
      const sentence = `${brokerOf(broker).name} fills its orders itself; only on a built-in account can you choose how.`
      throw new Problem('invalid', 'account.fill-model', sentence)
    }
    return
  }
  await paper.choose(id, { ...(shortBorrowPct !== undefined && { shortBorrowPct }), ...(fillModel && { fillModel }) })
}

async function replaceKeys(deps: AccountDeps, account: BrokerageAccount, keys: AccountKeys | undefined): Promise<void> {
  if (isBuiltIn(account.broker)) {
    throw new Problem('invalid', 'account.no-keys', 'The built-in paper account needs no keys.')
  }
  if (!keys) throw new Problem('invalid', 'account.fields', 'Please enter both API Key and Secret to replace them.')
  await refuseKnownKeys(deps, account.userId, keys, account.id)
  const verified = await checkedKeys(deps, account.broker, keys, account.isPaper)
  const { brokerAccountId: known } = account
  // History, books and orders belong to the account they were made in.
  if (known && verified.brokerAccountId !== known) {
    throw verified.brokerAccountId ? keysOfAnother(account) : keysUnproven(account)
  }
  const sealed = sealKeys(deps.seal, account, keys)
  await deps.rows.setVerification(account.userId, account.id, verified, sealed)
}

const keysOfAnother = ({ name }: BrokerageAccount) =>
  new Problem(
    'invalid',
    'account.other-keys',
    `These keys belong to another account at the broker than "${name}". Add it as an account of its own.`,
  )

const keysUnproven = ({ name }: BrokerageAccount) =>
  new Problem(
    'unavailable',
    'account.unproven-keys',
    `The broker cannot confirm right now that these keys belong to "${name}", so its keys stay as they are. Try again later.`,
  )

export async function setDefaultAccount(deps: AccountDeps, userId: number, id: number): Promise<void> {
  await findAccount(deps, userId, id)
  if (!(await deps.rows.setDefault(userId, id))) throw accountMissing()
}

/** Asks the broker again, whatever was known before. */
export async function verifyAccount(deps: AccountDeps, userId: number, id: number): Promise<SavedAccount> {
  const account = await findAccount(deps, userId, id)
  if (!isBuiltIn(account.broker)) {
    const check = await deps.checkKeys(account.broker, openKeys(deps.seal, account), account.isPaper)
    await deps.rows.setVerification(userId, id, verificationOf(check, deps.clock.now()))
  }
  const checked = await findAccount(deps, userId, id)
  return { account: checked, message: messageFor(checked) }
}

export async function deleteAccount(deps: AccountDeps, userId: number, id: number): Promise<void> {
  const { name } = await findAccount(deps, userId, id)
  const deployments = await deps.deploymentsOn(userId, id)
  if (deployments.length > 0) {
    const names = deployments.map((one) => `"${one}"`).join(', ')
    const sentence = `"${name}" is used by these deployments: ${names}. Stop them before you delete the account.`
    throw new Problem('conflict', 'account.in-use', sentence)
  }
  if (!(await deps.rows.remove(userId, id))) throw accountMissing()
}

export async function findAccount(
  { rows }: Pick<AccountDeps, 'rows'>,
  userId: number,
  id: number,
): Promise<BrokerageAccount> {
  const account = await rows.find(userId, id)
  if (!account) throw accountMissing()
  return account
}

/** Undefined where one that the broker asks for is missing. */
function keysOf(broker: BrokerId, form: GivenKeys): AccountKeys | undefined {
  const values = credentialsOf(broker).map(({ key }) => [key, form[key]] as const)
  return values.every(([, value]) => value) ? (Object.fromEntries(values) as AccountKeys) : undefined
}

/** The same account twice would count the same money twice. */
async function refuseKnownKeys(
  deps: AccountDeps,
  userId: number,
  { keyId }: AccountKeys,
  exceptOf?: number,
): Promise<void> {
  for (const account of await deps.rows.list(userId)) {
    if (account.id === exceptOf || readableKeys(deps.seal, account)?.keyId !== keyId) continue
    throw new Problem('conflict', 'account.known-keys', `This API key is already connected as "${account.name}".`)
  }
}

const messageFor = ({ status, reason }: BrokerageAccount): string | null =>
  status === 'verified'
    ? null
    : `The account is saved but not verified yet, and cannot trade until it is. ${reason ?? ''}`.trim()
