import { expect, newPerson, type Page, type Person, register, signInByForm, test } from './story.ts'

/** The pages of the stand-in: name and password, then consent. */
async function passGoogle(page: Page, account: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(account)
  await page.getByPlaceholder('and password').fill('anything')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const newAccount = () => newPerson().username.replace('maria', 'ann')
const passwordSwitch = (page: Page) => page.getByRole('switch', { name: 'Password sign-in' })

async function linkGoogle(page: Page, { password }: Person, account: string): Promise<void> {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Link Google' }).click()
  const form = page.getByRole('form', { name: 'Link Google' })
  await form.getByLabel('Your password').fill(password)
  await form.getByRole('button', { name: 'Continue to Google' }).click()
  await passGoogle(page, account)
}

test('a visitor signs in with Google, and again later [SHELL-040, SHELL-042, SHELL-062, SHELL-073]', async ({
  page,
}) => {
  const account = newAccount()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  await passGoogle(page, account)
  await expect(page).toHaveURL('/')
  const greeting = page.getByRole('heading', { level: 1, name: new RegExp(`Hello, ${account}`) })
  await expect(greeting).toBeVisible()
  await page.reload()
  await expect(greeting).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign in with Google' }).click()
  await expect(greeting).toBeVisible()
})

test('a sign-in that was cancelled at Google says so', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  await page.getByRole('link', { name: /cancel/i }).click()
  await expect(page).toHaveURL('/login?error=access_denied')
  await expect(page.getByRole('alert')).toContainText('Google sign-in was cancelled.')
})

test('an e-mail that another account claims is not attached silently, and does not stop its owner', async ({
  page,
  browser,
}) => {
  const account = newAccount()
  const elsewhere = await browser.newContext()
  await register(await elsewhere.newPage(), { username: `${account}@example.com`, password: 'blue canoe' })
  await elsewhere.close()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  await passGoogle(page, account)
  await expect(page.getByRole('heading', { level: 1, name: `Hello, ${account}@example.com (Google)!` })).toBeVisible()
})

test('a user links Google, switches the password off and on, and unlinks [SET-015, SET-016, SET-018, SET-024, SET-025, SET-044, SET-061..064, SET-089]', async ({
  page,
  person,
}) => {
  const account = newAccount()
  await linkGoogle(page, person, account)
  await expect(page.getByText('Google account linked successfully!')).toBeVisible()
  await expect(page).toHaveURL('/settings')
  await expect(page.getByText(`Linked to ${account}@example.com.`)).toBeVisible()

  await passwordSwitch(page).press('Space')
  await expect(page.getByText('Password sign-in disabled.')).toBeVisible()
  await expect(passwordSwitch(page)).not.toBeChecked()
  await expect(page.getByRole('button', { name: 'Unlink Google' })).toBeDisabled()

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await signInByForm(page, person)
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in with Google' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()

  await page.goto('/settings')
  await passwordSwitch(page).press('Space')
  await expect(page.getByText('Password sign-in enabled.')).toBeVisible()
  await page.getByRole('button', { name: 'Unlink Google' }).click()
  await expect(page.getByText('Google account unlinked.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Link Google' })).toBeVisible()
  await expect(passwordSwitch(page)).toBeDisabled()
})

test('a Google account belongs to one user only [SET-019, SET-086]', async ({ page, person, browser, baseURL }) => {
  const account = newAccount()
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' })
  const first = await elsewhere.newPage()
  const owner = newPerson()
  await register(first, owner)
  await linkGoogle(first, owner, account)
  await expect(first.getByText('Google account linked successfully!')).toBeVisible()
  await elsewhere.close()

  await linkGoogle(page, person, account)
  await expect(page.getByRole('alert')).toHaveText('This Google account is already linked to another user.')
  await expect(page).toHaveURL('/settings')
  await page.goto('/')
  await expect(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()
})
