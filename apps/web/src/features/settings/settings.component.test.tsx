import { getAuthMethods, togglePassword, unlinkGoogle } from '@tradewright/contract/auth'
import { afterEach, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { expectAddress, openScreen, reloadScreen, signIn, standIn } from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

afterEach(() => {
  vi.useRealTimers()
})

const GOOGLE_TOO = { password_enabled: true, google_linked: true, google_email: null, oauth_provider: 'google' }

/** By the element itself: sections above may still load, and move it away from where a mouse would press. */
async function press(of: Locator): Promise<void> {
  await expect.element(of).toBeEnabled()
  const element = of.element()
  if (element instanceof HTMLElement) element.click()
}

test('Settings lists its sections, and what is not there yet says so [SET-001, SET-006, SET-011, SET-014, SET-017]', async () => {
  await signIn()
  openScreen('/settings')
  for (const title of [
    'Alpaca Integration',
    'OpenAI Integration',
    'Data Store Configuration',
    'Authentication & Security',
    'Notifications',
  ]) {
    await expect.element(page.getByRole('region', { name: title })).toBeVisible()
  }
  const notifications = page.getByRole('region', { name: 'Notifications' })
  await expect.element(notifications.getByText('Coming soon')).toBeVisible()
  expect(notifications.element().querySelectorAll('button, input, select, textarea')).toHaveLength(0)
})

test('without Google the password switch is off limits and says why [SET-015, SET-016, SET-024, SET-043, SET-061]', async () => {
  await signIn()
  openScreen('/settings')
  const section = page.getByRole('region', { name: 'Authentication & Security' })
  await expect.element(section.getByRole('switch', { name: 'Password sign-in' })).toBeChecked()
  await expect.element(section.getByRole('switch', { name: 'Password sign-in' })).toBeDisabled()
  await expect
    .element(section.getByText('Cannot disable password authentication without linking Google account first'))
    .toBeVisible()
  await expect.element(section.getByRole('button', { name: 'Link Google' })).toBeEnabled()
})

test('while password sign-in is off, Google cannot be unlinked [SET-025, SET-044]', async () => {
  await signIn()
  standIn([on(getAuthMethods, () => ({ ...GOOGLE_TOO, password_enabled: false, google_email: 'ann@example.com' }))])
  openScreen('/settings')
  await expect.element(page.getByText('Linked to ann@example.com.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Unlink Google' })).toBeDisabled()
  await expect.element(page.getByRole('switch', { name: 'Password sign-in' })).toBeEnabled()
})

test('with Google the password is switched off and on, and then Google is unlinked [SET-015, SET-016, SET-024, SET-025, SET-044, SET-064]', async () => {
  await signIn()
  let methods = { ...GOOGLE_TOO, google_email: 'ann@example.com' as string | null }
  standIn([
    on(getAuthMethods, () => methods),
    on(togglePassword, ({ body }) => {
      methods = { ...methods, password_enabled: body['enable'] === true }
      return { success: true as const }
    }),
    on(unlinkGoogle, () => {
      methods = { ...methods, google_linked: false, google_email: null }
      return { success: true as const }
    }),
  ])
  openScreen('/settings')
  const password = page.getByRole('switch', { name: 'Password sign-in' })
  await expect.element(page.getByText('Linked to ann@example.com.')).toBeVisible()
  await press(password)
  await expect.element(page.getByText('Password sign-in disabled.')).toBeVisible()
  await expect.element(password).not.toBeChecked()
  await expect.element(page.getByRole('button', { name: 'Unlink Google' })).toBeDisabled()
  await press(password)
  await expect.element(page.getByText('Password sign-in enabled.')).toBeVisible()
  await page.getByRole('button', { name: 'Unlink Google' }).click()
  await expect.element(page.getByText('Google account unlinked.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Link Google' })).toBeVisible()
  await expect.element(password).toBeDisabled()
})

const ARRIVALS = [
  ['success=google_linked', 'Google account linked successfully!'],
  ['error=invalid_state', 'Invalid OAuth state. Please try again.'],
  ['error=invalid_oauth_response', 'Invalid response from Google. Please try again.'],
  ['error=google_account_already_linked', 'This Google account is already linked to another user.'],
  ['error=linking_failed', 'Failed to link Google account. Please try again.'],
  ['error=whatever', 'An error occurred during Google linking.'],
] as const

test('the message that comes with the address is shown, and the address cleaned [SET-018, SET-019, SET-084..089]', async () => {
  await signIn()
  for (const [query, sentence] of ARRIVALS) {
    openScreen(`/settings?${query}`)
    await expect.element(page.getByText(sentence)).toBeVisible()
    await expectAddress('/settings')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect.element(page.getByText(sentence)).not.toBeInTheDocument()
  }
  reloadScreen()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('a success goes by itself after 5 seconds, unless the pointer or the focus is on it; an error stays [SET-028]', async () => {
  await signIn()
  // Where the tests before it left the pointer, the message may appear under it.
  await userEvent.hover(page.elementLocator(document.body), { position: { x: 0, y: 0 } })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
  openScreen('/settings?success=google_linked')
  const message = page.getByText('Google account linked successfully!')
  await appearing(message)
  expect(await isShownAfter(4_000, message)).toBe(true)
  point('pointerover', message)
  expect(await isShownAfter(10_000, message)).toBe(true)
  point('pointerout', message)
  expect(await isShownAfter(700, message)).toBe(true)
  expect(await isShownAfter(1_500, message)).toBe(false)

  openScreen('/settings?error=linking_failed')
  const error = page.getByRole('alert')
  await appearing(error)
  expect(await isShownAfter(20_000, error)).toBe(true)
  vi.useRealTimers()
  await error.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(error).not.toBeInTheDocument()
})

/** A real move of the pointer waits for the element, and every wait of Vitest's advances the clock. */
const point = (type: 'pointerover' | 'pointerout', at: Locator) =>
  at.element().dispatchEvent(new PointerEvent(type, { bubbles: true, relatedTarget: document.body }))

/** The clock stands still, so the page gets to its first picture in steps of our own. */
async function appearing(locator: Locator): Promise<void> {
  while (!(await isShownAfter(100, locator)));
}

async function isShownAfter(milliseconds: number, locator: Locator): Promise<boolean> {
  await drawn()
  await vi.advanceTimersByTimeAsync(milliseconds)
  await drawn()
  return locator.query() !== null
}

/** What the pointer or a timer changed has reached the page and its next timers. */
async function drawn(): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
}

test('failures of the sign-in methods are named, with the reason of the server [SET-082, SET-083]', async () => {
  await signIn()
  standIn([
    on(getAuthMethods, () => GOOGLE_TOO),
    on(togglePassword, () => refuse('Not today.')),
    on(unlinkGoogle, () => refuse('', { status: 500 })),
  ])
  openScreen('/settings')
  await expect.element(page.getByText('Enabled', { exact: true })).toBeVisible()
  await press(page.getByRole('switch', { name: 'Password sign-in' }))
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to update password setting: Not today.')
  await expect.element(page.getByRole('switch', { name: 'Password sign-in' })).toBeChecked()
  await page.getByRole('button', { name: 'Unlink Google' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to unlink Google account: Unknown error')
})
