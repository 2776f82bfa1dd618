import type { ScreenPath } from '@tradewright/contract/screens'
import { VERIFY_EMAIL_PATH } from '@tradewright/contract/email'
import type { ComponentType } from 'react'

/** The navigation's links, in its order. Paths and labels are the specification's. `key` opens it after `g`. */
export const NAVIGATION = [
  { path: '/', label: 'Home', key: 'h', words: 'start overview' },
  { path: '/strategies', label: 'Strategies', key: 's', words: 'strategy hub saved' },
  { path: '/backtest', label: 'Backtest', key: 'b', words: 'studio test result' },
  { path: '/live-trading', label: 'Live Trading', key: 'l', words: 'deployments paper broker' },
  { path: '/data-collector', label: 'Data Collector', key: 'd', words: 'collection jobs prices' },
  { path: '/optimizer', label: 'Optimizer', key: 'o', words: 'genetic search' },
  { path: '/ai-assistant', label: 'AI Assistant', key: 'a', words: 'chat ask' },
  { path: '/portfolio-performance', label: 'Portfolio Performance', key: 'p', words: 'equity holdings tax' },
  { path: '/settings', label: 'Settings', key: 'e', words: 'accounts keys alerts sessions' },
] as const

/** Tabs and sections that have an address of their own; the command palette finds them. */
export const PLACES = [
  { path: '/inbox', label: 'Inbox', parent: 'Live Trading', words: 'alerts notifications bell acknowledge' },
  { path: '/proposals', label: 'Proposals', parent: 'Agents and scripts', words: 'mcp agent api approve' },
  { path: '/live-trading?tab=deploy', label: 'Deploy', parent: 'Live Trading', words: 'new deployment' },
  { path: '/live-trading?tab=logs', label: 'Logs', parent: 'Live Trading', words: 'activity' },
  {
    path: '/data-collector?tab=providers',
    label: 'Data Providers',
    parent: 'Data Collector',
    words: 'yahoo fred custom',
  },
  { path: '/data-collector?tab=stores', label: 'Data Stores', parent: 'Data Collector', words: 'quality' },
  {
    path: '/data-collector?tab=browse',
    label: 'Browse Data',
    parent: 'Data Collector',
    words: 'query records transform',
  },
  { path: '/data-collector?tab=runs', label: 'Run History', parent: 'Data Collector', words: 'collection runs' },
  {
    path: '/optimizer?tab=leading-indicators',
    label: 'Leading Indicators',
    parent: 'Optimizer',
    words: 'correlation lag',
  },
] as const

export const SIGNED_OUT_NAVIGATION = [
  { path: '/login', label: 'Sign in' },
  { path: '/register', label: 'Register' },
] as const

/** Sign-in is part of the first files: fetched on its own, it made a first visit to the form a third longer. */
type FetchedPath = Exclude<ScreenPath, '/login'>

/** The code of each screen, which is fetched when it is first asked for. */
export const SCREEN_CODE: Readonly<Record<FetchedPath, () => Promise<ComponentType>>> = {
  '/': async () => (await import('../features/home/home-screen.tsx')).HomeScreen,
  '/register': async () => (await import('../features/sign-in/register-screen.tsx')).RegisterScreen,
  [VERIFY_EMAIL_PATH]: async () => (await import('../features/sign-in/verify-email-screen.tsx')).VerifyEmailScreen,
  '/shared/:token': async () =>
    (await import('../features/backtest/report/shared-result-screen.tsx')).SharedResultScreen,
  '/records/:token': async () =>
    (await import('../features/live-trading/record/shared-record-screen.tsx')).SharedRecordScreen,
  '/strategies': async () => (await import('../features/strategies/strategies-screen.tsx')).StrategiesScreen,
  '/strategies/:id/record': async () =>
    (await import('../features/live-trading/record/strategy-record-screen.tsx')).StrategyRecordScreen,
  '/backtest': async () => (await import('../features/backtest/backtest-screen.tsx')).BacktestScreen,
  '/optimizer': async () => (await import('../features/optimizer/optimizer-screen.tsx')).OptimizerScreen,
  '/live-trading': async () => (await import('../features/live-trading/live-trading-screen.tsx')).LiveTradingScreen,
  '/live-trading/:id': async () =>
    (await import('../features/live-trading/deployment/deployment-screen.tsx')).DeploymentScreen,
  '/data-collector': async () =>
    (await import('../features/data-collector/data-collector-screen.tsx')).DataCollectorScreen,
  '/ai-assistant': async () => (await import('../features/ai-assistant/ai-assistant-screen.tsx')).AiAssistantScreen,
  '/portfolio-performance': async () =>
    (await import('../features/portfolio-performance/portfolio-performance-screen.tsx')).PortfolioPerformanceScreen,
  '/portfolio-performance/statement': async () =>
    (await import('../features/portfolio-performance/statement-screen.tsx')).StatementScreen,
  '/inbox': async () => (await import('../features/inbox/inbox-screen.tsx')).InboxScreen,
  '/proposals': async () => (await import('../features/proposals/proposals-screen.tsx')).ProposalsScreen,
  '/admin': async () => (await import('../features/admin/admin-screen.tsx')).AdminScreen,
  '/settings': async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
}

type NavigationPath = (typeof NAVIGATION)[number]['path']

/** Ahead of a visit, which tells of a failure itself. */
export function fetchScreenCode(path: NavigationPath): void {
  SCREEN_CODE[path]().catch(() => {})
}

/** The time that the first screen has for itself. */
const FIRST_SCREEN_MS = 2000

/**
 * Fetches the screens of the navigation one after the other while the page's thread is free. Returns a function that ends
 * it. Not where the user asked the browser to save data.
 */
export function fetchScreensWhenIdle(): () => void {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (connection?.saveData) return () => {}
  const waiting = NAVIGATION.map(({ path }) => path)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isEnded = false
  const fetchNext = async () => {
    const path = waiting.shift()
    if (path === undefined || isEnded) return
    // A screen that cannot be fetched now is fetched when it is visited.
    await SCREEN_CODE[path]().catch(() => {})
    whenIdle(() => void fetchNext())
  }
  timer = setTimeout(() => whenIdle(() => void fetchNext()), FIRST_SCREEN_MS)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

/** Safari has no idle callback. */
function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(then)
  else setTimeout(then, 100)
}
