import { expect, type Page, test } from './story.ts'

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

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
