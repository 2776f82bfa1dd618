import { expectAccessible } from './accessible.ts'
import { expect, test } from './story.ts'

test('a data store is added, made the default, changed, cleared and deleted [SET-011..013, SET-026, SET-027, SET-033, SET-034, SET-041, SET-081]', async ({
  page,
  person: _person,
}) => {
  const local = { name: 'Archive', store_type: 'local', connection_config: { path: 'archive' } }
  expect((await page.request.post('/api/data-stores', { data: local })).ok()).toBe(true)
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Data Store Configuration' })
  await expect(section.getByText('System Storage')).toBeVisible()
  await section.getByRole('button', { name: 'Add Data Store' }).click()
  const form = section.getByRole('form', { name: 'Add Data Store' })
  await expect(form.getByRole('combobox', { name: 'Store type' })).toHaveValue('postgresql')
  await expect(form.getByRole('combobox', { name: 'Store type' })).toBeDisabled()
  await expect(form.getByRole('textbox', { name: 'Port' })).toHaveValue('5432')
  await form.getByRole('button', { name: 'Save Data Store' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please enter a store name')
  await form.getByRole('textbox', { name: 'Store name' }).fill('Warehouse')
  await form.getByRole('textbox', { name: 'Host' }).fill('db.example.com')
  await form.getByRole('button', { name: 'Save Data Store' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please fill in required fields: database, username, password')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toBeHidden()

  await section.getByRole('button', { name: 'Edit Archive' }).click()
  const edit = section.getByRole('form', { name: 'Edit Archive' })
  await edit.getByRole('textbox', { name: 'Store name' }).fill('Cellar')
  await edit.getByLabel('Default store').check()
  await edit.getByRole('button', { name: 'Update Data Store' }).click()
  await expect(page.getByText('Data store updated successfully!')).toBeVisible()
  await expect(edit).toBeHidden()
  await section.getByRole('button', { name: 'Make default: System Storage' }).click()
  await expect(section.getByRole('button', { name: 'Make default: Cellar' })).toBeVisible()

  await section.getByRole('button', { name: 'Clear all data of Cellar' }).click()
  await page.getByRole('dialog').getByLabel('Type CLEAR to confirm').fill('CLEAR')
  await page.getByRole('dialog').getByRole('button', { name: 'Clear all data' }).click()
  await expect(page.getByText('Removed 0 records from "Cellar".')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await section.getByRole('button', { name: 'Delete Cellar' }).click()
  await page.route('**/api/data-stores/*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('dialog').getByRole('button', { name: 'Delete data store' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to delete data store: Unknown error')
  await page.unroute('**/api/data-stores/*')
  await expect(page.getByRole('dialog')).toBeHidden()
  await section.getByRole('button', { name: 'Delete Cellar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete data store' }).click()
  await expect(page.getByText('Data store deleted successfully!')).toBeVisible()
  await expect(section.getByText('Cellar')).toBeHidden()
})
