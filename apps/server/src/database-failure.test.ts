import { Problem } from '@tradewright/core/problem'
import { expect, it } from 'vitest'
import { databaseOutage } from './database-failure.ts'

const failure = (code: string) => Object.assign(new Error(`could not: ${code}`), { code })

it.each([
  ['53100', 'database.full', /disk of the database is full/],
  ['53200', 'database.memory', /no memory left/],
  ['58030', 'database.disk', /cannot read or write its files/],
  ...['57P01', '57P02', '57P03', '08006', 'ECONNREFUSED', 'ECONNRESET', '25006'].map(
    (code) => [code, 'database.away', /cannot be reached right now/] as const,
  ),
] as const)('answers %s of the database as an outage', (sqlState, code, sentence) => {
  const outage = databaseOutage(failure(sqlState))
  expect(outage).toBeInstanceOf(Problem)
  expect(outage).toMatchObject({ kind: 'unavailable', code, message: expect.stringMatching(sentence) })
  expect(outage!.retryAfterSeconds).toBeGreaterThan(0)
})

it.each(['Connection terminated unexpectedly', 'Client has encountered a connection error and is not queryable'])(
  'knows the driver’s own words: %s',
  (message) => {
    expect(databaseOutage(new Error(message))?.code).toBe('database.away')
  },
)

it('is busy, and not away, where every connection is in use', () => {
  const busy = databaseOutage(new Error('timeout exceeded when trying to connect'))
  expect(busy).toMatchObject({ kind: 'unavailable', code: 'database.busy', message: expect.stringContaining('busy') })
  expect(databaseOutage(failure('53300'))?.code).toBe('database.busy')
})

it('knows an outage again that was told already', () => {
  const busy = databaseOutage(new Error('timeout exceeded when trying to connect'))!
  expect(databaseOutage(busy)).toBe(busy)
  expect(databaseOutage(new Problem('unavailable', 'broker.away', 'The broker is away.'))).toBeUndefined()
})

it.each([failure('23505'), failure('42P01'), new Error('bug'), 'text', undefined])('leaves alone %s', (error) => {
  expect(databaseOutage(error)).toBeUndefined()
})
