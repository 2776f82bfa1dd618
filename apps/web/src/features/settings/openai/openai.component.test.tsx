import { connectOpenAi, disconnectOpenAi, getOpenAiStatus, updateOpenAiModel } from '@tradewright/contract/openai'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectTexts,
  openScreen,
  reloadScreen,
  signIn,
  signInAsNew,
  standIn,
} from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

test('OpenAI is connected, given another model, and disconnected [SET-006..010, SET-023, SET-031, SET-032, SET-090]', async () => {
  await signInAsNew()
  openScreen('/settings')
  const section = page.getByRole('region', { name: 'OpenAI Integration' })
  await expect.element(section.getByText('Not connected')).toBeVisible()
  await expect.element(section.getByLabelText('API key')).not.toBeInTheDocument()
  await section.getByRole('button', { name: 'Connect' }).click()
  await expectTexts(section.getByRole('combobox', { name: 'Model' }).getByRole('option'), [
    'gpt-4o-mini',
    'gpt-4o',
    'gpt-4',
    'gpt-3.5-turbo',
  ])
  await expect.element(section.getByRole('combobox', { name: 'Model' })).toHaveValue('gpt-4o-mini')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Please enter your OpenAI API key')
  await section.getByLabelText('API key').fill('key-of-a-local-server')
  await expect.element(section.getByText('OpenAI API keys should start with "sk-"')).toBeVisible()
  await section.getByLabelText('API key').fill('sk-test')
  await expect.element(section.getByText('OpenAI API keys should start with "sk-"')).not.toBeInTheDocument()
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.element(section.getByText('Connected', { exact: true })).toBeVisible()

  await expect.element(section.getByRole('option', { name: 'gpt-4 (not offered)' })).toBeInTheDocument()
  await section.getByRole('combobox', { name: 'Model' }).selectOptions('gpt-6-luna')
  await section.getByRole('button', { name: 'Update model' }).click()
  await expect.element(page.getByText('Model updated to gpt-6-luna.')).toBeVisible()
  reloadScreen()
  await expect.element(section.getByRole('combobox', { name: 'Model' })).toHaveValue('gpt-6-luna')
  await section.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(section.getByText('Not connected')).toBeVisible()
})

test('failures of the OpenAI section are named, with the reason of the server [SET-080]', async () => {
  await signIn()
  let connected = true
  const status = { model_preference: 'gpt-4o', last_used: null, base_url: null, unverified_reason: null }
  standIn([
    on(getOpenAiStatus, () => ({ ...status, connected })),
    on(updateOpenAiModel, () => refuse('Not today.')),
    on(disconnectOpenAi, () => refuse('', { status: 500 })),
    on(connectOpenAi, () => refuse('No.')),
  ])
  openScreen('/settings')
  const section = page.getByRole('region', { name: 'OpenAI Integration' })
  await section.getByRole('combobox', { name: 'Model' }).selectOptions('gpt-4o-mini')
  await section.getByRole('button', { name: 'Update model' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to update model: Not today.')
  await section.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to disconnect OpenAI: Unknown error')

  connected = false
  reloadScreen()
  await section.getByRole('button', { name: 'Connect' }).click()
  await section.getByLabelText('API key').fill('sk-wrong')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to connect OpenAI: No.')
})
