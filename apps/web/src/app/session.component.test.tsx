import { getUser, logout } from '@tradewright/contract/auth'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  callServer,
  expectAddress,
  madeCalls,
  openScreen,
  reloadScreen,
  signIn,
  signInAsNew,
  signInByForm,
  signOut,
  standIn,
} from '../../test-support/screen.tsx'
import { SCREENS } from '../../test-support/screens.ts'
import { on, refuse } from '../../test-support/served.ts'

test('a visitor of any screen is sent to /login [SHELL-001..009, SHELL-015, SHELL-063]', async () => {
  await signOut()
  for (const { path } of SCREENS) {
    openScreen(path)
    await expectAddress('/login')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Sign in to Tradewright' })).toBeVisible()
  }
})

test('while the session is looked for, a centred spinner fills the height [SHELL-013, SHELL-014]', async () => {
  await signIn()
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  standIn([
    on(getUser, async () => {
      await released
      return (await callServer('/api/user')).json()
    }),
  ])
  openScreen('/strategies')
  const spinner = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' })
  await expect.element(spinner).toBeVisible()
  const box = spinner.element().getBoundingClientRect()
  expect(box.height).toBeGreaterThanOrEqual(900 - 56)
  expect(box.width).toBe(1440)
  const words = spinner.getByText('Loading...').element().getBoundingClientRect()
  expect(words.width, 'the words are for screen readers only').toBeLessThanOrEqual(1)
  release()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Investment Strategies' })).toBeVisible()
})

test('a failing current-user call means signed out [SHELL-058, SHELL-072]', async () => {
  await signIn()
  standIn([on(getUser, () => refuse('broken', { status: 500 }))])
  openScreen('/')
  await expectAddress('/login')
})

test('the cookie alone is enough [SHELL-062]', async () => {
  await signIn()
  openScreen('/')
  expect(localStorage.getItem('token')).toBeNull()
  openScreen('/settings')
  await expect.element(page.getByRole('switch', { name: 'Password sign-in' })).toBeVisible()
})

test('Logout ends the session and goes to /login [SHELL-029, SHELL-030, SHELL-059, SHELL-071]', async () => {
  const person = await signInAsNew()
  localStorage.setItem('kept', 'yes')
  openScreen('/')
  await expect.element(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()
  localStorage.setItem('token', 'x')
  localStorage.setItem('authToken', 'x')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expectAddress('/login')
  const headers = madeCalls('POST', '/logout')[0]?.headers
  expect(headers?.get('X-Requested-With')).toBeTruthy()
  expect(headers?.get('Accept')).toContain('application/json')
  expect(Object.keys(localStorage)).toEqual(['kept'])
  openScreen('/settings')
  await expectAddress('/login')
})

test('a failed logout is logged, and the user stays [SHELL-082, SHELL-083]', async () => {
  await signIn()
  standIn([on(logout, () => refuse('broken', { status: 500 }))])
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  openScreen('/')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(() => logged.mock.calls.flat()).toContainEqual(expect.stringContaining('Logout failed'))
  logged.mockRestore()
  await expect.element(page.getByText('You are still signed in')).toBeVisible()
  await expectAddress('/')
  await expect.element(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
})

test('a link that was opened while signed out is opened after sign-in', async () => {
  const person = await signInAsNew()
  await signOut()
  openScreen('/data-collector?tab=providers')
  await expectAddress('/login')
  // By way of the other screen: where they wanted to go is kept.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Register' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
  await signInByForm(person)
  await expectAddress('/data-collector?tab=providers')
  await expect.element(page.getByRole('tab', { name: 'Data Providers' })).toHaveAttribute('aria-selected', 'true')
})

test('a sign-in after a logout begins at Home, and finds the form as it was left', async () => {
  const person = await signInAsNew()
  openScreen('/backtest')
  await page.getByLabelText('Strategy name').fill('Half a thought')
  reloadScreen()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('Half a thought')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expectAddress('/login')
  await signInByForm(person)
  await expectAddress('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Backtest' }).click()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('Half a thought')

  // A new form by the palette, and Back to the screen before.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('combobox', { name: /^Search screens/ }).fill('new backtest')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('')
  history.back()
  await expectAddress('/settings')
})

test('tabs are in the address, and a reload shows the same one', async () => {
  await signIn()
  for (const [path, name, address] of [
    ['/data-collector', 'Browse Data', '/data-collector?tab=browse'],
    ['/live-trading', 'Deploy New Strategy', '/live-trading?tab=deploy'],
    ['/optimizer', 'Leading Indicators', '/optimizer?tab=leading-indicators'],
  ] as const) {
    openScreen(path)
    await page.getByRole('tab', { name }).click()
    await expectAddress(address)
    reloadScreen()
    await expect.element(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
  }
})
