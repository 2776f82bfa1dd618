import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconArrowRight, IconChartLine, IconStack2, IconTag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { listBacktests } from '@tradewright/contract/backtests'
import { listStrategies } from '@tradewright/contract/strategies'
import { formatDate } from '../../lib/format-time.ts'
import { call } from '../../lib/http.ts'
import { useTickerSearch } from '../../strategy-form/tickers/ticker-queries.ts'
import { toOption } from '../../strategy-form/tickers/ticker-text.ts'
import { NAVIGATION, PLACES } from '../screens.ts'
import { useLogOut } from '../use-log-out.ts'
import { ACTIONS } from './actions.ts'
import { type Command, readQuery } from './command.ts'
import type { OpenScreen } from './overlay-store.ts'
import { isMac, keysOf } from './shortcuts.ts'

/** Everything the palette finds: screens, what is saved, tickers that fit the text, actions. */
export function useCommands(typed: string, recentIds: readonly string[], open: OpenScreen) {
  const { text, only } = readQuery(typed)
  const logOut = useLogOut()
  const { setColorScheme } = useMantineColorScheme()
  const theme = useComputedColorScheme('light')
  // The same keys and answers as those of the screens: what one has loaded, the other shows.
  const strategies = useQuery({
    queryKey: ['strategies'],
    queryFn: async ({ signal }) => (await call(listStrategies, { signal })).strategies,
  })
  const backtests = useQuery({
    queryKey: ['backtests'],
    queryFn: async ({ signal }) => (await call(listBacktests, { signal })).backtests,
  })
  const areTickersAsked = only === 'Tickers' || (only === null && text !== '')
  const { found: tickers, failure: tickerFailure } = useTickerSearch(text, areTickersAsked)
  const onMac = isMac()
  const openAnew = (address: string) => open(address, { isAnew: true })

  const screens = [
    ...NAVIGATION.map(({ path, label, words }): Command => {
      const keys = keysOf(`open ${path}`, onMac)
      return {
        group: 'Screens',
        icon: IconArrowRight,
        id: `screen:${path}`,
        label,
        words,
        keys,
        perform: () => open(path),
      }
    }),
    ...PLACES.map(({ path, label, parent, words }): Command => {
      return {
        group: 'Screens',
        icon: IconArrowRight,
        id: `screen:${path}`,
        label,
        detail: parent,
        words,
        perform: () => open(path),
      }
    }),
  ]
  const saved = [
    ...(strategies.data ?? []).map(({ id, name, strategy_type: detail }): Command => {
      const perform = () => openAnew(`/backtest?strategy_id=${id}`)
      return { group: 'Strategies', icon: IconStack2, end: 'Open', id: `strategy:${id}`, label: name, detail, perform }
    }),
    ...(backtests.data ?? []).map(({ id, name, strategy_name: detail, created_at }): Command => {
      const perform = () => openAnew(`/backtest?backtest_id=${id}`)
      return {
        group: 'Results',
        icon: IconChartLine,
        id: `backtest:${id}`,
        label: name,
        detail,
        end: formatDate(created_at),
        perform,
      }
    }),
  ]
  const ticker = (symbol: string, detail: string, end: string): Command => {
    const perform = () => openAnew(`/backtest?ticker=${encodeURIComponent(symbol)}`)
    return { id: `ticker:${symbol}`, group: 'Tickers', label: symbol, detail, end, icon: IconTag, perform }
  }
  const found = areTickersAsked
    ? tickers.map(toOption).map(({ value, name, detail }) => ticker(value, name, detail))
    : // A recent one is known by its symbol alone.
      recentIds.filter((id) => id.startsWith('ticker:')).map((id) => ticker(id.slice(7), 'Backtest this ticker', ''))
  const tools = { open, logOut, switchTheme: () => setColorScheme(theme === 'light' ? 'dark' : 'light') }
  const actions = ACTIONS.filter(({ isOffered }) => isOffered?.() ?? true).map(
    ({ id, label, detail = '', words, icon, deed, perform }): Command => {
      const keys = deed ? keysOf(deed, onMac) : []
      return { id: `action:${id}`, group: 'Actions', label, detail, words, icon, keys, perform: () => perform(tools) }
    },
  )
  return {
    commands: [...screens, ...saved, ...found, ...actions],
    isFailed: strategies.isError || backtests.isError,
    areTickersFailed: tickerFailure !== undefined,
    isLoading: strategies.isPending || backtests.isPending,
  }
}
