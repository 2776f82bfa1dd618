import type { OptimizerForm } from '../form.ts'
import { useFormCheck } from '../use-form-check.ts'
import classes from './form-check.module.css'
import { WarningList } from './warning-list.tsx'

/** Before Run is pressed: how large the search would be, or the sentence with which it would be refused. */
export function FormCheck({ form }: { form: OptimizerForm }) {
  const { size, refusal } = useFormCheck(form)
  return (
    <div aria-live="polite">
      {refusal !== null && <WarningList label="This cannot run yet" warnings={[refusal]} />}
      {size !== null && <p className={`${classes.size} tabular`}>{size}</p>}
    </div>
  )
}
