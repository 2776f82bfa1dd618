import { postToServer } from './screen.tsx'

/** Through the call: what the tests are about is the screen. */
export async function createJob(more: object = {}): Promise<number> {
  const { job } = await postToServer('/api/data-collector/jobs', {
    name: 'Large caps',
    provider_id: 'sample',
    tickers: ['SPY', 'TLT'],
    data_granularity: '1d',
    categories: ['open', 'high', 'low', 'close', 'volume'],
    start_date: '2024-01-01',
    end_date: '2024-02-29',
    ...more,
  })
  return (job as { id: number }).id
}

export async function collect(): Promise<void> {
  await postToServer(`/api/data-collector/jobs/${await createJob()}/run`)
}
