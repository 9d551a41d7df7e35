import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { afterRunning, EventLoop } from "@parley/core"
import { youngGeneration } from "../histories/runHistories.js"

/** The violation that ended a run, or null if all histories kept all promises. */
export interface Run {
  /** The seed of the last history. */
  readonly seed: number
  readonly violation: { readonly promise: string; readonly text: string } | null
}

/** Time in ms after which a history counts as endless. A history takes about a second. */
const maxHistoryMs = 180_000

interface Line {
  readonly seed?: number
  readonly promise?: string
  readonly text?: string
}

/** Histories of the seeds from `from` to `to`, without those of `skip`. */
export interface Histories {
  readonly from: number
  readonly to: number
  readonly skip: ReadonlyArray<number>
  readonly database: "model" | "sqlite"
}

/** Runs histories of a bundle in a child process. `onHistory` is called before each. Fails if the child fails. */
export const runMutant = async (
  file: string,
  { database, from, skip, to }: Histories,
  onHistory: (seed: number) => void = () => {}
): Promise<Run> => {
  const child = spawn(process.execPath, [youngGeneration, file, String(from), String(to), skip.join(), database], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  let run: Run = { seed: 0, violation: null }
  let cancelTimeout = () => {}
  const endless = () => {
    run = { ...run, violation: { promise: "history-ends", text: `a history took more than ${maxHistoryMs} ms` } }
    child.kill("SIGKILL")
  }
  const exited = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("exit", resolve))
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line
    if (line.promise !== undefined) {
      run = { ...run, violation: { promise: line.promise, text: line.text ?? "" } }
    } else if (line.seed !== undefined) {
      cancelTimeout()
      cancelTimeout = afterRunning(EventLoop.defaultValue().setTimer, maxHistoryMs, endless)
      run = { ...run, seed: line.seed }
      onHistory(line.seed)
    }
  }
  cancelTimeout()
  const code = await exited
  if (code !== 0 && run.violation === null) throw new Error(`the child process ended with ${code} at seed ${run.seed}`)
  return run
}
