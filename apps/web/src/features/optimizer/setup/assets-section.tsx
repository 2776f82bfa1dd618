import { useTargets } from '../../../strategy-form/queries.ts'
import classes from '../../../strategy-form/setup.module.css'
import { TargetPicker } from '../../../strategy-form/target-picker.tsx'
import { TickerField } from '../../../strategy-form/tickers/ticker-field.tsx'
import { TickerExamples } from '../../../strategy-form/tickers/ticker-examples.tsx'
import { FieldError } from '../../../ui/form/field-error.tsx'
import type { EditProps } from '../form/form.ts'
import { catalogueFailed, type Message } from '../messages.ts'
import { TickerListWidget } from '../ticker-lists/ticker-list-widget.tsx'

/** A target is about the target asset, so its own ticker is not asked for again. */
const ASKED_ELSEWHERE = ['ticker']

export function AssetsSection({ form, edit, tell }: EditProps & { tell: (message: Message | null) => void }) {
  const targets = useTargets()
  return (
    <>
      <div className={classes.section}>
        <TickerField
          isSeveral
          label="Target asset"
          hint="One or several tickers, separated by commas. The search tries each of them."
          value={form.targetTickers}
          onChange={(targetTickers) => edit({ targetTickers })}
        />
        <TickerListWidget
          type="target"
          title="Target lists"
          text={form.targetTickers}
          listId={form.targetListId}
          onChange={(targetListId, targetTickers) => edit({ targetListId, targetTickers })}
          tell={tell}
        />
        <TargetPicker chosen={form.target} onChange={(target) => edit({ target })} without={ASKED_ELSEWHERE} />
        {targets.isError && <FieldError text={catalogueFailed('target', targets.error)} />}
      </div>
      <div className={classes.section}>
        <TickerField
          isSeveral
          label="Related assets"
          hint="Tickers that features may use in addition to the target asset"
          placeholder="SPY, TLT, DGS10"
          value={form.relatedTickers}
          onChange={(relatedTickers) => edit({ relatedTickers })}
        />
        <TickerListWidget
          type="feature"
          title="Feature lists"
          text={form.relatedTickers}
          listId={form.relatedListId}
          onChange={(relatedListId, relatedTickers) => edit({ relatedListId, relatedTickers })}
          tell={tell}
        />
        <TickerExamples />
      </div>
    </>
  )
}
