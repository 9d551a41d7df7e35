import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { bundle } from "./bundle.js"
import { type Block, blocksOf, timeless } from "./docsPage.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The pages in the order in which the README sends a reader through them. */
const pages = ["README.md", "docs/sandbox.md", "docs/integrate.md", "docs/automations.md", "docs/bots.md"]

/** Starts a terminal: variables and functions of a command are there for the next one. */
const terminal = (folder: string, environment: NodeJS.ProcessEnv) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => spawn("sh", { cwd: folder, env: environment, stdio: "pipe", detached: true })),
      // Also what still runs in it, such as `endpoint listen`.
      ({ pid }) => Effect.sync(() => process.kill(-(pid as number), "SIGKILL"))
    ),
    (shell) => {
      let output = ""
      for (const stream of [shell.stdout, shell.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text
        })
      }
      return {
        output: () => output,
        start: (command: string) => Effect.sync(() => shell.stdin.write(`${command}\n`)),
        /** Runs a command to its end; its output. It must succeed. */
        run: (command: string) =>
          Effect.gen(function* () {
            const end = `ended-${createHash("sha256").update(command).digest("hex")}`
            output = ""
            shell.stdin.write(`${command}\necho "${end}:$?"\n`)
            const [, printed, code] = yield* until(
              `the command ends: ${command}`,
              () => new RegExp(`^([^]*?)${end}:(\\d+)\\n`).exec(output) ?? undefined
            )
            expect([command, code, printed]).toEqual([command, "0", printed])
            expect([command, printed]).toEqual([command, expect.not.stringContaining('{"error":{')])
            return printed ?? ""
          })
      }
    }
  )

/** The commands of a block, each with the comment of the page that shows its output. */
const commandsOf = ({ text }: Block): ReadonlyArray<string> =>
  text.split(/^(?=parley |npm run |curl |contact=|url=|export )/m).filter((command) => command.trim() !== "")

/** The value of a command's output by which later commands of the pages go. */
const valuesIn = (command: string, printed: string): ReadonlyArray<readonly [placeholder: string, value: string]> => {
  const id = /^id +(\S+)/m.exec(printed)?.[1] ?? ""
  if (command.includes("--first-name Ada"))
    return [
      ["<id of Ada>", id],
      ["<contact id>", id]
    ]
  if (command.includes("team create")) return [["<team id>", id]]
  if (command.includes("bot apply")) return [["<bot id>", /\((\S+)\)/.exec(printed)?.[1] ?? ""]]
  if (command.includes("workflow runs")) return [["<run id>", /^(?!ID )(\S{8,})/m.exec(printed)?.[1] ?? ""]]
  return []
}

it.scopedLive(
  "the commands of the first pages run one after another on one host",
  () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { demo, url } = yield* serveDemo(folder)
      const file = yield* Effect.promise(bundle)
      const executable = (name: string, script: string) =>
        Effect.promise(async () => {
          await mkdir(join(folder, "bin"), { recursive: true })
          await writeFile(join(folder, "bin", name), `#!/bin/sh\n${script}\n`)
          await chmod(join(folder, "bin", name), 0o755)
        })
      yield* executable("parley", `exec "${process.execPath}" "${file}" "$@"`)
      // `npm run --silent parley -- …`, without the check of this repository's installation.
      yield* executable("npm", '[ "$1 $2 $3 $4" = "run --silent parley --" ] || exit 1; shift 4; exec parley "$@"')
      yield* Effect.promise(() =>
        cp(join(root, "docs/automations"), join(folder, "docs/automations"), { recursive: true })
      )
      const inherited = Object.entries(process.env).filter(([name]) => !/^(PARLEY|OTEL|npm)_/.test(name))
      const environment = {
        ...Object.fromEntries(inherited),
        PATH: `${join(folder, "bin")}:${process.env.PATH}`,
        PARLEY_DATA_DIR: folder,
        NO_COLOR: "1"
      }
      const { run } = yield* terminal(folder, environment)
      const other = yield* terminal(folder, environment)

      const known = new Map([["parley_test_…", demo.api_key]])
      /** Fills in what the page leaves to the reader. */
      const filled = (command: string) =>
        [...known].reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), command)
      const inFiles = (placeholder: string, value: string) =>
        Effect.forEach(["qualification-bot.yaml", "quote-requested.yaml"], (name) =>
          Effect.promise(async () => {
            const path = join(folder, "docs/automations", name)
            await writeFile(path, (await readFile(path, "utf8")).replaceAll(placeholder, value))
          })
        )
      /** Runs a command as the reader pastes it. */
      const paste = (command: string): Effect.Effect<string> =>
        Effect.gen(function* () {
          const typed = filled(command)
          expect(typed).not.toMatch(/=…|<[\w ]+ id>|<id of/)
          const local = typed.replaceAll("http://127.0.0.1:8080", url)
          const printed = yield* run(local)
          const shown = /^# (\{.*\})$/m.exec(command)?.[1]
          if (shown !== undefined) {
            const expected = shown
              .split("…")
              .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
              .join(".*")
            expect([command, printed]).toEqual([command, expect.stringMatching(new RegExp(expected))])
          }
          for (const [placeholder, value] of valuesIn(command, printed)) {
            // No run has failed: the reader shows another one.
            if (value === "") continue
            known.set(placeholder, value)
            yield* inFiles(placeholder, value)
          }
          if (command.startsWith("contact=")) known.set("<contact id>", (yield* run("echo $contact")).trim())
          const message = /"message_id":"([^"]+)"/.exec(printed)?.[1]
          if (message !== undefined) known.set("MESSAGE_ID=…", `MESSAGE_ID=${message}`)
          const credentials = [...printed.matchAll(/^client_(id|secret) +(\S+)/gm)]
          for (const [, name = "", value = ""] of credentials) yield* run(`${name.toUpperCase()}=${value}`)
          const token = /"access_token":"([^"]+)"/.exec(printed)?.[1]
          if (token !== undefined) yield* run(`TOKEN=${token}`)
          return printed
        })

      const followed: Array<string> = []
      for (const page of pages) {
        for (const [heading, blocks] of blocksOf(page)) {
          // The host of this test is started by what they start.
          if (heading === "Two commands") continue
          for (const block of blocks) {
            if (block.language === "yaml") {
              const name = /^# (\S+)\n/.exec(block.text)?.[1]
              if (name !== undefined) yield* Effect.promise(() => writeFile(join(folder, name), block.text))
            }
            if (block.language !== "sh") continue
            if (block.text.includes("endpoint listen")) {
              yield* other.start(block.text)
              yield* until("the receiver listens", () => /Receiving webhooks on/.exec(other.output()) ?? undefined)
              const [, again = ""] = commandsOf(blocks[0] as Block)
              yield* paste(again.replace("first-1", "first-2"))
              yield* until("the webhook is printed", () => /message\.delivered/.exec(other.output()) ?? undefined)
              continue
            }
            for (const command of commandsOf(block)) followed.push(`${page}: ${timeless(yield* paste(command))}`)
          }
        }
      }
      expect(new Set(followed.map((line) => line.split(":")[0]))).toEqual(new Set(pages))
    }),
  600_000
)
