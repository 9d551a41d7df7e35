import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { chmod, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"
import { bundle } from "./bundle.js"
import { serveDemo, temporaryFolder } from "./processes.js"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** A block of code on a page. */
export interface Block {
  readonly language: string
  readonly text: string
}

/** The blocks of code on a page, under the headings of its second level. */
export const blocksOf = (page: string): ReadonlyMap<string, ReadonlyArray<Block>> =>
  new Map(
    readFileSync(`${root}${page}`, "utf8")
      .split(/^## /m)
      .map((section) => [
        section.split("\n")[0] ?? "",
        [...section.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = "", text = ""]) => ({ language, text }))
      ])
  )

/** The commands of a block, each as it is pasted into a shell. */
export const commandsOf = ({ text }: Block): ReadonlyArray<string> =>
  text.split(/^(?=parley |curl |#)/m).filter((command) => !command.startsWith("#"))

/** Output without ids, times, durations and column widths, so that it is the same in every run. */
export const timeless = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replace(/\d{4}-\d\d-\d\d[ T][\d:.]+Z/g, "<time>")
    .replace(/ \d+ (?:ms|s|min|h|d) /g, " <while> ")
    .replace(/\s+/g, " ")

/**
 * Runs the commands of a page beside a running demo: with `parley` as a command, the folders of `docs` that the page
 * names, and the demo's key in `PARLEY_KEY`.
 */
export const pageReader = (folders: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const { demo, url } = yield* serveDemo(folder)
    const file = yield* Effect.promise(bundle)
    const program = join(folder, "bin", "parley")
    yield* Effect.promise(async () => {
      for (const name of folders) await cp(join(root, name), join(folder, name), { recursive: true })
      await mkdir(join(folder, "bin"))
      await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`)
      await chmod(program, 0o755)
    })
    const known = new Map<string, string>()
    const inherited = Object.entries(process.env).filter(([name]) => !/^(PARLEY|OTEL|npm)_/.test(name))
    const env = {
      ...Object.fromEntries(inherited),
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      PARLEY_DATA_DIR: folder,
      PARLEY_KEY: demo.api_key,
      NO_COLOR: "1"
    }
    const meant = (text: string) => text.replace(/<[\w ]+>/g, (name) => known.get(name) ?? name)

    /** Rewrites the files of the page's folders. */
    const edit = (change: (text: string) => string) =>
      Effect.promise(async () => {
        for (const name of folders) {
          for (const entry of await readdir(join(folder, name))) {
            const path = join(folder, name, entry)
            await writeFile(path, change(await readFile(path, "utf8")))
          }
        }
      })

    /** Runs a command in a shell, with known ids in place of placeholders such as `<run id>`; returns its output. */
    const paste = (command: string) =>
      Effect.promise(() =>
        promisify(execFile)("sh", ["-c", meant(command).replaceAll("http://127.0.0.1:8080", url)], { cwd: folder, env })
      ).pipe(Effect.map(({ stdout }) => stdout))

    /** Stores an id by the page's placeholder, and replaces it in the files. */
    const learn = (name: string, id: string | undefined) =>
      Effect.suspend(() => {
        known.set(name, id ?? `${name} is unknown`)
        return edit(meant)
      })

    return { demo, edit, known, learn, paste }
  })
