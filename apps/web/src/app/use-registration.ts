import { getRegistration, type RegistrationInfo } from '@tradewright/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/http.ts'
import { PUBLIC } from '../lib/public-queries.ts'

/** When the server does not say: what it then refuses, it explains. */
const UNKNOWN: RegistrationInfo = { registration: 'open', min_password_length: 1 }

/** Whether visitors may register here; undefined until the server has said so. */
export function useRegistration(): RegistrationInfo | undefined {
  const { data, isError } = useQuery({
    queryKey: ['registration'],
    meta: PUBLIC,
    queryFn: ({ signal }) => call(getRegistration, { signal }),
    staleTime: 60_000,
    retry: false,
  })
  return data ?? (isError ? UNKNOWN : undefined)
}
