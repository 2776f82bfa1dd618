import { expectAccessible } from './accessible.ts'
import { expect, type Page, test } from './story.ts'

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const DARK = 'rgb(11, 14, 19)'
const LIGHT = 'rgb(245, 246, 248)'

for (const scheme of ['light', 'dark'] as const) {
  test(`without a choice the theme follows a ${scheme} system, from the first paint on`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    // The app itself never runs: what colours the page is there before it.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/login')
    expect(await background(page)).toBe(scheme === 'dark' ? DARK : LIGHT)
  })
}

test('the theme switch changes the theme, and the choice is kept', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect.poll(() => background(page)).toBe(DARK)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
  expect(await background(page)).toBe(DARK)
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await expect.poll(() => background(page)).toBe(LIGHT)
})

test('a preference for reduced motion turns animations off', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/login')
  const duration = await page
    .getByRole('banner')
    .evaluate((element) => Number.parseFloat(getComputedStyle(element).transitionDuration))
  expect(duration).toBeLessThan(0.001)
})

test('a quiet button under the pointer can be read in both themes', async ({ page, person: _person }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/')
    await page.getByRole('button', { name: 'Hide this list' }).hover()
    await expectAccessible(page)
  }
})
