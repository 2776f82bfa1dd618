import type { CallScope } from '@tradewright/core/key-scopes'
import type { z } from 'zod'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * `anyone` may call it, only a user who is `signed in`, or only the `operator` of the instance: to every other user there
 * is no such call.
 */
type Access = 'anyone' | 'signed in' | 'operator'

export interface Upload {
  /** The text fields beside the file. */
  fields: z.ZodType
  /** The name of the file's field. */
  file: string
  maxBytes: number
  description: string
}

/**
 * One call of the wire, declared once: the server serves it with `handle`, the web calls it with `call`, and the
 * published OpenAPI document is made from it.
 */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Who extends Access = Access,
> {
  method: Method
  /** With `:name` for each path parameter. */
  path: string
  access: Who
  /** What an API key needs for it; a call without one cannot be made with a key. */
  scope?: CallScope
  /** Takes an `Idempotency-Key`: repeated with the same body it answers what it answered, and does nothing again. */
  idempotent?: true
  /** Keeps more for the user than before; refused when their rows fill their share of the database. */
  addsRows?: true
  /**
   * An account with a second factor gives it again first, unless it did within ten minutes: `always`, or where the call
   * carries the typed confirmation of real money. Programs with an API key have no factor and are not asked.
   */
  asksFactor?: 'always' | 'real money'
  /** A stop: it has connections to the database of its own, and is served however busy its caller is. */
  urgent?: true
  /** It waits for a turn of its own kind, such as for a password to be checked. */
  ownQueue?: true
  /** A call that is no GET because of its body: it answers, and changes nothing that others could see. */
  changesNothing?: true
  summary: string
  tag: string
  params?: Params
  query?: Query
  body?: Body
  /** How the body travels; left out, it is JSON. A multipart form has text fields only, those named `…[]` repeated. */
  encoding?: 'multipart'
  /** In place of a body: a multipart form with one file. */
  upload?: Upload
  answer: Answer
}

export function route<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
  Who extends Access = 'signed in',
>(declaration: Route<Params, Query, Body, Answer, Who>): Route<Params, Query, Body, Answer, Who> {
  return declaration
}
