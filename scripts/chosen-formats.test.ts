import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '../apps/web/src')

/** These read the browser's language, or write English, whatever the user chose. */
const OWN_FORMAT = /\.toLocale(?:Date|Time)?String\(|Intl\.(?:Number|RelativeTime)Format|Intl\.DateTimeFormat\([^)]/

it('formats numbers, dates and times in lib alone, where the choice of the user is known', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE }).filter(
    (file) => !file.startsWith('lib/') && !/\.test\.tsx?$/.test(file),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => OWN_FORMAT.test(readFileSync(join(SOURCE, file), 'utf8')))).toEqual([])
})
