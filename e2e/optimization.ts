import { expect, type Page } from './story.ts'

export { LONG_RUN, SMALL_RUN } from '../apps/web/src/features/optimizer/test-support/search-forms.ts'

interface StartedRun {
  run_id: number
}

/** Through the call, for stories about what comes after it. A small run is awaited. */
export async function optimize(page: Page, form: object): Promise<number> {
  const answer = await page.request.post('/api/feature-optimization', { data: form })
  expect(answer.ok(), await answer.text()).toBe(true)
  const { run_id }: StartedRun = await answer.json()
  return run_id
}

export const previousRuns = (page: Page) => page.getByRole('combobox', { name: 'Previous runs' })
export const results = (page: Page) => page.getByRole('region', { name: 'Results', exact: true })
