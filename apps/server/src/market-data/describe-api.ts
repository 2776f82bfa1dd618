export interface ApiDescription {
  /** Whose connected model is asked. */
  readonly userId: number
  readonly providerName: string
  /** The documentation's text or the address of its page. */
  readonly apiDocumentation: string
  readonly additionalContext: string
}

/**
 * Turns the documentation of an API into a definition, with the AI model the user has connected. What it gives is
 * untrusted: the caller checks it against `ProviderDefinition`, tries it and shows it before it is saved. Without a
 * connected model it fails with a Problem that says what to connect.
 */
export type DescribeApi = (description: ApiDescription, signal: AbortSignal) => Promise<unknown>
