import type { RealisedTerm, RealisedYear } from '@tradewright/contract/tax-lots'
import { formatMoney, formatSignedMoney } from '../../../lib/format.ts'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import screen from '../portfolio-performance-screen.module.css'
import classes from './tax-lots.module.css'

interface RealisedYearsProps {
  years: readonly RealisedYear[]
  chosen: number | null
  onChoose: (year: number) => void
}

export function RealisedYears({ years, chosen, onChoose }: RealisedYearsProps) {
  return (
    <section className={classes.part} aria-label="Realised gains by year">
      <h3 className={classes.title}>Realised gains by year</h3>
      {years.length === 0 ? (
        <p className={screen.nothing}>Nothing has been sold yet. Gains and losses appear with the first sale.</p>
      ) : (
        <Table label="Realised gains by year">
          <thead>
            <tr>
              <th>Year</th>
              <th className={`${numeric} ${secondary}`}>Proceeds</th>
              <th className={`${numeric} ${secondary}`}>Basis</th>
              <th className={numeric}>Short-term</th>
              <th className={numeric}>Long-term</th>
              <th className={numeric}>Gain</th>
            </tr>
          </thead>
          <tbody>
            {years.map(({ year, short, long, total }) => (
              <tr key={year}>
                <td>
                  <button
                    type="button"
                    className={classes.year}
                    aria-pressed={year === chosen}
                    aria-label={`Sales of ${year}`}
                    onClick={() => onChoose(year)}
                  >
                    {year}
                  </button>
                </td>
                <td className={`${numeric} ${secondary}`}>{formatMoney(total.proceeds)}</td>
                <td className={`${numeric} ${secondary}`}>{formatMoney(total.basis)}</td>
                <Gain term={short} />
                <Gain term={long} />
                <Gain term={total} />
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}

const Gain = ({ term: { gain, disallowed } }: { term: RealisedTerm }) => (
  <td className={numeric}>
    <Delta value={gain}>{formatSignedMoney(gain)}</Delta>
    {disallowed !== 0 && <small className={classes.beside}>without {formatMoney(disallowed)} of wash sales</small>}
  </td>
)
