import { Button } from '@mantine/core'
import { LOT_METHOD_LABELS, LOT_METHODS, type LotMethod, type TaxLots } from '@tradewright/contract/tax-lots'
import { useState } from 'react'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { formatCount, formatMoney, formatQuantity, formatSignedMoney } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { SelectField } from '../../../ui/form/fields.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { useSetLotMethod, useTaxLots } from '../queries.ts'
import screen from '../portfolio-performance-screen.module.css'
import { RealisedSales, RealisedYears } from './realised-sales.tsx'
import classes from './tax-lots.module.css'
import { Delta } from '../../../ui/table/figure.tsx'
import { Pagination, numeric, secondary, Table } from '../../../ui/table/table.tsx'

/** Opened by the reader: lots are computed from every trade of the account. */
export function TaxLotsCard({ accountId }: { accountId: number }) {
  const [isOpen, setOpen] = useState(false)
  const [year, setYear] = useState<number | null>(null)
  const tax = useTaxLots(accountId, year, isOpen)
  return (
    <Card
      title="Tax lots and realised gains"
      hint="US rules. Not tax advice: your broker’s Form 1099-B is what counts."
      actions={
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide tax lots' : 'Show tax lots'}
        </Button>
      }
    >
      {isOpen && tax.error && (
        <p className={screen.nothing} role="alert">
          {serverMessageOr(tax.error, 'The tax lots could not be loaded.')}
        </p>
      )}
      {isOpen && tax.isPending && <output className={screen.nothing}>Computing lots...</output>}
      {isOpen && tax.data && <Content accountId={accountId} tax={tax.data} onYear={setYear} />}
    </Card>
  )
}

function Content({ accountId, tax, onYear }: { accountId: number; tax: TaxLots; onYear: (year: number) => void }) {
  if (!tax.is_complete) {
    return (
      <output className={screen.nothing}>
        Trades of the account are still being collected from the broker. Lots appear when all of them are known.
      </output>
    )
  }
  return (
    <>
      <Method accountId={accountId} tax={tax} />
      <Origins tax={tax} />
      <RealisedYears years={tax.years} chosen={tax.year} onChoose={onYear} />
      {tax.year !== null && <RealisedSales accountId={accountId} tax={tax} />}
      <LotsTable tax={tax} />
    </>
  )
}

function Method({ accountId, tax }: { accountId: number; tax: TaxLots }) {
  const set = useSetLotMethod(accountId)
  return (
    <div className={classes.method}>
      <SelectField
        label="Which shares a sale takes"
        value={set.isPending ? set.variables : tax.method}
        options={LOT_METHODS.map((method) => ({ value: method, label: LOT_METHOD_LABELS[method] }))}
        onChange={(method) => set.mutate(method as LotMethod)}
        {...(set.error ? { error: serverMessageOr(set.error, 'The method could not be saved.') } : {})}
      />
      <p className={classes.hint}>
        It changes these figures only. Tell your broker the same method, before the sale settles.
      </p>
    </div>
  )
}

/** Where the lots begin, and what they do not know. */
function Origins({ tax }: { tax: TaxLots }) {
  const before = [...new Set(tax.lots.filter(({ origin }) => origin === 'before').map(({ symbol }) => symbol))]
  const moved = [...new Set(tax.lots.filter(({ origin }) => origin === 'transfer').map(({ symbol }) => symbol))]
  const received = [...new Set(tax.lots.filter(({ origin }) => origin === 'unknown').map(({ symbol }) => symbol))]
  const unknown = tax.years.reduce((sum, { unknown_sales }) => sum + unknown_sales, 0)
  return (
    <ul className={classes.origins}>
      {tax.starts_on && <li>Lots begin with the first activity that the broker lists, {formatDate(tax.starts_on)}.</li>}
      {before.length > 0 && (
        <li>
          {before.join(', ')}: held before that. The basis is the broker’s average entry price, the holding period
          counts from the first activity on.
        </li>
      )}
      {moved.length > 0 && (
        <li>{moved.join(', ')}: came by a transfer, at the broker’s average entry price. Check basis and dates.</li>
      )}
      {received.length > 0 && (
        <li>
          {received.join(', ')}: basis unknown, ask the issuer (Form 8937). After a spin-off all of it still stands with
          the parent’s shares.
        </li>
      )}
      {unknown > 0 && (
        <li>
          {formatCount(unknown)} {unknown === 1 ? 'sale' : 'sales'} of shares whose basis is not known, in no sum.
        </li>
      )}
      {tax.unexplained.map(({ symbol, qty }) => (
        <li key={symbol}>
          {formatQuantity(qty)} {symbol} left the account without a sale that the broker lists.
        </li>
      ))}
      {tax.other_fees !== 0 && (
        <li>{formatMoney(tax.other_fees)} of fees belong to no known trade and are in no basis.</li>
      )}
      <li>
        Wash sales are checked within this account alone, across all of its deployments; purchases in your other
        accounts count as well for the tax office. Trades between deployments of the account are not sales.
      </li>
    </ul>
  )
}

const LOTS_PER_PAGE = 20

/** What is held, purchase by purchase. */
function LotsTable({ tax }: { tax: TaxLots }) {
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
