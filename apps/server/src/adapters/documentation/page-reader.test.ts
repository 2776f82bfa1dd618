import { expect, it } from 'vitest'
import { textOf } from './page-reader.ts'

it('gives the words of a page without scripts, styles and marks', () => {
  const page =
    '<!doctype html><HEAD><title>x</title></HEAD><body><p>Prices &amp; dates</p><script>a < b</script>end</body>'
  expect(textOf(page)).toBe('Prices & dates\nend')
})

it('leaves other text as it is', () => {
  expect(textOf('GET /v1/prices?from=<date>')).toBe('GET /v1/prices?from=<date>')
})

it('reads a page that was made to take for ever', () => {
  expect(textOf(`<html>${'<script '.repeat(200_000)}`)).toContain('script')
  expect(textOf(`<html>${'<'.repeat(2_000_000)}`).length).toBeGreaterThan(0)
})
