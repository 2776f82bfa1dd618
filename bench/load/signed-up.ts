/** A user of the program, as a browser is one. Answers are read to their end; only whether they were good is told. */
export interface SignedUp {
  gets(path: string): Promise<boolean>
  sends(path: string, form: FormData): Promise<boolean>
}

export async function signedUp(url: string, name: string): Promise<SignedUp> {
  const answer = await fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: name, email: `${name}@example.com`, password: 'a password for the bench' }),
  })
  if (!answer.ok) throw new Error(`registering answered ${answer.status}: ${await answer.text()}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const ask = async (path: string, init: RequestInit): Promise<boolean> => {
    const got = await fetch(`${url}${path}`, { ...init, headers: { cookie } })
    await got.arrayBuffer()
    return got.ok
  }
  return {
    gets: (path) => ask(path, {}),
    sends: (path, body) => ask(path, { method: 'POST', body }),
  }
}
