import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { callTool, connectAgent, makeKey } from '../../../test-support/mcp-client.ts'
import { longStudyForm, studyForm } from '../../../test-support/studies.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let address: string
let user: RegisteredUser
let agent: Client
beforeAll(async () => {
  server = await sharedTestApp()
  address = await server.address()
  user = await register(server)
  agent = await connectAgent(address, await makeKey(server, user, ['research']))
})
afterAll(() => agent.close())

const { rules, startDate: start_date, endDate: end_date } = studyForm.backtest
const TREND = { rules: JSON.parse(rules) as object, start_date, end_date }
const text = async (uri: string) => ((await agent.readResource({ uri })).contents as { text: string }[])[0]!.text
const ended = (tool: string, input: Record<string, unknown>) =>
  vi.waitFor(
    async () => {
      const answer = await callTool(agent, tool, input)
      expect(answer.data['status']).not.toMatch(/running|queued/)
      return answer
    },
    { timeout: 90_000, interval: 200 },
  )

it('studies the numbers of a strategy: which there are, the start, the end in words, the variants by pages', async () => {
  const { data: listed } = await callTool(agent, 'list_strategy_numbers', TREND)
  expect(listed['numbers']).toContainEqual(
    expect.objectContaining({ path: 'root.condition.right.params.window', value: 200, is_whole: true }),
  )
  const started = await callTool(agent, 'start_parameter_study', { ...TREND, numbers: studyForm.numbers })
  expect(started.isError, started.texts[0]).toBe(false)
  const study = { study_id: started.data['study_id'] }
  expect(started.data).toMatchObject({ variants: 9, method: 'grid' })
  const { texts, data, links } = await ended('get_parameter_study', study)
  expect(data).toMatchObject({ ...study, status: 'completed', result: { trials: 9, synthetic: true } })
  expect(texts[0]).toContain('Synthetic sample data')
  expect(texts[0]).toMatch(/\| Best variant \|/)
  expect(texts.join('').length).toBeLessThan(20_000)
  const [whole, variants] = await Promise.all(links.map(text))
  expect(JSON.parse(whole!)).toEqual(data)
  const [page, head, ...rows] = variants!.trim().split('\n')
  expect([page, rows.length]).toEqual(['# page 1 of 1', 9])
  await expect(text(links[1]!.replace('page=1', 'page=2'))).rejects.toThrow('pages 1 to 1')
  // The best of the words is the best of the rows, with its numbers.
  const sharpe = (row: string) => Number(row.split(',')[head!.split(',').indexOf('in_sample_sharpe')])
  const best = rows.toSorted((a, b) => sharpe(b) - sharpe(a))[0]!
  const { result } = data as { result: { best: { numbers: { value: number }[]; in_sample: { sharpe: number } } } }
  expect(best.split(',').slice(0, 2).map(Number)).toEqual(result.best.numbers.map(({ value }) => value))
  expect(sharpe(best)).toBe(result.best.in_sample.sharpe)
  expect((await callTool(agent, 'list_parameter_studies')).data).toMatchObject({ total: 1, studies: [study] })
  expect((await agent.listResources()).resources.map(({ uri }) => uri)).toContain(links[0])
})

it('cancels a study, which says so', async () => {
  const { backtest, numbers } = longStudyForm
  const { data } = await callTool(agent, 'start_parameter_study', {
    ...TREND,
    start_date: backtest.startDate,
    numbers,
  })
  const study = { study_id: data['study_id'] }
  expect((await callTool(agent, 'cancel_parameter_study', study)).isError).toBe(false)
  const { texts } = await ended('get_parameter_study', study)
  expect(texts[0]).toMatch(/was cancelled after \d+ of 475 variants/)
})

it('computes a robustness report, reads it in words and in full, and never another user’s', async () => {
  const run = await callTool(agent, 'run_backtest', { ...TREND, start_date: '2018-01-02' })
  const backtest = { backtest_id: run.data['backtest_id'] }
  const before = await callTool(agent, 'get_robustness_report', backtest)
  expect(before.data).toMatchObject({ status: 'not computed' })
  expect(before.texts[0]).toContain('have not been run')
  await expect(text(`tradewright://backtests/${Number(backtest.backtest_id)}/robustness`)).rejects.toThrow(
    'not been run',
  )
  expect((await callTool(agent, 'cancel_robustness_checks', backtest)).isError).toBe(true)
  expect((await callTool(agent, 'start_robustness_checks', backtest)).isError).toBe(false)
  const { texts, data, links } = await ended('get_robustness_report', backtest)
  expect(data).toMatchObject({ ...backtest, status: 'completed', verdict: { passed: expect.any(Number) } })
  expect(texts[0]).toMatch(/\| Check \| Verdict \| Finding \|/)
  expect(texts.join('').length).toBeLessThan(20_000)
  const board = JSON.parse(await text(links[0]!)) as { checks: { label: string; details: unknown }[] }
  for (const { label } of board.checks) expect(texts[0]).toContain(label.split(' ')[0])
  expect(board.checks.some(({ details }) => details !== null)).toBe(true)
  const other = await connectAgent(address, await makeKey(server, await register(server), ['read', 'research']))
  for (const [name, input] of [
    ['get_robustness_report', backtest],
    ['start_robustness_checks', backtest],
    ['cancel_robustness_checks', backtest],
    ['get_parameter_study', { study_id: 1 }],
    ['cancel_parameter_study', { study_id: 1 }],
  ] as const) {
    expect(await callTool(other, name, input), name).toMatchObject({
      isError: true,
      texts: [expect.stringContaining('no such')],
    })
  }
  await expect(other.readResource({ uri: links[0]! })).rejects.toThrow('no such')
  await other.close()
})

it.each([
  ['start_parameter_study', { ...TREND, numbers: [] }],
  ['start_parameter_study', { ...TREND, numbers: [{ path: 'root.__proto__.x', from: 1, to: 2, step: 1 }] }],
  [
    'start_parameter_study',
    { settings: { allocations: [{ ticker: 'SPY', allocation: 100 }] }, numbers: studyForm.numbers },
  ],
  ['list_strategy_numbers', { strategy_id: 999_999 }],
  ['list_strategy_numbers', {}],
])('refuses what is not valid with a sentence: %s %j', async (name, input) => {
  const { isError, texts } = await callTool(agent, name, input)
  expect([isError, texts[0]]).toEqual([true, expect.stringMatching(/^.{5,300}[.]$/)])
})

it('lets a key that only reads see studies and reports, and start none', async () => {
  const reader = await connectAgent(address, await makeKey(server, user, ['read']))
  const names = (await reader.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['get_parameter_study', 'list_parameter_studies', 'get_robustness_report']),
  )
  expect(names.filter((name) => /^(start|cancel)_/.test(name))).toEqual([])
  expect(await callTool(reader, 'start_parameter_study', { ...TREND, numbers: studyForm.numbers })).toMatchObject({
    isError: true,
    texts: [expect.stringContaining('scope “research”')],
  })
  await reader.close()
})
