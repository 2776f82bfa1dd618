import { expect, it } from 'vitest'
import { CallError, UNREACHABLE } from '../../../lib/call-error.ts'
import { accountFailed, checkAccountName, checkNewAccount } from './messages.ts'

const refused = (status: number, serverMessage: string | null) => new CallError({ status, code: 'x', serverMessage })

it('names what failed with the reason of the server, or as unknown [SET-075] [SET-077] [SET-078] [SET-079] [SET-083]', () => {
  expect(accountFailed('add', refused(400, 'Alpaca rejects these keys.')).text).toBe(
    'Failed to add account: Alpaca rejects these keys.',
  )
  expect(accountFailed('rename', refused(500, null)).text).toBe('Failed to rename account: Unknown error')
  expect(accountFailed('default', refused(500, null)).text).toBe('Failed to set default: Unknown error')
  expect(accountFailed('delete', new Error('a bug')).text).toBe('Failed to delete account: Unknown error')
})

it('tells an error of the connection from a refusal [SET-076]', () => {
  expect(accountFailed('add', refused(0, null)).text).toBe(`Connection error: ${UNREACHABLE}`)
})

it('asks for all three fields, and for a name [SET-029] [SET-030]', () => {
  const form = { account_name: 'Main', api_key: 'PK', api_secret: 's' }
  expect(checkNewAccount(form)).toBeNull()
  for (const blank of ['account_name', 'api_key', 'api_secret']) {
    expect(checkNewAccount({ ...form, [blank]: '  ' })).toBe('Please enter account name, API Key and Secret')
  }
  expect(checkAccountName(' ')).toBe('Account name cannot be empty')
  expect(checkAccountName('Main')).toBeNull()
})
