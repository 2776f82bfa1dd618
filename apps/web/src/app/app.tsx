import { MantineProvider } from '@mantine/core'
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactElement, StrictMode } from 'react'
import { RouterProvider } from 'react-router/dom'
import { isWorthRetrying } from '../lib/retry.ts'
import { formOutcomes } from '../ui/form/unsaved-work.ts'
import { mantineVariables, theme, themeChoice } from '../ui/theme/theme.ts'
import { keepDataFresh } from './keep-data-fresh.ts'
import { createRouter } from './router.tsx'
import { SessionProvider } from './session-provider.tsx'

/** The whole app at the browser's address, with a query cache and a router of its own. */
export function newApp(router = createRouter()): ReactElement {
  const queries = new QueryClient({
    mutationCache: new MutationCache(formOutcomes),
    defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000 } },
  })
  keepDataFresh(queries)
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={mantineVariables}
        colorSchemeManager={themeChoice}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queries}>
          <SessionProvider>
            <RouterProvider router={router} />
          </SessionProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
