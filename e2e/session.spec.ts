import { SCREENS } from './screens.ts'
import { expect, test } from './story.ts'

test('a visitor of any screen is sent to /login [SHELL-001..009, SHELL-015, SHELL-063]', async ({ page }) => {
  for (const { path } of SCREENS) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/login')
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in to Tradewright' })).toBeVisible()
  }
})

test('while the session is looked for, a centred spinner fills the height [SHELL-013, SHELL-014]', async ({
  signedIn: page,
}) => {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/user', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/strategies')
  const spinner = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' })
  await expect(spinner).toBeVisible()
  const box = await spinner.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(900 - 56)
  expect(box?.width).toBe(1440)
  const words = await spinner.getByText('Loading...').boundingBox()
  expect(words?.width, 'the words are for screen readers only').toBeLessThanOrEqual(1)
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Investment Strategies' })).toBeVisible()
})

test('a failing current-user call means signed out [SHELL-058, SHELL-072]', async ({ signedIn: page }) => {
  await page.route('**/api/user', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await page.goto('/')
  await expect(page).toHaveURL('/login')
})

test('the cookie alone is enough [SHELL-062]', async ({ signedIn: page }) => {
  await page.goto('/')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.goto('/settings')
  await expect(page.getByRole('switch', { name: 'Password sign-in' })).toBeVisible()
})

test('Logout ends the session and goes to /login [SHELL-029, SHELL-030, SHELL-059, SHELL-071]', async ({
  page,
  person,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem('kept', 'yes')
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()
  await page.evaluate(() => {
    localStorage.setItem('token', 'x')
    localStorage.setItem('authToken', 'x')
  })
  const request = page.waitForRequest('**/logout')
  await page.getByRole('button', { name: 'Logout' }).click()
  const headers = await (await request).allHeaders()
  expect(headers['x-requested-with']).toBeTruthy()
  expect(headers['accept']).toContain('application/json')
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['kept'])
  await page.goto('/settings')
  await expect(page).toHaveURL('/login')
})

test('a failed logout is logged, and the user stays [SHELL-082, SHELL-083]', async ({ signedIn: page }) => {
  await page.route('**/logout', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  await page.goto('/')
  const logged = page.waitForEvent('console', (message) => message.text().includes('Logout failed'))
  await page.getByRole('button', { name: 'Logout' }).click()
  await logged
  await expect(page.getByText('You are still signed in')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
})

test('a session that ended elsewhere ends the view too, and says so', async ({ page, person }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()
  await page.request.post('/logout', { headers: { 'X-Requested-With': 'XMLHttpRequest' } })
  // On a busy machine a call of the view itself may notice it before the click does.
  const settings = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' })
  await Promise.race([settings.click(), page.waitForURL('/login')])
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('alert')).toHaveText('Your session has ended. Sign in again to continue.')
})

test('a link that was opened while signed out is opened after sign-in', async ({ page, person }) => {
  await page.context().clearCookies()
  await page.goto('/data-collector?tab=providers')
  await expect(page).toHaveURL('/login')
  // By way of the other screen: where they wanted to go is kept.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Register' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/data-collector?tab=providers')
  await expect(page.getByRole('tab', { name: 'Data Providers' })).toHaveAttribute('aria-selected', 'true')
})

test('a sign-in after a logout begins at Home, and finds the form as it was left', async ({ page, person }) => {
  await page.goto('/backtest')
  await page.getByLabel('Strategy name').fill('Half a thought')
  await page.reload()
  await expect(page.getByLabel('Strategy name')).toHaveValue('Half a thought')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Backtest' }).click()
  await expect(page.getByLabel('Strategy name')).toHaveValue('Half a thought')

  // A new form by the palette, and Back to the screen before.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Search screens/ }).fill('new backtest')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Strategy name')).toHaveValue('')
  await page.goBack()
  await expect(page).toHaveURL('/settings')
})

test('tabs are in the address, and a reload shows the same one', async ({ signedIn: page }) => {
  for (const [path, name, address] of [
    ['/data-collector', 'Browse Data', '/data-collector?tab=browse'],
    ['/live-trading', 'Deploy New Strategy', '/live-trading?tab=deploy'],
    ['/optimizer', 'Leading Indicators', '/optimizer?tab=leading-indicators'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('tab', { name }).click()
    await expect(page).toHaveURL(address)
    await page.reload()
    await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
  }
})
