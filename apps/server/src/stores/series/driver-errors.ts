import { refusalIn } from '../../adapters/http/address-guard.ts'

/** Error codes of Node, the vendors' drivers and PostgreSQL as sentences for the user who set the store up. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at that host and port',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ETIMEDOUT: 'the host does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ECONNRESET: 'the connection was cut',
  EACCES: 'it may not be written to',
  EPERM: 'it may not be written to',
  EROFS: 'it may not be written to',
  ENOSPC: 'there is no room left',
  EANSWERTOOLARGE: 'it sent more than it should',
  EMALFORMEDANSWER: 'it does not answer as it should',
  ERR_BUFFER_TOO_LARGE: 'it sent more than it should',
  ENOTDIR: 'part of its path is a file',
  '28P01': 'the username or password is wrong',
  '28000': 'the server does not let this user in',
  '3D000': 'there is no database of that name',
  '42501': 'this user may not create or write tables there',
  '53100': 'its disk is full',
  '53300': 'it has no connection left',
  '57P01': 'it is shutting down',
  '57P03': 'it is starting up',
  // MongoDB
  '13': 'the username or password is wrong',
  '18': 'the username or password is wrong',
  // S3, by the names of its errors
  NoSuchBucket: 'there is no bucket of that name',
  NotFound: 'there is no bucket of that name',
  InvalidAccessKeyId: 'the access key is not known',
  SignatureDoesNotMatch: 'the secret key is wrong',
  AccessDenied: 'the key may not use this bucket',
  Forbidden: 'the key is wrong or may not use this bucket',
  PermanentRedirect: 'the bucket is in another region',
  CredentialsProviderError: 'there is no access key',
  MongoServerSelectionError: 'nothing answers at that host and port',
}

const BY_STATUS: Readonly<Record<number, string>> = {
  301: 'the bucket is in another region',
  401: 'the key is wrong',
  403: 'the key is wrong or may not use it',
  404: 'there is no bucket or container of that name',
}

const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/timeout|timed out/i, 'the host does not answer'],
  [/terminated|connection ended|closed/i, 'the connection was cut'],
  [/does not support SSL/i, 'the server does not offer an encrypted connection'],
]

/** The error for a server that does not keep to its protocol. */
export const malformedAnswer = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: 'EMALFORMEDANSWER' })

interface VendorError extends Error {
  code?: unknown
  statusCode?: number
  $metadata?: { httpStatusCode?: number }
}

/** The code may be any text that a server sends, `constructor` included. */
const sentenceOf = (code: string): string | undefined => (Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined)

/** Why a store cannot be used, in our own words; undefined when the error is none that one has to expect. */
export function why(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const refusal = refusalIn(error)
  if (refusal) return `${refusal.message} (the operator can allow it with ALLOW_PRIVATE_STORES)`
  const { code, name, message, statusCode, $metadata, cause } = error as VendorError
  return (
    sentenceOf(String(code)) ??
    // The driver of MongoDB wraps whatever ended its attempts.
    (name === 'MongoServerSelectionError' ? why(cause) : undefined) ??
    sentenceOf(name) ??
    BY_STATUS[statusCode ?? $metadata?.httpStatusCode ?? (typeof code === 'number' ? code : 0)] ??
    BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ??
    (error instanceof AggregateError ? why(error.errors[0]) : why(cause))
  )
}

/**
 * Like `why`, with a sentence for everything else. What a foreign service or a driver says is never passed on: it may be
 * the body of a page inside our network, or tell whether a file exists on this machine.
 */
export function reasonOf(error: unknown): string {
  const status = statusOf(error)
  return (
    why(error) ?? (status ? `the service answered with an error (HTTP ${status})` : 'it does not answer as it should')
  )
}

function statusOf(error: unknown): number | undefined {
  const { statusCode, $metadata, code } = error as VendorError
  const status = statusCode ?? $metadata?.httpStatusCode ?? code
  return typeof status === 'number' && status >= 300 && status < 600 ? status : undefined
}

const SILENCE = /nothing answers|no host of that name|could not be looked up|does not answer|cannot be reached/

/** Whether the store is out of reach, so that its settings may well be right. */
export const isUnreachable = (error: unknown): boolean => SILENCE.test(why(error) ?? '')
