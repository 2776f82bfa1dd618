import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getVolumeShares } from '@tradewright/contract/live-trading'
import type { VolumeShare } from '@tradewright/contract/live-trading-fields'
import { call } from '../../../../lib/http.ts'
import { SourceBadge } from '../../../../ui/feedback/source-badge.tsx'
import classes from '../deploy-form.module.css'
import type { DeployForm } from '../draft.ts'
import { isLarge, volumeText } from './order-rules.ts'

const TYPING_MS = 500
const NONE: readonly string[] = []

/** The largest orders against the average volume; nothing where it cannot be asked yet. */
export function VolumeLines({ form, capital }: { form: DeployForm; capital: number }) {
  const asked = JSON.stringify({ strategy_id: form.strategyId, ticker_mapping: form.tickerMapping, capital })
  const [settled] = useDebouncedValue(asked, TYPING_MS)
  const { data } = useQuery({
    queryKey: ['volume shares', settled],
    queryFn: async ({ signal }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written some lines above
      const body = JSON.parse(settled) as {
        strategy_id: string
        ticker_mapping: Record<string, string>
        capital: number
      }
      return (await call(getVolumeShares, { body, signal })).volumes
    },
    enabled: form.strategyId !== '' && capital > 0,
    retry: false,
  })
  return data && data.length > 0 ? <VolumeList volumes={data} /> : null
}

/** `marked` are tickers that a badge beside the list names as synthetic already. */
export function VolumeList({
  volumes,
  marked = NONE,
}: {
  volumes: readonly VolumeShare[]
  marked?: readonly string[]
}) {
  const madeUp = volumes
    .filter(({ synthetic, symbol }) => synthetic && !marked.includes(symbol))
    .map(({ symbol }) => symbol)
  return (
    <div>
      <p className={classes.note}>Largest orders against the average volume of 20 days</p>
      {madeUp.length > 0 && <SourceBadge synthetic tickers={madeUp} />}
      <ul className={classes.volumes} aria-label="Orders against average volume">
        {volumes.map((share) => (
          <li key={share.symbol} className={isLarge(share) ? classes.warning : classes.note}>
            {isLarge(share) && <IconAlertTriangle size={15} stroke={1.8} aria-hidden />}
            <span>
              {volumeText(share)}
              {isLarge(share) && ': above 1%, such an order moves the price. Slices over time help.'}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
