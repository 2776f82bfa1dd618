import { SelectField } from '../../ui/form/fields.tsx'
import { useTickerLists } from './ticker-queries.ts'

interface TickerListSelectProps {
  label: string
  /** The first line of the choice, which says what choosing does. */
  prompt: string
  onTickers: (tickers: readonly string[]) => void
}

/** The user's saved ticker lists; nothing where there are none. */
export function TickerListSelect({ label, prompt, onTickers }: TickerListSelectProps) {
  const lists = useTickerLists().data ?? []
  if (lists.length === 0) return null
  return (
    <SelectField
      label={label}
      hideLabel
      value=""
      options={[
        { value: '', label: prompt },
        ...lists.map(({ id, name, tickers }) => ({ value: String(id), label: `${name} (${tickers.length})` })),
      ]}
      onChange={(id) => {
        const list = lists.find((one) => String(one.id) === id)
        if (list) onTickers(list.tickers)
      }}
    />
  )
}
