import type { TaxLots } from '@tradewright/contract/tax-lots'
import { useState } from 'react'
import { formatCount, formatMoney, formatQuantity, formatSignedMoney } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Delta } from '../../../ui/table/figure.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import screen from '../portfolio-performance-screen.module.css'
import classes from './tax-lots.module.css'

const LOTS_PER_PAGE = 20

/** What is held, purchase by purchase. */
export function LotsTable({ tax }: { tax: TaxLots }) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(tax.lots.length / LOTS_PER_PAGE))
  const shown = Math.min(page, pages)
  return (
    <section className={classes.part} aria-label="Open lots">
      <h3 className={classes.title}>
        Open lots
        {tax.lots_count > tax.lots.length && ` (the first ${formatCount(tax.lots.length)}; the CSV file has all)`}
      </h3>
      {tax.lots.length === 0 ? (
        <p className={screen.nothing}>The account holds no shares.</p>
      ) : (
        <>
          <p className={classes.note}>
            The basis of a lot has its fees and the losses of wash sales in it. Holdings compare with the broker’s
            average entry price, which has neither: the two gains may differ by as much.
          </p>
          <Table label="Open lots">
            <thead>
              <tr>
                <th>Symbol</th>
                <th>Acquired</th>
                <th className={numeric}>Quantity</th>
                <th className={numeric}>Basis</th>
                <th className={`${numeric} ${secondary}`}>Market value</th>
                <th className={numeric}>Unrealised</th>
                <th className={secondary}>Term</th>
              </tr>
            </thead>
            <tbody>
              {tax.lots.slice((shown - 1) * LOTS_PER_PAGE, shown * LOTS_PER_PAGE).map((lot) => (
                <tr key={lot.id}>
                  <td>{lot.symbol}</td>
                  <td className="tabular">
                    <span className={classes.date}>
                      {lot.origin === 'before' ? 'Before ' : ''}
                      {formatDate(lot.opened_on)}
                    </span>
                    {lot.held_since !== lot.opened_on && (
                      <small className={classes.beside}>held since {formatDate(lot.held_since)}</small>
                    )}
                  </td>
                  <td className={numeric}>{formatQuantity(lot.qty)}</td>
                  <td className={numeric}>
                    {lot.origin === 'unknown' ? 'Unknown' : formatMoney(lot.basis)}
                    {lot.wash_adjustment !== 0 && (
                      <small className={classes.beside}>with {formatMoney(lot.wash_adjustment)} of wash sales</small>
                    )}
                    {lot.origin !== 'trade' && (
                      <small className={classes.beside}>
                        {lot.origin === 'unknown' ? 'ask the issuer' : 'broker’s average'}
                      </small>
                    )}
                  </td>
                  <td className={`${numeric} ${secondary}`}>{formatMoney(lot.market_value)}</td>
                  <td className={numeric}>
                    {lot.unrealized === null ? (
                      '–'
                    ) : (
                      <Delta value={lot.unrealized}>{formatSignedMoney(lot.unrealized)}</Delta>
                    )}
                  </td>
                  <td className={secondary}>{lot.term === 'long' ? 'Long' : 'Short'}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
      <Pagination
        page={shown}
        pageSize={LOTS_PER_PAGE}
        total={tax.lots.length}
        onChange={setPage}
        label="Pages of open lots"
      />
    </section>
  )
}
