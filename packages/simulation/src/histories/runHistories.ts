import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterRunning, EventLoop } from "@parley/core"
import { bundle, isMeasured } from "../bundle.js"
import type { HistoryResult } from "./checkHistory.js"

/** Time in ms after which a history counts as endless. A history takes about half a second of CPU. */
const maxHistoryMs = 180_000

/**
 * The size of the heap's young generation in MB. Histories took about a tenth less CPU with it than with the default.
 */
export const youngGeneration = "--max-semi-space-size=32"

const childSource = fileURLToPath(new URL("child.ts", import.meta.url))

/** The histories to run. */
export interface HistoriesToRun {
  readonly from: number
  readonly count: number
  readonly database: string
  /** Whether each is run a second time, and compared. */
  readonly twice: boolean
  /** The number of child processes, which share the seeds. */
  readonly processes: number
}

/**
 * Runs histories in child processes of the sources as they are now. Calls `onResult` after each. A history that does
 * not end, or ends its process, is a violation of `history-ends`; the others are run by another process.
 */
export const runHistories = async (
  histories: HistoriesToRun,
  onResult: (result: HistoryResult) => void
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-histories-"))
  try {
    const child = join(folder, "child.mjs")
    await bundle(childSource, child)
    await runInChildren(child, histories, onResult)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const runInChildren = async (
  child: string,
  { count, database, from, processes, twice }: HistoriesToRun,
  onResult: (result: HistoryResult) => void
): Promise<void> => {
  let next = from
  const execArgv = [youngGeneration, ...(isMeasured ? ["--enable-source-maps"] : [])]
  const start = () => fork(child, [database, twice ? "twice" : "once"], { execArgv })
  const worker = async () => {
    let runner = start()
    while (next < from + count) {
      const seed = next++
      const result = await resultOf(runner, seed)
      if (result === null) {
        runner.kill("SIGKILL")
        runner = start()
      }
      const text = `the history did not end within ${maxHistoryMs} ms, or ended its process`
      const violation = { promise: "history-ends", text }
      onResult(result ?? { seed, violation, operations: 0, isFull: false, cpuSeconds: 0 })
    }
    runner.disconnect()
  }
  await Promise.all(Array.from({ length: processes }, worker))
}

const { setTimer } = EventLoop.defaultValue()

/** The result of a history in a child process. Null: it did not end in time, or the process ended. */
const resultOf = async (runner: ChildProcess, seed: number): Promise<HistoryResult | null> => {
  const timeout = new AbortController()
  const cancelTimeout = afterRunning(setTimer, maxHistoryMs, () => timeout.abort())
  const exited = once(runner, "exit", { signal: timeout.signal }).then(() => null)
  const answered = once(runner, "message", { signal: timeout.signal }).then(([result]) => result as HistoryResult)
  try {
    runner.send(seed)
    return await Promise.race([answered, exited])
  } catch {
    return null
  } finally {
    cancelTimeout()
    exited.catch(() => {})
    answered.catch(() => {})
    timeout.abort()
  }
}
