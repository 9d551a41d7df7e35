import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"

/** A program of the benchmark in a process of its own. */
export interface BenchProcess<Order, Answer> {
  readonly ask: (order: Order) => Promise<Answer>
  readonly pid: number
  /** Its URL; empty without an HTTP server. */
  readonly origin: string
  readonly stop: () => Promise<void>
}

/**
 * Starts a bundled program and waits until it is ready; it ends with this process. `profile`: the file for a CPU
 * profile of its orders, or null.
 */
export const startProcess = async <Order, Answer>(
  folder: string,
  program: string,
  setting: unknown,
  profile: string | null
): Promise<BenchProcess<Order, Answer>> => {
  const child = fork(join(folder, `${program}.js`), [JSON.stringify(setting)], {
    execArgv: [],
    env: { ...process.env, ...(profile === null ? {} : { PARLEY_BENCH_PROFILE: profile }) },
    stdio: ["ignore", 2, "inherit", "ipc"]
  })
  const origin = (await nextMessage(child, program)) as string
  return {
    origin,
    pid: child.pid as number,
    ask: async (order) => {
      child.send(order as object)
      return (await nextMessage(child, program)) as Answer
    },
    stop: async () => {
      if (child.exitCode !== null) return
      const exit = once(child, "exit")
      child.disconnect()
      await exit
    }
  }
}

const nextMessage = async (child: ChildProcess, program: string): Promise<unknown> => {
  const ended = new AbortController()
  try {
    const [message] = await Promise.race([
      once(child, "message", { signal: ended.signal }),
      once(child, "exit", { signal: ended.signal }).then(([code]) => {
        throw new Error(`${program} ended with ${code}`)
      })
    ])
    return message
  } finally {
    ended.abort()
  }
}
