import { describe, expect, test } from 'vitest'
import { playwrightCounts, vitestCounts } from './test-counts.ts'

const vitestTest = (status: string, fullName: string, failureMessages: string[] = []) => ({
  status,
  fullName,
  failureMessages,
})

describe('what vitest reports', () => {
  test('a failed test is named with the first lines of its error', () => {
    const counts = vitestCounts({
      testResults: [
        {
          name: 'ledger.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [
            vitestTest('passed', 'books balance'),
            vitestTest('failed', 'no cent is lost', [
              '\u001B[31mexpected 1 to be 2\u001B[39m\n    at ledger.test.ts:7',
            ]),
            vitestTest('skipped', 'azure store'),
          ],
        },
      ],
    })
    expect(counts).toMatchObject({ passed: 1, failed: 1, skipped: ['azure store'] })
    expect(counts.failures).toEqual([
      'ledger.test.ts: no cent is lost\n    expected 1 to be 2\n        at ledger.test.ts:7',
    ])
  })

  test('a file that could not be loaded has failed', () => {
    const counts = vitestCounts({
      testResults: [{ name: 'ledger.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }],
    })
    expect(counts).toMatchObject({ failed: 1, failures: ['ledger.test.ts\n    no such module'] })
  })

  test('a file without a test is named as skipped', () => {
    const counts = vitestCounts({
      testResults: [{ name: 'ledger.test.ts', status: 'passed', message: '', assertionResults: [] }],
    })
    expect(counts).toMatchObject({ passed: 0, failed: 0, skipped: ['ledger.test.ts: it has no test'] })
  })
})

test('stories count by how they ended, and what broke outside of them has failed', () => {
  const story = (title: string, status: string, message?: string) => ({
    title,
    tests: [{ status, annotations: [], results: message ? [{ error: { message } }, {}] : [{}] }],
  })
  const specs = [story('signs in', 'expected'), story('logs out', 'unexpected', 'no link')]
  const counts = playwrightCounts({ suites: [{ title: 'sign-in', specs }], errors: [{ message: 'no browser' }] })
  expect(counts).toEqual({
    passed: 1,
    failed: 2,
    failures: ['logs out\n    no link', 'browser stories\n    no browser'],
    skipped: [],
  })
})
