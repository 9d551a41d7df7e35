import { spawn, spawnSync } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, type Scope } from "effect"

/** How a receiver of the documentation is run: what must be installed, and the command in its folder. */
export interface Language {
  readonly name: string
  /** A command that succeeds where the language is installed with all that the receiver needs. */
  readonly installed: readonly [string, ...ReadonlyArray<string>]
  readonly command: readonly [string, ...ReadonlyArray<string>]
}

export const languages: ReadonlyArray<Language> = [
  { name: "node", installed: [process.execPath, "--version"], command: [process.execPath, "receiver.mjs"] },
  { name: "python", installed: ["python3", "--version"], command: ["python3", "receiver.py"] },
  {
    name: "php",
    installed: ["php", "--version"],
    // A free port: it tells which, and several workers, so that two posts can be received at once.
    command: ["env", "PHP_CLI_SERVER_WORKERS=4", "php", "-S", "127.0.0.1:0", "receiver.php"]
  },
  { name: "ruby", installed: ["ruby", "-rwebrick", "-e", "0"], command: ["ruby", "receiver.rb"] },
  { name: "go", installed: ["go", "version"], command: ["go", "run", "receiver.go"] }
]

/** Why the receiver of a language cannot be run here; null where it can. */
export const missing = ({ installed: [command, ...rest], name }: Language): string | null =>
  spawnSync(command, rest, { stdio: "ignore" }).status === 0 ? null : `${name} is not installed`

/** A receiver at work. */
export interface WebhookReceiver {
  readonly url: string
  /** What it kept, by event id. */
  readonly kept: Effect.Effect<ReadonlyMap<string, string>>
}

/** Starts a receiver as a process of its own, with an empty inbox; ended with the scope. */
export const webhookReceiver = (
  { command: [command, ...rest], name }: Language,
  secret: string
): Effect.Effect<WebhookReceiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "parley-inbox-"))),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
    )
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(command, rest, {
          cwd: fileURLToPath(new URL(`../webhooks/${name}`, import.meta.url)),
          env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0", INBOX: inbox },
          stdio: ["ignore", "pipe", "pipe"],
          // A group of its own, because some of them are run by a process that runs another.
          detached: true
        })
      ),
      ({ pid }) => Effect.ignore(Effect.try(() => pid !== undefined && process.kill(-pid, "SIGKILL")))
    )
    const url = yield* Effect.async<string>((resume) => {
      let output = ""
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text
          const reported = /(?:listening on |Development Server \()(http:\/\/[\d.]+:[1-9]\d*)/.exec(output)?.[1]
          if (reported !== undefined) resume(Effect.succeed(reported))
        })
      }
      child.once("exit", (code) => resume(Effect.die(new Error(`the receiver ended with ${code}: ${output}`))))
    })
    const kept = Effect.promise(async () => {
      const files = (await readdir(inbox)).filter((file) => file.endsWith(".json"))
      const texts = await Promise.all(files.map((file) => readFile(join(inbox, file), "utf8")))
      return new Map(files.map((file, i) => [file.slice(0, -5), texts[i] ?? ""]))
    })
    return { url, kept }
  })
