import { STAND_IN_KEYS } from '../apps/server/test-support/stand-ins/alpaca/alpaca.ts'
import { BINANCE_KEYS } from '../apps/server/test-support/stand-ins/binance/binance.ts'
import { expectAccessible } from './accessible.ts'
import { account, refusal } from './brokerage-stub.ts'
import { expect, type Page, test } from './story.ts'

const section = (page: Page) => page.getByRole('region', { name: 'Alpaca Integration' })
const row = (page: Page, name: string) => section(page).getByRole('article', { name, exact: true })

async function fillForm(page: Page, name: string, { keyId, secretKey } = STAND_IN_KEYS): Promise<void> {
  const form = page.getByRole('form', { name: 'Add account' })
  await form.getByLabel('Account name').fill(name)
  await form.getByLabel('API Key').fill(keyId)
  await form.getByLabel('API Secret').fill(secretKey)
}

test('accounts are added, renamed, made the default and deleted [SET-001..005, SET-029, SET-030, SET-074, SET-075]', async ({
  page,
  person: _person,
}) => {
  await page.goto('/settings')
  await expect(section(page).getByText('No brokerage account is connected yet.')).toBeVisible()
  await expect(section(page).getByText(/\$100,000 of virtual money/)).toBeVisible()
  await page.getByRole('button', { name: 'Add Account' }).click()
  await expect(page.getByRole('checkbox', { name: 'Paper trading' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Default account' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByText('Please enter account name, API Key and Secret')).toBeVisible()
  await fillForm(page, 'Main', { ...STAND_IN_KEYS, secretKey: 'wrong' })
  // What was typed is not lost by a click on another screen.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByText(/^Failed to add account: Alpaca does not accept these keys/)).toBeVisible()
  // Nor is it saved because it was sent: it was refused.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await fillForm(page, 'Main')
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByText('Account added.')).toBeVisible()
  for (const text of ['Default', 'Paper', 'Last connected', 'Created']) {
    await expect(row(page, 'Main').getByText(text, { exact: true })).toBeVisible()
  }

  await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
  await expect(row(page, 'Paper Account').getByText('Built-in')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use the built-in paper account' })).toBeHidden()

  await expect(row(page, 'Paper Account').getByText('1% a year')).toBeVisible()
  await page.getByRole('button', { name: 'Borrow rate of Paper Account' }).click()
  const rate = page.getByRole('form', { name: 'Borrow rate of Paper Account' })
  await rate.getByLabel('Borrow rate').fill('2.5')
  await rate.getByRole('button', { name: 'Save rate' }).click()
  await expect(row(page, 'Paper Account').getByText('2.5% a year')).toBeVisible()

  await page.getByRole('button', { name: 'Rename Paper Account' }).click()
  await page.getByLabel('New name').fill(' ')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Account name cannot be empty')).toBeVisible()
  await page.getByLabel('New name').fill('Playground')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Account renamed.')).toBeVisible()

  await page.getByRole('button', { name: 'Set default: Playground' }).click()
  await expect(row(page, 'Playground').getByText('Default', { exact: true })).toBeVisible()
  await expect(row(page, 'Main').getByText('Default', { exact: true })).toBeHidden()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Delete Main' }).click()
  const question = page.getByRole('dialog')
  await expect(question.getByText('Delete account “Main”?')).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await page.getByRole('button', { name: 'Delete Main' }).click()
  await question.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByText('Account deleted.')).toBeVisible()
  await expect(row(page, 'Main')).toBeHidden()
})

test('an account whose broker cannot be reached is saved as not verified yet, and can be checked again', async ({
  page,
  person: _person,
}) => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add Account' }).click()
  await fillForm(page, 'Retirement', { ...STAND_IN_KEYS, keyId: 'AK00000000000000' })
  await page.getByRole('checkbox', { name: 'Paper trading' }).uncheck()
  await expect(page.getByText('This account trades with real money')).toBeVisible()
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByText(/^The account is saved but not verified yet/)).toBeVisible()
  await expect(row(page, 'Retirement').getByText('Live money')).toBeVisible()
  await expect(row(page, 'Retirement').getByText('Not verified yet')).toBeVisible()
  await row(page, 'Retirement').getByRole('button', { name: 'Check keys again' }).click()
  await expect(page.getByRole('alert').getByText(/not verified yet/)).toBeVisible()
})

test('failures of accounts are named, with the reason of the server [SET-076..079, SET-083]', async ({
  signedIn: page,
}) => {
  const accounts = [account(), account({ id: 2, account_name: 'Other', is_default: false })]
  await page.route('**/api/alpaca/accounts', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { success: true, accounts } }) : route.abort(),
  )
  await page.route('**/api/alpaca/accounts/2', (route) =>
    route.fulfill(route.request().method() === 'PUT' ? refusal(500, null) : refusal(409, '"Other" is used by "Gold".')),
  )
  await page.route('**/api/alpaca/accounts/2/set-default', (route) => route.fulfill(refusal(500, 'Not today.')))
  await page.goto('/settings')
  const message = page.getByRole('alert')
  await page.getByRole('button', { name: 'Set default: Other' }).click()
  await expect(message).toHaveText('Failed to set default: Not today.')
  await page.getByRole('button', { name: 'Delete Other' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(message).toHaveText('Failed to delete account: "Other" is used by "Gold".')
  await page.getByRole('button', { name: 'Rename Other' }).click()
  await page.getByLabel('New name').fill('Third')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(message).toHaveText('Failed to rename account: Unknown error')
  await page.getByRole('button', { name: 'Add Account' }).click()
  await fillForm(page, 'New')
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(message).toContainText('Connection error: ')
})

test('an account at an exchange is one with real money, unless the exchange has a sandbox', async ({
  page,
  person: _person,
}) => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Add Account' }).click()
  const form = page.getByRole('form', { name: 'Add account' })
  await form.getByLabel('Broker').selectOption('Kraken')
  await expect(form.getByText('Coins in US dollars. Spot only.')).toBeVisible()
  await expect(form.getByRole('checkbox', { name: 'Paper trading' })).toBeHidden()
  await expect(form.getByText(/Kraken has no paper accounts\. This account trades with real money/)).toBeVisible()
  await form.getByLabel('Broker').selectOption('Binance')
  await expect(form.getByRole('checkbox', { name: 'Paper trading' })).toBeChecked()
  await expect(form.getByText(/each USDT counted as one US dollar/)).toBeVisible()
  await fillForm(page, 'Coins', { ...BINANCE_KEYS, secretKey: 'wrong' })
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByText(/^Failed to add account: Binance does not accept the keys/)).toBeVisible()
  await fillForm(page, 'Coins', BINANCE_KEYS)
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect(page.getByText('Account added.')).toBeVisible()
  await expect(row(page, 'Coins').getByText('Binance', { exact: true })).toBeVisible()
  await expectAccessible(page)
})
