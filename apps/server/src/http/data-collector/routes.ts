import * as contract from '@tradewright/contract/data-collector'
import { type DescribeApi, generateProvider } from '../../market-data/custom-providers/custom-providers.ts'
import { cancelRun, runNow, type StartDeps } from '../../market-data/jobs/scheduler.ts'
import type { CollectionRunStore, JobWithStanding } from '../../market-data/jobs/collection-job.ts'
import { createJob, deleteJob, type JobDeps, listJobs, updateJob } from '../../market-data/jobs/save-job.ts'
import { AUTO_PROVIDER, AUTO_PROVIDER_NAME } from '../../market-data/series-for.ts'
import { toJobForm, toWireJob, toWireRun } from './collection-job-wire.ts'
import type { Handle } from '../server/handle.ts'
import { toWireProvider } from './provider-wire.ts'
import { readableRows } from '../answer/readable-rows.ts'

const success = true as const
const RUNS_SHOWN = 200

interface DataCollectorDeps extends JobDeps, StartDeps {
  readonly runs: CollectionRunStore
  readonly describeApi: DescribeApi
  /** Counts providers that the user has defined and that cannot be read. */
  readonly countUnreadableProviders: (userId: number) => Promise<number>
}

export function serveDataCollector(handle: Handle, deps: DataCollectorDeps): void {
  const namesFor = async (userId: number) =>
    new Map([
      [AUTO_PROVIDER, AUTO_PROVIDER_NAME],
      ...(await deps.providersOf(userId)).map(({ id, displayName }) => [id, displayName] as const),
    ])

  handle(contract.listProviders, async ({ user, request: { log } }) => {
    const rows = await deps.providersOf(user.id)
    const told = { list: 'providers', schema: contract.Provider, toWire: toWireProvider, log }
    const { entries, left_out: count = 0 } = readableRows(rows, told)
    const all = count + (await deps.countUnreadableProviders(user.id))
    return { success, providers: entries, ...(all > 0 && { left_out: all }) }
  })
  handle(contract.generateProvider, async ({ user, body }) => {
    const form = {
      userId: user.id,
      providerName: body.provider_name || undefined,
      apiDocumentation: body.api_documentation || undefined,
      additionalContext: body.additional_context ?? '',
    }
    return { success, definition: await generateProvider(deps.describeApi, form, AbortSignal.timeout(120_000)) }
  })
  handle(contract.listCollectionJobs, async ({ user, request: { log } }) => {
    const names = await namesFor(user.id)
    const toWire = (job: JobWithStanding) => toWireJob(job, names)
    const told = { list: 'collection_jobs', schema: contract.CollectionJob, toWire, log }
    const { entries, ...leftOut } = readableRows(await listJobs(deps, user.id), told)
    return { success, jobs: entries, ...leftOut }
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
  handle(contract.listCollectionRuns, async ({ user, request: { log } }) => {
    const rows = await deps.runs.list(user.id, RUNS_SHOWN)
    const told = { list: 'collection_runs', schema: contract.CollectionRun, toWire: toWireRun, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { success, runs: entries, ...leftOut }
  })
}
