import { backtestSettings } from '@tradewright/core/backtest-settings'
import { CheckField } from '../../ui/form/fields.tsx'

/** Beside the data provider, in every form that runs a strategy. */
export function MixedPricesField(props: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { label, hint } = backtestSettings.allowMixedPrices
  return (
    <CheckField
      label={label}
      hint={hint}
      {...props}
    />
  )
}
