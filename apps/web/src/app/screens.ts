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
