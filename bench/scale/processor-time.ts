import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Seconds of processor time that a process and all below it have had, of those that still run. */
export function processorSeconds(pid: number): number {
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? statOf(name) : undefined
    if (!found) continue
    ticks.set(Number(name), found.ticks)
    children.set(found.parent, [...(children.get(found.parent) ?? []), Number(name)])
  }
  const below = (of: number): number =>
    (ticks.get(of) ?? 0) + (children.get(of) ?? []).reduce((sum, child) => sum + below(child), 0)
  return below(pid) / TICKS_PER_SECOND
}

function statOf(pid: string): { parent: number; ticks: number } | undefined {
  try {
    // The name in parentheses may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    // It has ended.
    return undefined
  }
}
