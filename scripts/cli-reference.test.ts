import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLI_PAGE, withReference } from './cli-reference.ts'
import { SETTINGS_PAGE, withSettings } from './settings-reference.ts'

it('docs/cli.md has the help of every command: npm run docs:cli', () => {
  const page = readFileSync(CLI_PAGE, 'utf8')
  expect(page).toBe(withReference(page))
})

it('docs/server-settings.md has every setting of the server: npm run docs:settings', () => {
  const page = readFileSync(SETTINGS_PAGE, 'utf8')
  expect(page).toBe(withSettings(page))
  expect(page.split('\n').filter((line) => /: *$/.test(line) && line.startsWith('- '))).toEqual([])
})
