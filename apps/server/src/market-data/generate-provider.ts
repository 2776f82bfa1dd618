import { Problem } from '@tradewright/core/problem'
import type { ApiDescription, DescribeApi } from './describe-api.ts'
import { ProviderDefinition } from './provider-definition.ts'

interface ApiForm {
  readonly userId: number
  readonly providerName: string | undefined
  readonly apiDocumentation: string | undefined
  readonly additionalContext: string
}

/** A definition for the user to review; it is not saved, and no code is ever generated. */
export async function generateProvider(
  describeApi: DescribeApi,
  form: ApiForm,
  signal: AbortSignal,
): Promise<ProviderDefinition> {
  const parsed = ProviderDefinition.safeParse(await describeApi(checked(form), signal))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue ? ` (${issue.path.join('.') || 'at the top level'}: ${issue.message})` : ''
  throw new Problem('upstream', 'provider.generated', `The AI model's answer is not a usable definition${where}.`)
}

function checked({ userId, providerName, apiDocumentation, additionalContext }: ApiForm): ApiDescription {
  if (!providerName) throw new Problem('invalid', 'provider.name', 'Provider name is required')
  if (!apiDocumentation) throw new Problem('invalid', 'provider.documentation', 'API documentation is required')
  return { userId, providerName, apiDocumentation, additionalContext }
}
