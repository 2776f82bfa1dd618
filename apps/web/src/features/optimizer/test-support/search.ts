import { postToServer } from '../../../../test-support/screen.tsx'

/** Through the call, for tests about what comes after it. A small run is awaited. */
export async function optimize(form: object): Promise<number> {
  const { run_id } = await postToServer('/api/feature-optimization', form)
  return Number(run_id)
}
