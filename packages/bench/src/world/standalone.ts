import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Store } from "./Store.js"
import { secretKeyText } from "./seed.js"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** Of Node, as `npm start`, the image and the systemd unit have them. */
const flags = ["--max-semi-space-size=32"]

/** Builds the host as `npm start` does. */
export const buildHost = (): void => {
  const { status } = spawnSync("npm", ["run", "--silent", "build:host"], { cwd: root, stdio: ["ignore", 2, 2] })
  if (status !== 0) throw new Error("The host could not be built")
}

/** A host that serves and works, as `parley serve` starts it. */
export interface Host {
  readonly origin: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/**
 * Starts a host on a seeded database, with further settings; its folder is created in `dataFolder`. `profile`: the file
 * for a CPU profile of the whole process, or null.
 */
export const startHost = async (
  store: Store,
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
  profile: string | null = null
): Promise<Host> => {
  const profiling =
    profile === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${dirname(profile)}`, `--cpu-prof-name=${basename(profile)}`]
  const child = spawn(
    process.execPath,
    [...flags, ...profiling, join(root, "hosts/standalone/dist/main.js"), "serve"],
    {
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        PARLEY_DATABASE_URL: store.kind === "postgres" ? store.url : `sqlite:${store.file}`,
        PARLEY_DATA_DIR: mkdtempSync(join(dataFolder, "host-")),
        PARLEY_SECRET_KEY: secretKeyText,
        PARLEY_PORT: "0",
        PARLEY_DEMO: "false",
        PARLEY_LOG_FORMAT: "json",
        PARLEY_WEBHOOK_ALLOW: "127.0.0.0/8",
        PARLEY_WEBHOOK_ALLOW_HTTP: "true",
        ...settings
      }
    }
  )
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  child.once("exit", () => process.off("exit", kill))
  let log = ""
  const origin = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The host ended with ${code}: ${log}`)))
    child.stdout.on("data", (chunk: Buffer) => {
      log = `${log}${chunk}`.slice(-4_096)
      const listening = /listening on (http:\/\/[^\s"]+)/.exec(log)?.[1]
      if (listening !== undefined) resolve(listening)
    })
  })
  return {
    origin,
    pid: child.pid as number,
    stop: async () => {
      if (child.exitCode !== null) return
      const exit = once(child, "exit")
      child.kill("SIGTERM")
      await exit
    }
  }
}
