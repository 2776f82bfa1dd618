import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { inside, look, LOOKS, openPart, signIn } from '../../../test-support/screen.tsx'
import { FetchedData } from './fetched-data.tsx'

const range = { start: '2020-01-02', end: '2024-12-31' }

test.each(LOOKS)('every column of fetched data has its heading ($viewport.width)', async (wanted) => {
  await signIn()
  await look(wanted)
  openPart(
    // As a panel of results names itself.
    <div style={{ container: 'results / inline-size' }}>
    <FetchedData
      title="Prices"
      sources={{
        requested: { ...range, granularity: '1d' },
        combined: { ...range, rows: 1258 },
        providers: [{ provider: 'sample', tickers: ['SPY'], ...range, rows: 1258 }],
      }}
    />
    </div>,
  )
  const table = page.getByRole('table', { name: 'Prices' })
  await expect.element(table).toBeVisible()
  const placesOf = (cells: string) =>
    inside(table, cells)
      .elements()
      .filter((cell) => cell.checkVisibility())
      .map((cell) => Math.round(cell.getBoundingClientRect().left))
  expect(placesOf('th')).toHaveLength(wanted.viewport.width < 700 ? 3 : 4)
  expect(placesOf('th')).toEqual(placesOf('tbody td'))
})
