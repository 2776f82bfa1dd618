import { Button } from '@mantine/core'
import { useState } from 'react'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { formatMoney, formatQuantity } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { TextField } from '../../../ui/form/fields.tsx'
import { CancelButton, ContentModal } from '../../../ui/layout/content-modal.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { useSaleLots, useSetSaleLots } from './lots-queries.ts'
import classes from './tax-lots.module.css'

interface ChooseLotsProps {
  accountId: number
  saleId: string
  onClose: () => void
}

/** How many shares of each lot a sale takes. */
export function ChooseLots({ accountId, saleId, onClose }: ChooseLotsProps) {
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
