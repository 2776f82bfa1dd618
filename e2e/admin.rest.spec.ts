import { startStandIn } from '../apps/server/test-support/stand-ins/stand-in.ts'
import { LONG_RUN } from '../apps/web/src/features/optimizer/test-support/search-forms.ts'
import { startApp } from './app.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expect, LOOKS, newPerson, type Page, register, test } from './story.ts'

test('the operator sees health, users and invitations; to any other user there is no such page', async ({
  browser,
}) => {
  test.slow()
  const { username, password } = newPerson()
  const busy = await startStandIn('busy', () => ({ status: 429, body: { message: 'too many requests' } }))
  const broker = await startStandIn('broker', () => ({ status: 401, body: { message: 'unauthorized' } }))
  const app = await startApp({
    OPERATOR_USER: username,
    YAHOO_URL: busy.url,
    ALPACA_PAPER_URL: broker.url,
    // Its searches go on for the whole story, and leave a core to the browsers.
    COMPUTE_THREADS: '1',
    // No folder can be made there: the first backup fails.
    BACKUP_FOLDER: '/dev/null/backups',
  })
  try {
    const context = await browser.newContext({ baseURL: app.url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    // The name of the operator is free for the very first account alone.
    await register(page, { username, password })
    const stranger = await browser.newContext({ baseURL: app.url })
    const theirs = await stranger.newPage()
    await register(theirs, newPerson())
    await theirs.goto('/admin')
    await expect(theirs.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    await stranger.close()
    await makeTrouble(page)
    await page.goto('/admin')
    await expect(page.getByRole('heading', { level: 1, name: 'Administration' })).toBeVisible()
    await expect(page.getByText(username).first()).toBeVisible()
    const rowOf = (table: string, words: RegExp) =>
      page.getByRole('table', { name: table }).getByRole('row', { name: words })
    await expect(rowOf('Jobs', /Optimizer.*Running/)).toBeVisible()
    await expect(rowOf('Providers and brokers', /Yahoo/)).toBeVisible()
    await expect(rowOf('Providers and brokers', /Alpaca.*broker/)).toBeVisible()
    await expect(rowOf('Recent errors', /backup/i).first()).toBeVisible()
    for (const { colorScheme, viewport } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    await context.close()
  } finally {
    await app.stop()
    await busy.close()
    await broker.close()
  }
})

/** A provider that is asked too often, a broker that refuses, and jobs that go on. */
async function makeTrouble(page: Page): Promise<void> {
  const made = await page.request.post('/api/data-collector/jobs', {
    data: {
      name: 'Prices',
      provider_id: 'yahoo',
      tickers: ['SPY'],
      data_granularity: '1d',
      categories: ['close'],
      start_date: '2024-01-02',
      end_date: '2024-06-28',
    },
  })
  expect(made.ok(), await made.text()).toBe(true)
  const { job } = (await made.json()) as { job: { id: number } }
  await leave(page, `/api/data-collector/jobs/${job.id}/run`, {})
  const refused = await page.request.post('/api/alpaca/accounts', {
    data: { account_name: 'Main', api_key: 'PK0000000000000000', api_secret: 'a'.repeat(40), paper_trading: true },
  })
  expect(refused.ok()).toBe(false)
  for (let run = 0; run < 2; run++) {
    const begun = await page.request.post('/api/feature-optimization', { data: { ...LONG_RUN, wait: false } })
    expect(begun.ok(), await begun.text()).toBe(true)
  }
}

/** The work goes on when the client disconnects. */
const leave = (page: Page, path: string, data: object) =>
  page.request.post(path, { data, timeout: 2_000 }).catch(() => undefined)
