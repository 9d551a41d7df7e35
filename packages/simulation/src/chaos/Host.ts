import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../../../hosts/standalone/dist/main.js", import.meta.url))

/** The bundled Node host, in a process that can be killed, paused and started again on the same port. */
export interface Host {
  readonly name: string
  readonly origin: string
  /** Starts the process, and waits until it answers requests. Fails if it ends before. */
  readonly start: () => Promise<void>
  /** Sends a signal to the process. */
  readonly signal: (signal: "SIGSTOP" | "SIGCONT") => void
  /** Ends the process: `SIGKILL` as a crash does, `SIGTERM` in order. Waits for its end. */
  readonly end: (signal: "SIGKILL" | "SIGTERM") => Promise<void>
  /** Sets the clock of the process, in ms from the right time. Without libfaketime, does nothing. */
  readonly setClock: (ms: number) => void
  readonly isUp: () => boolean
}

export interface HostSettings {
  readonly name: string
  readonly port: number
  /** Folder of the host's data, log and clock. */
  readonly folder: string
  readonly databaseUrl: string
  readonly vendorUrl: string
  readonly adminToken: string
  readonly secretKey: string
  /** Path of libfaketime; null: the host has the machine's clock. */
  readonly faketime: string | null
}

const startTimeoutMs = 60_000

export const makeHost = (settings: HostSettings): Host => {
  const { adminToken, databaseUrl, faketime, folder, name, port, secretKey, vendorUrl } = settings
  mkdirSync(folder, { recursive: true })
  const clockFile = join(folder, "clock")
  const log = join(folder, "log")
  writeFileSync(clockFile, "+0")
  const inherited = Object.entries(process.env).filter(([variable]) => !/^(PARLEY|OTEL|VITEST|NODE)_/.test(variable))
  const clock =
    faketime === null
      ? {}
      : {
          LD_PRELOAD: faketime,
          FAKETIME_TIMESTAMP_FILE: clockFile,
          FAKETIME_NO_CACHE: "1",
          FAKETIME_DONT_FAKE_MONOTONIC: "1"
        }
  let child: ChildProcess | null = null
  let isUp = false

  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null
  const kill = () => child?.kill("SIGKILL")

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [program, "serve"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...Object.fromEntries(inherited),
        ...clock,
        PARLEY_API_URLS: vendorUrl,
        PARLEY_DATABASE_URL: databaseUrl,
        PARLEY_DATA_DIR: folder,
        PARLEY_PORT: String(port),
        PARLEY_ADMIN_TOKEN: adminToken,
        PARLEY_SECRET_KEY: secretKey,
        PARLEY_DEMO: "false",
        PARLEY_LOG_FORMAT: "json",
        PARLEY_SHUTDOWN_DELAY_SECONDS: "0",
        PARLEY_WEBHOOK_ALLOW: "127.0.0.0/8",
        PARLEY_WEBHOOK_ALLOW_HTTP: "true"
      }
    })
    child = started
    process.once("exit", kill)
    started.once("exit", () => {
      if (child === started) isUp = false
      process.off("exit", kill)
    })
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (chunk: Buffer) => appendFileSync(log, chunk))
    }
    const until = Date.now() + startTimeoutMs
    while (Date.now() < until && isRunning()) {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
        ({ ok }) => ok,
        () => false
      )
      if (ready) {
        isUp = true
        return
      }
      await sleep(100)
    }
    throw new Error(`${name} did not start within ${startTimeoutMs / 1_000} s: see ${log}`)
  }

  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    start,
    signal: (signal) => void child?.kill(signal),
    end: async (signal) => {
      if (child === null || !isRunning()) return
      isUp = false
      const exit = once(child, "exit")
      child.kill(signal)
      await exit
    },
    setClock: (ms) => writeFileSync(clockFile, `${ms < 0 ? "-" : "+"}${Math.abs(ms) / 1_000}`),
    isUp: () => isUp && isRunning()
  }
}
