import { expect, test } from './story.ts'

interface Methods {
  password_enabled: boolean
  google_linked: boolean
  google_email: string | null
}

const methods = (values: Partial<Methods>) => ({
  json: {
    password_enabled: true,
    google_linked: false,
    google_email: null,
    oauth_provider: values.google_linked ? 'google' : null,
    ...values,
  },
})

test('Settings lists its sections, and what is not there yet says so [SET-001, SET-006, SET-011, SET-014, SET-017]', async ({
  signedIn: page,
}) => {
  await page.goto('/settings')
  for (const title of [
    'Alpaca Integration',
    'OpenAI Integration',
    'Data Store Configuration',
    'Authentication & Security',
    'Notifications',
  ]) {
    await expect(page.getByRole('region', { name: title })).toBeVisible()
  }
  const notifications = page.getByRole('region', { name: 'Notifications' })
  await expect(notifications.getByText('Coming soon')).toBeVisible()
  await expect(notifications.locator('button, input, select, textarea')).toHaveCount(0)
})

test('without Google the password switch is off limits and says why [SET-015, SET-016, SET-024, SET-043, SET-061]', async ({
  signedIn: page,
}) => {
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Authentication & Security' })
  await expect(section.getByRole('switch', { name: 'Password sign-in' })).toBeChecked()
  await expect(section.getByRole('switch', { name: 'Password sign-in' })).toBeDisabled()
  await expect(
    section.getByText('Cannot disable password authentication without linking Google account first'),
  ).toBeVisible()
  await expect(section.getByRole('button', { name: 'Link Google' })).toBeEnabled()
})

test('while password sign-in is off, Google cannot be unlinked [SET-025, SET-044]', async ({ signedIn: page }) => {
  await page.route('**/api/auth/methods', (route) =>
    route.fulfill(methods({ password_enabled: false, google_linked: true, google_email: 'ann@example.com' })),
  )
  await page.goto('/settings')
  await expect(page.getByText('Linked to ann@example.com.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Unlink Google' })).toBeDisabled()
  await expect(page.getByRole('switch', { name: 'Password sign-in' })).toBeEnabled()
})

const ARRIVALS = [
  ['success=google_linked', 'Google account linked successfully!'],
  ['error=invalid_state', 'Invalid OAuth state. Please try again.'],
  ['error=invalid_oauth_response', 'Invalid response from Google. Please try again.'],
  ['error=google_account_already_linked', 'This Google account is already linked to another user.'],
  ['error=linking_failed', 'Failed to link Google account. Please try again.'],
  ['error=whatever', 'An error occurred during Google linking.'],
] as const

test('the message that comes with the address is shown, and the address cleaned [SET-018, SET-019, SET-084..089]', async ({
  signedIn: page,
}) => {
  for (const [query, sentence] of ARRIVALS) {
    await page.goto(`/settings?${query}`)
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(page).toHaveURL('/settings')
  }
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
})

test('a success goes by itself after 5 seconds, unless the pointer or the focus is on it; an error stays [SET-028]', async ({
  signedIn: page,
}) => {
  await page.clock.install({ time: new Date('2026-11-14T12:00:00Z') })
  await page.clock.pauseAt(new Date('2026-11-14T12:00:01Z'))
  await page.goto('/settings?success=google_linked')
  const message = page.getByText('Google account linked successfully!')
  // The clock stands still, so the page gets to its first picture in steps of our own.
  await expect(async () => {
    await page.clock.runFor(100)
    expect(await message.isVisible()).toBe(true)
  }).toPass()
  await page.clock.runFor(4_000)
  await expect(message).toBeVisible()
  await message.hover()
  await page.clock.runFor(10_000)
  await expect(message).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(700)
  await expect(message).toBeVisible()
  await page.clock.runFor(400)
  await expect(message).toBeHidden()

  await page.goto('/settings?error=linking_failed')
  const error = page.getByRole('alert')
  await expect(async () => {
    await page.clock.runFor(100)
    expect(await error.isVisible()).toBe(true)
  }).toPass()
  await page.clock.runFor(20_000)
  await expect(error).toBeVisible()
  await error.getByRole('button', { name: 'Dismiss' }).click()
  await expect(error).toBeHidden()
})

test('failures of the sign-in methods are named, with the reason of the server [SET-082, SET-083]', async ({
  signedIn: page,
}) => {
  await page.route('**/api/auth/methods', (route) => route.fulfill(methods({ google_linked: true })))
  await page.route('**/api/auth/password/toggle', (route) =>
    route.fulfill({ status: 400, json: { success: false, error: 'Not today.', message: 'Not today.', code: 'x' } }),
  )
  await page.route('**/api/auth/google/unlink', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/settings')
  await page.getByText('Enabled', { exact: true }).waitFor()
  await page.getByRole('switch', { name: 'Password sign-in' }).click({ force: true })
  await expect(page.getByRole('alert')).toHaveText('Failed to update password setting: Not today.')
  await expect(page.getByRole('switch', { name: 'Password sign-in' })).toBeChecked()
  await page.getByRole('button', { name: 'Unlink Google' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to unlink Google account: Unknown error')
})
