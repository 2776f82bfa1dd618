import { Button } from '@mantine/core'
import { useState } from 'react'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { TextField } from '../../../ui/form/fields.tsx'
import { useDisallocate } from '../actions.ts'
import { moneyIn } from '../../../deployment-words/money-in.ts'
import { percentText } from '../deployment-words.ts'
import { Fact, Facts } from '../../../ui/table/figure.tsx'
import { failedWith, type Tell } from '../messages.ts'
import type { Details } from '../queries.ts'
import { currentCapital, disallocationOf, disallocationProblem } from './capital-rules.ts'
import classes from './capital.module.css'

interface DisallocateCapitalProps {
  details: Details
  tell: Tell
  isAsking: boolean
  onAsking: (isAsking: boolean) => void
}

/** A share of everything the deployment has, cash and positions alike, goes back to the account. */
export function DisallocateCapital({ details, tell, isAsking, onAsking }: DisallocateCapitalProps) {
  const [percent, setPercent] = useState('')
  const [note, setNote] = useState('')
  const disallocation = useDisallocate(details, tell)
  const total = currentCapital(details)
  const preview = disallocationOf(percent, total)
  const money = (amount: number | undefined) => moneyIn(details.capital_currency, amount)
  const ask = () => {
    const problem = disallocationProblem(percent, total)
    if (problem) tell(failedWith(problem))
    else onAsking(true)
  }
  const confirm = () =>
    disallocation.mutate(
      { percent, note },
      {
        onSuccess: () => {
          setPercent('')
          setNote('')
        },
        onSettled: () => onAsking(false),
      },
    )
  return (
    <form
      className={classes.form}
      aria-label="Disallocate Capital"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <h3>Disallocate Capital</h3>
      <BoundedNumberField label="Percent" unit="%" min={1} max={100} value={percent} onChange={setPercent} />
      <TextField label="Note (optional)" value={note} onChange={setNote} />
      <Facts>
        <Fact label="Current capital">{money(total)}</Fact>
        <Fact label="Goes back">{preview ? money(preview.amount) : '–'}</Fact>
        <Fact label="Remains">{preview ? money(preview.remainder) : '–'}</Fact>
      </Facts>
      <Button type="submit" variant="default" disabled={disallocation.isPending}>
        Disallocate
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={`Disallocate ${percentText(Number(percent))} of ${details.deployment_name}?`}
        text={
          `Current capital: ${money(total)}. Returned to the account: ${money(preview?.amount)}. ` +
          `Remains in the deployment: ${money(preview?.remainder)}. Positions are returned, not sold.`
        }
        confirmLabel="Disallocate capital"
        busy={disallocation.isPending}
        onCancel={() => onAsking(false)}
        onConfirm={confirm}
      />
    </form>
  )
}
