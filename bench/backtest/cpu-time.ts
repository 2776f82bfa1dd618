/**
 * Processor time of some work in milliseconds, garbage collection and compilation included. Engine work waits for
 * nothing, so on an idle machine this is the time a user waits, and on a busy one it is still a figure of ours.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
