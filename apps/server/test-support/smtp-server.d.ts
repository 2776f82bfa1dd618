/** The part of the test server that tests use; it comes without types. */
declare module 'smtp-server' {
  import type { AddressInfo } from 'node:net'
  import type { Readable } from 'node:stream'

  interface Session {
    envelope: { mailFrom: { address: string } | false; rcptTo: { address: string }[] }
  }
  export class SMTPServer {
    constructor(options: {
      authOptional?: boolean
      disabledCommands?: string[]
      onRcptTo?: (address: { address: string }, session: Session, callback: (error?: Error) => void) => void
      onData: (stream: Readable, session: Session, callback: (error?: Error | null, message?: string) => void) => void
    })
    server: { address(): AddressInfo }
    listen(port: number, host: string, callback: () => void): void
    close(callback: () => void): void
  }
}
