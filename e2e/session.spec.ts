import { expect, test } from './story.ts'

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
