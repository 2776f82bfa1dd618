import { Problem } from '@tradewright/core/problem'
import { expect, it } from 'vitest'
import { databaseOutage } from './database-failure.ts'

const failure = (code: string) => Object.assign(new Error(`could not: ${code}`), { code })

it.each([
  ['53100', 'database.full', /disk of the database is full/],
  ['53200', 'database.memory', /no memory left/],
  ['58030', 'database.disk', /cannot read or write its files/],
  ...['57P01', '57P02', '57P03', '08006', 'ECONNREFUSED', 'ECONNRESET', '53300', '25006'].map(
    (code) => [code, 'database.away', /cannot be reached right now/] as const,
  ),
] as const)('answers %s of the database as an outage', (sqlState, code, sentence) => {
  const outage = databaseOutage(failure(sqlState))
  expect(outage).toBeInstanceOf(Problem)
  expect(outage).toMatchObject({ kind: 'unavailable', code, message: expect.stringMatching(sentence) })
  expect(outage!.retryAfterSeconds).toBeGreaterThan(0)
})

it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
])('knows the driver’s own words: %s', (message) => {
  expect(databaseOutage(new Error(message))?.code).toBe('database.away')
})

it.each([failure('23505'), failure('42P01'), new Error('bug'), 'text', undefined])('leaves alone %s', (error) => {
  expect(databaseOutage(error)).toBeUndefined()
})
