import { expectAccessible } from './accessible.ts'
import { SCREENS } from './screens.ts'
import { expect, test } from './story.ts'

/** Each theme once, each layout once: what depends on both at a time would be a fault of its own. */
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${colorScheme}, ${viewport.width} px`, () => {
    test.use({ colorScheme, viewport })

    test('every screen passes the checks of axe', async ({ signedIn: page }) => {
      test.slow()
      for (const { path, heading } of SCREENS) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
        if (path === '/settings') await expect(page.getByRole('switch')).toBeVisible()
        await expectAccessible(page)
      }
      await page.goto('/no/such/page')
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
      await expectAccessible(page)
      if (viewport.width > 1247) return
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expectAccessible(page)
    })

    test('sign-in and register pass them, with their errors', async ({ page }) => {
      test.slow()
      await page.goto('/register')
      await page.getByLabel('Password').fill('abc')
      await expectAccessible(page)
      await page.goto('/login')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByText('Username is required.')).toBeVisible()
      await expectAccessible(page)
      await page.goto('/login?error=google_unavailable')
      await expect(page.getByRole('alert')).toBeVisible()
      await expectAccessible(page)
    })
  })
}

test('what looks like a button has a label that can be read in both themes', async ({ page }) => {
  // Text in the colour of its ground counts as hidden for axe, so this is looked at once more.
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/no/such/page')
    await expect(page.getByRole('link', { name: 'Go to Home' })).toHaveCSS('color', 'rgb(255, 255, 255)')
  }
})
