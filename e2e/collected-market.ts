import { expect, type Page } from './story.ts'

const BARS = ['open', 'high', 'low', 'close', 'volume']

interface Job {
  id: number
}

/** Through the calls: what the story is about is the screen. */
export async function createJob(page: Page, more: object = {}): Promise<number> {
  const data = {
    name: 'Large caps',
    provider_id: 'sample',
    tickers: ['SPY', 'TLT'],
    data_granularity: '1d',
    categories: BARS,
    start_date: '2024-01-01',
    end_date: '2024-02-29',
    ...more,
  }
  const answer = await page.request.post('/api/data-collector/jobs', { data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return ((await answer.json()) as { job: Job }).job.id
}

export async function collect(page: Page, more: object = {}): Promise<void> {
  const id = await createJob(page, more)
  const answer = await page.request.post(`/api/data-collector/jobs/${id}/run`)
  expect(answer.ok(), await answer.text()).toBe(true)
}
