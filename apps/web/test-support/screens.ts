interface Screen {
  path: string
  /** The navigation's label. */
  link: string
  heading: string | RegExp
  title: string
}

/** The screens behind the sign-in, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  { path: '/', link: 'Home', heading: /^Hello, /, title: 'Home' },
  { path: '/strategies', link: 'Strategies', heading: 'Investment Strategies', title: 'Strategies' },
  {
    path: '/backtest',
    link: 'Backtest',
    heading: 'Test your investment strategies with historical data',
    title: 'Backtest Studio',
  },
  { path: '/live-trading', link: 'Live Trading', heading: 'Live Trading', title: 'Live Trading' },
  { path: '/data-collector', link: 'Data Collector', heading: 'Data Collector', title: 'Data Collector' },
  { path: '/optimizer', link: 'Optimizer', heading: 'Optimizer', title: 'Optimizer' },
  { path: '/ai-assistant', link: 'AI Assistant', heading: 'AI Assistant', title: 'AI Assistant' },
  {
    path: '/portfolio-performance',
    link: 'Portfolio Performance',
    heading: 'Portfolio Performance',
    title: 'Portfolio Performance',
  },
  { path: '/settings', link: 'Settings', heading: 'Settings', title: 'Settings' },
]
