import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { bundle } from "./bundle.js"
import { until } from "./until.js"

/** A process of the `parley` command. */
export interface ParleyProcess {
  /** What it has printed so far, errors included. */
  readonly output: () => string
  readonly signal: (name: NodeJS.Signals) => void
  readonly pid: number
  /** Its exit code; null where a signal ended it. */
  readonly exit: Effect.Effect<number | null>
}

/** A folder that is gone with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-host-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/**
 * Runs the command with these settings alone; it is killed with the scope. `through`: a command that becomes the one
 * that it is given, such as `prlimit`. `installed`: where the command is, if not in this repository.
 */
export const parley = (
  message: ReadonlyArray<string>,
  settings: { readonly [name: string]: string },
  through: ReadonlyArray<string> = [],
  installed?: string
) =>
  Effect.gen(function* () {
    const file = yield* Effect.promise(bundle)
    const command = installed === undefined ? [process.execPath, file] : [installed]
    const environment = Object.entries(process.env).filter(([name]) => !/^(PARLEY|OTEL)_/.test(name))
    const [program = "", ...rest] = [...through, ...command]
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(program, [...rest, ...message], {
          env: { ...Object.fromEntries(environment), NO_COLOR: "1", PARLEY_SHUTDOWN_DELAY_SECONDS: "0", ...settings },
          stdio: ["ignore", "pipe", "pipe"]
        })
      ),
      (child) =>
        Effect.zipRight(
          Effect.sync(() => child.kill("SIGKILL")),
          exitOf(child)
        )
    )
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    }
    const self: ParleyProcess = {
      output: () => output,
      signal: (name) => child.kill(name),
      pid: child.pid ?? 0,
      exit: exitOf(child)
    }
    return self
  })

/** Runs the command to its end: its exit code and what it printed. */
export const outcomeOf = (
  message: ReadonlyArray<string>,
  settings: { readonly [name: string]: string },
  through: ReadonlyArray<string> = []
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const child = yield* parley(message, settings, through)
      const code = yield* child.exit
      return { code, output: child.output() }
    })
  )

/** `parley serve` in its demo: where it listens, and what its data directory tells. */
export const serveDemo = (
  folder: string,
  settings: { readonly [name: string]: string } = {},
  through: ReadonlyArray<string> = []
) =>
  Effect.gen(function* () {
    const host = yield* parley(["serve"], { PARLEY_DATA_DIR: folder, PARLEY_PORT: "0", ...settings }, through)
    const url = yield* listening(host)
    const demo = JSON.parse(yield* Effect.promise(() => readFile(join(folder, "demo.json"), "utf8"))) as DemoFile
    return { ...host, url, demo }
  })

/** Numbers and process ids of the processes of a host, in the order of their starts, by its log. */
export const startsOf = (log: string) =>
  [...log.matchAll(/process (\d) of \d is ready \(pid (\d+)\)/g)].map(([, number, pid]) => ({
    number: Number(number),
    pid: Number(pid)
  }))

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Where a host listens, once it says so. */
export const listening = (host: ParleyProcess): Effect.Effect<string> =>
  Effect.raceFirst(
    until("the host listens", () => /listening on (http:\/\/[^\s"]+)/.exec(host.output())?.[1]),
    Effect.flatMap(host.exit, (code) => Effect.die(new Error(`the host ended with ${code}: ${host.output()}`)))
  )

const exitOf = (child: ChildProcess): Effect.Effect<number | null> =>
  Effect.async((resume) => {
    const ended = () => resume(Effect.succeed(child.exitCode))
    if (child.exitCode !== null || child.signalCode !== null) return ended()
    child.once("close", ended)
    return Effect.sync(() => child.off("close", ended))
  })
