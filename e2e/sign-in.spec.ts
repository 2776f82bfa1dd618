import { expect, newPerson, type Page, register, signInByForm, test } from './story.ts'

test('a registered user signs in by the name, and stays in over a reload and in a new tab [SHELL-010, SHELL-034..036, SHELL-042, SHELL-057, SHELL-059, SHELL-065]', async ({
  page,
  browser,
}) => {
  const person = newPerson()
  const elsewhere = await browser.newContext()
  await register(await elsewhere.newPage(), person)
  await elsewhere.close()

  const greetingOf = (where: Page) => where.getByRole('heading', { level: 1, name: `Hello, ${person.username}!` })
  await page.goto('/login')
  await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password')
  await signInByForm(page, person)
  await expect(greetingOf(page)).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.reload()
  await expect(greetingOf(page)).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto('/')
  await expect(greetingOf(tab)).toBeVisible()
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
