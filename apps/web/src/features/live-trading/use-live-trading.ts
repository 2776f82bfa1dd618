import { DEFAULT_RAW_LINES, type Deployment } from '@tradewright/contract/live-trading-fields'
import { readDeployment } from '@tradewright/contract/live-trading-reading'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../lib/http.ts'
import { useTabInAddress } from '../../ui/layout/tabs.tsx'
import { failedTo, STRATEGY_UNKNOWN, type Tell } from './messages.ts'
import { useDeployableStrategies } from './queries.ts'

const LIVE_TABS = ['deployments', 'deploy', 'logs', 'edit'] as const
export type LiveTab = (typeof LIVE_TABS)[number]

/** State of the page: the tab, the deployment that is edited, and the one whose log is read. */
export function useLiveTrading(tell: Tell) {
  const asked = useAsked()
  const [tabInAddress, setTab] = useTabInAddress(LIVE_TABS)
  const [editing, setEditing] = useState<Deployment | null>(null)
  // Which one is edited is not in the address: a reload shows the list.
  const tab: LiveTab = tabInAddress === 'edit' && !editing ? 'deployments' : tabInAddress
  const [logsOf, setLogsOf] = useState(asked.logsOf)
  const [rawLines, setRawLines] = useState<number>(DEFAULT_RAW_LINES)

  const load = async (id: number | string) => {
    try {
      const { deployment } = await call(readDeployment, { params: { id } })
      setEditing(deployment)
      setTab('edit')
    } catch (error) {
      tell(failedTo('load', error))
    }
  }
  useUnknownStrategy(asked.strategyId, () => {
    setTab('deployments', { replace: true })
    tell(STRATEGY_UNKNOWN)
  })
  useEffect(() => {
    if (asked.edit) void load(asked.edit)
    // Once, for the address the page was opened with.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  return {
    tab,
    setTab,
    askedStrategyId: asked.strategyId,
    editing,
    edit: ({ id }: Deployment) => void load(id),
    closeEdit: () => {
      setEditing(null)
      setTab('deployments')
    },
    logsOf,
    setLogsOf,
    showLogs: ({ id }: Deployment) => {
      setLogsOf(String(id))
      setTab('logs')
    },
    rawLines,
    setRawLines,
  }
}

/** The request in the address, read once and then replaced by its tab: a reload does not ask again. */
function useAsked() {
  const [query, setQuery] = useSearchParams()
  const [asked] = useState(() => ({
    strategyId: query.get('strategy_id') ?? '',
    logsOf: query.get('logs_of') ?? '',
    edit: query.get('edit') ?? '',
  }))
  const { strategyId, logsOf, edit } = asked
  const isRead = useRef(!strategyId && !logsOf && !edit)
  useEffect(() => {
    if (isRead.current) return
    isRead.current = true
    setQuery(strategyId ? { tab: 'deploy' } : logsOf ? { tab: 'logs' } : {}, { replace: true })
  }, [strategyId, logsOf, setQuery])
  return asked
}

function useUnknownStrategy(askedId: string, onUnknown: () => void) {
  const { data: strategies } = useDeployableStrategies()
  const isJudged = useRef(askedId === '')
  useEffect(() => {
    if (isJudged.current || !strategies) return
    isJudged.current = true
    if (!strategies.some(({ id }) => String(id) === askedId)) onUnknown()
  }, [strategies, askedId, onUnknown])
}
