import { Problem } from '@tradewright/core/problem'

/** PostgreSQL's and Node's codes, in the words of whoever set the store up. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at that host and port',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ECONNRESET: 'the connection was cut',
  '28P01': 'the username or password is wrong',
  '28000': 'the server does not let this user in',
  '3D000': 'there is no database of that name',
  '42501': 'this user may not create or write tables there',
  '53100': 'its disk is full',
  '53300': 'it has no connection left',
  '57P01': 'it is shutting down',
  '57P03': 'it is starting up',
}

/** An expected failure becomes a sentence; a bug stays an error. */
export function asStoreProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const why = SENTENCES[(error as NodeJS.ErrnoException).code ?? ''] ?? hint(error.message)
  if (!why) return error
  const sentence = `The PostgreSQL data store cannot be used: ${why}.`
  return new Problem('unavailable', 'store.away', sentence, { cause: error })
}

function hint(message: string): string | undefined {
  if (/timeout/i.test(message)) return 'the host does not answer'
  if (/terminated|ended|closed/i.test(message)) return 'the connection was cut'
  if (/does not support SSL/i.test(message)) return 'the server does not offer an encrypted connection'
  return undefined
}
