import { useState } from 'react'
import { formatPercent, formatSignedPercent } from '../../../../lib/format.ts'
import { How } from '../../../../ui/feedback/explanation.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import { Delta } from '../../../../ui/table/figure.tsx'
import { ShowAll, numeric, Table } from '../../../../ui/table/table.tsx'
import type { StudioResult } from '../../answer/studio-result.ts'
import { HOW } from '../figures/explanations.ts'
import classes from './risk.module.css'

const FEW = 8

type Contributions = NonNullable<StudioResult['analysis']>['contributions']
type Part = Contributions['total']

/** The parts add up to the total, both columns. */
export function ContributionTable({ contributions }: { contributions: Contributions }) {
  const [isAll, setAll] = useState(false)
  const { assets, rest, total } = contributions
  if (assets.length === 0) return null
  const shown = isAll ? assets : assets.slice(0, FEW)
  const row = (name: string, part: Part) => (
    <tr key={name}>
      <td>{name}</td>
      <td className={numeric}>
        <Delta value={part.to_return}>{formatSignedPercent(part.to_return, 2)}</Delta>
      </td>
      <td className={numeric}>{formatPercent(part.to_volatility, 2)}</td>
    </tr>
  )
  return (
    <Card title="Contribution by asset" hint="Before inflation adjustment. The parts add up to the total." folds>
      <Table label="Contribution by asset">
        <thead>
          <tr>
            <th>Asset</th>
            <th className={numeric}>
              To return <How of="the contribution to return" text={HOW.contributionToReturn} />
            </th>
            <th className={numeric}>
              To volatility <How of="the contribution to volatility" text={HOW.contributionToRisk} />
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((asset) => row(asset.ticker, asset))}
          {shown.length < assets.length && row(`${assets.length - FEW} more assets`, sumOf(assets.slice(FEW)))}
          {row('Costs and interest', rest)}
        </tbody>
        <tfoot className={classes.total}>{row('Total', total)}</tfoot>
      </Table>
      {shown.length < assets.length && <ShowAll total={assets.length} of="assets" onShow={() => setAll(true)} />}
    </Card>
  )
}

const sumOf = (parts: readonly Part[]): Part => ({
  to_return: parts.reduce((sum, part) => sum + part.to_return, 0),
  to_volatility: parts.reduce((sum, part) => sum + part.to_volatility, 0),
})
