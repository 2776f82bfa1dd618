import { Button } from '@mantine/core'
import type { RealisedSale, TaxLots } from '@tradewright/contract/tax-lots'
import { useState } from 'react'
import { formatCount, formatMoney, formatQuantity, formatSignedMoney } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { ChooseLots } from './choose-lots.tsx'
import classes from './tax-lots.module.css'

const SALES_PER_PAGE = 20

/** The sales of a year, newest first, with what a wash sale did to each. */
export function RealisedSales({ accountId, tax }: { accountId: number; tax: TaxLots }) {
  const [page, setPage] = useState(1)
  const [choosing, setChoosing] = useState<string | null>(null)
  const pages = Math.max(1, Math.ceil(tax.sales.length / SALES_PER_PAGE))
  const shown = Math.min(page, pages)
  const mayChoose = tax.method === 'specific'
  const label = `Sales of ${tax.year}`
  return (
    <section className={classes.part} aria-label={label}>
      <h3 className={classes.title}>
        {label}
        {tax.sales_count > tax.sales.length && ` (the newest ${formatCount(tax.sales.length)}; the CSV file has all)`}
      </h3>
      <Table label={label}>
        <thead>
          <tr>
            <th>Sold</th>
            <th>Symbol</th>
            <th className={numeric}>Quantity</th>
            <th className={secondary}>Acquired</th>
            <th className={`${numeric} ${secondary}`}>Proceeds</th>
            <th className={`${numeric} ${secondary}`}>Basis</th>
            <th className={numeric}>Gain</th>
            <th>Term</th>
            {mayChoose && <th>Lots</th>}
          </tr>
        </thead>
        <tbody>
          {tax.sales.slice((shown - 1) * SALES_PER_PAGE, shown * SALES_PER_PAGE).map((sale, index) => (
            // A sale has a row for each lot; two lots may be equal in every column.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={`${sale.sale_id} ${index}`}>
              <td className="tabular">{formatDate(sale.sold_on)}</td>
              <td>
                {sale.symbol}
                <WashFlag sale={sale} />
              </td>
              <td className={numeric}>{formatQuantity(sale.qty)}</td>
              <td className={`tabular ${secondary}`}>{formatDate(sale.opened_on)}</td>
              <td className={`${numeric} ${secondary}`}>{formatMoney(sale.proceeds)}</td>
              <td className={`${numeric} ${secondary}`}>
                {sale.origin === 'unknown' ? 'Unknown' : formatMoney(sale.basis)}
              </td>
              <td className={numeric}>
                {sale.origin === 'unknown' ? (
                  'Unknown'
                ) : sale.gain === 0 ? (
                  formatMoney(0)
                ) : (
                  <Delta value={sale.gain}>{formatSignedMoney(sale.gain)}</Delta>
                )}
              </td>
              <td>{sale.term === 'long' ? 'Long' : 'Short'}</td>
              {mayChoose && (
                <td>
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`Choose lots of the sale of ${sale.symbol} on ${formatDate(sale.sold_on)}`}
                    onClick={() => setChoosing(sale.sale_id)}
                  >
                    Choose
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </Table>
      <Pagination
        page={shown}
        pageSize={SALES_PER_PAGE}
        total={tax.sales.length}
        onChange={setPage}
        label={`Pages of sales of ${tax.year}`}
      />
      {choosing !== null && <ChooseLots accountId={accountId} saleId={choosing} onClose={() => setChoosing(null)} />}
    </section>
  )
}

function WashFlag({ sale }: { sale: RealisedSale }) {
  if (sale.washes.length === 0) return null
  const dates = [...new Set(sale.washes.map(({ bought_on }) => formatDate(bought_on)))].join(', ')
  return (
    <span className={classes.wash}>
      <Tag>Wash sale</Tag>
      <small>
        {formatMoney(sale.disallowed)} of the loss moved to shares bought {dates}
      </small>
    </span>
  )
}
