import './ui/theme/styles.ts'
import { MantineProvider } from '@mantine/core'
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { keepDataFresh } from './app/keep-data-fresh.ts'
import { createRouter } from './app/router.tsx'
import { registerServiceWorker } from './app/service-worker.ts'
import { SessionProvider } from './app/session-provider.tsx'
import { isWorthRetrying } from './lib/retry.ts'
import { formOutcomes } from './ui/form/unsaved-work.ts'
import { mantineVariables, theme, themeChoice } from './ui/theme/theme.ts'

const queries = new QueryClient({
  mutationCache: new MutationCache(formOutcomes),
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000 } },
})
keepDataFresh(queries)
const router = createRouter()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
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
  </StrictMode>,
)

registerServiceWorker()
