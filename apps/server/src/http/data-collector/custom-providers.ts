import * as contract from '@tradewright/contract/custom-providers'
import { SECOND } from '@tradewright/core/time'
import {
  type Candidate,
  type CustomProviderDeps,
  deleteProvider,
  renameProvider,
  saveProvider,
  tryProvider,
  type DryRun,
} from '../../market-data/custom-providers/custom-providers.ts'
import type { Handle } from '../server/handle.ts'
import { toWireProvider } from './provider-wire.ts'

const success = true as const
const TRIAL_LIMIT = 60 * SECOND

export function serveCustomProviders(handle: Handle, deps: CustomProviderDeps): void {
  handle(contract.tryProvider, async ({ user, body }) => ({
    success,
    dry_run: toWireDryRun(await tryProvider(deps, user.id, candidateOf(body), AbortSignal.timeout(TRIAL_LIMIT))),
  }))
  handle(contract.saveProvider, async ({ user, body }) => {
    const saved = await saveProvider(deps, user.id, candidateOf(body), AbortSignal.timeout(TRIAL_LIMIT))
    return { success, provider: toWireProvider(saved) }
  })
  handle(contract.renameProvider, async ({ user, params, body }) => ({
    success,
    provider: toWireProvider(await renameProvider(deps, user.id, params.id, body.display_name || undefined)),
  }))
  handle(contract.deleteProvider, async ({ user, params }) => {
    await deleteProvider(deps, user.id, params.id)
    return { success }
  })
}

interface Body {
  definition: unknown
  ticker?: string | null | undefined
  api_key?: string | null | undefined
}

const candidateOf = ({ definition, ticker, api_key }: Body): Candidate => ({
  definition,
  ticker: ticker || undefined,
  apiKey: api_key || undefined,
})

const toWireDryRun = ({ works, problems, sample, rowCount }: DryRun): contract.DryRun => ({
  works,
  problems: [...problems],
  sample: sample.map((row) => ({ ...row })),
  row_count: rowCount,
})
