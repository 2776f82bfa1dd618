import { SMTPServer } from 'smtp-server'

interface ReceivedMail {
  to: string[]
  /** Head and body, with soft line breaks of quoted-printable undone. */
  text: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
  /** The newest mail to an address, once it has arrived. */
  next(to: string): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A real mail server on loopback that keeps what it is sent. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
        received.push({ to: envelope.rcptTo.map(({ address }) => address), text })
        callback(null, 'queued')
        for (const wake of waiting) wake()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const take = (to: string): ReceivedMail | undefined => {
    const index = received.findLastIndex((mail) => mail.to.some((one) => one.toLowerCase() === to.toLowerCase()))
    return index < 0 ? undefined : received.splice(index, 1)[0]
  }
  return {
    url: `smtp://127.0.0.1:${server.server.address().port}`,
    received,
    async next(to) {
      for (;;) {
        const mail = take(to)
        if (mail) return mail
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
