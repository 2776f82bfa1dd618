import type { HttpLog } from '../src/adapters/http/http-client.ts'

/** A log that keeps its lines, to check for what must not be in them. */
export class RecordedLog implements HttpLog {
  readonly lines: string[] = []
  readonly warnings: string[] = []

  debug(fields: object, message: string): void {
    this.lines.push(`${message} ${JSON.stringify(fields)}`)
  }

  warn(fields: object, message: string): void {
    this.debug(fields, message)
    this.warnings.push(this.lines.at(-1)!)
  }
}
