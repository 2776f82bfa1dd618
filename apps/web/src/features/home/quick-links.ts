import { type Icon, IconChartAreaLine, IconFlask2, IconSparkles, IconStack2 } from '@tabler/icons-react'

export interface QuickLink {
  path: string
  title: string
  text: string
  icon: Icon
  /** The usual first step here; figures take its place once there are any. */
  nextStep: { title: string; text: string }
}

export const QUICK_LINKS: readonly QuickLink[] = [
  {
    path: '/portfolio-performance',
    title: 'Portfolio Performance',
    text: 'Equity, holdings and true return of your brokerage account.',
    icon: IconChartAreaLine,
    nextStep: { title: 'Connect an account', text: 'Paper or live; its equity and return appear here.' },
  },
  {
    path: '/backtest',
    title: 'Backtest Studio',
    text: 'Test allocation and machine-learning strategies on past data.',
    icon: IconFlask2,
    nextStep: { title: 'Run a first backtest', text: 'Your latest result appears here, with its data source.' },
  },
  {
    path: '/strategies',
    title: 'Strategy Hub',
    text: 'Your saved strategies, ranked and ready to deploy.',
    icon: IconStack2,
    nextStep: { title: 'Save a strategy', text: 'Tick “Save strategy” when you run a backtest.' },
  },
  {
    path: '/ai-assistant',
    title: 'AI Assistant',
    text: 'Ask about a strategy, your portfolio or the market.',
    icon: IconSparkles,
    nextStep: { title: 'Ask a question', text: 'Your latest conversation appears here.' },
  },
]
