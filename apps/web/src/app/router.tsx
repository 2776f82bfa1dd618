import type { ScreenPath } from '@tradewright/contract/screens'
import { VERIFY_EMAIL_PATH } from '@tradewright/contract/email'
import { type ComponentType, lazy } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx'
import { browserStorage } from '../lib/browser-storage.ts'
import { AnyVisitor, RequireUser, VisitorsOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { isLoadFailure, mayReload } from './load-failure.ts'
import { NotFound } from './not-found.tsx'
import { ScreenError } from './screen-error.tsx'

/** A screen is fetched when it is first visited, and its failure stays inside the layout. */
function screen(path: ScreenPath, load: () => Promise<ComponentType>): RouteObject {
  const Component = lazy(async () => ({ default: await load().catch(loadAgain) }))
  return { path, Component, ErrorBoundary: ScreenError }
}

/** A network that has just come back may fail once more: the page is loaded again by itself, once. */
function loadAgain(error: unknown): Promise<never> {
  const mayRetry = isLoadFailure(error) && navigator.onLine && mayReload(browserStorage(), Date.now())
  if (!mayRetry) throw error
  window.location.reload()
  return new Promise(() => {})
}

export const routes: RouteObject[] = [
  {
    Component: Layout,
    children: [
      {
        ErrorBoundary: ScreenError,
        children: [
          {
            Component: VisitorsOnly,
            children: [
              // Part of the first files: fetched on its own, it made a first visit to the form a third longer.
              { path: '/login' satisfies ScreenPath, Component: SignInScreen, ErrorBoundary: ScreenError },
              screen('/register', async () => (await import('../features/sign-in/register-screen.tsx')).RegisterScreen),
            ],
          },
          {
            Component: AnyVisitor,
            children: [
              screen(
                VERIFY_EMAIL_PATH,
                async () => (await import('../features/sign-in/verify-email-screen.tsx')).VerifyEmailScreen,
              ),
              screen(
                '/shared/:token',
                async () => (await import('../features/backtest/report/shared-result-screen.tsx')).SharedResultScreen,
              ),
            ],
          },
          {
            Component: RequireUser,
            children: [
              screen('/', async () => (await import('../features/home/home-screen.tsx')).HomeScreen),
              screen(
                '/strategies',
                async () => (await import('../features/strategies/strategies-screen.tsx')).StrategiesScreen,
              ),
              screen(
                '/backtest',
                async () => (await import('../features/backtest/backtest-screen.tsx')).BacktestScreen,
              ),
              screen(
                '/optimizer',
                async () => (await import('../features/optimizer/optimizer-screen.tsx')).OptimizerScreen,
              ),
              screen(
                '/live-trading',
                async () => (await import('../features/live-trading/live-trading-screen.tsx')).LiveTradingScreen,
              ),
              screen(
                '/live-trading/:id',
                async () =>
                  (await import('../features/live-trading/deployment/deployment-screen.tsx')).DeploymentScreen,
              ),
              screen(
                '/data-collector',
                async () => (await import('../features/data-collector/data-collector-screen.tsx')).DataCollectorScreen,
              ),
              screen(
                '/ai-assistant',
                async () => (await import('../features/ai-assistant/ai-assistant-screen.tsx')).AiAssistantScreen,
              ),
              screen(
                '/portfolio-performance',
                async () =>
                  (await import('../features/portfolio-performance/portfolio-performance-screen.tsx'))
                    .PortfolioPerformanceScreen,
              ),
              screen(
                '/portfolio-performance/statement',
                async () => (await import('../features/portfolio-performance/statement-screen.tsx')).StatementScreen,
              ),
              screen(
                '/settings',
                async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen,
              ),
            ],
          },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)
