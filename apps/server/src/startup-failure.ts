/** The program cannot start, and the operator can do something about it: one line that says what. */
export class StartupFailure extends Error {
  override readonly name = 'StartupFailure'
}
