import { getAuthMethods, login, setPassword } from '@tradewright/contract/auth'
import { addTotp, beginTotp, getSecondStep, listFactors, signInWithFactor } from '@tradewright/contract/second-factor'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  expectAddress,
  madeCalls,
  openScreen,
  postToServer,
  signIn,
  signInAsNew,
  signInByForm,
  signOut,
  standIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

test('sessions are listed and signed out, one or everywhere', async () => {
  const person = await signInAsNew()
  const { token } = (await (
    await fetch('/api/login', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: person.username, password: person.password }),
    })
  ).json()) as { token: string }
  const statusElsewhere = async () =>
    (await fetch('/api/user', { credentials: 'omit', headers: { Authorization: `Bearer ${token}` } })).status
  expect(await statusElsewhere()).toBe(200)

  openScreen('/settings')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect.element(sessions.getByText('This session')).toHaveLength(1)
  await expect.element(sessions.getByText('after 30 days without use, and 90 days after its sign-in.')).toBeVisible()
  await sessions.getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  await expect.element(page.getByText('Chrome on Linux was signed out.')).toBeVisible()
  await expect.element(sessions.getByRole('button', { name: 'Sign out Chrome on Linux' })).not.toBeInTheDocument()
  expect(await statusElsewhere()).toBe(401)

  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expectAddress('/login')
  openScreen('/')
  await expectAddress('/login')
})

test('the security log tells of failures and changes', async () => {
  const { username } = await signInAsNew()
  for (let i = 0; i < 2; i += 1) {
    await fetch('/api/login', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: username, password: 'a guess' }),
    })
  }
  openScreen('/settings')
  const log = page.getByRole('region', { name: 'Security Log' })
  await expect.element(log.getByText('Wrong password at sign-in')).toBeVisible()
  await expect.element(log.getByText('2 times')).toBeVisible()
  await expect.element(log.getByText('Account created')).toBeVisible()
  await expectAccessible()
})

