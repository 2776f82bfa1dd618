import { Button } from '@mantine/core'
import { useState } from 'react'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { ChoiceField, TextField } from '../../../ui/form/fields.tsx'
import { useContribute } from '../actions.ts'
import { failedWith, type Tell } from '../messages.ts'
import type { Details } from '../queries.ts'
import { adjustmentProblem } from './capital-rules.ts'
import classes from './capital.module.css'

const TYPES = { Contribution: 'CONTRIBUTION', Withdrawal: 'WITHDRAWAL' } as const

/** Money in from the account's free cash, or back out to it. */
export function AdjustCapital({ details, tell }: { details: Details; tell: Tell }) {
  const [kind, setKind] = useState<keyof typeof TYPES>('Contribution')
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const contribution = useContribute(details.id, tell)
  const submit = () => {
    const problem = adjustmentProblem(TYPES[kind], amount, details, details.account)
    if (problem) {
      tell(failedWith(problem))
      return
    }
    const clear = () => {
      setAmount('')
      setNote('')
    }
    contribution.mutate({ contribution_type: TYPES[kind], amount, note }, { onSuccess: clear })
  }
  return (
    <form
      className={classes.form}
      aria-label="Adjust Capital"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h3>Adjust Capital</h3>
      <ChoiceField
        label="Contribution type"
        value={kind}
        options={['Contribution', 'Withdrawal'] as const}
        onChange={setKind}
      />
      <BoundedNumberField
        label="Amount"
        hint={
          kind === 'Contribution'
            ? `A contribution is invested at the ${details.status === 'running' ? 'next run' : 'first run after a start'}.`
            : undefined
        }
        prefix="$"
        min={0}
        value={amount}
        onChange={setAmount}
      />
      <TextField label="Note (optional)" value={note} onChange={setNote} />
      <Button type="submit" variant="default" disabled={contribution.isPending}>
        {contribution.isPending ? 'Recording...' : `Record ${kind.toLowerCase()}`}
      </Button>
    </form>
  )
}
