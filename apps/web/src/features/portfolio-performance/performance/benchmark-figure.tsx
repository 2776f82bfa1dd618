import type { Portfolio } from '@tradewright/contract/portfolio'
import { formatPercentagePoints, formatSignedPercent } from '../../../lib/format.ts'
import { Delta, Figure } from '../../../ui/table/figure.tsx'
import { HOW } from '../explanations.ts'

const FIELDS = { SPY: 'spy_cagr', TQQQ: 'tqqq_cagr' } as const

/** A benchmark on the same dates with the same formatting, and how far the account is from it. */
export function BenchmarkFigure({ name, portfolio }: { name: keyof typeof FIELDS; portfolio: Portfolio }) {
  const value = portfolio[FIELDS[name]]
  const own = portfolio.cagr_excluding_contributions
  return (
    <Figure
      label={`${name}, same dates`}
      rank="second"
      how={HOW.benchmark}
      note={value === null ? portfolio.notes[FIELDS[name]] : own !== null && <Distance of={own - value} from={name} />}
    >
      {value === null ? 'N/A' : <Delta value={value}>{formatSignedPercent(value, 2)}</Delta>}
    </Figure>
  )
}

function Distance({ of, from }: { of: number; from: string }) {
  return (
    <>
      <Delta value={of} withArrow>
        {formatPercentagePoints(of, 2)}
      </Delta>{' '}
      you against {from}
    </>
  )
}
