import { writeFileSync } from "node:fs"
import { Session } from "node:inspector"

/** The settings of the process. */
export const settingOf = <Setting>(): Setting => JSON.parse(process.argv[2] ?? "null")

/**
 * Profiles from now on, without the start of the program. Returns a function that writes the profile to the file of
 * `PARLEY_BENCH_PROFILE`. Does nothing without one.
 */
const startProfile = (): (() => void) => {
  const file = process.env.PARLEY_BENCH_PROFILE
  if (file === undefined) return () => {}
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.start")
  return () => session.post("Profiler.stop", (_, { profile }) => writeFileSync(file, JSON.stringify(profile)))
}

/**
 * Reports readiness and the URL, then answers orders until the parent exits. Their CPU is profiled if
 * `PARLEY_BENCH_PROFILE` is set.
 */
export const answerOrders = <Order>(answer: (order: Order) => Promise<unknown>, origin = ""): void => {
  let writeProfile: (() => void) | null = null
  process.on("disconnect", () => {
    writeProfile?.()
    process.exit(0)
  })
  process.on("message", (order) => {
    writeProfile ??= startProfile()
    answer(order as Order).then(
      (result) => process.send?.(result ?? null),
      (error) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
        process.exit(1)
      }
    )
  })
  process.send?.(origin)
}
