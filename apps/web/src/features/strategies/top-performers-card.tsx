import type { StrategyPerformance } from '@tradewright/contract/strategies'
import { formatRatio, formatSignedPercent } from '../../lib/format.ts'
import { SplicedMark } from '../../strategy-form/data/spliced-days.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Delta } from '../../ui/table/figure.tsx'
import { SourceBadge, SyntheticMark } from '../../ui/feedback/source-badge.tsx'
import { type Cagr, cagrFraction, topPerformers } from './listing.ts'
import classes from './top-performers-card.module.css'

export function TopPerformersCard({ performances }: { performances: readonly StrategyPerformance[] }) {
  const top = topPerformers(performances)
  if (top.length === 0) return null
  const hasSynthetic = top.some(({ synthetic }) => synthetic)
  return (
    <Card
      title="Top Performing Strategies"
      hint="By CAGR of the latest backtest"
      {...(hasSynthetic ? { actions: <SourceBadge synthetic /> } : {})}
    >
      <ol className={classes.ranks}>
        {top.map((performance, index) => (
          <li key={performance.strategy_id}>
            <span className={`${classes.medal} tabular`} data-rank={index + 1}>
              {index + 1}
            </span>
            <div className={classes.words}>
              <p className={classes.title}>
                <span className={classes.name}>{performance.strategy_name}</span>
                {performance.synthetic && <SyntheticMark />}
                <SplicedMark spliced={performance.spliced_tickers} />
              </p>
              <p className={classes.figures}>
                <span className={classes.cagr}>
                  <CagrText cagr={performance.cagr_numeric} decimals={1} />
                </span>{' '}
                <span className={classes.cagrLabel}>CAGR ·</span>{' '}
                <span className={classes.sharpe}>
                  Sharpe <b className="tabular">{formatRatio(performance.sharpe)}</b>
                </span>
              </p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Text that came formatted is shown as it is. */
export function CagrText({ cagr, decimals }: { cagr: Cagr; decimals: number }) {
  const shown = typeof cagr === 'string' ? cagr : formatSignedPercent(cagr, decimals)
  return <Delta value={cagrFraction(cagr)}>{shown}</Delta>
}
