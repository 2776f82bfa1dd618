import { startApp } from './app.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expect, newPerson, test } from './story.ts'

test('the operator sees health, users and invitations; to any other user there is no such page', async ({
  browser,
  signedIn,
}) => {
  test.slow()
  await signedIn.goto('/admin')
  await expect(signedIn.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()

  const { username, password } = newPerson()
  const app = await startApp({ OPERATOR_USER: username })
  try {
    const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const answer = await page.request.post('/api/register', { data: { username, email: username, password } })
    expect(answer.ok(), await answer.text()).toBe(true)
    await page.goto('/admin')
    await expect(page.getByRole('heading', { level: 1, name: 'Administration' })).toBeVisible()
    await expect(page.getByText(username).first()).toBeVisible()
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await context.close()
  } finally {
    await app.stop()
  }
})
