import { allCredentials, brokerIds, credentialsOf, isBuiltIn } from '@tradewright/core/broker-catalogue'
import { AddAccountBody, ChangeAccountBody } from '@tradewright/contract/brokerage-accounts'
import { expect, it } from 'vitest'
import { createSeal } from '../secrets/seal.ts'
import type { BrokerageAccount } from './account.ts'
import { openKeys, readableKeys, sealKeys } from './account-keys.ts'
import type { AccountKeys } from './ports.ts'

const seal = createSeal('a secret that only tests know')
const row = { id: 7, userId: 3, name: 'Main' }
const accountWith = (broker: BrokerageAccount['broker'], sealedKeys: Buffer) =>
  ({ ...row, broker, sealedKeys }) as BrokerageAccount

it.each(brokerIds.filter((id) => !isBuiltIn(id)))('opens every value that %s asks for', (broker) => {
  const keys = Object.fromEntries(credentialsOf(broker).map(({ key }) => [key, `the ${key}`])) as unknown as AccountKeys
  expect(openKeys(seal, accountWith(broker, sealKeys(seal, { ...row, broker }, keys)))).toEqual(keys)
})

it('opens keys that were sealed as a list of id and secret', () => {
  const place = { table: 'brokerage_accounts', row: row.id, userId: row.userId } as const
  const sealed = seal.seal(place, JSON.stringify(['PK1', 'secret']))
  expect(openKeys(seal, accountWith('alpaca', sealed))).toEqual({ keyId: 'PK1', secretKey: 'secret' })
})

it('asks again for keys that lack a value of the broker', () => {
  const place = { table: 'brokerage_accounts', row: row.id, userId: row.userId } as const
  expect(readableKeys(seal, accountWith('alpaca', seal.seal(place, JSON.stringify(['PK1']))))).toBeUndefined()
})

it('has a field in the calls for every value that a broker asks for', () => {
  for (const { wireKey } of allCredentials) {
    expect(Object.keys(AddAccountBody.shape)).toContain(wireKey)
    expect(Object.keys(ChangeAccountBody.shape)).toContain(wireKey)
  }
})
