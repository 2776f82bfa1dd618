import { getStrategyRecord, type RecordFile, type RecordView } from '@tradewright/contract/forward-records'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  LOOKS,
  openScreen,
  postToServer,
  reloadScreen,
  signIn,
  signInAsNew,
  signOut,
  standIn,
} from '../../../../test-support/screen.tsx'
import { on } from '../../../../test-support/served.ts'

test('the record of a saved strategy is begun, downloaded, read by a link without an account, revoked and ended', async () => {
  const { username, password } = await signInAsNew()
  const config = { allocations: [{ ticker: 'SPY', allocation: 100 }], dataProvider: 'sample' }
  const strategy = { name: 'Held to my word', strategy_type: 'Asset Allocation', config }
  const { id } = await postToServer('/api/strategies', strategy)
  openScreen('/strategies')
  await page.getByRole('link', { name: 'Forward record of Held to my word' }).click()
  await expect.element(page.getByText(/Nothing is traded, and a day that is missed is named/)).toBeVisible()
  await page.getByRole('button', { name: 'Begin record' }).click()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Forward record of Held to my word')
  await expect.element(page.getByText('No decision has been written down yet.')).toBeVisible()
  await expectAccessible()

  const download = page.getByRole('link', { name: 'Download' })
  await expect.element(download).toHaveAttribute('download')
  const answer = await fetch((download.element() as HTMLAnchorElement).href)
  expect(answer.headers.get('Content-Disposition')).toMatch(/\.json"?$/)
  const file = (await answer.json()) as RecordFile
  await expect.element(page.getByText(file.head)).toBeVisible()

  await page.getByRole('button', { name: 'Share' }).click()
  await expect.element(page.getByLabelText('Link, shown once')).toBeVisible()
  const link = new URL((page.getByLabelText('Link, shown once').element() as HTMLInputElement).value)
  await expectAccessible()

  await signOut()
  openScreen(link.pathname)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Held to my word')
  await expect.element(page.getByText(file.head)).toBeVisible()
  await expectAccessible()

  await postToServer('/api/login', { email: username, password })
  openScreen(`/strategies/${String(id)}/record`)
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await expect.element(page.getByRole('button', { name: 'Revoke link' })).not.toBeInTheDocument()
  await expect.element(page.getByLabelText('Link, shown once')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'End record' }).click()
  await expect.element(page.getByRole('button', { name: 'Resume record' })).toBeVisible()

  openScreen(link.pathname)
  await expect.element(page.getByText('This record is not available')).toBeVisible()
  openScreen('/strategies/999999/record')
  await expect.element(page.getByText('There is no such strategy')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Begin record' })).not.toBeInTheDocument()
  await expectAccessible()
})

const HASH = '4f0c1e6b2a93d7585c1e0f9a7b3d246886ad1f53c09e7b1244ce5d90fa3b7c21'

/** Months of a model's decisions, which a test cannot wait for. */
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

test.each(LOOKS)(
  'a record of months shows its calibration, its missed days and where it is broken ($colorScheme, $viewport.width)',
  async (wanted) => {
    await signIn()
    await look(wanted)
    let record = RECORD
    standIn([
      on(getStrategyRecord, () => ({ success: true as const, record, link_expires_at: '2026-12-18T00:00:00.000Z' })),
    ])
    openScreen('/strategies/7/record')
    await expect.element(page.getByRole('table', { name: 'Calibration' })).toMatchTextContent('57.0% of 89')
    await expect.element(page.getByText(/Sessions without a decision: 6 Mar 2026, 9 Mar 2026/)).toBeVisible()
    await expect.element(page.getByText(/the bar of the session has not arrived yet/)).toBeVisible()
    await expect.element(page.getByRole('table', { name: 'Entries' }).getByRole('row')).toHaveLength(41)
    await expectAccessible()
    await expectNoSidewaysScroll()

    record = { ...RECORD, first_bad: 17, calibration: null }
    reloadScreen()
    await expect.element(page.getByText(/The chain is broken at entry 17/)).toBeVisible()
    await expect.element(page.getByText('Calibration: n/a, since the chain is broken.')).toBeVisible()
    await expectAccessible()
  },
)
