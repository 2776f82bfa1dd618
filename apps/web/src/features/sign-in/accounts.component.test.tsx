import { getRegistration, linkGoogle, register } from '@tradewright/contract/auth'
import { confirmEmail, getEmail, sendEmailVerification } from '@tradewright/contract/email'
import { confirmRecipient } from '@tradewright/contract/live-trading-watch'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { madeCalls, openScreen, signIn, signInAsNew, signOut, standIn } from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

const success = true as const
const TOKEN = 'a'.repeat(43)
const alert = page.getByRole('alert')

test('a site that asks for invitations offers no registration, and says what is wrong with an invitation', async () => {
  await signOut()
  const answers = [
    'This password is among the most common ones. Please choose another one.',
    'This invitation has already been used or has expired.',
  ]
  standIn([
    on(getRegistration, () => ({ registration: 'invite' as const, min_password_length: 8 })),
    on(register, () => refuse(answers.shift() ?? '')),
  ])
  openScreen('/login')
  await expect.element(page.getByRole('link', { name: 'Sign in with Google' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Create an account' })).not.toBeInTheDocument()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect.element(navigation.getByRole('link', { name: 'Register' })).not.toBeInTheDocument()
  openScreen('/register')
  await expect.element(page.getByText('New accounts need an invitation on this site.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create Account' })).not.toBeInTheDocument()

  openScreen(`/register?invite=${TOKEN}`)
  await page.getByLabelText('Username').fill('ann')
  await page.getByLabelText('Password').fill('password1')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect
    .element(alert)
    .toHaveTextContent('This password is among the most common ones. Please choose another one.')
  await expect
    .element(page.getByRole('link', { name: 'Register with Google' }))
    .toHaveAttribute('href', `/api/auth/google/login?invite=${TOKEN}`)
  await page.getByLabelText('Password').fill('blue canoe on a quiet lake')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect.element(alert).toHaveTextContent('This invitation has already been used or has expired.')
  expect(madeCalls('POST', '/api/register').map(({ body }) => body)).toEqual([
    expect.objectContaining({ username: 'ann', invite: TOKEN }),
    expect.objectContaining({ username: 'ann', invite: TOKEN }),
  ])
})

test('an e-mail address is verified by its link', async () => {
  await signIn()
  let verified = false
  const email = 'ann@example.com'
  standIn([
    on(getEmail, () => ({ email, verified, pending_email: null, can_verify: true })),
    on(sendEmailVerification, () => ({ success, email })),
    on(confirmEmail, () => {
      if (verified) return refuse('This link has already been used or has expired.', { status: 409 })
      verified = true
      return { success, email }
    }),
  ])
  openScreen('/settings')
  const section = page.getByRole('region', { name: 'Authentication & Security' })
  await expect.element(section.getByText('Not verified', { exact: true })).toBeVisible()
  await section.getByRole('button', { name: 'Resend link' }).click()
  await expect.element(page.getByText(`A link was sent to ${email}. Open it within 24 hours.`)).toBeVisible()

  const link = `/verify-email?token=${TOKEN}`
  openScreen(link)
  await page.getByRole('button', { name: 'Confirm e-mail address' }).click()
  await expect.element(page.getByText(`${email} is verified.`)).toBeVisible()
  expect(madeCalls('POST', '/api/auth/email/confirm').map(({ body }) => body)).toEqual([{ token: TOKEN }])
  openScreen(link)
  await page.getByRole('button', { name: 'Confirm e-mail address' }).click()
  await expect.element(alert).toMatchTextContent('This link has already been used or has expired.')
  openScreen('/settings')
  await expect.element(section.getByText('Verified', { exact: true })).toBeVisible()
})

test('a recipient of notifications confirms with a click, without an account', async () => {
  standIn([
    on(confirmRecipient, ({ body }) => ({ success, email: `friend@example.com (${String(body['token']).length})` })),
  ])
  await signOut()
  openScreen(`/verify-email?recipient=${TOKEN}`)
  await expect.element(page.getByRole('heading', { name: 'Receive notifications?' })).toBeVisible()
  await page.getByRole('button', { name: 'Receive notifications' }).click()
  await expect.element(page.getByText(`friend@example.com (${TOKEN.length}) receives notifications.`)).toBeVisible()
})

test('a sign-in that was cancelled at Google says so', async () => {
  await signOut()
  openScreen('/login?error=access_denied')
  await expect.element(alert).toMatchTextContent('Google sign-in was cancelled.')
})

test('where the site has no Google, the link comes back with a clear sentence [SHELL-073, SET-062, SET-082]', async () => {
  const { password } = await signInAsNew()
  standIn([on(linkGoogle, () => refuse('Not here.', { status: 503 }))])
  openScreen('/settings')
  await page.getByRole('button', { name: 'Link Google' }).click()
  await page.getByRole('button', { name: 'Continue to Google' }).click()
  await expect.element(alert).toHaveTextContent('Please enter your password.')
  await page.getByLabelText('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue to Google' }).click()
  await expect.element(alert).toHaveTextContent('Failed to link Google account: Not here.')

  await page.getByRole('button', { name: 'Logout' }).click()
  const google = page.getByRole('main').getByRole('link', { name: 'Sign in with Google' })
  await expect.element(google).toHaveAttribute('href', expect.stringMatching(/^\/api\/auth\/google\/login/))
  // Where the answer of a server without Google leads, which is tested in http/auth/google.test.ts.
  openScreen('/login?error=google_unavailable')
  await expect.element(alert).toHaveTextContent('Sign in with Google is not available on this site.')
  await expect.element(page.getByLabelText('Username')).toBeVisible()
})
