import { labelsOf } from '@tradewright/core/ticker'
import { formatRatio } from '../../../../lib/format.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import { numeric, Table } from '../../../../ui/table/table.tsx'
import type { StudioResult } from '../../answer/studio-result.ts'
import classes from './risk.module.css'

type Correlations = NonNullable<StudioResult['analysis']>['correlations']

/** Tint in three strengths, the value always printed. One asset has nothing to correlate with. */
export function CorrelationTable({ correlations }: { correlations: Correlations }) {
  if (!correlations) {
    return <Card title="Asset correlation" hint="Not available: too many assets were held for a table (at most 40)." />
  }
  const { tickers, matrix } = correlations
  if (tickers.length < 2) return null
  return (
    <Card title="Asset correlation" hint="Of bar returns, dividends included, over the whole run" folds>
      <Table label="Asset correlation">
        <thead>
          <tr>
            <th>Asset</th>
            {labelsOf(tickers).map((label, column) => (
              <th key={tickers[column]} className={numeric} title={tickers[column]}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes.matrix}>
          {tickers.map((ticker, row) => (
            <tr key={ticker}>
              <th scope="row">{ticker}</th>
              {matrix[row]!.map((value, column) => (
                <td
                  key={tickers[column]}
                  className={numeric}
                  data-strength={row === column ? undefined : strengthOf(value)}
                  title={value === null ? 'n/a because the returns of an asset do not vary' : undefined}
                >
                  {value === null ? 'n/a' : formatRatio(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

/** Under 0.3, under 0.7, more; either sign, which the number carries. */
function strengthOf(correlation: number | null): 1 | 2 | 3 | undefined {
  if (correlation === null) return undefined
  const size = Math.abs(correlation)
  return size < 0.3 ? 1 : size < 0.7 ? 2 : 3
}
