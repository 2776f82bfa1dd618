// `npm run docs:settings`: writes every setting of the server into docs/server-settings.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { settingSections } from '../apps/server/src/config.ts'

export const SETTINGS_PAGE = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/server-settings.md')
const FIRST_SECTION = '\n## '

/** The page with its sections made anew; what stands before the first one is written by hand. */
export function withSettings(page: string): string {
  const own = page.slice(0, page.indexOf(FIRST_SECTION))
  const sections = Object.entries(settingSections).map(([title, settings]) => {
    const entries = Object.entries<z.ZodType>(settings).map(([name, schema]) => entryOf(name, schema))
    return `## ${title}\n\n${entries.join('\n')}\n`
  })
  return `${own}\n${sections.join('\n')}`
}

function entryOf(name: string, schema: z.ZodType): string {
  const form = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const { description = '', otherwise } = schema.meta() ?? {}
  const values = form.enum ? form.enum.map((value) => `\`${String(value)}\``).join(', ') : rangeOf(form)
  const isPrinted = typeof form.default === 'number' || (typeof form.default === 'string' && form.default !== '')
  const usual = typeof otherwise === 'string' ? otherwise : isPrinted ? `\`${JSON.stringify(form.default)}\`` : ''
  const facts = [values, usual && `default ${usual.replaceAll('"', '')}`].filter(Boolean).join('; ')
  return `- \`${name}\`${facts && ` (${facts})`}: ${description}`
}

function rangeOf({ minimum, exclusiveMinimum, maximum }: z.core.JSONSchema.JSONSchema): string | undefined {
  if (typeof exclusiveMinimum === 'number') return `above ${exclusiveMinimum.toLocaleString('en-US')}`
  if (minimum === undefined || maximum === undefined) return undefined
  const lowest = minimum.toLocaleString('en-US')
  return maximum === Number.MAX_SAFE_INTEGER ? `at least ${lowest}` : `${lowest} to ${maximum.toLocaleString('en-US')}`
}

if (import.meta.main) writeFileSync(SETTINGS_PAGE, withSettings(readFileSync(SETTINGS_PAGE, 'utf8')))
