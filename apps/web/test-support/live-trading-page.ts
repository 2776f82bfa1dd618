import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { liveTradingCalls, newWorld, type World } from './live-trading-stand-in.ts'
import { standIn } from './screen.tsx'
import type { Served } from './served.ts'

/** Live Trading without a server behind it; `first` are the answers that a test gives itself. */
export function standInLiveTrading(
  known: Partial<World> = {},
  first: (world: World) => readonly Served[] = () => [],
): World {
  const world = newWorld(known)
  // One group: of two, the later one's `/api/deployment/:id` would answer for `/api/deployment/list`, too.
  standIn([...first(world), ...liveTradingCalls(world)])
  return world
}

/** Where things are on the screens of Live Trading. */
export const card = (name: string) => page.getByRole('article', { name, exact: true })
export const tab = (name: string) => page.getByRole('tab', { name })
export const dialog = () => page.getByRole('dialog')
export const deployButton = () => page.getByRole('button', { name: 'Deploy Strategy' })

/** All fields but strategy, account, amount and start. */
export async function openMore(): Promise<void> {
  await expect.element(page.getByRole('form', { name: 'Deploy New Strategy' })).toBeVisible()
  // A problem of a hidden field opens it by itself, maybe just before the click, which then closes it.
  await expect
    .poll(() => {
      const more = document.querySelector<HTMLDetailsElement>('form[aria-label="Deploy New Strategy"] > div > details')
      if (!more?.open) more?.querySelector('summary')?.click()
      return page.getByLabelText('Deployment name').query()
    })
    .toBeVisible()
}

export async function chooseStrategy(name = 'First'): Promise<void> {
  await openMore()
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOptions('3')
  await page.getByLabelText('Deployment name').fill(name)
}
