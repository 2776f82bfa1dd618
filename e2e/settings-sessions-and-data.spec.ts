import { readFileSync } from 'node:fs'
import { expectAccessibleDialog } from './accessible.ts'
import { expect, register, signInByForm, test } from './story.ts'

test('sessions are listed and signed out, one or everywhere', async ({ page, person, browser }) => {
  const phone = await browser.newPage({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) Version/18.5 Safari/604.1',
  })
  await phone.goto(new URL('/login', process.env['STORIES_URL']).href)
  await phone.getByLabel('Username').fill(person.username)
  await phone.getByLabel('Password').fill(person.password)
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await expect(phone.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()

  await page.goto('/settings')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByText('This session')).toHaveCount(1)
  await sessions.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
  await expect(page.getByText('Safari on iPhone was signed out.')).toBeVisible()
  await expect(sessions.getByText('Safari on iPhone')).toBeHidden()
  await phone.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await expect(phone).toHaveURL(/\/login$/)
  await phone.close()

  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/')
  await expect(page).toHaveURL('/login')
})

test('the password is changed by who knows it', async ({ page, person }) => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Change password' }).click()
  const form = page.getByRole('form', { name: 'Change password' })
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Please enter your current password.')).toBeVisible()
  await form.getByLabel('Current password').fill('a guess')
  await form.getByLabel('New password').fill('a green canoe')
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Failed to save password: The current password is wrong.')).toBeVisible()
  await form.getByLabel('Current password').fill(person.password)
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Password changed. Every other session was signed out.')).toBeVisible()
  await expect(form).toBeHidden()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await signInByForm(page, { ...person, password: 'a green canoe' })
  await expect(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()
})

test('who came through Google sets a first password', async ({ signedIn: page }) => {
  const google = { google_linked: true, google_email: 'ann@example.com', oauth_provider: 'google' }
  await page.route('**/api/auth/methods', (route) =>
    route.fulfill({ json: { ...google, password_enabled: false, has_password: false } }),
  )
  await page.route('**/api/auth/password/set', (route) => route.fulfill({ json: { success: true } }))
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Set password' }).click()
  const form = page.getByRole('form', { name: 'Set password' })
  await expect(form.getByLabel('Current password')).toBeHidden()
  await form.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Please enter a new password.')).toBeVisible()
  await form.getByLabel('New password').fill('a green canoe')
  const sent = page.waitForRequest('**/api/auth/password/set')
  await form.getByRole('button', { name: 'Save password' }).click()
  expect((await sent).postDataJSON()).toEqual({ password: 'a green canoe' })
  await expect(page.getByText('Password set.')).toBeVisible()
})

test('a user takes the data along and leaves, when the name was typed', async ({ page, person }) => {
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Your Data' })
  const arriving = page.waitForEvent('download')
  await section.getByRole('link', { name: 'Download' }).click()
  const download = await arriving
  expect(download.suggestedFilename()).toMatch(/^tradewright-data-.+\.json$/)
  const { data } = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    data: { users: { username: string }[] }
  }
  expect(data.users[0]?.username).toBe(person.username)

  await section.getByRole('button', { name: 'Delete account' }).click()
  const modal = page.getByRole('dialog')
  const confirm = modal.getByRole('button', { name: 'Delete account permanently' })
  await expect(confirm).toBeDisabled()
  await modal.getByLabel(/^Type your username/).fill(person.username)
  await modal.getByLabel('Your password').fill('wrong')
  await expectAccessibleDialog(page)
  await confirm.click()
  await expect(page.getByText('Failed to delete your account: The current password is wrong.')).toBeVisible()
  await expect(modal).toBeHidden()
  await section.getByRole('button', { name: 'Delete account' }).click()
  await modal.getByLabel(/^Type your username/).fill(person.username)
  await modal.getByLabel('Your password').fill(person.password)
  await confirm.click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your account was deleted')).toBeVisible()
  await signInByForm(page, person)
  await expect(page.getByRole('alert')).toHaveText('Wrong username or password.')
  // The name is free again.
  await register(page, person)
})

test('an API key is made with the password, shown once and revoked', async ({ page, person }) => {
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'API Keys' })
  await section.getByRole('button', { name: 'Create API key' }).click()
  const form = section.getByRole('form', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Notebook')
  await expect(form.getByLabel('Read', { exact: true })).toBeChecked()
  await expect(form.getByLabel('Trade live')).not.toBeChecked()
  await form.getByLabel('Your password').fill(person.password)
  await form.getByRole('button', { name: 'Create API key' }).click()
  const secret = await section.getByLabel('API key “Notebook”').inputValue()
  expect(secret).toMatch(/^tw_/)
  await section.getByRole('button', { name: 'Done' }).click()
  await expect(section.getByText(secret)).toBeHidden()

  const headers = { authorization: `Bearer ${secret}` }
  expect((await page.request.get('/api/v1/strategies', { headers })).status()).toBe(200)
  expect((await page.request.get('/api/v1/keys', { headers })).status()).toBe(403)
  await section.getByRole('button', { name: 'Revoke Notebook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke API key' }).click()
  await expect(page.getByText('The API key “Notebook” was revoked.')).toBeVisible()
  expect((await page.request.get('/api/v1/strategies', { headers })).status()).toBe(401)
})
