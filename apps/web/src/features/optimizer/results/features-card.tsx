import type { ChosenFeature, OptimizationResults } from '@tradewright/contract/optimization-results'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { isTickerParameter } from '../form/feature-ranges.ts'
import classes from './features-card.module.css'

/** The winner's features, and how sure the search was of each. */
export function FeaturesCard({ results }: { results: OptimizationResults }) {
  const stability = new Map(results.luck.feature_stability.features.map((one) => [one.label, one]))
  const leftOut = results.left_out_features.length
  return (
    <Card
      title="Optimal features"
      hint={
        `${results.best_features.length} of ${formatCount(results.candidate_features)} candidates` +
        (leftOut > 0 ? `; ${leftOut} had no values over the period and were left out` : '')
      }
    >
      <Table label="Optimal features">
        <thead>
          <tr>
            <th>Feature</th>
            <th className={numeric} title="Share of what the model relied on, averaged over the windows">
              Importance
            </th>
            <th className={numeric} title="Share of all generations whose best individual had it">
              Generations
            </th>
            <th className={numeric} title="Share of the windows in which the model relied on it">
              Windows
            </th>
          </tr>
        </thead>
        <tbody>
          {results.best_features.map(({ label, name, params }) => {
            const one = stability.get(label)
            return (
              <tr key={label}>
                <td>
                  <span className={classes.name}>{name}</span>
                  <span className={classes.params}>{paramsText(params)}</span>
                </td>
                <td className={numeric}>{formatPercent(one?.importance)}</td>
                <td className={numeric}>{formatPercent(one?.generation_share, 0)}</td>
                <td className={numeric}>{formatPercent(one?.window_share, 0)}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
    </Card>
  )
}

/** Tickers first: `ticker SPY, window 14, lag 0`. */
function paramsText(params: ChosenFeature['params']): string {
  const tickersFirst = Object.entries(params).toSorted(
    ([a], [b]) => Number(isTickerParameter(b)) - Number(isTickerParameter(a)),
  )
  return tickersFirst.map(([name, value]) => `${name} ${value}`).join(', ')
}
