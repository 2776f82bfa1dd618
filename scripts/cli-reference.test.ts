import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLI_PAGE, withReference } from './cli-reference.ts'

it('docs/cli.md has the help of every command: npm run docs:cli', () => {
  const page = readFileSync(CLI_PAGE, 'utf8')
  expect(page).toBe(withReference(page))
})
