import * as contract from '@tradewright/contract/data-collector'
import type { DescribeApi } from '../../market-data/describe-api.ts'
import { generateProvider } from '../../market-data/generate-provider.ts'
import { cancelRun } from '../../market-data/jobs/cancel-run.ts'
import type { CollectionRunStore } from '../../market-data/jobs/ports.ts'
import { createJob, deleteJob, type JobDeps, listJobs, updateJob } from '../../market-data/jobs/save-job.ts'
import { runNow, type StartDeps } from '../../market-data/jobs/start-run.ts'
import { AUTO_PROVIDER, AUTO_PROVIDER_NAME } from '../../market-data/series-for.ts'
import { toJobForm, toWireJob, toWireRun } from './collection-job-wire.ts'
import type { Handle } from '../server/handle.ts'
import { toWireProvider } from './provider-wire.ts'

const success = true as const
const RUNS_SHOWN = 200

interface DataCollectorDeps extends JobDeps, StartDeps {
  readonly runs: CollectionRunStore
  readonly describeApi: DescribeApi
}

export function serveDataCollector(handle: Handle, deps: DataCollectorDeps): void {
  const namesFor = async (userId: number) =>
    new Map([
      [AUTO_PROVIDER, AUTO_PROVIDER_NAME],
      ...(await deps.providersOf(userId)).map(({ id, displayName }) => [id, displayName] as const),
    ])

  handle(contract.listProviders, async ({ user }) => ({
    success,
    providers: (await deps.providersOf(user.id)).map(toWireProvider),
  }))
  handle(contract.generateProvider, async ({ user, body }) => {
    const form = {
      userId: user.id,
      providerName: body.provider_name || undefined,
      apiDocumentation: body.api_documentation || undefined,
      additionalContext: body.additional_context ?? '',
    }
    return { success, definition: await generateProvider(deps.describeApi, form, AbortSignal.timeout(120_000)) }
  })
  handle(contract.listCollectionJobs, async ({ user }) => {
    const names = await namesFor(user.id)
    return { success, jobs: (await listJobs(deps, user.id)).map((job) => toWireJob(job, names)) }
  })
  handle(contract.createCollectionJob, async ({ user, body }) => {
    const job = await createJob(deps, user.id, toJobForm(body))
    return { success, job: toWireJob(job, await namesFor(user.id)) }
  })
  handle(contract.updateCollectionJob, async ({ user, params, body }) => {
    const job = await updateJob(deps, user.id, params.id, toJobForm(body))
    return { success, job: toWireJob(job, await namesFor(user.id)) }
  })
  handle(contract.deleteCollectionJob, async ({ user, params }) => {
    await deleteJob(deps, user.id, params.id)
    return { success }
  })
  handle(contract.runCollectionJob, async ({ user, params }) => {
    const { runId, recordsFetched, recordsStored, message } = await runNow(deps, user.id, params.id)
    return { success, records_fetched: recordsFetched, records_stored: recordsStored, message, run_id: runId }
  })
  handle(contract.cancelCollectionRun, async ({ user, params }) => {
    await cancelRun(deps, user.id, params.id)
    return { success }
  })
  handle(contract.listCollectionRuns, async ({ user }) => ({
    success,
    runs: (await deps.runs.list(user.id, RUNS_SHOWN)).map(toWireRun),
  }))
}
