export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
}

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
  readonly milliseconds: number
}

/** Through a socket to a program, or through `inject` to a server in this process. */
export type Send = (request: WireRequest) => Promise<WireAnswer>

const BOUNDARY = 'tradewright-form-boundary'

export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

/** A form of text fields; a list is a repeated field, and `file` travels as a file. */
export function multipartBody(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => formPart(name, one)))
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}

function formPart(name: string, value: unknown): string {
  const filename = name === 'file' ? '; filename="upload.csv"' : ''
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const safeName = name.replaceAll(/["\r\n]/g, '_')
  return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${safeName}"${filename}\r\n\r\n${text}\r\n`
}
