import { kindNamed } from '@tradewright/core/strategy-kinds'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Checkbox } from '@mantine/core'
import { IconEye, IconListCheck, IconRocket, IconTrash } from '@tabler/icons-react'
import type { StrategyItem, StrategyPerformance } from '@tradewright/contract/strategies'
import { formatRatio } from '../../lib/format.ts'
import { formatDate, formatExact } from '../../lib/format-time.ts'
import { SplicedMark } from '../../strategy-form/data/spliced-days.tsx'
import { IconButton, IconLink } from '../../ui/form/buttons.tsx'
import { numeric } from '../../ui/table/table.tsx'
import { SyntheticMark } from '../../ui/feedback/source-badge.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import classes from './strategies-screen.module.css'
import { CagrText } from './top-performers-card.tsx'

interface StrategyRowProps {
  strategy: StrategyItem
  performance: StrategyPerformance | undefined
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
  onDelete: () => void
}

export function StrategyRow({ strategy, performance, isSelected, onSelect, onDelete }: StrategyRowProps) {
  const { id, name, description, strategy_type, created_at } = strategy
  return (
    <tr data-selected={isSelected}>
      <td className={classes.check}>
        <Checkbox
          size="xs"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </td>
      <td className={classes.strategy}>
        <span className={classes.name}>{name}</span>
        {description && <span className={classes.description}>{description}</span>}
      </td>
      <td className={classes.type}>
        <Tag tone={kindNamed(strategy_type).learns ? 'accent' : 'plain'}>{strategy_type}</Tag>
      </td>
      <td className={`${numeric} ${classes.performance}`}>
        {performance && performance.cagr_numeric !== null ? (
          <>
            {performance.synthetic && <SyntheticMark />} <SplicedMark spliced={performance.spliced_tickers} />{' '}
            <CagrText cagr={performance.cagr_numeric} decimals={2} /> <span className={classes.figureName}>CAGR</span>
          </>
        ) : (
          <span className={classes.missing}>No data</span>
        )}
      </td>
      <td className={`${numeric} ${classes.risk}`}>{riskOf(performance)}</td>
      <td className={`${numeric} ${classes.created}`}>
        <time dateTime={created_at} title={formatExact(created_at)}>
          {formatDate(created_at)}
        </time>
      </td>
      <td className={`${numeric} ${classes.actions}`}>
        <IconLink icon={IconEye} label={`View ${name}`} to={`/backtest?strategy_id=${id}`} />
        <IconLink icon={IconRocket} label={`Deploy ${name}`} to={`/live-trading?strategy_id=${id}`} />
        <IconLink icon={IconListCheck} label={`Forward record of ${name}`} to={`/strategies/${id}/record`} />
        <IconButton icon={IconTrash} label={`Delete ${name}`} onClick={onDelete} />
      </td>
    </tr>
  )
}

/** Sharpe where it is known; without it, whether there is any performance at all. */
function riskOf(performance: StrategyPerformance | undefined) {
  if (performance && performance.sharpe !== null) {
    return (
      <>
        {formatRatio(performance.sharpe)} <span className={classes.figureName}>Sharpe</span>
      </>
    )
  }
  return <span className={classes.missing}>{performance ? 'Max DD: N/A' : 'N/A'}</span>
}
