import { spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { startPostgres } from "@parley/testkit/postgres"
import { machine } from "./machine.js"
import { type Contender, start } from "./measuring/Contender.js"
import { type Line, table } from "./measuring/Line.js"
import { notes } from "./notes.js"
import { readOptions, type SectionName } from "./options.js"
import type { Bench } from "./sections/Bench.js"
import { engineSection } from "./sections/engine.js"
import { httpSection } from "./sections/http.js"
import { memorySection } from "./sections/memory.js"
import { webhookReceiver } from "./webhookReceiver.js"
import { makeStores, query } from "./world/Store.js"

const sections: { readonly [S in SectionName]: (bench: Bench) => Promise<ReadonlyArray<Line>> } = {
  engine: engineSection,
  http: httpSection,
  memory: memorySection
}

const folder = join(dirname(fileURLToPath(import.meta.url)), "..")

/** The programs run as a host does, bundled: sources that are translated while they are loaded run slower. */
const bundle = () => {
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup/package.json")), "dist/cli-default.js")
  const { status } = spawnSync(process.execPath, [tsup, "--silent"], { cwd: folder, stdio: ["ignore", 2, 2] })
  if (status !== 0) throw new Error("The programs of the benchmark could not be built")
}

const run = async () => {
  const options = readOptions(process.argv.slice(2))
  const progress = (text: string) => process.stderr.write(`${text} …\n`)
  progress("building")
  bundle()
  const server = await startPostgres({ fsync: true })
  const stores = makeStores(server.url)
  const receiver = await webhookReceiver()
  const started: Array<Contender<any, any>> = []
  const bench: Bench = {
    ...options,
    stores,
    progress,
    webhookUrl: receiver.url,
    start: async (program, setting) => {
      const contender = await start<any, any>(join(folder, "dist"), program, setting)
      started.push(contender)
      return contender
    }
  }
  try {
    const lines: Array<Line> = []
    for (const name of options.only) lines.push(...(await sections[name](bench)))
    const [version] = await query(server.url, "SHOW server_version")
    const text = [table(lines), ...[...notes, ...machine(version.server_version)].map((fact) => `- ${fact}`)]
    process.stdout.write(`${table(lines)}\n`)
    if (options.write !== null) writeFileSync(options.write, text.join("\n"))
  } finally {
    for (const contender of started) await contender.stop()
    receiver.stop()
    await server.stop()
    rmSync(stores.folder, { recursive: true, force: true })
  }
}

run().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
