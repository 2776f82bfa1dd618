import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAddress, expectTexts, openScreen, signIn, signInAsNew, signOut } from '../../test-support/screen.tsx'
import { SCREENS } from '../../test-support/screens.ts'

const menu = () => document.querySelector('#navigation-menu')
// The bold copy of a label that reserves its width counts as a part of the name here.
const linkTo = (label: string) => bar().getByRole('link', { name: new RegExp(`^(${label} ?){1,2}$`) })
const bar = () => page.getByRole('navigation', { name: 'Main' })

test('every link of the bar leads to its screen [SHELL-001..009, SHELL-012, SHELL-020..029]', async () => {
  await signIn()
  openScreen('/settings')
  for (const { path, link, heading, title } of SCREENS) {
    await linkTo(link).click()
    await expectAddress(path)
    await expectTexts(page.getByRole('heading', { level: 1 }), [heading])
    await expect.poll(() => document.title).toBe(`${title} · Tradewright`)
    await expect.element(linkTo(link)).toHaveAttribute('aria-current', 'page')
    expect(bar().element().querySelectorAll('[aria-current=page]')).toHaveLength(1)
  }
  await expect.element(bar().getByRole('button', { name: 'Logout' })).toBeVisible()

  // The same screens by keyboard: the palette, and two keys.
  await userEvent.keyboard('{Control>}k{/Control}')
  const search = page.getByRole('combobox', { name: /^Search screens/ })
  await expect.element(search).toHaveFocus()
  await search.fill('studio')
  const first = page.getByRole('option', { name: /^Backtest/ })
  await expect.element(first).toHaveAttribute('aria-selected', 'true')
  await expect.element(search).toHaveAttribute('aria-activedescendant', first.element().id)
  await userEvent.keyboard('{Enter}')
  await expectAddress('/backtest')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await userEvent.type(page.getByLabelText('Strategy name'), 'gh')
  await expectAddress('/backtest')
  page.getByLabelText('Strategy name').element().blur()
  await userEvent.keyboard('g')
  await userEvent.keyboard('o')
  await expectAddress('/optimizer')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expectTexts(page.getByRole('group', { name: 'Recent' }).getByRole('option'), [/^Backtest/])
})

test('a visitor sees the links to sign in and register only [SHELL-012, SHELL-031..033]', async () => {
  await signOut()
  for (const path of ['/login', '/register']) {
    openScreen(path)
    await expectTexts(bar().getByRole('link'), ['Sign in', 'Register'])
    await expect.element(bar().getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
    await expect.element(bar().getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
    await expect.element(bar().getByRole('button', { name: 'Logout' })).not.toBeInTheDocument()
  }
})

test('the bar stays on top and changes its style past 50 px [SHELL-018, SHELL-019]', async () => {
  await signIn()
  await page.viewport(1440, 360)
  openScreen('/settings')
  await expect.element(page.getByRole('switch', { name: 'Password sign-in' })).toBeVisible()
  const header = page.getByRole('banner')
  const height = () => header.element().getBoundingClientRect().height
  window.scrollTo(0, 50)
  await expect.poll(() => window.scrollY).toBe(50)
  await expect.element(header).toHaveAttribute('data-scrolled', 'false')
  expect(height()).toBe(56)
  window.scrollTo(0, 51)
  await expect.element(header).toHaveAttribute('data-scrolled', 'true')
  await expect.poll(height).toBe(48)
  expect(header.element().getBoundingClientRect().y).toBe(0)
  await expect.element(header).toHaveStyle({ position: 'fixed' })
})

test('on a phone the links are a menu that works by keyboard', async () => {
  await signIn()
  await page.viewport(390, 844)
  openScreen('/')
  const button = page.getByRole('button', { name: 'Open menu' })
  ;(await button.findElement()).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(linkTo('Home')).toHaveFocus()
  await expect.element(page.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true')
  const rows = [...(menu()?.querySelectorAll('a, button') ?? [])]
  expect(rows.map(({ textContent }) => textContent)).toEqual([...SCREENS.map(({ link }) => link), 'Logout'])
  for (const row of rows) expect(row.getBoundingClientRect().height).toBe(52)
  await expect.element(page.getByRole('main', { includeHidden: true })).toHaveAttribute('inert')

  await userEvent.keyboard('{Escape}')
  await expect.element(button).toHaveFocus()
  await expect.poll(menu).toBeNull()

  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard('{Tab}')
  await userEvent.keyboard('{Enter}')
  await expectAddress('/strategies')
  await expect.element(page.getByRole('main')).toHaveFocus()
  await expect.poll(menu).toBeNull()
})

test('Logout is in the menu of a phone, too [SHELL-030]', async () => {
  const person = await signInAsNew()
  await page.viewport(390, 844)
  openScreen('/')
  await expect.element(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expectAddress('/login')
})

test('a menu that is open when the window grows does not lock the page', async () => {
  await signIn()
  await page.viewport(1247, 600)
  openScreen('/settings')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.viewport(1248, 600)
  await expect.element(bar().getByRole('link', { name: 'Settings' })).toBeVisible()
  await expect.poll(menu).toBeNull()
  expect(getComputedStyle(document.documentElement).overflowY).not.toBe('hidden')
})

test('the first Tab offers to skip the navigation', async () => {
  await signIn()
  openScreen('/strategies')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('main')).toHaveFocus()
})

test('an unknown address gets a friendly page, signed in or not', async () => {
  await signIn()
  openScreen('/no/such/page')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect.poll(() => document.title).toBe('Page not found · Tradewright')
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()

  await signOut()
  openScreen('/no/such/page')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
})
