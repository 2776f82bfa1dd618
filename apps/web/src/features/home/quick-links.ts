import { type Icon, IconChartAreaLine, IconFlask2, IconSparkles, IconStack2 } from '@tabler/icons-react'

export interface QuickLink {
  path: string
  title: string
  text: string
  icon: Icon
}

export const QUICK_LINKS: readonly QuickLink[] = [
  {
    path: '/portfolio-performance',
    title: 'Portfolio Performance',
    text: 'Equity, holdings and true return of your brokerage account.',
    icon: IconChartAreaLine,
  },
  {
    path: '/backtest',
    title: 'Backtest Studio',
    text: 'Test allocation and machine-learning strategies on past data.',
    icon: IconFlask2,
  },
  {
    path: '/strategies',
    title: 'Strategy Hub',
    text: 'Your saved strategies, ranked and ready to deploy.',
    icon: IconStack2,
  },
  {
    path: '/ai-assistant',
    title: 'AI Assistant',
    text: 'Ask about a strategy, your portfolio or the market.',
    icon: IconSparkles,
  },
]
