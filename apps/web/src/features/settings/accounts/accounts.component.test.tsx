import {
  addAccount,
  changeAccount,
  deleteAccount,
  listAccounts,
  setDefaultAccount,
} from '@tradewright/contract/brokerage-accounts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { account, BINANCE_KEYS, STAND_IN_KEYS } from '../../../../test-support/brokerage.ts'
import { expectAccessible, openScreen, signIn, signInAsNew, standIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const section = () => page.getByRole('region', { name: 'Alpaca Integration' })
const row = (name: string) => section().getByRole('article', { name, exact: true })

async function fillForm(name: string, { keyId, secretKey } = STAND_IN_KEYS): Promise<void> {
  const form = page.getByRole('form', { name: 'Add account' })
  await form.getByLabelText('Account name').fill(name)
  await form.getByLabelText('API Key').fill(keyId)
  await form.getByLabelText('API Secret').fill(secretKey)
}

test('accounts are added, renamed, made the default and deleted [SET-001..005, SET-029, SET-030, SET-074, SET-075]', async () => {
  await signInAsNew()
  openScreen('/settings')
  await expect.element(section().getByText('No brokerage account is connected yet.')).toBeVisible()
  await expect.element(section().getByText(/\$100,000 of virtual money/)).toBeVisible()
  await page.getByRole('button', { name: 'Add Account' }).click()
  await expect.element(page.getByRole('checkbox', { name: 'Paper trading' })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Default account' })).not.toBeChecked()
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect.element(page.getByText('Please enter account name, API Key and Secret')).toBeVisible()
  await fillForm('Main', { ...STAND_IN_KEYS, secretKey: 'wrong' })
  // What was typed is not lost by a click on another screen.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect.element(page.getByText(/^Failed to add account: Alpaca does not accept these keys/)).toBeVisible()
  // Nor is it saved because it was sent: it was refused.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await fillForm('Main')
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect.element(page.getByText('Account added.')).toBeVisible()
  for (const text of ['Default', 'Paper', 'Last connected', 'Created']) {
    await expect.element(row('Main').getByText(text, { exact: true })).toBeVisible()
  }

  await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
  await expect.element(row('Paper Account').getByText('Built-in')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Use the built-in paper account' })).not.toBeInTheDocument()

  await expect.element(row('Paper Account').getByText('1% a year')).toBeVisible()
  await page.getByRole('button', { name: 'Conditions of Paper Account' }).click()
  const conditions = page.getByRole('form', { name: 'Conditions of Paper Account' })
  await expect.element(conditions.getByLabelText('Fills')).toHaveValue('market')
  await conditions.getByLabelText('Borrow rate').fill('2.5')
  await conditions.getByLabelText('Fills').selectOptions('At the last price')
  await conditions.getByRole('button', { name: 'Save conditions' }).click()
  await expect.element(row('Paper Account').getByText('At the last price')).toBeVisible()
  await expect.element(row('Paper Account').getByText('2.5% a year')).toBeVisible()

  await page.getByRole('button', { name: 'Rename Paper Account' }).click()
  await page.getByLabelText('New name').fill(' ')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect.element(page.getByText('Account name cannot be empty')).toBeVisible()
  await page.getByLabelText('New name').fill('Playground')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect.element(page.getByText('Account renamed.')).toBeVisible()

  await page.getByRole('button', { name: 'Set default: Playground' }).click()
  await expect.element(row('Playground').getByText('Default', { exact: true })).toBeVisible()
  await expect.element(row('Main').getByText('Default', { exact: true })).not.toBeInTheDocument()
  await expectAccessible()

  await page.getByRole('button', { name: 'Delete Main' }).click()
  const question = page.getByRole('dialog')
  await expect.element(question.getByText('Delete account “Main”?')).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Delete Main' }).click()
  await question.getByRole('button', { name: 'Delete account' }).click()
  await expect.element(page.getByText('Account deleted.')).toBeVisible()
  await expect.element(row('Main')).not.toBeInTheDocument()
})

test('an account whose broker cannot be reached is saved as not verified yet, and can be checked again', async () => {
  await signInAsNew()
  openScreen('/settings')
  await page.getByRole('button', { name: 'Add Account' }).click()
  await fillForm('Retirement', { ...STAND_IN_KEYS, keyId: 'AK00000000000000' })
  await page.getByRole('checkbox', { name: 'Paper trading' }).click()
  await expect.element(page.getByText('This account trades with real money')).toBeVisible()
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect.element(page.getByText(/^The account is saved but not verified yet/)).toBeVisible()
  await expect.element(row('Retirement').getByText('Live money')).toBeVisible()
  await expect.element(row('Retirement').getByText('Not verified yet')).toBeVisible()
  await row('Retirement').getByRole('button', { name: 'Check keys again' }).click()
  await expect.element(page.getByRole('alert').getByText(/not verified yet/)).toBeVisible()
})

test('failures of accounts are named, with the reason of the server [SET-076..079, SET-083]', async () => {
  await signIn()
  const accounts = [account(), account({ id: 2, account_name: 'Other', is_default: false })]
  standIn([
    on(listAccounts, () => ({ success: true as const, accounts })),
    on(addAccount, () => Promise.reject(new TypeError('Failed to fetch'))),
    on(changeAccount, () => refuse('', { status: 500 })),
    on(deleteAccount, () => refuse('"Other" is used by "Gold".', { status: 409 })),
    on(setDefaultAccount, () => refuse('Not today.', { status: 500 })),
  ])
  openScreen('/settings')
  const message = page.getByRole('alert')
  await page.getByRole('button', { name: 'Set default: Other' }).click()
  await expect.element(message).toHaveTextContent('Failed to set default: Not today.')
  await page.getByRole('button', { name: 'Delete Other' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(message).toHaveTextContent('Failed to delete account: "Other" is used by "Gold".')
  await page.getByRole('button', { name: 'Rename Other' }).click()
  await page.getByLabelText('New name').fill('Third')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect.element(message).toHaveTextContent('Failed to rename account: Unknown error')
  await page.getByRole('button', { name: 'Add Account' }).click()
  await fillForm('New')
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect.element(message).toMatchTextContent('Connection error: ')
})

test('an account at an exchange is one with real money, unless the exchange has a sandbox', async () => {
  await signInAsNew()
  openScreen('/settings')
  await page.getByRole('button', { name: 'Add Account' }).click()
  const form = page.getByRole('form', { name: 'Add account' })
  await form.getByLabelText('Broker').selectOptions('Kraken')
  await expect.element(form.getByText('Coins in US dollars. Spot only.')).toBeVisible()
  await expect.element(form.getByRole('checkbox', { name: 'Paper trading' })).not.toBeInTheDocument()
  await expect
    .element(form.getByText(/Kraken has no paper accounts\. This account trades with real money/))
    .toBeVisible()
  await form.getByLabelText('Broker').selectOptions('Binance')
  await expect.element(form.getByRole('checkbox', { name: 'Paper trading' })).toBeChecked()
  await expect.element(form.getByText(/each USDT counted as one US dollar/)).toBeVisible()
  await fillForm('Coins', { ...BINANCE_KEYS, secretKey: 'wrong' })
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect.element(page.getByText(/^Failed to add account: Binance does not accept the keys/)).toBeVisible()
  await fillForm('Coins', BINANCE_KEYS)
  await page.getByRole('button', { name: 'Save account' }).click()
  await expect.element(page.getByText('Account added.')).toBeVisible()
  await expect.element(row('Coins').getByText('Binance', { exact: true })).toBeVisible()
  await expectAccessible()
})
