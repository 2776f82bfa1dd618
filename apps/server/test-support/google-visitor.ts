const MAX_STEPS = 12

/** The visitor's choice on Google's pages. */
export type GoogleChoice = { signInAs: string } | 'cancel'

/** Goes through the stand-in's pages as a browser would; answers the address that it sends the browser back to. */
export async function visitGoogle(start: string, choice: GoogleChoice): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(start)
  const provider = url.origin
  let form: URLSearchParams | undefined
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    keepCookies(jar, answer)
    const location = answer.headers.get('location')
    const page = await answer.text()
    form = undefined
    if (location) url = new URL(location, url)
    else if (choice === 'cancel') url = new URL(found(page, /href="([^"]*abort)"/), url)
    else {
      url = new URL(found(page, /action="([^"]+)"/), url)
      const prompt = found(page, /name="prompt" value="(\w+)"/)
      form = new URLSearchParams({ prompt, login: choice.signInAs, password: 'any' })
    }
    if (url.origin !== provider) return url
  }
  throw new Error(`the provider did not send the browser back in ${MAX_STEPS} steps`)
}

function keepCookies(jar: Map<string, string>, answer: Response): void {
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name !== undefined && value !== undefined) jar.set(name, value)
  }
}

function found(page: string, pattern: RegExp): string {
  const match = pattern.exec(page)?.[1]
  if (match === undefined) throw new Error(`the provider's page lacks ${pattern}: ${page.slice(0, 500)}`)
  return match
}
