import {
  createDeployment,
  createDeploymentWithPositions,
  updateDeployment,
  validateMapping,
} from '@tradewright/contract/live-trading'
import type { AccountPosition, Deployment } from '@tradewright/contract/live-trading-fields'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import { created, createFailed, failedTo, failedWith, type Tell, UPDATED } from '../messages.ts'
import { useRefresh } from '../queries.ts'
import type { Chosen, DeployForm } from './draft.ts'
import { toCreateBody, toPositionsBody, toUpdateBody } from './form-request.ts'
import { capitalProblem, invalidMappings, missingChoice } from './form-rules.ts'
import { isCash } from './signal-ticker.ts'

/** Something that the form itself refuses, with the sentence to show. */
class FormProblem extends Error {}

interface Submission {
  tell: Tell
  onDone: () => void
}

interface Creation {
  tell: Tell
  /** With the deployment that waits for its confirmation, where real money was to be started at once. */
  onDone: (waiting?: Deployment) => void
}

export function useCreate({ tell, onDone }: Creation) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ chosen, positions }: { chosen: Chosen; positions: readonly AccountPosition[] }) => {
      const { account } = chosen
      // Real money is started by a step of its own.
      const goesLive = account?.paper_trading === false && chosen.form.autoStart
      const form = goesLive ? { ...chosen.form, autoStart: false } : chosen.form
      await checkForm('deploy', form)
      const problem = account ? capitalProblem(form, account, positions) : null
      if (problem) throw new FormProblem(problem)
      if (form.contributionMode === 'positions') {
        return { ...(await call(createDeploymentWithPositions, { body: toPositionsBody(form, positions) })), goesLive }
      }
      return { ...(await call(createDeployment, { body: toCreateBody(form) })), goesLive }
    },
    onSuccess: async ({ start_error, deployment, goesLive }) => {
      tell(created(deployment), ...(start_error ? [failedWith(`Failed to start deployment: ${start_error}`)] : []))
      onDone(goesLive ? deployment : undefined)
      await refresh()
    },
    onError: (error) => tell(error instanceof FormProblem ? failedWith(error.message) : createFailed(error)),
  })
}

export function useUpdate(id: number, { tell, onDone }: Submission) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (form: DeployForm) => {
      await checkForm('update', form)
      return call(updateDeployment, { params: { id }, body: toUpdateBody(form) })
    },
    onSuccess: async () => {
      tell(UPDATED)
      onDone()
      await refresh()
    },
    onError: (error) => tell(error instanceof FormProblem ? failedWith(error.message) : failedTo('update', error)),
  })
}

async function checkForm(verb: 'deploy' | 'update', form: DeployForm): Promise<void> {
  const missing = missingChoice(form)
  if (missing) throw new FormProblem(missing)
  const validation = await mappingValidation(form)
  if (validation && !validation.all_valid) throw new FormProblem(invalidMappings(verb, validation.ticker_results))
}

/** Null where it could not be asked: that is logged only, and the server validates the mapping once more anyway. */
async function mappingValidation({ tickerMapping, accountId }: DeployForm) {
  const traded = Object.entries(tickerMapping).filter(([signal]) => !isCash(signal))
  if (traded.length === 0) return null
  try {
    const body = { ticker_mapping: Object.fromEntries(traded), account_id: accountId }
    return (await call(validateMapping, { body })).validation
  } catch (error) {
    // oxlint-disable-next-line no-console -- "logged only", says the specification
    console.error('Failed to validate the ticker mapping', error)
    return null
  }
}
