import { login, register } from '@tradewright/contract/auth'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAddress,
  madeCalls,
  openScreen,
  signIn,
  signInAsNew,
  signInByForm,
  signOut,
  standIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

const password = () => page.getByLabelText('Password')
const username = () => page.getByLabelText('Username')
const greetingOf = (name: string) => page.getByRole('heading', { level: 1, name: `Hello, ${name}!` })

const newPerson = () => ({ username: `maria-${crypto.randomUUID()}`, password: 'blue canoe on a quiet lake' })

test('a visitor registers and is at home [SHELL-011, SHELL-043..045, SHELL-048, SHELL-049, SHELL-056, SHELL-068]', async () => {
  await signOut()
  await signOut()
  const person = newPerson()
  openScreen('/register')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Create your account' })).toBeVisible()
  await expect.element(username()).toHaveFocus()
  await expect.element(password()).toHaveAttribute('type', 'password')
  await username().fill(person.username)
  await password().fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect.element(greetingOf(person.username)).toBeVisible()
  await expectAddress('/')
  expect(localStorage.getItem('token')).toBeTruthy()
  expect(localStorage.getItem('authToken')).toBe(localStorage.getItem('token'))
})

test("a wrong password shows the server's sentence and keeps what was typed [SHELL-066, SHELL-078]", async () => {
  const person = await signInAsNew()
  await signOut()
  openScreen('/login')
  await signInByForm({ ...person, password: 'not this one' })
  await expect.element(page.getByRole('alert')).toHaveTextContent('Wrong username or password.')
  await expectAddress('/login')
  await expect.element(username()).toHaveValue(person.username)
  await expect.element(password()).toHaveValue('not this one')
  await expect.element(password()).toHaveFocus()
})

test("a taken name shows the server's sentence [SHELL-069, SHELL-080]", async () => {
  const person = await signInAsNew()
  await signOut()
  openScreen('/register')
  await username().fill(person.username)
  await password().fill('another password')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('This username is already taken.')
  await expect.element(username()).toHaveValue(person.username)
})

for (const { path, call, button, busy, sentence, rules } of [
  {
    path: '/login',
    call: login,
    button: 'Sign in',
    busy: 'Signing in...',
    sentence: 'Login failed. Please try again.',
    rules: '[SHELL-037, SHELL-079, SHELL-082]',
  },
  {
    path: '/register',
    call: register,
    button: 'Create Account',
    busy: 'Creating account...',
    sentence: 'Registration failed. Please try again.',
    rules: '[SHELL-046, SHELL-081, SHELL-082]',
  },
]) {
  test(`${path} says that it is busy, and what failed when the server says nothing ${rules}`, async () => {
    await signOut()
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    standIn([
      on(call, async () => {
        await released
        return refuse('', { status: 500 })
      }),
    ])
    openScreen(path)
    await username().fill('maria')
    await password().fill('secret')
    await page.getByRole('button', { name: button }).click()
    await expect.element(page.getByRole('button', { name: busy })).toBeVisible()
    release()
    await expect.element(page.getByRole('alert')).toHaveTextContent(sentence)
    await expect.element(page.getByRole('button', { name: button })).toBeVisible()
  })

  test(`${path} asks for both fields before it calls ${path === '/login' ? '[SHELL-060]' : '[SHELL-061]'}`, async () => {
    await signOut()
    openScreen(path)
    await page.getByRole('button', { name: button }).click()
    await expect.element(page.getByText('Username is required.')).toBeVisible()
    await expect.element(page.getByText('Password is required.')).toBeVisible()
    await expect.element(username()).toHaveFocus()
    await username().fill('maria')
    await page.getByRole('button', { name: button }).click()
    await expect.element(password()).toHaveFocus()
    await expect.element(password()).toHaveAttribute('required', '')
    expect(madeCalls(call.method, call.path)).toEqual([])
  })
}

test('a server that cannot be reached is named as the reason', async () => {
  await signOut()
  standIn([
    on(login, () => {
      throw new TypeError('no network')
    }),
  ])
  openScreen('/login')
  await signInByForm(newPerson())
  await expect.element(page.getByRole('alert')).toMatchTextContent('Login failed. Please try again.')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Tradewright cannot be reached.')
})

test('sign-in and register lead to each other, and to Google [SHELL-038..041, SHELL-047]', async () => {
  await signOut()
  openScreen('/login')
  const main = page.getByRole('main')
  await expect.element(main.getByText('or', { exact: true })).toBeVisible()
  await expect
    .element(main.getByRole('link', { name: 'Sign in with Google' }))
    .toHaveAttribute('href', '/api/auth/google/login')
  await main.getByRole('link', { name: 'Create an account' }).click()
  await expectAddress('/register')
  await expect.poll(() => document.title).toBe('Register · Tradewright')
  await main.getByRole('link', { name: 'Sign in' }).click()
  await expectAddress('/login')
  await expect.poll(() => document.title).toBe('Sign in · Tradewright')
})

test('a signed-in user is sent home from /login and /register', async () => {
  await signIn()
  for (const path of ['/login', '/register']) {
    openScreen(path)
    await expect.element(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
    await expectAddress('/')
  }
})

test('the password can be looked at, and its strength is hinted at but not ruled', async () => {
  await signOut()
  openScreen('/register')
  await password().fill('abc')
  await expect.element(page.getByText('Weak.')).toBeVisible()
  await password().fill('blue canoe on a quiet lake')
  await expect.element(page.getByText('Strong.')).toBeVisible()
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect.element(password()).toHaveAttribute('type', 'text')

  await username().fill(newPerson().username)
  await password().fill('a')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
})

test('the sample beside the form is marked as made up, and is left out on a phone', async () => {
  await signOut()
  openScreen('/login')
  const sample = page.getByRole('complementary', { name: 'A sample result' })
  await expect.element(sample.getByText('Synthetic sample data')).toBeVisible()
  await expect.element(sample.getByText('Max drawdown')).toBeVisible()
  await page.viewport(390, 844)
  await expect.element(sample).not.toBeInTheDocument()
})
