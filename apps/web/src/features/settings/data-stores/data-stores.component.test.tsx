import { deleteDataStore } from '@tradewright/contract/data-stores'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, openScreen, postToServer, signInAsNew, standIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const ARCHIVE = { name: 'Archive', store_type: 'local', connection_config: { path: 'archive' } }

test('a data store is added, made the default, changed, cleared and deleted [SET-011..013, SET-026, SET-027, SET-033, SET-034, SET-041, SET-081]', async () => {
  await signInAsNew()
  await postToServer('/api/data-stores', ARCHIVE)
  openScreen('/settings')
  const section = page.getByRole('region', { name: 'Data Store Configuration' })
  await expect.element(section.getByText('System Storage')).toBeVisible()
  await section.getByRole('button', { name: 'Add Data Store' }).click()
  const form = section.getByRole('form', { name: 'Add Data Store' })
  await expect.element(form.getByRole('combobox', { name: 'Store type' })).toHaveValue('postgresql')
  await expect.element(form.getByRole('combobox', { name: 'Store type' })).toBeDisabled()
  await expect.element(form.getByRole('textbox', { name: 'Port' })).toHaveValue('5432')
  await form.getByRole('button', { name: 'Save Data Store' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Please enter a store name')
  await form.getByRole('textbox', { name: 'Store name' }).fill('Warehouse')
  await form.getByRole('textbox', { name: 'Host' }).fill('db.example.com')
  await form.getByRole('button', { name: 'Save Data Store' }).click()
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Please fill in required fields: database, username, password')
  await expectAccessible()
  // Cancel asks first where something was typed, and no other store can be opened in its place.
  await expect.element(section.getByRole('button', { name: 'Edit Archive' })).toBeDisabled()
  await form.getByRole('textbox', { name: 'Database' }).fill('prices')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(form.getByRole('textbox', { name: 'Database' })).toHaveValue('prices')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Close without saving?' }).getByRole('button', { name: 'Close' }).click()
  await expect.element(form).not.toBeInTheDocument()

  await section.getByRole('button', { name: 'Edit Archive' }).click()
  const edit = section.getByRole('form', { name: 'Edit Archive' })
  await edit.getByRole('textbox', { name: 'Store name' }).fill('Cellar')
  await edit.getByLabelText('Default store').click()
  await edit.getByRole('button', { name: 'Update Data Store' }).click()
  await expect.element(page.getByText('Data store updated successfully!')).toBeVisible()
  await expect.element(edit).not.toBeInTheDocument()
  await section.getByRole('button', { name: 'Make default: System Storage' }).click()
  await expect.element(section.getByRole('button', { name: 'Make default: Cellar' })).toBeVisible()

  await section.getByRole('button', { name: 'Clear all data of Cellar' }).click()
  await page.getByRole('dialog').getByLabelText('Type CLEAR to confirm').fill('CLEAR')
  await page.getByRole('dialog').getByRole('button', { name: 'Clear all data' }).click()
  await expect.element(page.getByText('Removed 0 records from "Cellar".')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await section.getByRole('button', { name: 'Delete Cellar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete data store' }).click()
  await expect.element(page.getByText('Data store deleted successfully!')).toBeVisible()
  await expect.element(section.getByText('Cellar')).not.toBeInTheDocument()
})

test('a data store that cannot be deleted is told of, and the question closes [SET-081]', async () => {
  await signInAsNew()
  await postToServer('/api/data-stores', ARCHIVE)
  standIn([on(deleteDataStore, () => refuse('', { status: 500 }))])
  openScreen('/settings')
  await page.getByRole('button', { name: 'Delete Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete data store' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to delete data store: Unknown error')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Delete Archive' })).toBeVisible()
})
