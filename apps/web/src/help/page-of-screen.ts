import type { ScreenPath } from '@tradewright/contract/screens'

const PAGES: Partial<Record<ScreenPath, string>> = {
  '/': 'home',
  '/strategies': 'strategies',
  '/backtest': 'backtest-studio',
  '/live-trading': 'live-trading',
  '/data-collector': 'data-collector',
  '/optimizer': 'optimizer',
  '/ai-assistant': 'assistant',
  '/portfolio-performance': 'portfolio',
  '/proposals': 'agents',
  '/settings': 'settings',
}

/** The page of the guide about the screen at this address; where there is none, how to start. */
export function pageOfScreen(pathname: string): string {
  const [, first = ''] = pathname.split('/')
  return new Map(Object.entries(PAGES)).get(`/${first}`) ?? 'getting-started'
}
