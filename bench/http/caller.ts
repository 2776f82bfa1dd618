import { Agent, get } from 'node:http'

/** Asks one address at an even pace, whether answers come or not, and prints how long each took, in milliseconds. */
const [url, cookie, seconds, rate] = process.argv.slice(2) as [string, string, string, string]
const agent = new Agent({ keepAlive: true })
const began = performance.now()
const calls = Number(seconds) * Number(rate)

function ask(): Promise<number> {
  const asked = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { cookie } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - asked))
    })
    request.once('error', reject)
  })
}

const answers: Promise<number>[] = []
await new Promise<void>((resolve) => {
  const next = () => {
    // Each call has its instant: who was late is not spared the calls of the meantime.
    while (answers.length < calls && performance.now() - began >= (answers.length / Number(rate)) * 1_000) {
      const answer = ask()
      answer.catch(() => {})
      answers.push(answer)
    }
    if (answers.length === calls) resolve()
    else setTimeout(next, Math.max(0, began + (answers.length / Number(rate)) * 1_000 - performance.now()))
  }
  next()
})
process.stdout.write(JSON.stringify(await Promise.all(answers)))
agent.destroy()
