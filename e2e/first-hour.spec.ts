import { results } from './backtest-page.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expect, LOOKS, newPerson, type Page, test } from './story.ts'

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${colorScheme}, ${viewport.width} px`, () => {
    test.use({ colorScheme, viewport })

    test('a new user gets to a result, saves it, trades it on paper, and tries a model and a search', async ({
      page,
    }) => {
      test.slow()
      const isPhone = viewport.width < 1000
      const clicks = await countClicks(page)
      const { username, password } = newPerson()
      await page.goto('/register')
      await page.getByLabel('Username').fill(username)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: `Hello, ${username}!` })).toBeVisible()

      // A result of 60/40 in at most two clicks.
      clicks.restart()
      await page.getByRole('link', { name: 'Run backtest' }).click()
      await expect(results(page).getByRole('heading', { name: '60/40' })).toBeVisible()
      await expect(results(page).getByText('Synthetic sample data').first()).toBeVisible()
      expect(clicks.count()).toBeLessThanOrEqual(2)
      await looksRight(page)

      // Saved in one more.
      clicks.restart()
      await results(page).getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByRole('form', { name: 'Save result' }).getByLabel('Name')).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(results(page).getByText('Saved', { exact: true })).toBeVisible()
      expect(clicks.count()).toBe(1)

      // On paper in at most five.
      clicks.restart()
      await results(page).getByRole('link', { name: 'Deploy' }).click()
      await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
      await page.getByLabel('Contribution amount').click()
      await page.getByLabel('Contribution amount').fill('25000')
      await page.getByRole('switch', { name: 'Start Immediately' }).click()
      await expect(page.getByRole('region', { name: 'Orders it would send now' })).toContainText('SPY')
      await looksRight(page)
      await page.getByRole('button', { name: 'Deploy Strategy' }).click()
      await expect(page.getByRole('link', { name: /60\/40/ }).first()).toBeVisible()
      expect(clicks.count()).toBeLessThanOrEqual(5)
      await expect(page.getByRole('tabpanel', { name: /Active Deployments/ })).toBeFocused()

      // A model with walk-forward, from the ready strategies.
      await page.goto('/backtest')
      if (isPhone) await page.getByText('Setup', { exact: true }).click()
      await page.getByRole('button', { name: 'Ready strategies' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /walk-forward/ })
        .click()
      await expect(
        results(page)
          .getByRole('region', { name: /Walk-forward/i })
          .first(),
      ).toBeVisible()
      await expect(results(page).getByRole('region', { name: 'Full Results', exact: true })).toBeVisible()
      if (isPhone) {
        expect(await screensOf(page)).toBeLessThanOrEqual(8)
        await results(page).getByRole('button', { name: 'Show ML Configuration' }).click()
        await expect(results(page).getByText('50% train / 10% test')).toBeVisible()
      }

      // A search, from its example.
      await page.goto('/optimizer')
      if (isPhone) await page.getByText('Results', { exact: true }).click()
      await page.getByRole('button', { name: 'Fill in an example' }).click()
      await expect(page.getByText('The example is filled in')).toBeVisible()
      if (isPhone) await page.getByText('Setup', { exact: true }).click()
      await page.getByLabel('Population size').fill('8')
      await page.getByLabel('Generations', { exact: true }).fill('2')
      await page.getByRole('button', { name: 'Run optimization' }).press('Enter')
      await expect(results(page)).toBeFocused()
      await expect(page.getByRole('region', { name: 'How much of this is luck?' })).toBeVisible({ timeout: 90_000 })

      await page.goto('/')
      await expect(page.getByRole('region', { name: 'Deployments', exact: true })).toContainText('60/40')
      await looksRight(page)
    })
  })
}

async function looksRight(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
}

/** How many screens the page is long. */
const screensOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollHeight / window.innerHeight)

async function countClicks(page: Page) {
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  await page.addInitScript(() => {
    const { countClick } = window as unknown as { countClick: () => void }
    window.addEventListener('pointerdown', countClick, true)
  })
  return {
    count: () => clicks,
    restart: () => {
      clicks = 0
    },
  }
}
