import { expect, test } from './story.ts'

test('OpenAI is connected, given another model, and disconnected [SET-006..010, SET-023, SET-031, SET-032, SET-090]', async ({
  page,
  person: _person,
}) => {
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'OpenAI Integration' })
  await expect(section.getByText('Not connected')).toBeVisible()
  await expect(section.getByLabel('API key')).toBeHidden()
  await section.getByRole('button', { name: 'Connect' }).click()
  await expect(section.getByRole('combobox', { name: 'Model' }).locator('option')).toHaveText([
    'gpt-4o-mini',
    'gpt-4o',
    'gpt-4',
    'gpt-3.5-turbo',
  ])
  await expect(section.getByRole('combobox', { name: 'Model' })).toHaveValue('gpt-4o-mini')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('Please enter your OpenAI API key')
  await section.getByLabel('API key').fill('key-of-a-local-server')
  await expect(section.getByText('OpenAI API keys should start with "sk-"')).toBeVisible()
  await section.getByLabel('API key').fill('sk-story')
  await expect(section.getByText('OpenAI API keys should start with "sk-"')).toBeHidden()
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(section.getByText('Connected', { exact: true })).toBeVisible()

  await expect(section.getByRole('option', { name: 'gpt-4 (not offered)' })).toBeAttached()
  await section.getByRole('combobox', { name: 'Model' }).selectOption('gpt-6-luna')
  await section.getByRole('button', { name: 'Update model' }).click()
  await expect(page.getByText('Model updated to gpt-6-luna.')).toBeVisible()
  await page.reload()
  await expect(section.getByRole('combobox', { name: 'Model' })).toHaveValue('gpt-6-luna')
  await section.getByRole('button', { name: 'Disconnect' }).click()
  await expect(section.getByText('Not connected')).toBeVisible()
})

test('failures of the OpenAI section are named, with the reason of the server [SET-080]', async ({
  signedIn: page,
}) => {
  const status = {
    connected: true,
    model_preference: 'gpt-4o',
    last_used: null,
    base_url: null,
    unverified_reason: null,
  }
  await page.route('**/api/openai/status', (route) => route.fulfill({ json: status }))
  await page.route('**/api/openai/update-model', (route) =>
    route.fulfill({ status: 400, json: { success: false, error: 'Not today.', message: 'Not today.', code: 'x' } }),
  )
  await page.route('**/api/openai/disconnect', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'OpenAI Integration' })
  await section.getByRole('combobox', { name: 'Model' }).selectOption('gpt-4o-mini')
  await section.getByRole('button', { name: 'Update model' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to update model: Not today.')
  await section.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to disconnect OpenAI: Unknown error')

  await page.route('**/api/openai/status', (route) => route.fulfill({ json: { ...status, connected: false } }))
  await page.route('**/api/openai/connect', (route) =>
    route.fulfill({ status: 400, json: { success: false, error: 'No.', message: 'No.', code: 'x' } }),
  )
  await page.reload()
  await section.getByRole('button', { name: 'Connect' }).click()
  await section.getByLabel('API key').fill('sk-wrong')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to connect OpenAI: No.')
})
