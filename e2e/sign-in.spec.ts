import { expect, newPerson, type Page, register, signInByForm, test } from './story.ts'

const password = (page: Page) => page.getByLabel('Password')
const username = (page: Page) => page.getByLabel('Username')
const greetingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name: `Hello, ${name}!` })

test('a visitor registers and is at home [SHELL-011, SHELL-043..045, SHELL-048, SHELL-049, SHELL-056, SHELL-068]', async ({
  page,
}) => {
  const person = newPerson()
  await page.goto('/register')
  await expect(page.getByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible()
  await expect(username(page)).toBeFocused()
  await expect(password(page)).toHaveAttribute('type', 'password')
  await username(page).fill(person.username)
  await password(page).fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(greetingOf(page, person.username)).toBeVisible()
  await expect(page).toHaveURL('/')
  const [token, authToken] = await page.evaluate(() => [
    localStorage.getItem('token'),
    localStorage.getItem('authToken'),
  ])
  expect(token).toBeTruthy()
  expect(authToken).toBe(token)
})

test('a registered user signs in by the name, and stays in over a reload and in a new tab [SHELL-010, SHELL-034..036, SHELL-042, SHELL-057, SHELL-059, SHELL-065]', async ({
  page,
  browser,
}) => {
  const person = newPerson()
  const elsewhere = await browser.newContext()
  await register(await elsewhere.newPage(), person)
  await elsewhere.close()

  await page.goto('/login')
  await expect(password(page)).toHaveAttribute('type', 'password')
  await signInByForm(page, person)
  await expect(greetingOf(page, person.username)).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.reload()
  await expect(greetingOf(page, person.username)).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto('/')
  await expect(greetingOf(tab, person.username)).toBeVisible()
})

test("a wrong password shows the server's sentence and keeps what was typed [SHELL-066, SHELL-078]", async ({
  page,
  person,
}) => {
  await page.context().clearCookies()
  const answer = page.waitForResponse('**/api/login')
  await signInByForm(page, { ...person, password: 'not this one' })
  const { message } = (await (await answer).json()) as { message: string }
  await expect(page.getByRole('alert')).toHaveText(message)
  await expect(page).toHaveURL('/login')
  await expect(username(page)).toHaveValue(person.username)
  await expect(password(page)).toHaveValue('not this one')
  await expect(password(page)).toBeFocused()
})

test("a taken name shows the server's sentence [SHELL-069, SHELL-080]", async ({ page, person }) => {
  await page.context().clearCookies()
  await page.goto('/register')
  await username(page).fill(person.username)
  await password(page).fill('another password')
  const answer = page.waitForResponse('**/api/register')
  await page.getByRole('button', { name: 'Create Account' }).click()
  const { message } = (await (await answer).json()) as { message: string }
  expect(message).not.toBe('')
  await expect(page.getByRole('alert')).toHaveText(message)
  await expect(username(page)).toHaveValue(person.username)
})

for (const { path, call, button, busy, sentence, rules } of [
  {
    path: '/login',
    call: '**/api/login',
    button: 'Sign in',
    busy: 'Signing in...',
    sentence: 'Login failed. Please try again.',
    rules: '[SHELL-037, SHELL-079, SHELL-082]',
  },
  {
    path: '/register',
    call: '**/api/register',
    button: 'Create Account',
    busy: 'Creating account...',
    sentence: 'Registration failed. Please try again.',
    rules: '[SHELL-046, SHELL-081, SHELL-082]',
  },
]) {
  test(`${path} says that it is busy, and what failed when the server says nothing ${rules}`, async ({ page }) => {
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(call, async (route) => {
      await released
      await route.fulfill({ status: 500, body: 'no JSON here' })
    })
    await page.goto(path)
    await username(page).fill('maria')
    await password(page).fill('secret')
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('button', { name: busy })).toBeVisible()
    release()
    await expect(page.getByRole('alert')).toHaveText(sentence)
    await expect(page.getByRole('button', { name: button })).toBeVisible()
  })

  test(`${path} asks for both fields before it calls ${path === '/login' ? '[SHELL-060]' : '[SHELL-061]'}`, async ({
    page,
  }) => {
    let calls = 0
    await page.route(call, (route) => {
      calls += 1
      return route.abort()
    })
    await page.goto(path)
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByText('Username is required.')).toBeVisible()
    await expect(page.getByText('Password is required.')).toBeVisible()
    await expect(username(page)).toBeFocused()
    await username(page).fill('maria')
    await page.getByRole('button', { name: button }).click()
    await expect(password(page)).toBeFocused()
    await expect(password(page)).toHaveAttribute('required', '')
    expect(calls).toBe(0)
  })
}

test('a server that cannot be reached is named as the reason', async ({ page }) => {
  await page.route('**/api/login', (route) => route.abort())
  await signInByForm(page, newPerson())
  await expect(page.getByRole('alert')).toContainText('Login failed. Please try again.')
  await expect(page.getByRole('alert')).toContainText('Tradewright cannot be reached.')
})

test('sign-in and register lead to each other, and to Google [SHELL-038..041, SHELL-047]', async ({ page }) => {
  await page.goto('/login')
  const main = page.getByRole('main')
  await expect(main.getByText('or', { exact: true })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Sign in with Google' })).toHaveAttribute(
    'href',
    '/api/auth/google/login',
  )
  await main.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL('/register')
  await expect(page).toHaveTitle('Register · Tradewright')
  await main.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page).toHaveTitle('Sign in · Tradewright')
})

test('a signed-in user is sent home from /login and /register', async ({ signedIn: page }) => {
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
    await expect(page).toHaveURL('/')
  }
})

test('the password can be looked at, and its strength is hinted at but not ruled', async ({ page }) => {
  await page.goto('/register')
  await password(page).fill('abc')
  await expect(page.getByText('Weak.')).toBeVisible()
  await password(page).fill('blue canoe on a quiet lake')
  await expect(page.getByText('Strong.')).toBeVisible()
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect(password(page)).toHaveAttribute('type', 'text')

  await username(page).fill(newPerson().username)
  await password(page).fill('a')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
})

test('the sample beside the form is marked as made up, and is left out on a phone', async ({ page }) => {
  await page.goto('/login')
  const sample = page.getByRole('complementary', { name: 'A sample result' })
  await expect(sample.getByText('Synthetic sample data')).toBeVisible()
  await expect(sample.getByText('Max drawdown')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(sample).toBeHidden()
})
