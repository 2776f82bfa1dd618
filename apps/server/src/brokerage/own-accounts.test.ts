import { ManualClock } from '@tradewright/core/clock'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { OrderRequest } from '@tradewright/engine/trading/order'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createTestUser } from '../../test-support/test-user.ts'
import { createSeal } from '../secrets/seal.ts'
import { createPaperStore } from '../stores/brokerage/paper-accounts.ts'
import { createAccountRows } from '../stores/brokerage/brokerage-accounts.ts'
import { createBrokerFor } from './broker-for.ts'
import { type AccountDeps, addAccount, changeAccount, deleteAccount } from './own-accounts.ts'
import type { KeyCheck } from './ports.ts'
import { recheckUnverified } from './verification.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const form = {
  name: 'Main',
  broker: 'alpaca' as const,
  keyId: 'PK1',
  secretKey: 'secret',
  isPaper: true,
  isDefault: false,
}
let users = 0

async function open() {
  const userId = await createTestUser(test.database, `accounts-${++users}`)
  let check: KeyCheck = { outcome: 'unreachable', reason: 'No answer.' }
  const rows = createAccountRows(test.database)
  const deps: AccountDeps = {
    rows,
    checkKeys: async () => check,
    deploymentsOn: async () => ['Momentum', 'Safe Half'],
    openPaperAccount: () => Promise.reject(new Error('not asked for here')),
    paper: createPaperStore(test.database),
    seal: createSeal('a secret that only tests know'),
    clock: new ManualClock(new Date('2026-03-04T16:00:00Z')),
  }
  const brokerFor = createBrokerFor({
    rows,
    open: () => {
      throw new Error('opened')
    },
  })
  return { userId, deps, brokerFor, answer: (next: KeyCheck) => void (check = next) }
}

it('refuses to delete an account that deployments use, and names them', async () => {
  const { userId, deps } = await open()
  const { account } = await addAccount(deps, userId, form)
  await expect(deleteAccount(deps, userId, account.id)).rejects.toMatchObject({
    kind: 'conflict',
    message: '"Main" is used by these deployments: "Momentum", "Safe Half". Stop them before you delete the account.',
  })
})

it('gives out no broker before the keys are verified, which is tried again later', async () => {
  const { userId, deps, brokerFor, answer } = await open()
  const { account } = await addAccount(deps, userId, form)
  await expect(brokerFor(userId, account.id)).rejects.toMatchObject({
    kind: 'conflict',
    message: 'The brokerage account "Main" cannot be used until its keys are verified. No answer.',
  })
  await recheckUnverified(deps)
  await expect(brokerFor(userId, account.id)).rejects.toMatchObject({ kind: 'conflict' })
  answer({ outcome: 'accepted', brokerAccountId: 'a-1' })
  await recheckUnverified(deps)
  await expect(brokerFor(userId, account.id)).rejects.toThrow('opened')
  await expect(brokerFor(userId + 1, account.id)).rejects.toMatchObject({ kind: 'missing' })
})

it('does not ask again about keys the broker has refused', async () => {
  const { userId, deps, answer } = await open()
  await addAccount(deps, userId, form)
  answer({ outcome: 'rejected', reason: 'Unknown keys.' })
  await recheckUnverified(deps)
  answer({ outcome: 'accepted', brokerAccountId: 'a-1' })
  await recheckUnverified(deps)
  expect(await deps.rows.list(userId)).toMatchObject([{ status: 'rejected', reason: 'Unknown keys.' }])
})

it('keeps an account the same account when its keys are replaced', async () => {
  const { userId, deps, answer } = await open()
  answer({ outcome: 'accepted', brokerAccountId: 'a-1' })
  const { account } = await addAccount(deps, userId, form)
  const replace = (keyId: string) => changeAccount(deps, userId, account.id, { ...form, keyId })
  answer({ outcome: 'accepted', brokerAccountId: 'b-2' })
  await expect(replace('PK2')).rejects.toMatchObject({
    kind: 'invalid',
    message: 'These keys belong to another account at the broker than "Main". Add it as an account of its own.',
  })
  answer({ outcome: 'unreachable', reason: 'No answer.' })
  await expect(replace('PK2')).rejects.toMatchObject({ kind: 'unavailable' })
  answer({ outcome: 'accepted', brokerAccountId: 'a-1' })
  expect((await replace('PK2')).account.status).toBe('verified')
})

it('sends no order for an account with real money where the operator allows paper alone', async () => {
  const { userId, deps, answer } = await open()
  answer({ outcome: 'accepted', brokerAccountId: 'live-1' })
  const live = await addAccount(deps, userId, { ...form, name: 'Live', isPaper: false })
  answer({ outcome: 'accepted', brokerAccountId: 'paper-1' })
  const paper = await addAccount(deps, userId, { ...form, name: 'Paper', keyId: 'PK2' })
  const placed: unknown[] = []
  const broker = {
    account: async () => ({ blockedBecause: undefined }),
    place: async (request: unknown) => void placed.push(request),
    cancel: async () => {},
  } as unknown as Broker
  const brokerFor = createBrokerFor({ rows: deps.rows, open: () => broker, isPaperOnly: true })
  const guarded = await brokerFor(userId, live.account.id)
  await expect(guarded.place({} as OrderRequest)).rejects.toMatchObject({ kind: 'denied', code: 'broker.paper-only' })
  expect(await guarded.account()).toMatchObject({ blockedBecause: 'this instance trades paper accounts only' })
  await guarded.cancel('open')
  await (await brokerFor(userId, paper.account.id)).place({} as OrderRequest)
  expect(placed).toHaveLength(1)
})
