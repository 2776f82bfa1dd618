import { Problem } from '@tradewright/core/problem'

/**
 * What is wrong with a form that is checked while it is typed, for an answer of 200: browsers write refused calls into
 * their console. Whatever is not the form's fault stays an error.
 */
export function problemsOfForm(error: unknown): string[] {
  if (error instanceof Problem && error.kind === 'invalid') return [error.message]
  throw error
}
