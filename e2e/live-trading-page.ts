import { expect, type Page } from './story.ts'

/** Where things are on the screens of Live Trading. */
export const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
export const tab = (page: Page, name: string) => page.getByRole('tab', { name })
export const dialog = (page: Page) => page.getByRole('dialog')
export const deployButton = (page: Page) => page.getByRole('button', { name: 'Deploy Strategy' })

/** All fields but strategy, account, amount and start. */
export async function openMore(page: Page): Promise<void> {
  const more = page.getByRole('form', { name: 'Deploy New Strategy' }).locator('> div > details')
  // A problem of a hidden field opens it by itself, maybe just before the click, which then closes it.
  await expect(async () => {
    if ((await more.getAttribute('open')) === null) await more.locator('> summary').click()
    await expect(page.getByLabel('Deployment name')).toBeVisible({ timeout: 1_000 })
  }).toPass()
}

export async function chooseStrategy(page: Page, name = 'First'): Promise<void> {
  await openMore(page)
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('3')
  await page.getByLabel('Deployment name').fill(name)
}
