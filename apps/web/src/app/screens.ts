/** The navigation's links, in its order. Paths and labels are the specification's. */
export const NAVIGATION = [
  { path: '/', label: 'Home' },
  { path: '/strategies', label: 'Strategies' },
  { path: '/backtest', label: 'Backtest' },
  { path: '/live-trading', label: 'Live Trading' },
  { path: '/data-collector', label: 'Data Collector' },
  { path: '/optimizer', label: 'Optimizer' },
  { path: '/ai-assistant', label: 'AI Assistant' },
  { path: '/portfolio-performance', label: 'Portfolio Performance' },
  { path: '/settings', label: 'Settings' },
] as const

export const SIGNED_OUT_NAVIGATION = [
  { path: '/login', label: 'Sign in' },
  { path: '/register', label: 'Register' },
] as const
