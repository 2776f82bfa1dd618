import { SCREENS } from '../apps/web/test-support/screens.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expect, test } from './story.ts'

test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })

test('every screen as it is built passes the checks of axe on a phone, and none scrolls sideways', async ({
  signedIn: page,
}) => {
  test.slow()
  await page.goto('/settings')
  for (const { path, link, heading } of SCREENS) {
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    if (path === '/settings') await expect(page.getByRole('switch')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  }
})
