import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, type Scope } from "effect"
import { bundleProgram } from "../../../.ci/bundleProgram.js"

export const adminToken = "admin-token"

/** An example at work as a process of its own. */
export interface ExampleProcess {
  readonly url: string
  readonly apiKey: string
  readonly stop: Effect.Effect<void>
  /** The exit code. */
  readonly exit: Effect.Effect<number | null>
}

/** An example with the sources of this repository, in a file that exists as long as the scope. */
export const fromSource = (name: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.flatMap(temporaryFolder, (folder) =>
    Effect.promise(async () => {
      const file = join(folder, `${name}.mjs`)
      await bundleProgram(fileURLToPath(new URL(`../${name}/main.ts`, import.meta.url)), file)
      return file
    })
  )

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-example-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Starts an example in a folder of its own, on any free port; killed with the scope. */
export const example = (
  file: string,
  environment: { readonly [name: string]: string }
): Effect.Effect<ExampleProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const { NODE_OPTIONS: _options, NODE_PATH: _path, ...inherited } = process.env
        return spawn(process.execPath, [file], {
          cwd: folder,
          env: { ...inherited, PORT: "0", ADMIN_TOKEN: adminToken, ...environment },
          stdio: ["ignore", "pipe", "pipe"]
        })
      }),
      (child) =>
        Effect.zipRight(
          Effect.sync(() => child.kill("SIGKILL")),
          exitOf(child)
        )
    )
    const reported = yield* started(child)
    return { ...reported, stop: Effect.sync(() => void child.kill("SIGTERM")), exit: exitOf(child) }
  })

/** What it prints once it listens. What it prints besides is shown where it fails. */
const started = (child: ChildProcess) =>
  Effect.async<{ readonly url: string; readonly apiKey: string }>((resume) => {
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text
        const [, url, apiKey] = /listening on (http:\/\/\S+), API_KEY=(\S+)/.exec(output) ?? []
        if (url !== undefined && apiKey !== undefined) resume(Effect.succeed({ url, apiKey }))
      })
    }
    child.once("exit", (code) => resume(Effect.die(new Error(`the example ended with ${code}: ${output}`))))
  })

const exitOf = (child: ChildProcess): Effect.Effect<number | null> =>
  Effect.async((resume) => {
    const ended = () => resume(Effect.succeed(child.exitCode))
    if (child.exitCode !== null || child.signalCode !== null) return ended()
    child.once("close", ended)
    return Effect.sync(() => child.off("close", ended))
  })
