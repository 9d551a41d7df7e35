import { spawnSync } from "node:child_process"
import { cpus } from "node:os"

/**
 * A function that pins a process with all its threads to the last core, by `taskset` of util-linux; and which core that
 * is. Null on one core, where there is nothing to separate. Throws if `taskset` is missing.
 */
export const pinning = (): { readonly core: number; readonly pin: (pid: number) => void } | null => {
  const core = cpus().length - 1
  if (core < 1) return null
  const taskset = (...given: ReadonlyArray<string>) => spawnSync("taskset", given, { stdio: ["ignore", "ignore", 2] })
  if (taskset("--version").error !== undefined) {
    throw new Error("taskset is missing: install util-linux (apt install util-linux)")
  }
  return {
    core,
    pin: (pid) => {
      const { status } = taskset("--all-tasks", "--cpu-list", "--pid", String(core), String(pid))
      if (status !== 0) throw new Error(`Process ${pid} could not be pinned to core ${core}`)
    }
  }
}
