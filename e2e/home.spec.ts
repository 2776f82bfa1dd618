import { expect, test } from './story.ts'

test('Home greets and links to the four places [SHELL-001, SHELL-049, SHELL-051..055]', async ({ page, person }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hello, ${person.username}!`)
  await expect(page.getByText('Welcome to Tradewright.')).toBeVisible()
  for (const [name, path] of [
    ['Portfolio Performance', '/portfolio-performance'],
    ['Backtest Studio', '/backtest'],
    ['Strategy Hub', '/strategies'],
    ['AI Assistant', '/ai-assistant'],
  ] as const) {
    await page.goto('/')
    await page.getByRole('main').getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
  }
})

test('Home greets a user without a name as User [SHELL-050]', async ({ signedIn: page }) => {
  await page.route('**/api/user', (route) => route.fulfill({ json: { id: 1, username: '', email: '' } }))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, User!')
})
