import { AxeBuilder } from '@axe-core/playwright'
import { SCREENS } from './screens.ts'
import { expect, type Page, test } from './story.ts'

const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

async function expectNoViolations(page: Page): Promise<void> {
  // Colours on the move are no colours yet.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  )
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }))
  expect(found, page.url()).toEqual([])
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of VIEWPORTS) {
    test.describe(`${colorScheme}, ${viewport.width} px`, () => {
      test.use({ colorScheme, viewport, reducedMotion: 'reduce' })

      test('every screen passes the checks of axe', async ({ signedIn: page }) => {
        test.slow()
        for (const { path, heading } of SCREENS) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
          if (path === '/settings') await expect(page.getByRole('switch')).toBeVisible()
          await expectNoViolations(page)
        }
        await page.goto('/no/such/page')
        await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
        await expectNoViolations(page)
      })

      test('sign-in and register pass them, with their errors', async ({ page }) => {
        test.slow()
        await page.goto('/register')
        await page.getByLabel('Password').fill('abc')
        await expectNoViolations(page)
        await page.goto('/login')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await expect(page.getByText('Username is required.')).toBeVisible()
        await expectNoViolations(page)
        await page.goto('/login?error=google_unavailable')
        await expect(page.getByRole('alert')).toBeVisible()
        await expectNoViolations(page)
      })
    })
  }

  test(`the open menu passes them, ${colorScheme}`, async ({ signedIn: page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expectNoViolations(page)
  })
}
