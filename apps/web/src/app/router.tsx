import type { ScreenPath } from '@tradewright/contract/screens'
import { VERIFY_EMAIL_PATH } from '@tradewright/contract/email'
import { lazy } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx'
import { browserStorage } from '../lib/browser-storage.ts'
import { AnyVisitor, RequireUser, VisitorsOnly } from './guards.tsx'
import { Layout } from './layout.tsx'
import { isLoadFailure, mayReload } from './load-failure.ts'
import { NotFound } from '../ui/layout/not-found.tsx'
import { SCREEN_CODE } from './screen-code.ts'
import { ScreenError } from './screen-error.tsx'

/** A screen is fetched when it is first visited, if not before, and its failure stays inside the layout. */
function screen(path: keyof typeof SCREEN_CODE): RouteObject {
  const Component = lazy(async () => ({ default: await SCREEN_CODE[path]().catch(loadAgain) }))
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
              { path: '/login' satisfies ScreenPath, Component: SignInScreen, ErrorBoundary: ScreenError },
              screen('/register'),
            ],
          },
          {
            Component: AnyVisitor,
            children: [screen(VERIFY_EMAIL_PATH), screen('/shared/:token'), screen('/records/:token')],
          },
          {
            Component: RequireUser,
            children: [
              screen('/'),
              screen('/strategies'),
              screen('/strategies/:id/record'),
              screen('/backtest'),
              screen('/optimizer'),
              screen('/live-trading'),
              screen('/live-trading/:id'),
              screen('/data-collector'),
              screen('/ai-assistant'),
              screen('/portfolio-performance'),
              screen('/portfolio-performance/statement'),
              screen('/inbox'),
              screen('/proposals'),
              screen('/settings'),
              screen('/admin'),
            ],
          },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)
