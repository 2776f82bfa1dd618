import type { Page } from './story.ts'

/** Where things are on the screens of Live Trading. */
export const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
export const tab = (page: Page, name: string) => page.getByRole('tab', { name })
export const dialog = (page: Page) => page.getByRole('dialog')
export const deployButton = (page: Page) => page.getByRole('button', { name: 'Deploy Strategy' })

/** All fields but strategy, account, amount and start. */
export async function openMore(page: Page): Promise<void> {
  const more = page.getByRole('form', { name: 'Deploy New Strategy' }).locator('> div > details')
  await more.locator('> summary').waitFor()
  if ((await more.getAttribute('open')) === null) await more.locator('> summary').click()
}

export async function chooseStrategy(page: Page, name = 'First'): Promise<void> {
  await openMore(page)
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('3')
  await page.getByLabel('Deployment name').fill(name)
}
