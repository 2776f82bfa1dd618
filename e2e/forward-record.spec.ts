import type { RecordFile, RecordView } from '../packages/contract/src/forward-records.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expect, LOOKS, type Page, test } from './story.ts'

async function saved(page: Page, name: string): Promise<number> {
  const config = { allocations: [{ ticker: 'SPY', allocation: 100 }], dataProvider: 'sample' }
  const data = { name, strategy_type: 'Asset Allocation', config }
  const answer = await page.request.post('/api/strategies', { data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return ((await answer.json()) as { id: number }).id
}

test('the record of a saved strategy is begun, downloaded, read by a link without an account, revoked and ended', async ({
  page,
  browser,
  baseURL,
  person: _person,
}) => {
  const id = await saved(page, 'Held to my word')
  await page.goto('/strategies')
  await page.getByRole('link', { name: 'Forward record of Held to my word' }).click()
  await expect(page.getByText(/Nothing is traded, and a day that is missed is named/)).toBeVisible()
  await page.getByRole('button', { name: 'Begin record' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forward record of Held to my word')
  await expect(page.getByText('No decision has been written down yet.')).toBeVisible()
  await expectAccessible(page)

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.json$/)
  const file = (await (await page.request.get(`/api/strategies/${id}/record/file`)).json()) as RecordFile
  await expect(page.getByText(file.head)).toBeVisible()

  await page.getByRole('button', { name: 'Share' }).click()
  const link = await page.getByLabel('Link, shown once').inputValue()
  await expectAccessible(page)
  const visitor = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Held to my word')
  await expect(visitor.getByText(file.head)).toBeVisible()
  await expectAccessible(visitor)
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await expect(page.getByRole('button', { name: 'Revoke link' })).toBeHidden()
  await expect(page.getByLabel('Link, shown once')).toBeHidden()
  await visitor.reload()
  await expect(visitor.getByText('This record is not available')).toBeVisible()
  await visitor.context().close()

  await page.getByRole('button', { name: 'End record' }).click()
  await expect(page.getByRole('button', { name: 'Resume record' })).toBeVisible()
  await page.goto('/strategies/999999/record')
  await expect(page.getByText('There is no such strategy')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Begin record' })).toBeHidden()
  await expectAccessible(page)
})

const HASH = '4f0c1e6b2a93d7585c1e0f9a7b3d246886ad1f53c09e7b1244ce5d90fa3b7c21'

/** Months of a model's decisions, which a story cannot wait for. */
const RECORD: RecordView = {
  name: 'SPY / TLT regime switch',
  strategy: 'SPY / TLT regime switch',
  strategy_type: 'ML',
  is_paper: true,
  created_at: '2025-11-17T15:00:00.000Z',
  is_open: true,
  schedule: {
    next_session: '2026-11-18',
    due_at: '2026-11-18T21:20:00.000Z',
    missed: ['2026-03-06', '2026-03-09'],
    problem: 'The newest bar is from 2026-11-17; the bar of the session has not arrived yet.',
  },
  entry_count: 252,
  imported_entries: 0,
  first_bad: null,
  head: HASH,
  entries: Array.from({ length: 40 }, (_, i) => ({
    seq: 252 - i,
    at: new Date(Date.UTC(2026, 10, 17 - i, 21, 20, 14)).toISOString(),
    signal: i % 3 === 0 ? 'Sell' : 'Buy',
    probability: i % 3 === 0 ? 0.4 - i / 400 : 0.55 + i / 200,
    weights: i % 3 === 0 ? { TLT: 1 } : { 'SPY?L=2': 0.6, AGG: 0.4 },
    hash: HASH.replace('4f0c', String(4000 + i)),
    happened: i === 0 ? null : i % 2 === 0,
  })),
  predicts: true,
  calibration: {
    count: 240,
    brier: 0.238,
    bins: [
      { from: 0.3, to: 0.4, count: 31, said: 0.36, happened: 0.39, low: 0.24, high: 0.56 },
      { from: 0.5, to: 0.6, count: 120, said: 0.56, happened: 0.55, low: 0.46, high: 0.64 },
      { from: 0.6, to: 0.7, count: 89, said: 0.63, happened: 0.57, low: 0.47, high: 0.67 },
    ],
  },
  proves: 'A hash chain proves that no entry was changed, removed or inserted before an entry whose hash you know.',
}

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${colorScheme}, ${viewport.width} px`, () => {
    test.use({ colorScheme, viewport })

    test('a record of months shows its calibration, its missed days and where it is broken', async ({
      signedIn: page,
    }) => {
      let record = RECORD
      await page.route('**/api/strategies/7/record', (route) =>
        route.fulfill({ json: { success: true, record, link_expires_at: '2026-12-18T00:00:00.000Z' } }),
      )
      await page.goto('/strategies/7/record')
      await expect(page.getByRole('table', { name: 'Calibration' })).toContainText('57.0% of 89')
      await expect(page.getByText(/Sessions without a decision: 6 Mar 2026, 9 Mar 2026/)).toBeVisible()
      await expect(page.getByText(/the bar of the session has not arrived yet/)).toBeVisible()
      await expect(page.getByRole('table', { name: 'Entries' }).getByRole('row')).toHaveCount(41)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)

      record = { ...RECORD, first_bad: 17, calibration: null }
      await page.reload()
      await expect(page.getByText(/The chain is broken at entry 17/)).toBeVisible()
      await expect(page.getByText('Calibration: n/a, since the chain is broken.')).toBeVisible()
      await expectAccessible(page)
    })
  })
}
