// What the commands that take pictures share: calls as a user, and real prices where there are any.
import type { Page } from '@playwright/test'
import { hasShared, readShared } from '../scripts/shared-data.ts'

type Sent = Parameters<Page['request']['post']>[1]

export async function send(page: Page, path: string, options: Sent): Promise<unknown> {
  const answer = await page.request.post(path, { timeout: 300_000, ...options })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return answer.json()
}

const TICKERS = ['SPY', 'AGG', 'TLT', 'GLD', 'QQQ', 'EFA', 'EEM', 'VNQ', 'DBC', 'IEF']

/**
 * From TRADEWRIGHT_DATA (or ../shared/data), imported as a user would; else what the program finds itself, which without a
 * network is the synthetic sample market, and the pictures say so.
 */
export async function importPrices(page: Page): Promise<void> {
  const files = [
    ...TICKERS.map((ticker) => ({ ticker, path: `data/equities/daily/${ticker}.csv` })),
    ...['TB3MS', 'FEDFUNDS', 'CPIAUCSL'].map((ticker) => ({ ticker, path: `data/macro/${ticker}.csv` })),
  ]
  for (const { ticker, path } of files) {
    if (!hasShared(path)) continue
    const file = { name: `${ticker}.csv`, mimeType: 'text/csv', buffer: Buffer.from(readShared(path)) }
    await send(page, '/api/data-collector/import', { multipart: { ticker, granularity: '1d', file } })
  }
}
