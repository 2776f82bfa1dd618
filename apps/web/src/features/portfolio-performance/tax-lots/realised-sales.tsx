import { Button } from '@mantine/core'
import type { RealisedSale, TaxLots, RealisedTerm, RealisedYear } from '@tradewright/contract/tax-lots'
import { useState } from 'react'
import { formatCount, formatMoney, formatQuantity, formatSignedMoney } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { Pagination, numeric, secondary, Table } from '../../../ui/table/table.tsx'
import classes from './tax-lots.module.css'
import screen from '../portfolio-performance-screen.module.css'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { TextField } from '../../../ui/form/fields.tsx'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import { useSaleLots, useSetSaleLots } from '../queries.ts'

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

interface RealisedYearsProps {
  years: readonly RealisedYear[]
  chosen: number | null
  onChoose: (year: number) => void
}

export function RealisedYears({ years, chosen, onChoose }: RealisedYearsProps) {
  return (
    <section className={classes.part} aria-label="Realised gains by year">
      <h3 className={classes.title}>Realised gains by year</h3>
      {years.length === 0 ? (
        <p className={screen.nothing}>Nothing has been sold yet. Gains and losses appear with the first sale.</p>
      ) : (
        <Table label="Realised gains by year">
          <thead>
            <tr>
              <th>Year</th>
              <th className={`${numeric} ${secondary}`}>Proceeds</th>
              <th className={`${numeric} ${secondary}`}>Basis</th>
              <th className={numeric}>Short-term</th>
              <th className={numeric}>Long-term</th>
              <th className={numeric}>Gain</th>
            </tr>
          </thead>
          <tbody>
            {years.map(({ year, short, long, total }) => (
              <tr key={year}>
                <td>
                  <button
                    type="button"
                    className={classes.year}
                    aria-pressed={year === chosen}
                    aria-label={`Sales of ${year}`}
                    onClick={() => onChoose(year)}
                  >
                    {year}
                  </button>
                </td>
                <td className={`${numeric} ${secondary}`}>{formatMoney(total.proceeds)}</td>
                <td className={`${numeric} ${secondary}`}>{formatMoney(total.basis)}</td>
                <Gain term={short} />
                <Gain term={long} />
                <Gain term={total} />
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}

const Gain = ({ term: { gain, disallowed } }: { term: RealisedTerm }) => (
  <td className={numeric}>
    <Delta value={gain}>{formatSignedMoney(gain)}</Delta>
    {disallowed !== 0 && <small className={classes.beside}>without {formatMoney(disallowed)} of wash sales</small>}
  </td>
)

interface ChooseLotsProps {
  accountId: number
  saleId: string
  onClose: () => void
}

/** How many shares of each lot a sale takes. */
function ChooseLots({ accountId, saleId, onClose }: ChooseLotsProps) {
  const offered = useSaleLots(accountId, saleId)
  const save = useSetSaleLots(accountId, saleId)
  const [edited, setEdited] = useState<Record<string, string>>({})
  const error = offered.error ?? save.error
  const lots = offered.data?.lots ?? []
  const chosenOf = (lot: (typeof lots)[number]) => edited[lot.purchase_id] ?? (lot.chosen === '0' ? '' : lot.chosen)
  const chosen = lots.flatMap((lot) => {
    const qty = chosenOf(lot).trim()
    return qty === '' ? [] : [{ purchase_id: lot.purchase_id, qty }]
  })
  return (
    <ContentModal
      opened
      title={offered.data ? `Lots of the sale of ${formatQuantity(offered.data.qty)} ${offered.data.symbol}` : 'Lots'}
      onClose={onClose}
    >
      <p className={classes.hint}>
        Shares of each lot that this sale took. What you leave open takes the oldest. For your tax return the lots must
        have been named to the broker by the day of settlement.
      </p>
      {error && (
        <p className={classes.error} role="alert">
          {serverMessageOr(error, 'The lots could not be saved.')}
        </p>
      )}
      {offered.isPending && <p className={classes.hint}>Loading lots...</p>}
      {offered.data && (
        <Table label="Lots of the sale">
          <thead>
            <tr>
              <th>Acquired</th>
              <th className={numeric}>Held</th>
              <th className={numeric}>Basis</th>
              <th className={numeric}>Sold from it</th>
            </tr>
          </thead>
          <tbody>
            {lots.map((lot) => (
              <tr key={lot.purchase_id}>
                <td className="tabular">{formatDate(lot.opened_on)}</td>
                <td className={numeric}>{formatQuantity(Number(lot.qty))}</td>
                <td className={numeric}>{formatMoney(lot.basis)}</td>
                <td className={numeric}>
                  <TextField
                    label={`Shares of the lot of ${formatDate(lot.opened_on)}`}
                    hideLabel
                    value={chosenOf(lot)}
                    placeholder="0"
                    onChange={(value) => setEdited({ ...edited, [lot.purchase_id]: value })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <div className={classes.buttons}>
        <CancelButton />
        <Button disabled={!offered.data || save.isPending} onClick={() => save.mutate(chosen, { onSuccess: onClose })}>
          Save lots
        </Button>
      </div>
    </ContentModal>
  )
}
