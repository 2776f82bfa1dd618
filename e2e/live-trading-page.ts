import type { Page } from './story.ts'

/** Where things are on the screens of Live Trading. */
export const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
export const tab = (page: Page, name: string) => page.getByRole('tab', { name })
export const dialog = (page: Page) => page.getByRole('dialog')
export const deployButton = (page: Page) => page.getByRole('button', { name: 'Deploy Strategy' })
