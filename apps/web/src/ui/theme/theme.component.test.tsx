import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { expectAccessible, openScreen, reloadScreen, signInAsNew, signOut } from '../../../test-support/screen.tsx'

const background = () => getComputedStyle(document.body).backgroundColor
const DARK = 'rgb(11, 14, 19)'
const LIGHT = 'rgb(245, 246, 248)'

test('the theme switch changes the theme, and the choice is kept', async () => {
  await signOut()
  await commands.emulateMedia({ colorScheme: 'light' })
  openScreen('/login')
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect.poll(() => background()).toBe(DARK)
  reloadScreen()
  await expect.element(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
  expect(background()).toBe(DARK)
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await expect.poll(() => background()).toBe(LIGHT)
})

test('a preference for reduced motion turns animations off', async () => {
  await signOut()
  await commands.emulateMedia({ reducedMotion: 'reduce' })
  openScreen('/login')
  const { transitionDuration } = getComputedStyle(await page.getByRole('banner').findElement())
  expect(Number.parseFloat(transitionDuration)).toBeLessThan(0.001)
})

test('a quiet button under the pointer can be read in both themes', async () => {
  await signInAsNew()
  for (const colorScheme of ['light', 'dark'] as const) {
    await commands.emulateMedia({ colorScheme })
    openScreen('/')
    await page.getByRole('button', { name: 'Hide this list' }).hover()
    await expectAccessible()
  }
})
