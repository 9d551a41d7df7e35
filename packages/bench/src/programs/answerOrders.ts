import { writeFileSync } from "node:fs"
import { Session } from "node:inspector"
import { allocationFile } from "../measuring/profiles.js"

/** The settings of the process. */
export const settingOf = <Setting>(): Setting => JSON.parse(process.argv[2] ?? "null")

/** Mean distance of the sampled allocations, in bytes. */
const samplingInterval = 131_072

/**
 * Profiles from now on, without the start of the program. Returns a function that writes the profile to the file of
 * `PARLEY_BENCH_PROFILE`, and that of the allocations beside it. Does nothing without one.
 */
const startProfile = (): (() => void) => {
  const file = process.env.PARLEY_BENCH_PROFILE
  if (file === undefined) return () => {}
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.start")
  session.post("HeapProfiler.startSampling", {
    samplingInterval,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true
  })
  return () => {
    session.post("Profiler.stop", (_, { profile }) => writeFileSync(file, JSON.stringify(profile)))
    session.post("HeapProfiler.stopSampling", (_, { profile }) =>
      writeFileSync(allocationFile(file), JSON.stringify(profile))
    )
  }
}

/**
 * Reports readiness and the URL, then answers orders until the parent exits. What they use is profiled if
 * `PARLEY_BENCH_PROFILE` is set; in a server, from its readiness on.
 */
export const answerOrders = <Order>(answer: (order: Order) => Promise<unknown>, origin = ""): void => {
  // Some servers get no orders.
  let writeProfile: (() => void) | null = origin === "" ? null : startProfile()
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
