import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { callsWithoutIterator, PYTHON_CLIENT, pythonClient } from './python-client.ts'

it('the committed client is what the contract gives: npm run client:python', async () => {
  expect(readFileSync(PYTHON_CLIENT, 'utf8') === (await pythonClient())).toBe(true)
})

it('every call with pages has an iterator', async () => {
  expect(await callsWithoutIterator()).toEqual([])
})
