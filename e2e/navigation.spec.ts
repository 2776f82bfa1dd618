import { SCREENS } from '../apps/web/test-support/screens.ts'
import { expect, type Page, test } from './story.ts'

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test('every link of the bar leads to its screen [SHELL-001..009, SHELL-012, SHELL-020..029]', async ({
  signedIn: page,
}) => {
  await page.goto('/settings')
  for (const { path, link, heading, title } of SCREENS) {
    await bar(page).getByRole('link', { name: link, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page).toHaveTitle(`${title} · Tradewright`)
    await expect(bar(page).getByRole('link', { name: link, exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(bar(page).locator('[aria-current=page]')).toHaveCount(1)
  }
  await expect(bar(page).getByRole('button', { name: 'Logout' })).toBeVisible()

  // The same screens by keyboard: the palette, and two keys.
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: /^Search screens/ })
  await expect(search).toBeFocused()
  await search.fill('studio')
  const first = page.getByRole('option', { name: /^Backtest/ })
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expect(search).toHaveAttribute('aria-activedescendant', (await first.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/backtest')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByLabel('Strategy name').press('g')
  await page.getByLabel('Strategy name').press('h')
  await expect(page).toHaveURL('/backtest')
  await page.getByLabel('Strategy name').blur()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page).toHaveURL('/optimizer')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([/^Backtest/])
})

test('what is typed while the search is still fetched is looked for', async ({ signedIn: page }) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/palette-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/settings')
  // What hears the keys is fetched after the screen.
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('gold')
  release()
  await expect(page.getByRole('combobox', { name: /^Search screens/ })).toHaveValue('gold')
  await expect(page).toHaveURL('/settings')
})

test('a visitor sees the links to sign in and register only [SHELL-012, SHELL-031..033]', async ({ page }) => {
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(bar(page).getByRole('link')).toHaveText(['Sign in', 'Register'])
    await expect(bar(page).getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
    await expect(bar(page).getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
    await expect(bar(page).getByRole('button', { name: 'Logout' })).toHaveCount(0)
  }
})

test('the bar stays on top and changes its style past 50 px [SHELL-018, SHELL-019]', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1440, height: 360 })
  await page.goto('/settings')
  await expect(page.getByRole('switch', { name: 'Password sign-in' })).toBeVisible()
  const header = page.getByRole('banner')
  const height = async () => (await header.boundingBox())?.height
  await page.evaluate(() => window.scrollTo(0, 50))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(50)
  await expect(header).toHaveAttribute('data-scrolled', 'false')
  expect(await height()).toBe(56)
  await page.evaluate(() => window.scrollTo(0, 51))
  await expect(header).toHaveAttribute('data-scrolled', 'true')
  await expect.poll(height).toBe(48)
  expect((await header.boundingBox())?.y).toBe(0)
  await expect(header).toHaveCSS('position', 'fixed')
})

test('on a phone the links are a menu that works by keyboard', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Open menu' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(bar(page).getByRole('link', { name: 'Home', exact: true })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true')
  const rows = page.locator('#navigation-menu').locator('a, button')
  await expect(rows).toHaveText([...SCREENS.map(({ link }) => link), 'Logout'])
  for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBe(52)
  expect(await page.getByRole('main').getAttribute('inert')).not.toBeNull()

  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await expect(page.locator('#navigation-menu')).toHaveCount(0)

  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/strategies')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.locator('#navigation-menu')).toHaveCount(0)
})

test('Logout is in the menu of a phone, too [SHELL-030]', async ({ page, person }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
})

test('a menu that is open when the window grows does not lock the page', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1247, height: 600 })
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.setViewportSize({ width: 1248, height: 600 })
  await expect(bar(page).getByRole('link', { name: 'Settings' })).toBeVisible()
  await expect(page.locator('#navigation-menu')).toHaveCount(0)
  await expect(page.locator('html')).not.toHaveCSS('overflow-y', 'hidden')
})

test('the first Tab offers to skip the navigation', async ({ signedIn: page }) => {
  await page.goto('/strategies')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('an unknown address gets a friendly page, signed in or not', async ({ signedIn: page, browser }) => {
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect(page).toHaveTitle('Page not found · Tradewright')
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()

  const visitor = await browser.newPage()
  await visitor.goto(new URL('/no/such/page', page.url()).href)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await visitor.close()
})

test('a screen that breaks leaves the navigation usable', async ({ signedIn: page }) => {
  await page.route('**/assets/optimizer-screen-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export function OptimizerScreen() { throw new Error("a bug in this story") }',
    }),
  )
  await page.goto('/optimizer')
  await expect(page.getByRole('heading', { level: 1, name: 'This screen ran into a problem' })).toBeVisible()
  await bar(page).getByRole('link', { name: 'Strategies' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Investment Strategies' })).toBeVisible()
})

test('a screen that cannot be fetched says so and can be loaded again', async ({ signedIn: page }) => {
  await page.route('**/assets/optimizer-screen-*.js', (route) => route.abort())
  await page.goto('/')
  await bar(page).getByRole('link', { name: 'Optimizer' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This screen could not be loaded' })).toBeVisible()
  await page.unroute('**/assets/optimizer-screen-*.js')
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Optimizer' })).toBeVisible()
})
