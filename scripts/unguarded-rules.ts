// `npm run rules [area…]`: which rules of docs/specs no test cites, so that a gap is seen and not guessed.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = process.argv.slice(2).map((area) => area.toUpperCase())
const RULE = /^- \*\*([A-Z]+)-(\d+)\*\* (.*)$/gm
/** `[LIVE-092]`, and several at once: `[SHELL-001..011, SHELL-015]` or `[SHELL-001..SHELL-011]`. */
const CITATION = /\[((?:[A-Z]+-\d+(?:\.\.(?:[A-Z]+-)?\d+)?(?:,\s*)?)+)\]/g

const guarded = new Set(read('{apps,packages,e2e,scripts}/**/*.{test,spec}.{ts,tsx}').flatMap(citedRules))
const byArea = Map.groupBy(read('docs/specs/*.md').flatMap(rules), ({ area }) => area)
for (const [area, all] of byArea) {
  if (wanted.length > 0 && !wanted.includes(area)) continue
  const open = all.filter(({ id }) => !guarded.has(id))
  console.log(`${area}: ${all.length - open.length} of ${all.length} rules guarded`)
  if (wanted.length > 0) for (const { id, text } of open) console.log(`  ${id} ${text}`)
}

function read(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
}

function rules(text: string): { id: string; area: string; text: string }[] {
  return [...text.matchAll(RULE)].map(([, area = '', number = '', rule = '']) => ({
    id: `${area}-${number}`,
    area,
    text: rule,
  }))
}

function citedRules(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap(([, list = '']) => list.split(/,\s*/).flatMap(expand))
}

function expand(citation: string): string[] {
  const [, area = '', first = '', last = first] = /^([A-Z]+)-(\d+)(?:\.\.(?:[A-Z]+-)?(\d+))?$/.exec(citation) ?? []
  const numbers = Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index)
  return numbers.map((number) => `${area}-${String(number).padStart(3, '0')}`)
}
