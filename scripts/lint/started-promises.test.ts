import { RuleTester } from 'oxlint/plugins-dev'
import { describe, it } from 'vitest'
import plugin from './started-promises.mjs'

RuleTester.describe = describe
RuleTester.it = it

/** Each is the inside of an async function. */
const within = (body: string) => ({ code: `async function work() { ${body} }`, filename: 'work.ts' })
const wrong = (body: string) => ({ ...within(body), errors: 1 })

new RuleTester().run('started-promises', plugin.rules['started-promises'] as never, {
  valid: [
    within('const first = begin(); await first; await other()'),
    within('const [a, b] = await Promise.all([begin(), other()])'),
    within('const first = started(begin()); await other(); await first'),
    within('const first = begin(); started(first); await other(); await first'),
    within('const first = begin().catch(() => undefined); await other(); await first'),
    within('const first = begin(); first.catch(() => {}); await other(); await first'),
    within('const settled = Promise.allSettled([begin()]); await other(); await settled'),
    within('const plan = planOf(wanted); await other(); await Promise.all([run(plan)])'),
    within('const waits = []; for (const one of all) waits.push(begin(one)); await Promise.all(waits)'),
    within('const later = () => begin(); await other(); await later()'),
    within('const first = await begin(); await other(); use(first)'),
  ],
  invalid: [
    wrong('const first = begin(); await other(); await first'),
    wrong('const first = begin() as Promise<void>; for await (const one of other()) use(one); await first'),
    wrong('const module = import("./big.ts"); await other(); const { run } = await module'),
    wrong('let first; first = begin(); await other(); await first'),
    wrong('const first = begin(); const both = await Promise.all([first, await other()])'),
    wrong('const [a, b] = await Promise.all([begin(), await other()])'),
    wrong('const all = list.map((one) => begin(one)); await other(); await Promise.all(all)'),
    wrong('const waits = []; for (const one of all) waits.push(begin(one)); await other(); await Promise.all(waits)'),
    wrong(
      'const waits = []; for (const one of all) { await other(one); waits.push(begin(one)) } await Promise.all(waits)',
    ),
    wrong('const waits = []; waits.push(begin()); if (mine) await other(); await Promise.all([...waits])'),
  ],
})
