/** Documented in docs/cli.md: scripts go by them. */
export const EXIT = {
  ok: 0,
  /** The server answered, and the answer is no: refused, failed, or not identical. */
  negative: 1,
  usage: 2,
  /** No key, or one that may not do this. */
  forbidden: 3,
  away: 4,
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export const EXIT_CODES: Record<ExitCode, string> = {
  0: 'done',
  1: 'the answer is no: refused by the server, a run that failed, or a passport that is not identical',
  2: 'the command line or a file on it is wrong',
  3: 'not signed in, or the key may not do this',
  4: 'the server cannot be reached',
  130: 'interrupted by Ctrl-C',
}

/** An end with a sentence for the user. `code` is the server's, where it gave one. */
export class Failure extends Error {
  readonly exit: ExitCode
  readonly code: string

  constructor(exit: ExitCode, sentence: string, code = CODES[exit]) {
    super(sentence)
    this.exit = exit
    this.code = code
  }
}

const CODES: Record<ExitCode, string> = {
  0: 'cli.ok',
  1: 'cli.refused',
  2: 'cli.usage',
  3: 'cli.not-signed-in',
  4: 'cli.server-away',
  130: 'cli.interrupted',
}

export const usage = (sentence: string) => new Failure(EXIT.usage, sentence)