test('a second factor is added by password and code, and asked for at the next sign-in', async () => {
  const person = await signInAsNew()
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const recovery = Array.from({ length: 10 }, (_, index) => `abcd-efgh-ijkl-mno${index}`)
  const factor = {
    id: 'a',
    kind: 'totp' as const,
    name: 'Phone',
    created_at: '2026-03-02T12:00:00Z',
    last_used_at: null,
  }
  let isAdded = false
  standIn([
    on(listFactors, () => ({
      success: true as const,
      factors: isAdded ? [factor] : [],
      recovery_codes: isAdded ? 10 : 0,
      passkeys_work: false,
    })),
    on(beginTotp, () => ({ success: true as const, secret, uri: `otpauth://totp/Tradewright:ann?secret=${secret}` })),
    on(addTotp, () => {
      isAdded = true
      return { success: true as const, factor, recovery_codes: recovery }
    }),
    on(login, () => refuse('Enter the code of your second factor.', { status: 401, code: 'sign-in.second-step' })),
    on(getSecondStep, () => ({ methods: ['totp' as const, 'recovery code' as const], passkey_options: null })),
    on(signInWithFactor, () => refuse('This code is wrong.', { status: 403 })),
  ])
  openScreen('/settings')
  const section = page.getByRole('region', { name: 'Second Factor' })
  await section.getByRole('button', { name: 'Add app' }).click()
  await section.getByLabelText('Your password').fill(person.password)
  await section.getByRole('button', { name: 'Continue' }).click()
  await expect.element(section.getByAltText('QR code for the authenticator app')).toBeVisible()
  await expect.element(section.getByLabelText('Key')).toHaveValue(secret)
  await section.getByLabelText('Code').fill('123456')
  await expectAccessible()
  await section.getByRole('button', { name: 'Check the code' }).click()
  await expect.element(section.getByText(recovery[9]!)).toBeVisible()
  await section.getByRole('button', { name: 'I have them' }).click()
  await expect.element(section.getByText('10 are left.')).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expectAddress('/login')
  await page.getByLabelText('Username').fill(person.username)
  await page.getByLabelText('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.element(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabelText('Code').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('This code is wrong.')
  await expectAccessible()
})

test('a passkey after a wrong code answers the newest question', async () => {
  const person = await signInAsNew()
  await signOut()
  const base64url = (text: string) => btoa(text).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
  let asked = 0
  const answered = vi.spyOn(navigator.credentials, 'get').mockRejectedValue(new Error('not here'))
  standIn([
    on(login, () => refuse('Enter the code of your second factor.', { status: 401, code: 'sign-in.second-step' })),
    on(getSecondStep, async () => {
      asked += 1
      // The first is there when the form opens; a later one is not there at once.
      if (asked > 1) await new Promise((resolve) => setTimeout(resolve, 500))
      return {
        methods: ['passkey' as const, 'recovery code' as const],
        passkey_options: { challenge: base64url(`question ${asked}`), rpId: '127.0.0.1' },
      }
    }),
    on(signInWithFactor, () => refuse('This code is wrong.', { status: 403 })),
  ])
  openScreen('/login')
  await page.getByLabelText('Username').fill(person.username)
  await page.getByLabelText('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabelText('Code').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('This code is wrong.')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect.poll(() => answered.mock.calls.length).toBe(1)
  const { challenge } = answered.mock.calls[0]![0]!.publicKey!
  expect(new TextDecoder().decode(challenge)).toBe(`question ${asked}`)
})

test('the password is changed by who knows it', async () => {
  const person = await signInAsNew()
  openScreen('/settings')
  await page.getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('form', { name: 'Change password' })
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect.element(page.getByText('Please enter your current password.')).toBeVisible()
  await form.getByLabelText('Current password').fill('a guess')
  await form.getByLabelText('New password').fill('a green canoe')
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect.element(page.getByText('Failed to save password: The current password is wrong.')).toBeVisible()
  await form.getByLabelText('Current password').fill(person.password)
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect.element(page.getByText('Password changed. Every other session was signed out.')).toBeVisible()
  await expect.element(form).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expectAddress('/login')
  await signInByForm({ ...person, password: 'a green canoe' })
  await expect.element(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()
})

test('who came through Google sets a first password', async () => {
  await signIn()
  const google = { google_linked: true, google_email: 'ann@example.com', oauth_provider: 'google' }
  standIn([
    on(getAuthMethods, () => ({ ...google, password_enabled: false, has_password: false })),
    on(setPassword, () => ({ success: true as const })),
  ])
  openScreen('/settings')
  await page.getByRole('button', { name: 'Set password' }).click()
  const form = page.getByRole('form', { name: 'Set password' })
  await expect.element(form.getByLabelText('Current password')).not.toBeInTheDocument()
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect.element(page.getByText('Please enter a new password.')).toBeVisible()
  await form.getByLabelText('New password').fill('a green canoe')
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect.element(page.getByText('Password set.')).toBeVisible()
  expect(madeCalls('POST', '/api/auth/password/set').map(({ body }) => body)).toEqual([{ password: 'a green canoe' }])
})

test('a user takes the data along and leaves, when the name was typed', async () => {
  const person = await signInAsNew()
  openScreen('/settings')
  const section = page.getByRole('region', { name: 'Your Data' })
  await expect.element(section.getByRole('link', { name: 'Download' })).toHaveAttribute('download')
  const answer = await fetch('/api/user/export')
  expect(answer.headers.get('Content-Disposition')).toMatch(/filename="tradewright-data-.+\.json"/)
  const { data } = (await answer.json()) as { data: { users: { username: string }[] } }
  expect(data.users[0]?.username).toBe(person.username)

  await section.getByRole('button', { name: 'Delete account' }).click()
  const modal = page.getByRole('dialog')
  const confirm = modal.getByRole('button', { name: 'Delete account permanently' })
  await expect.element(confirm).toBeDisabled()
  await modal.getByLabelText(/^Type your username/).fill(person.username)
  await modal.getByLabelText('Your password').fill('wrong')
  await expectAccessible(modal.element())
  await confirm.click()
  await expect.element(page.getByText('Failed to delete your account: The current password is wrong.')).toBeVisible()
  await expect.element(modal).not.toBeInTheDocument()
  await section.getByRole('button', { name: 'Delete account' }).click()
  await modal.getByLabelText(/^Type your username/).fill(person.username)
  await modal.getByLabelText('Your password').fill(person.password)
  await confirm.click()
  await expectAddress('/login')
  await expect.element(page.getByText('Your account was deleted')).toBeVisible()
  await signInByForm(person)
  await expect.element(page.getByRole('alert')).toHaveTextContent('Wrong username or password.')
  // The name is free again.
  const { username, password } = person
  await postToServer('/api/register', { username, email: username, password })
})

test('an API key is made with the password, shown once and revoked', async () => {
  const person = await signInAsNew()
  openScreen('/settings')
  const section = page.getByRole('region', { name: 'API Keys' })
  await section.getByRole('button', { name: 'Create API key' }).click()
  const form = section.getByRole('form', { name: 'Create API key' })
  await form.getByLabelText('Name').fill('Notebook')
  await expect.element(form.getByLabelText('Read', { exact: true })).toBeChecked()
  await expect.element(form.getByLabelText('Trade live')).not.toBeChecked()
  await form.getByLabelText('Your password').fill(person.password)
  await form.getByRole('button', { name: 'Create API key' }).click()
  await expect.element(section.getByLabelText('API key “Notebook”')).toBeVisible()
  const secret = (section.getByLabelText('API key “Notebook”').element() as HTMLInputElement).value
  expect(secret).toMatch(/^tw_/)
  await section.getByRole('button', { name: 'Done' }).click()
  await expect.element(section.getByText(secret)).not.toBeInTheDocument()

  const headers = { authorization: `Bearer ${secret}` }
  const statusOf = async (path: string) => (await fetch(path, { headers, credentials: 'omit' })).status
  expect(await statusOf('/api/v1/strategies')).toBe(200)
  expect(await statusOf('/api/v1/keys')).toBe(403)
  await section.getByRole('button', { name: 'Revoke Notebook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke API key' }).click()
  await expect.element(page.getByText('The API key “Notebook” was revoked.')).toBeVisible()
  expect(await statusOf('/api/v1/strategies')).toBe(401)
})
