/** The milliseconds of CPU time that this process spends on `work`. Unlike elapsed time, it hardly depends on what else the machine does. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
