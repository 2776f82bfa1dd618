import { NumberBox } from './number-box.tsx'

interface PercentagesProps {
  label: string
  pcts: readonly number[]
  onChange: (pcts: readonly number[], field: string) => void
}

export function Percentages({ label, pcts, onChange }: PercentagesProps) {
  return pcts.map((pct, i) => (
    <NumberBox
      // A place is its number.
      // oxlint-disable-next-line react/no-array-index-key
      key={i}
      label={`${label} ${i + 1}`}
      unit="%"
      value={pct}
      onChange={(next) => onChange(pcts.with(i, next), `pct ${i}`)}
    />
  ))
}
