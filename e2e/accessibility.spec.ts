import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { SCREENS } from './screens.ts'
import { expect, LOOKS, type Page, test } from './story.ts'

/** At least so wide, the links of the navigation are side by side; there it has the least room for them. */
const NARROWEST_BAR = 1248

/** As a user gets there: by its link, which is in a menu on a phone. */
async function follow(page: Page, link: string, width: number): Promise<void> {
  if (width < NARROWEST_BAR) await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).click()
}

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${colorScheme}, ${viewport.width} px`, () => {
    test.use({ colorScheme, viewport })

    test('every screen passes the checks of axe, and none scrolls sideways', async ({ signedIn: page }) => {
      test.slow()
      await page.goto('/settings')
      for (const { path, link, heading } of SCREENS) {
        await follow(page, link, viewport.width)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
        if (path === '/settings') await expect(page.getByRole('switch')).toBeVisible()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        if (viewport.width < NARROWEST_BAR) continue
        await page.setViewportSize({ ...viewport, width: NARROWEST_BAR })
        await expectNoSidewaysScroll(page)
        await page.setViewportSize(viewport)
      }
      await page.goto('/no/such/page')
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
      await expectAccessible(page)
      if (viewport.width >= NARROWEST_BAR) return
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
  // Text in the colour of its ground counts as hidden for axe, so this is checked once more.
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/no/such/page')
    await expect(page.getByRole('link', { name: 'Go to Home' })).toHaveCSS('color', 'rgb(255, 255, 255)')
  }
})
