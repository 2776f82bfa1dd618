import { CheckField } from '../../ui/form/fields.tsx'

/** Beside the data provider, in every form that runs a strategy. */
export function MixedPricesField(props: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <CheckField
      label="Allow real and synthetic prices in one result"
      hint="Off: refused when only some tickers have real prices."
      {...props}
    />
  )
}
